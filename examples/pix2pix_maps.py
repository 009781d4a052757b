"""Street maps drawn from layouts: a generator learns how a draftsman draws, with the losses of pix2pix.

A layout says for each of 32 × 32 cells whether it is ground, street, building or water. The draftsman gives streets a
dark edge, buildings an outline and a shadow, and water lines along its shore: what a cell looks like depends on its
neighbors. The generator is a small U-Net, the discriminator sees patches of a map together with its layout; the loss is
100 times the L1 distance, plus the adversarial loss, plus 10 times the distance between features of the discriminator.

New layouts, which were not used for training, are drawn by the generator, and compared with the draftsman's maps. The
first baseline is the layout in four shades of gray, evenly spaced; the second one takes the best shades for L1.

The folder gets a sheet: layout, second baseline, generated map, and the draftsman's map.
"""

import sys

import numpy as np
from adversarial import program, train
from pictures import sheet

import dark
from dark import nn, optim
from dark.contexts import GANContext
from dark.draw import Table
from dark.executors import AdversarialLossType, Pix2PixLoss, get_adversarial_loss_discriminator
from dark.metrics import PSNR, SSIM, MeanAbsoluteError
from dark.trainers import AdversarialTrainer

STEPS, SIZE, BATCH_SIZE, LEARNING_RATE, MAPS, TESTS = 300, 32, 8, 2e-3, 400, 60
GROUND, STREET, BUILDING, WATER = range(4)
BETTER_BY = 2.0  # the factor by which the L1 distance of the baselines is larger


def layout_of(rng):
    """Draw a layout (32, 32): water in a corner or as a river, buildings in blocks, and streets over all."""
    cells = np.full((SIZE, SIZE), GROUND)
    row, column = np.indices(cells.shape)
    offset, slope, width = rng.uniform(4, 28), rng.uniform(-0.6, 0.6), rng.uniform(2, 5)
    course = offset + slope * (column - 16) + 2 * np.sin(column / rng.uniform(3, 6))
    shape = np.hypot(row - rng.choice([0, 31]), column - rng.choice([0, 31])) < rng.uniform(8, 15)
    cells[shape if rng.random() < 0.5 else abs(row - course) < width] = WATER
    streets = [np.cumsum(rng.integers(8, 13, 4)) - rng.integers(4, 9) for _ in range(2)]
    for _ in range(rng.integers(8, 16)):
        top, left = rng.integers(0, SIZE - 4, 2)
        block = (slice(top, top + rng.integers(3, 7)), slice(left, left + rng.integers(3, 7)))
        if (cells[block] == GROUND).all():
            cells[block] = BUILDING
    for lines, axis in zip(streets, (row, column)):
        for place in lines[: rng.integers(1, 4)]:
            cells[(axis >= place) & (axis < place + 2)] = STREET
    return cells


def near(mask, rows=(-1, 0, 1), columns=(-1, 0, 1)):
    """Return the cells that a mask reaches when it is moved by these numbers of cells."""
    height, width = mask.shape
    padded = np.pad(mask, 3)
    moved = [padded[3 - r : 3 - r + height, 3 - c : 3 - c + width] for r in rows for c in columns]
    return np.logical_or.reduce(moved)


def drawn(cells):
    """Draw the map (32, 32) of a layout, with values from -1, white, to 1, black."""
    page = np.full(cells.shape, -0.7, np.float32)
    street, building, water = cells == STREET, cells == BUILDING, cells == WATER
    page[near(building, rows=(1, 2), columns=(1, 2)) & (cells == GROUND)] = 0.1  # the shadow
    page[water] = 0.25
    inside = ~near(~water)
    page[inside & near(~inside)] = -0.2  # a line along the shore
    page[building] = 0.0
    page[building & near(~building)] = 0.8
    page[street] = -1.0
    page[near(street) & ~street] = 0.5  # the edges of the streets
    return page


def make_maps(rng, count):
    """Return layouts as one-hot images (count, 4, 32, 32), and their maps (count, 1, 32, 32)."""
    layouts = np.stack([layout_of(rng) for _ in range(count)])
    one_hot = np.stack([layouts == k for k in range(4)], axis=1).astype(np.float32)
    return one_hot, np.stack([drawn(cells) for cells in layouts])[:, None]


def convolution(rng, a, b, stride=1):
    """Create a 3 × 3 convolution with a leaky ReLU; stride 2 halves the image."""
    return nn.Sequential(nn.Conv2d(a, b, 3, stride=stride, padding=1, seed=rng), nn.LeakyReLU(0.2))


class Generator(nn.Module):
    """A U-Net with one skip connection: half the size in the middle, and all cells at the end."""

    def __init__(self, rng, width=16):
        super().__init__()
        self.first, self.down = convolution(rng, 4, width), convolution(rng, width, width, stride=2)
        self.middle, self.up = convolution(rng, width, width), nn.Upsample(scale_factor=2)
        self.last = nn.Sequential(convolution(rng, 2 * width, width), nn.Conv2d(width, 1, 3, padding=1, seed=rng))

    def forward(self, layout):
        """Return maps (batch, 1, 32, 32) for layouts (batch, 4, 32, 32)."""
        first = self.first(layout)
        middle = self.up(self.middle(self.down(first)))
        return dark.tanh(self.last(dark.concatenate([first, middle], axis=1)))


class PatchDiscriminator(nn.Module):
    """A score for each patch of a map, seen together with the layout."""

    def __init__(self, rng, width=16):
        super().__init__()
        self.first, self.second = convolution(rng, 5, width, stride=2), convolution(rng, width, width, stride=2)
        self.score = nn.Conv2d(width, 1, 3, padding=1, seed=rng)

    def forward(self, x, condition, return_features=False):
        """Return the scores (batch, 1, 8, 8), and on request a list of the features of both layers."""
        first = self.first(dark.concatenate([x, condition], axis=1))
        second = self.second(first)
        scores = self.score(second)
        return (scores, [first, second]) if return_features else scores


def make_trainer(seed):
    """Create the networks, their losses and their trainer."""
    rng = np.random.default_rng(seed)
    models = Generator(rng).float(), PatchDiscriminator(rng).float()
    kind = AdversarialLossType.LSGAN
    context = GANContext(
        generator_model=models[0], discriminator_model=models[1],
        generator_loss=Pix2PixLoss(adversarial_loss_type=kind, use_feature_matching_loss=True),
        discriminator_loss=get_adversarial_loss_discriminator(kind)(),
    )  # fmt: skip
    return AdversarialTrainer(context, *(optim.Adam(m.parameters(), LEARNING_RATE, betas=(0.5, 0.99)) for m in models))


def shaded(layouts, shades):
    """Return layouts in a shade of gray for each kind of cell."""
    return np.einsum("nkij,k->nij", layouts, np.asarray(shades, np.float32))[:, None]


def best_shades(layouts, maps):
    """Return the shade of each kind of cell with the least L1 distance: the median."""
    return [np.median(maps[:, 0][layouts[:, k] > 0]) for k in range(4)]


def measured(made, maps):
    """Return L1 distance, PSNR in decibels and SSIM of maps; their values range from -1 to 1."""
    distance, *others = MeanAbsoluteError(), PSNR(data_range=2.0), SSIM(data_range=2.0, kernel_size=7)
    distance.update((made.ravel(), maps.ravel()))
    for metric in others:
        metric.update((made, maps))
    return [float(metric.compute()) for metric in (distance, *others)]


def run(seed, steps):
    """Train, draw new layouts, and compare."""
    rng, trainer = np.random.default_rng(seed), make_trainer(seed)
    (layouts, maps), (new, truth) = make_maps(rng, MAPS), make_maps(rng, TESTS)

    def draw():
        rows = rng.integers(0, MAPS, BATCH_SIZE)
        return (maps[rows], layouts[rows]), layouts[rows]  # the layout is what the generator gets, and the condition

    train(trainer, draw, steps, f"seed {seed}")
    with dark.no_grad():
        made = trainer.context.generator_model(new, training=False).value
    ways = {"evenly spaced shades": shaded(new, np.linspace(-1, 1, 4)),
            "the best shades": shaded(new, best_shades(layouts, maps)), "pix2pix": made}  # fmt: skip
    found = {name: measured(images, truth) for name, images in ways.items()}
    rows = [(name, *(f"{value:.{n}f}" for value, n in zip(values, (3, 1, 3)))) for name, values in found.items()]
    *baselines, own = found.values()
    factor = min(other[0] for other in baselines) / own[0]
    is_best = all(own[1] > other[1] and own[2] > other[2] for other in baselines)
    lines = [
        str(trainer.context.generator_loss), str(Table(("maps of new layouts", "L1", "PSNR", "SSIM"), tuple(rows))),
        f"L1 of the best baseline: {factor:.1f} times as large; at least {BETTER_BY:g} is expected, and the best PSNR "
        "and SSIM",
    ]  # fmt: skip
    return lines, {"maps": picture_of(new, truth, ways, found)}, is_best and factor >= BETTER_BY


def picture_of(layouts, truth, ways, found, count=6):
    """Draw some layouts, the second baseline, the generated maps, and the true ones."""
    plain, best, made = (images[:count] for images in ways.values())
    images = np.stack([plain, best, made, truth[:count]])[:, :, 0]
    rows = ["layout", "best shades", "pix2pix", "draftsman"]
    alt = (
        f"Maps of {count} new layouts, in four rows: the layout in shades of gray, the best shades, the map of "
        "pix2pix, and the draftsman's map. Both maps have edges, shadows and shore lines, in the same places. "
        f"SSIM {found['the best shades'][2]:.3f} for the best shades and {found['pix2pix'][2]:.3f} for pix2pix."
    )
    return sheet(images, rows, title="Street maps drawn from layouts", alt=alt, cell=1.3)


if __name__ == "__main__":
    sys.exit(program(__doc__, "build/pix2pix-maps", run, STEPS))
