"""Answers of module 09, convolutions: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.

The judges return the same sentence for the same mistake, whatever was drawn, so that a diagnosis can name it.
"""

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("09")

# the reference, where the names or the signatures of `dark` differ


@answers.reference
def sum_of(x, axis=None, keepdims=False):
    """Compute the sum along an axis, or of all."""
    return dark.sum(x, axis, keepdims)


@answers.reference
def patches(x, size, stride=1, padding=0):
    """Take all windows by their positions in the padded images."""
    n, c, h, w = x.shape
    x = dark.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    tops, lefts = np.arange(0, h + 2 * padding - size + 1, stride), np.arange(0, w + 2 * padding - size + 1, stride)
    channel, i, j, top, left = np.ix_(range(c), range(size), range(size), tops, lefts)
    return dark.reshape(x[:, channel, top + i, left + j], (n, c * size * size, len(tops) * len(lefts)))


@answers.reference
class Module(dark.nn.Module):
    """The module of `dark`; what lists has a length."""

    def named_children(self, remove_duplicate=False):
        """List a pair for each attribute that is a module."""
        return [(name, part) for name, part in vars(self).items() if isinstance(part, dark.nn.Module)]


@answers.reference
class Conv2d(dark.nn.Conv2d):
    """The convolution of `dark`, with Kaiming's weights and a bias of 0."""

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, rng):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding)
        dark.nn.init.kaiming_uniform_(self.weight, nonlinearity="relu", seed=rng)
        self.bias.value = np.zeros(out_channels)


answers.reference(dark.nn.MaxPool2d)


@answers.reference
class GlobalAveragePool(Module):
    """The mean over all axes from the third on."""

    def forward(self, x):
        """Take the mean, of an array too."""
        x = x if isinstance(x, dark.Node) else dark.Constant(x)
        axes = tuple(range(2, len(x.shape)))
        return dark.mean(x, axes) if axes else dark.mul(x, 1.0)


@answers.reference
def flatten(x):
    """Make a row of each example."""
    x = x if isinstance(x, dark.Node) else dark.Constant(x)
    return dark.reshape(x, (x.shape[0], -1))


@answers.reference
class Normalize:
    """Normalization of operations, whose gradients need no rule of their own."""

    @staticmethod
    def apply(x, axes, eps):
        """Subtract the mean, and divide by the standard deviation."""
        centered = dark.sub(x, dark.mean(x, axes, keepdims=True))
        variance = dark.mean(dark.mul(centered, centered), axes, keepdims=True)
        return dark.div(centered, dark.sqrt(dark.add(variance, eps)))


@answers.reference
class BatchNorm(Module):
    """Batch normalization of operations, with running statistics in constants."""

    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.weight, self.bias = dark.Parameter(np.ones(channels)), dark.Parameter(np.zeros(channels))
        self.running_mean, self.running_var = dark.Constant(np.zeros(channels)), dark.Constant(np.ones(channels))
        self.momentum, self.eps = momentum, eps

    def forward(self, x):
        """Normalize by the batch, or by the running statistics."""
        value = np.asarray(dark.nodes.value_of(x))
        axes, shape = (0, *range(2, value.ndim)), (1, -1) + (1,) * (value.ndim - 2)
        mean, var = self.running_mean.value, self.running_var.value
        if self.training:
            y = Normalize.apply(x, axes=axes, eps=self.eps)
            new = np.mean(value, axes), np.var(value, axes, ddof=1)
            self.running_mean.value = mean + self.momentum * (new[0] - mean)
            self.running_var.value = var + self.momentum * (new[1] - var)
        else:
            y = dark.mul(dark.sub(x, mean.reshape(shape)), (var + self.eps).reshape(shape) ** -0.5)
        return dark.add(dark.mul(y, dark.reshape(self.weight, shape)), dark.reshape(self.bias, shape))


@answers.reference
class Dropout(dark.nn.Dropout):
    """The dropout of `dark`, with a generator; it returns a node in any case."""

    def __init__(self, p, rng):
        super().__init__(p, seed=rng)

    def forward(self, x):
        """Drop and scale."""
        return super().forward(x if isinstance(x, dark.Node) else dark.Constant(x))


@answers.reference
class Residual(Module):
    """Both ways, if their shapes are the same."""

    def __init__(self, block, shortcut=None):
        super().__init__()
        self.block, self.shortcut = block, shortcut or (lambda x: x)

    def forward(self, x):
        """Add both ways."""
        ways = self.block(x), self.shortcut(x)
        if ways[0].shape != ways[1].shape:
            raise ValueError("the shapes differ")
        return dark.add(*ways)


@answers.reference
def saliency(network, x, labels):
    """Differentiate the scores by the pixels, as a function of them: no parameter has a part in it."""
    parts = list(network.modules())
    modes = [part.training for part in parts]
    try:
        network.eval()
        score = lambda pixels: dark.sum(network(pixels)[np.arange(len(x)), labels])
        return np.array(dark.nodes.value_of(dark.grad(score)(np.array(x))))
    finally:
        for part, mode in zip(parts, modes):
            part.training = mode


# judges


def is_kaiming(weight, fan_in, others):
    """Return a sentence on what is wrong with a weight of at least about a thousand numbers, or None."""
    weight = np.asarray(weight, dtype=float)
    bound, largest = np.sqrt(6 / fan_in), np.abs(weight).max()
    for name, other in others.items():
        if abs(largest / other - 1) < 0.02 and abs(other / bound - 1) > 0.05:
            return f"The bound is that of {name}."
    if largest > 1.0001 * bound:
        return "Some weights are larger than the bound."
    if largest < 0.97 * bound:
        return "No weight comes near the bound: they are drawn from too small an interval."
    if abs(weight.mean()) > 0.12 * bound:
        return "The weights are not spread around 0."
    if abs(np.abs(weight).mean() / bound - 0.5) > 0.06:
        return "The weights are not spread evenly."
    if len(np.unique(weight)) < 0.9 * np.size(weight):
        return "The same weights come again and again."
    if abs(np.corrcoef(weight.ravel()[1:], weight.ravel()[:-1])[0, 1]) > 0.3:  # 0.04 is usual
        return "Each weight depends on the one before it."
    return None


@answers.judge("weights_of_convolutions")
def are_drawn_for_all_that_is_added(answer, inputs):
    """Judge the weights of two layers from the same generator, and of a third from the same seed."""
    channels, size = inputs["channels"], inputs["size"]
    filters, area = 2 + 1200 // (channels * size**2), size**2
    if answer["names"] != ["bias", "weight"]:
        return "The parameters are not a weight and a bias."
    if np.shape(answer["bias"]) != (filters,):
        return "The bias does not have the shape (out_channels,)."
    if np.any(np.asarray(answer["bias"], dtype=float) != 0):
        return "The bias does not begin at 0."
    if any(np.shape(answer[name]) != (filters, channels, size, size) for name in ("first", "second", "again")):
        return "The weight does not have the shape (out_channels, in_channels, size, size)."
    others = {
        "the input channels, without the area of the filter": np.sqrt(6 / channels),
        "the area of the filter, without the input channels": np.sqrt(6 / area),
        "the number of filters": np.sqrt(6 / filters),
        "the outputs of a pixel": np.sqrt(6 / (filters * area)),
        "PyTorch's convolution": np.sqrt(1 / (channels * area)),
    }
    if wrong := is_kaiming(answer["first"], channels * area, others):
        return wrong
    if np.array_equal(answer["first"], answer["second"]):
        return "Two layers have the same weights: the generator has not moved."
    if not np.array_equal(answer["first"], answer["again"]):
        return "The same seed gives another weight."
    return is_kaiming(answer["second"], channels * area, others)


def is_dropped(y, x, p):
    """Return a sentence on what is wrong with 40 rows of 50 numbers after dropout, or None."""
    y = np.asarray(y, dtype=float)
    if y.shape != x.shape:
        return "The result does not have the shape of x."
    kept = y != 0
    if np.all(kept) or not np.any(kept):
        return "Nothing is dropped in training, or everything."
    if np.allclose(y[kept], x[kept]):
        return "What is kept is not scaled."
    if not np.allclose(y[kept], x[kept] / (1 - p)):
        factors = {"1 / p": 1 / p, "1 - p": 1 - p, "p": p, "the root of 1 / (1 - p)": (1 - p) ** -0.5}
        found = [name for name, factor in factors.items() if np.allclose(y[kept], x[kept] * factor)]
        return f"What is kept is scaled by {found[0] if found else 'another factor'}, not by 1 / (1 - p)."
    if np.all(kept == kept[0]):
        return "All examples of the batch drop the same numbers."
    if np.all(kept == kept[:, :1]):
        return "Whole examples are dropped."
    if abs(kept.mean() - (1 - p)) > 0.06:  # 5 times the standard deviation, at most
        is_kept = abs(kept.mean() - p) < 0.05
        return "p is the share of what is kept." if is_kept else "The share of what is dropped is not p."
    rows, columns = kept.mean(axis=1), kept.mean(axis=0)
    if max(np.ptp(rows), np.ptp(columns)) > 0.75 or len(np.unique(kept, axis=0)) < 0.9 * len(kept):
        return "Numbers are not dropped independently of each other."
    return None


@answers.judge("dropped_and_scaled")
def is_dropout(answer, inputs):
    """Judge a value, its gradient, and the next value."""
    p, x = inputs["p"], np.ones((40, 50)) + np.arange(50)
    if not np.array_equal(answer["x"], x):
        return "x itself was changed."
    if wrong := is_dropped(answer["y"], x, p):
        return wrong
    if np.shape(answer["gradient"]) != x.shape:
        return "x has no gradient of its shape."
    if not np.allclose(np.asarray(answer["gradient"], dtype=float), (2 + np.arange(50)) * answer["y"] / x):
        return "The gradient does not go where the numbers went."
    if np.array_equal(answer["y"], answer["next"]):
        return "The next call drops the same numbers."
    return is_dropped(answer["next"], x, p)


@answers.judge("drawn_from_its_generator")
def is_drawn_from_the_generator(answer, inputs):
    """Judge which generators the dropped numbers depend on."""
    for each in answer.values():
        each = np.asarray(each, dtype=float)
        if each.shape != (10, 10) or not np.all(np.isclose(each, 0) | np.isclose(each, 1 / (1 - inputs["p"]))):
            return "What is kept is not scaled by 1 / (1 - p)."
        if np.all(each == each[0]) or np.all(each == each[:, :1]):
            return "Rows or columns are all dropped alike."
        if not 0.05 < np.mean(each != 0) < 0.95:
            return "The share of what is dropped is not p."
    if not np.array_equal(answer["first"], answer["again"]):
        return "The same seed drops other numbers: something is drawn from elsewhere."
    if np.array_equal(answer["first"], answer["another seed"]):
        return "Another seed drops the same numbers: they are not drawn from the generator that was passed."
    if np.array_equal(answer["first"], answer["another layer"]):
        return "A second layer drops the same numbers: the generator that was passed has not moved."
    return None


@answers.judge("numbers_that_are_dropped")
def is_up_to_chance(answer, inputs):
    """Judge how many of twenty numbers were dropped, forty times, and what the others became."""
    p, kept = inputs["p"], inputs["first"] / (1 - inputs["p"])
    if max(answer["dropped"]) > 20:
        return "More numbers are dropped than the twenty that are there."
    if not abs(np.sum(answer["dropped"]) / 800 / p - 1) <= 0.35:  # 5 times the standard deviation, at most
        return "The share of what is dropped is not p."
    if len(set(answer["dropped"])) < 3:
        return "Always as many numbers are dropped: they do not decide on their own."
    if not abs(np.max(answer["the largest"]) - kept) <= 1e-6:
        return f"Numbers that stay must be {kept:.6g}: {inputs['first']:.6g} divided by 1 - p."
    return None


# predictions


@answers.prediction("09.0a")
def a_row_further_down(dark):
    """Read row by row, the pixel below is 8 further: 27 + 8 = 35. To the perceptron that is just another input."""
    image = np.zeros((8, 8))
    image.flat[27] = 1
    return int(np.roll(image, 1, axis=0).argmax())


@answers.prediction("09.1a")
def windows_along_an_axis(dark):
    """With padding the axis has 10 pixels. Windows begin at 0, 2, 4 and 6; one at 8 would need an eleventh."""
    return dark.patches(dark.Constant(np.zeros((1, 1, 8, 3))), 3, 2, 1).shape[2] // 2


@answers.prediction("09.1b")
def the_pixel_in_the_middle(dark):
    """All four windows contain it, so it receives four times 1. A corner receives 1, for it is in one window."""
    x = dark.Parameter(np.zeros((1, 1, 3, 3)))
    dark.sum_of(dark.patches(x, 2)).backward()
    return float(x.grad[0, 0, 1, 1])


@answers.prediction("09.2a")
def numbers_of_sixteen_filters(dark):
    """16 · (3 · 3 + 1) = 160, whatever the size of the image: the same weights serve all places."""
    return sum(int(np.size(p.value)) for p in dark.Conv2d(1, 16, 3, 1, 1, np.random.default_rng(0)).parameters())


@answers.prediction("09.2b")
def maps_move_along(dark):
    """The map moves as the image does, by one; with stride 2, two pixels of the image are one of the map."""
    return [1, 1]


@answers.prediction("09.3a")
def the_second_of_two(dark):
    """The whole gradient goes to the first 5 in reading order; the second receives 0."""
    x = dark.Parameter(np.array([[[[2.0, 5.0], [5.0, 1.0]]]]))
    dark.sum_of(dark.MaxPool2d(2)(x)).backward()
    return float(x.grad[0, 0, 1, 0])


@answers.prediction("09.3b")
def means_do_not_move(dark):
    """8 / 16 = 0.5, wherever the 8 is: the mean has no place."""
    x = np.zeros((1, 1, 4, 4))
    x[0, 0, 1, 1] = 8
    return [float(dark.GlobalAveragePool()(np.roll(x, k, axis=3)).value[0, 0]) for k in (0, 1)]


@answers.prediction("09.4a")
def nothing_is_left(dark):
    """[3, 0] minus its mean is [1.5, -1.5]; minus y times -1.5, nothing is left. Two numbers always become -1 and 1."""
    x = dark.Parameter(np.array([1.0, 5.0]))
    dark.sum_of(dark.mul(dark.Normalize.apply(x, axes=(0,), eps=0.0), np.array([3.0, 0.0]))).backward()
    return round(float(x.grad[0]), 9) + 0.0


@answers.prediction("09.5a")
def saliency_of_white(dark):
    """The derivative of 2a - 3b by a is 2, whatever a is. White pixels can matter: ink there would change the score."""
    return 2


@answers.prediction("09.6a")
def a_fixed_body_that_moves(dark):
    """0.9 · 0 + 0.1 · 10 = 1, then 0.9 · 1 + 0.1 · 10 = 1.9: no parameter has changed, and yet the body has."""
    body = dark.BatchNorm(1)
    for _ in range(2):
        body(np.array([[9.0], [11.0]]))
    return float(body.running_mean.value[0])


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_features(body, batches):
    """In evaluation mode, features come from the running statistics, which stay as they are."""
    was_training = body.training
    body.eval()
    features = [np.array(body(x).value) for x in batches]
    body.train(was_training)
    return features
