"""Transforms of images: pixels and points move to the same place, PyTorch's numbers, and the door."""

import random
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dark.data import Compose, DataLoader, datasets
from dark.data.transforms import (
    CenterCrop,
    GaussianNoise,
    Moving,
    Normalize,
    Pad,
    RandomAffine,
    RandomCrop,
    RandomHorizontalFlip,
    RandomRotation,
    RandomVerticalFlip,
    largest_rectangle,
)
from dark.data.transforms.moves import look_between
from dark.errors import ShapeError, UsageError, ValueTypeError

MOVING = {
    "flip across": RandomHorizontalFlip(),
    "flip down": RandomVerticalFlip(p=1),
    "pad": Pad((1, 2, 0, 3), fill=np.nan),
    "crop": RandomCrop((4, 3), padding=(2, 0), fill=np.nan),
    "crop the middle": CenterCrop(5, fill=np.nan),
    "turn": RandomRotation(180, fill=np.nan),
    "turn, nearest": RandomRotation(180, interpolation="nearest", fill=np.nan),
    "all": RandomAffine(40, (0.3, 0.2), (0.5, 2.0), shear=30, fill=np.nan),
    "all, nearest": RandomAffine(40, (0.3, 0.2), (0.8, 1.5), shear=20, interpolation="nearest", fill=np.nan),
    "several": Compose([RandomAffine(20, (0.1, 0.1), fill=np.nan), RandomHorizontalFlip(), Pad(1, fill=np.nan)]),
}
every_moving = pytest.mark.parametrize("transform", MOVING.values(), ids=MOVING)
sides, seeds = st.integers(4, 9), st.integers(0, 2**32)


def places(height, width):
    """Make an image whose two channels say the x and the y of each pixel."""
    y, x = np.mgrid[:height, :width].astype(float)
    return np.stack([x, y])


@every_moving
@given(height=sides, width=sides, seed=seeds)
def test_a_pixel_and_its_point_move_to_the_same_place(transform, height, width, seed):
    image = places(height, width)
    moved = transform({"image": image}, np.random.default_rng(seed))["image"]
    y, x = np.nonzero(~np.isnan(moved[0]))
    came_from = moved[:, y, x].T  # what stands there says where it was: reading between pixels is exact for this image
    points = transform({"image": image, "points": came_from}, np.random.default_rng(seed))["points"]
    allowed = 1e-9
    if getattr(transform, "interpolation", "") == "nearest":  # off by half a pixel each way, stretched by the map
        allowed = 0.5 * 2 * 1.5 * 1.5
    assert np.abs(points - np.stack([x, y], axis=-1)).max(initial=0) <= allowed


@every_moving
@given(height=sides, width=sides, seed=seeds, data=st.data())
def test_a_marked_pixel_of_image_and_mask_and_its_point_stay_together(transform, height, width, seed, data):
    row, column = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    mask = np.zeros((height, width), dtype=np.uint8)
    mask[row, column] = 7
    sample = {"image": mask[None].astype(float), "mask": mask, "points": np.array([[column, row]]), "name": "a"}
    moved = transform(sample, np.random.default_rng(seed))
    assert moved["name"] == "a" and moved["mask"].dtype == np.uint8 and set(np.unique(moved["mask"])) <= {0, 7}
    assert moved["mask"].shape == moved["image"].shape[1:]
    marked = np.argwhere(moved["mask"])[:, ::-1]  # a turn may lose a pixel between others, or show it twice
    assert (np.abs(marked - moved["points"]) <= 1.6).all()
    if len(marked) == 1 and (np.abs(marked - moved["points"]) < 1e-9).all():
        assert moved["image"][0, marked[0, 1], marked[0, 0]] == pytest.approx(7)


@pytest.mark.parametrize("transform", [t for t in MOVING.values() if isinstance(t, Moving)])
@given(n=st.integers(1, 3), seed=seeds)
def test_each_image_of_a_batch_is_moved_with_its_own_mask_and_points_by_its_own_draw(transform, n, seed):
    image = np.random.default_rng(seed).normal(size=(n, 2, 6, 7))
    mask, points = np.random.default_rng(seed).integers(0, 9, (n, 6, 7)), np.zeros((n, 3, 2))
    together = transform({"image": image, "mask": mask, "points": points}, np.random.default_rng(seed))
    generator = np.random.default_rng(seed)
    for k in range(n):
        alone = transform({"image": image[k], "mask": mask[k], "points": points[k]}, generator)
        for name in ("image", "mask", "points"):
            np.testing.assert_array_equal(together[name][k], alone[name], strict=True)


@every_moving
@given(dtype=st.sampled_from([np.float32, np.float64]), seed=seeds)
def test_the_type_of_the_image_is_kept_and_nothing_is_written_into_it(transform, dtype, seed):
    image, points = np.ones((1, 6, 6), dtype), np.ones((2, 2), np.float32)
    image.flags.writeable = points.flags.writeable = False
    moved = transform({"image": image, "points": points}, np.random.default_rng(seed))
    assert moved["image"].dtype == dtype and moved["points"].dtype == np.float32


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, bool])
@pytest.mark.parametrize("interpolation", ["bilinear", "nearest"])
def test_images_of_integers_stay_integers_and_are_rounded(dtype, interpolation):
    image = np.random.default_rng(0).integers(0, 2, (1, 8, 8)).astype(dtype)
    for seed in range(5):
        moved = RandomAffine(30, (0.1, 0.1), interpolation=interpolation)(image, seed)
        assert moved.dtype == dtype and set(np.unique(moved)) <= {0, 1}
    bright = np.full((1, 5, 5), 255, np.uint8)
    assert RandomRotation((30, 30), fill=255)(bright).min() == 255


@pytest.mark.parametrize("quarters", [0, 1, 2, 3, 4, -1])
@pytest.mark.parametrize("interpolation", ["bilinear", "nearest"])
def test_quarter_turns_are_exact_and_counter_clockwise(quarters, interpolation):
    image = np.random.default_rng(0).normal(size=(2, 5, 5))
    turned = RandomRotation((90 * quarters, 90 * quarters), interpolation)(image)
    np.testing.assert_array_equal(turned, np.rot90(image, quarters, axes=(1, 2)))


@given(image=arrays.arrays(float, (1, 4, 5), elements=st.integers(-9, 9)))
def test_flips_are_their_own_inverse_and_a_window_undoes_a_border(image):
    for flip in (RandomHorizontalFlip(1), RandomVerticalFlip(1)):
        np.testing.assert_array_equal(flip(flip(image)), image)
    np.testing.assert_array_equal(CenterCrop((4, 5))(Pad(3)(image)), image)
    np.testing.assert_array_equal(
        Pad((1, 2, 3, 4), fill=5)(image), np.pad(image, ((0, 0), (2, 4), (1, 3)), constant_values=5)
    )
    assert RandomHorizontalFlip(0)(image) is image or (RandomHorizontalFlip(0)(image) == image).all()


def test_every_crop_is_drawn_and_no_other():
    image = np.arange(12.0).reshape(1, 3, 4)
    corners = {RandomCrop(2)(image, seed)[0, 0, 0] for seed in range(200)}
    assert corners == {0, 1, 2, 4, 5, 6}


def test_a_window_that_shows_nothing_of_the_picture_is_empty():
    assert (
        not RandomCrop(2, padding=(9, 0, 0, 0))
        .draw(3, 3, np.random.default_rng(1))
        .pixels(np.ones((1, 3, 3)), 0, True)
        .any()
    )


def test_a_probability_is_met():
    flipped = [RandomHorizontalFlip(0.3)(np.array([[[0, 1]]]), seed)[0, 0, 0] for seed in range(2000)]
    assert np.mean(flipped) == pytest.approx(0.3, abs=0.03)


@pytest.mark.oracle
@given(height=sides, width=sides, seed=seeds)
def test_reading_between_pixels_is_pytorchs(height, width, seed):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    rng = np.random.default_rng(seed)
    image, x, y = (
        rng.normal(size=(2, height, width)),
        rng.uniform(-3, width + 2, (3, 4)),
        rng.uniform(-3, height + 2, (3, 4)),
    )
    grid = np.stack([2 * x / (width - 1) - 1, 2 * y / (height - 1) - 1], axis=-1)
    right = torch.nn.functional.grid_sample(torch.tensor(image)[None], torch.tensor(grid)[None], align_corners=True)[0]
    np.testing.assert_allclose(look_between(image, x, y, 0), right.numpy(), atol=1e-10)


@given(
    image=arrays.arrays(np.float32, (2, 3, 3), elements=st.floats(-9, 9, width=32)),
    mean=st.lists(st.floats(-3, 3), min_size=2, max_size=2),
    std=st.floats(0.5, 3),
)
def test_normalising_each_channel_is_the_formula_and_a_batch_is_its_images(image, mean, std):
    normal = Normalize(mean, std)(image)
    assert normal.dtype == np.float32
    np.testing.assert_allclose(normal, (image - np.reshape(mean, (2, 1, 1))) / std, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(Normalize(mean, std)(np.stack([image, image]))[1], normal)


def test_noise_has_its_moments_and_leaves_mask_and_points_alone():
    sample = {"image": np.zeros((1, 100, 100)), "mask": np.ones((100, 100)), "points": np.ones((1, 2))}
    noisy = GaussianNoise(0.5, mean=2.0)(sample, 0)
    assert noisy["image"].mean() == pytest.approx(2, abs=0.02) and noisy["image"].std() == pytest.approx(0.5, abs=0.02)
    assert noisy["mask"] is not None and (noisy["mask"] == 1).all() and (noisy["points"] == 1).all()
    assert GaussianNoise()(np.zeros((1, 2, 2), np.float32)).dtype == np.float32
    assert GaussianNoise()(np.zeros((1, 2, 2), np.uint8)).dtype == float


def test_of_a_tuple_the_image_is_first_and_the_rest_stays():
    Pair = namedtuple("Pair", ["image", "label"])
    for given_ in [(np.array([[[1, 2]]]), 5), [np.array([[[1, 2]]]), 5], Pair(np.array([[[1, 2]]]), 5)]:
        moved = RandomHorizontalFlip(1)(given_)
        assert type(moved) is type(given_) and moved[0].tolist() == [[[2, 1]]] and moved[1] == 5


def test_a_loader_gives_the_generator_and_the_pictures_can_be_made_again():
    data = datasets.digits(images=True)
    shake = Compose([RandomRotation(15), RandomCrop(8, padding=1), GaussianNoise(0.1), Normalize(8.0, 8.0)])
    make = lambda workers: DataLoader(data, 64, True, seed=0, transform=shake, num_workers=workers, sampler=None)
    first, second = next(iter(make(0))), next(iter(make(2)))
    np.testing.assert_array_equal(first[0], second[0])
    assert first[0].shape == (64, 1, 8, 8) and first[1].shape == (64,)


def test_a_move_of_ones_own_moves_all():
    class Down(Moving):
        def draw(self, height, width, generator):
            return RandomCrop((height, width), padding=(0, 1, 0, 0)).draw(height, width, np.random.default_rng(4))

    moved = Down()({"image": np.ones((1, 2, 2)), "mask": np.ones((2, 2)), "points": np.zeros((1, 2))})
    assert moved["points"][0, 1] == np.argmax(moved["mask"][:, 0])


@pytest.mark.parametrize(
    ("width", "height", "degrees", "right"),
    [(200, 100, 30, (100, 57.735)), (100, 100, 45, (70.711, 70.711)), (300, 100, 45, (70.711, 70.711)),
     (100, 200, 30, (57.735, 100)), (200, 100, -30, (100, 57.735)), (200, 100, 0, (200, 100)),
     (200, 100, 90, (100, 200)), (200, 100, 180, (200, 100)), (200, 100, 150, (100, 57.735))],
)  # fmt: skip
def test_the_largest_rectangle_of_known_ones(width, height, degrees, right):
    np.testing.assert_allclose(largest_rectangle(width, height, degrees), right, atol=1e-3)


@given(width=st.floats(1, 100), height=st.floats(1, 100), degrees=st.floats(0, 180))
def test_the_largest_rectangle_lies_inside_and_touches_the_border(width, height, degrees):
    w, h = largest_rectangle(width, height, degrees)
    sin, cos = abs(np.sin(np.deg2rad(degrees))), abs(np.cos(np.deg2rad(degrees)))
    reach = np.array([w * cos + h * sin - width, w * sin + h * cos - height])  # of its corners beyond each side
    assert reach.max() == pytest.approx(0, abs=1e-6) and min(w, h) > 0


def test_compose_applies_in_order_with_one_generator_and_says_where_it_failed():
    both = Compose([lambda x, generator: x + generator.random(), lambda x, generator: (x, generator.random())])
    rng = np.random.default_rng(0)
    assert both(0.0, np.random.default_rng(0)) == (rng.random(), rng.random())

    def broken(x, generator):
        raise OSError("no")

    with pytest.raises(OSError, match="no") as caught:
        Compose([RandomCrop(1), broken])(np.ones((1, 2, 2)))
    assert caught.value.__notes__ == ["in step 1 of Compose, broken"]
    assert repr(Compose([RandomCrop(1), broken])) == "Compose(RandomCrop, broken)"


IMAGE = np.zeros((1, 4, 4))
FLIP = RandomHorizontalFlip()


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: FLIP(np.zeros((4, 4))), ShapeError, r"HorizontalFlip: an image of shape \(4, 4\).*\n.*channels"),
        (lambda: FLIP(np.zeros((1, 0, 4))), ShapeError, r"an image of shape \(1, 0, 4\)"),
        (lambda: FLIP("picture"), ValueTypeError, "the image is of type <U7"),
        (lambda: FLIP({"image": None}), ValueTypeError, "the image is missing"),
        (lambda: FLIP({"x": IMAGE}), UsageError, "a dict with the keys x.\n  Expected: the key 'image'"),
        (lambda: FLIP({"image": IMAGE, "mask": IMAGE}), ShapeError, r"mask of shape \(1, 4, 4\).*\n.*shape \(4, 4\)"),
        (lambda: FLIP({"image": IMAGE, "points": np.zeros(2)}), ShapeError, r"of shape \(2,\).*\n.*shape \(p, 2\)"),
        (lambda: FLIP({"image": IMAGE, "points": np.zeros((2, 3))}), ShapeError, r"points of shape \(2, 3\)"),
        (lambda: FLIP({"image": IMAGE[None], "points": np.zeros((2, 2))}), ShapeError, r"shape \(1, p, 2\)"),
        (lambda: RandomHorizontalFlip(2), UsageError, "RandomHorizontalFlip: p is 2"),
        (lambda: RandomVerticalFlip("a"), UsageError, "RandomVerticalFlip: p is 'a'"),
        (lambda: RandomCrop(0), UsageError, "RandomCrop: size is 0"),
        (lambda: RandomCrop((1, 2, 3)), UsageError, r"RandomCrop: size is \(1, 2, 3\)"),
        (lambda: CenterCrop(1.5), ValueTypeError, "CenterCrop: size is 1.5"),
        (lambda: RandomCrop(5)(IMAGE), ShapeError, r"a window of \(5, 5\) in an image of \(4, 4\) with padding"),
        (lambda: Pad((1, 2, 3)), UsageError, r"Pad: padding is \(1, 2, 3\)"),
        (lambda: Pad(-1), UsageError, "Pad: padding is -1"),
        (lambda: RandomRotation("a"), ValueTypeError, "RandomRotation: degrees is 'a'"),
        (lambda: RandomRotation((5, -5)), UsageError, r"degrees is \(5, -5\).*\n.*lower first.*\n.*\(-5, 5\)"),
        (lambda: RandomRotation(np.inf), UsageError, "degrees is inf"),
        (lambda: RandomRotation(5, "cubic"), UsageError, "RandomRotation: interpolation is 'cubic'"),
        (lambda: RandomAffine(0, translate=(0.1, 2)), UsageError, r"translate is \(0.1, 2\).*\n.*from 0 to 1"),
        (lambda: RandomAffine(0, scale=(0, 1)), UsageError, r"scale is \(0, 1\)"),
        (lambda: RandomAffine(0, shear=90), UsageError, "shear is 90"),
        (lambda: Normalize([1, 2], [1, 2])(IMAGE), ShapeError, "Normalize: an image of 1 channels, mean and std of 2"),
        (lambda: Normalize([[1]], 1), ShapeError, r"mean and std of shapes \(1, 1\) and \(\)"),
        (lambda: Normalize(0, 0), UsageError, "Normalize: mean 0.0 and std 0.0"),
        (lambda: Normalize(np.nan, 1), UsageError, "Normalize: mean nan"),
        (lambda: GaussianNoise(-1), UsageError, "GaussianNoise: sigma is -1"),
        (lambda: Normalize("a", 1), ValueTypeError, r"Normalize: mean is 'a' \(str\)"),
        (lambda: Compose(3), ValueTypeError, r"Compose: 3 \(int\).\n  Expected: a list of transforms"),
        (lambda: Compose([]), UsageError, "Compose: no transform"),
        (lambda: Compose([lambda x: x]), ValueTypeError, r"Compose: step 0\(x\) does not take 2 arguments"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_three_lines(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


@pytest.mark.parametrize("transform", [GaussianNoise(), Compose([GaussianNoise()]), RandomRotation(90)])
def test_without_a_generator_pythons_own_decides_what_is_drawn(transform):
    image = np.arange(12.0).reshape(1, 3, 4)
    random.seed(3)
    first, second = transform(image), transform(image)
    random.seed(3)
    assert np.array_equal(first, transform(image)) and np.array_equal(second, transform(image))
    assert not np.array_equal(first, second)
