"""Questions of module 09, convolutions.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Images hold numbers that are all different, unless a question is about ties; height and width differ, so that axes
that are exchanged show. Where a layer draws at random, the body returns arrays, and the judge tests what holds of all.
"""

from numbers import Real

import numpy as np

from dark.course.exams import Choice, Exam, Float, Integer, ListOf

exam = Exam("09")


def plain(thing):
    """Return numbers and arrays in one form each: a 0-d array is a number, integers are floats."""
    if isinstance(thing, np.ndarray):
        return thing.astype(float) if thing.ndim else float(thing)
    return float(thing) if isinstance(thing, Real) else thing


def counted(shape, first=1.0):
    """Make an array of numbers that are all different and of both signs: 1, -2, 3 and so on."""
    size = int(np.prod(shape))
    numbers = first + np.arange(size)
    return (numbers * (1 - 2 * (np.arange(size) % 2))).reshape(shape)


def waves(shape, first=0.0):
    """Make an array of numbers from -2 to 2 that are all different, in no order."""
    return (2 * np.sin(first + 1 + 1.7 * np.arange(int(np.prod(shape))))).reshape(shape)


def back(dark, y, **leaves):
    """Send a gradient of a different size to each number of y, and look at values and gradients."""
    weights = waves(np.shape(y.value), 0.3)
    dark.sum_of(dark.mul(y, weights)).backward()
    seen = {"value": plain(y.value)}
    seen |= {f"gradient of {name}": plain(leaf.grad) for name, leaf in leaves.items()}
    return seen | {f"{name} afterwards": plain(leaf.value) for name, leaf in leaves.items()}


def attempt(action):
    """Return "done", "ValueError" or "another error", whichever came of the action; a stub is not attempted."""
    try:
        action()
    except NotImplementedError:
        raise
    except ValueError:
        return "ValueError"
    except Exception:
        return "another error"
    return "done"


# patches


@exam.question("patches", points=3)
def windows_side_by_side(
    dark, n: Integer(1, 2), c: Integer(1, 3), h: Integer(3, 5), w: Integer(3, 6), size: Integer(1, 3)
):
    """Each window is a column: channel by channel, each read row by row; columns are in reading order."""
    return {"columns": plain(dark.patches(dark.Constant(counted((n, c, h, w))), size).value)}


SETTINGS = (  # size, stride, padding, and the shape of the images
    [3, 1, 1, 1, 2, 3, 4], [2, 2, 0, 2, 1, 4, 6], [1, 1, 2, 1, 1, 1, 1], [3, 2, 1, 2, 2, 5, 6], [2, 1, 2, 1, 1, 1, 2],
    [2, 3, 1, 2, 3, 6, 7], [3, 3, 2, 3, 2, 4, 3], [1, 2, 0, 1, 2, 5, 4], [2, 1, 2, 2, 2, 2, 1], [3, 2, 0, 2, 1, 6, 5],
)  # fmt: skip


@exam.question("patches", points=4)
def windows_with_stride_and_padding(dark, settings: Choice(*SETTINGS), first: Float(1, 3)):
    """The stride goes from window to window, the padding is on all four sides, what does not fit is left out."""
    size, stride, padding, *shape = settings
    return {"columns": plain(dark.patches(dark.Constant(counted(shape, first)), size, stride, padding).value)}


@exam.question("patches", points=4)
def gradients_of_overlapping_windows(
    dark, n: Integer(1, 2), c: Integer(1, 2), h: Integer(3, 5), w: Integer(3, 5), size: Integer(1, 3)
):
    """A pixel receives the sum of what all its windows send, whatever else is computed in between."""
    x = dark.Parameter(counted((n, c, h, w)))
    y, _ = dark.patches(x, size), dark.patches(dark.Parameter(counted((1, 1, 6, 4))), 2, 2, 1)
    return back(dark, y, x=x)


@exam.question("patches", points=4)
def gradients_with_stride_and_padding(dark, settings: Choice(*SETTINGS), first: Float(1, 3)):
    """Each gradient goes back to its pixel; the gradient of the padding is dropped."""
    size, stride, padding, *shape = settings
    x = dark.Parameter(counted(shape, first))
    return back(dark, dark.patches(x, size, stride, padding), x=x)


@exam.question("patches", points=2)
def windows_in_a_graph(dark, a: Float(-2, 2), size: Integer(1, 2), padding: Integer(0, 1)):
    """Windows of a · x, taken twice: x and a receive all gradients, and nothing is changed."""
    a, x = dark.Parameter(a), dark.Parameter(counted((1, 2, 3, 4)))
    product = dark.mul(a, x)
    y = dark.add(dark.patches(product, size, 1, padding), dark.patches(product, size, 1, padding))
    return back(dark, y, a=a, x=x)


# conv2d


def convolution(dark, channels, filters, size, stride, padding, first=0.0):
    """Make a convolution with these settings and with weights that are all different."""
    layer = dark.Conv2d(channels, filters, size, stride, padding, np.random.default_rng(1))
    layer.weight.value = waves((filters, channels, size, size), first)
    layer.bias.value = counted((filters,), first + 0.5)
    return layer


@exam.question("conv2d", points=4)
def maps_and_gradients(
    dark, n: Integer(1, 3), channels: Integer(1, 3), filters: Integer(1, 3), size: Integer(1, 3), first: Float(0, 3)
):
    """Maps of a batch; weight, bias and images receive their gradients."""
    layer = convolution(dark, channels, filters, size, 1, 0, first)
    x = dark.Parameter(waves((n, channels, 4, 5), first))
    return back(dark, layer(x), x=x, weight=layer.weight, bias=layer.bias)


@exam.question("conv2d", points=4)
def maps_with_stride_and_padding(
    dark, h: Integer(3, 6), w: Integer(3, 7), size: Integer(2, 3), stride: Integer(1, 3), padding: Integer(0, 2)
):
    """Stride and padding, in images whose height and width differ."""
    layer = convolution(dark, 2, 3, size, stride, padding)
    x = dark.Parameter(waves((2, 2, h, w)))
    return back(dark, layer(x), x=x, weight=layer.weight, bias=layer.bias)


@exam.question("conv2d", points=2)
def one_dot(dark, row: Integer(0, 4), column: Integer(0, 5), padding: Integer(0, 1)):
    """An image with a single dot of ink, through a filter whose weights are 1 to 9."""
    layer = convolution(dark, 1, 1, 3, 1, padding)
    layer.weight.value, layer.bias.value = np.arange(1.0, 10).reshape(1, 1, 3, 3), np.zeros(1)
    x = np.zeros((1, 1, 5, 6))
    x[0, 0, row, column] = 1.0
    return {"map": plain(layer(x).value)}


@exam.question("conv2d", points=4)
def weights_of_convolutions(dark, channels: Integer(4, 7), size: Integer(2, 4), seed: Integer(1, 999)):
    """Kaiming's bound counts all numbers that one output adds up; two layers from one generator differ."""
    filters = 2 + 1200 // (channels * size**2)

    def made(seed, rounds=1):
        rng = np.random.default_rng(seed)
        return [dark.Conv2d(channels, filters, size, 1, 0, rng) for _ in range(rounds)]

    (first, second), (again,) = made(seed, 2), made(seed)
    names = [name for name, _ in first.named_parameters()]
    bias = np.array(first.bias.value)
    weights = {"first": first, "second": second, "again": again}
    drawn = {name: np.array(each.weight.value) for name, each in weights.items()}
    return {"names": sorted(names), "bias": bias} | drawn


@exam.question("conv2d", points=2)
def after_a_step(dark, factor: Float(-2, 2), first: Float(0, 3)):
    """Images may be a plain array, and a changed weight counts at once."""
    layer = convolution(dark, 2, 2, 2, 1, 1, first)
    x = waves((2, 2, 3, 4))
    seen = {"before": plain(layer(x).value)}
    layer.weight.value = factor * layer.weight.value
    layer.bias.value = layer.bias.value + factor
    return seen | {"after": plain(layer(x).value), "images afterwards": plain(x)}


# max_pool


@exam.question("max_pool", points=4)
def maxima_and_gradients(
    dark, n: Integer(1, 3), c: Integer(1, 3), h: Integer(2, 6), w: Integer(2, 7), size: Integer(1, 2),
    first: Float(0, 3),
):  # fmt: skip
    """The maximum of each window of each channel receives the gradient; a rest at the edge is dropped."""
    x = dark.Parameter(waves((n, c, h, w), first))
    return back(dark, dark.MaxPool2d(size)(x), x=x)


TIES = (
    [[5, 5], [5, 5]], [[1, 2], [2, 0]], [[3, 1], [3, 3]], [[0, 7], [7, 7]], [[-1, -1], [-2, -1]], [[0, 0], [0, -4]],
)  # fmt: skip


@exam.question("max_pool", points=3)
def ties(dark, left: Choice(*TIES), right: Choice(*TIES), more: Float(-3, 3)):
    """Of equal maxima, the first in reading order receives the whole gradient."""
    image = np.concatenate([np.array(left, dtype=float), np.array(right, dtype=float) + more], axis=1)
    x = dark.Parameter(np.stack([image, image[:, ::-1]])[None])
    return back(dark, dark.MaxPool2d(2)(x), x=x)


@exam.question("max_pool", points=2)
def below_zero(dark, size: Integer(2, 3), h: Integer(3, 7), w: Integer(3, 8), far: Float(0, 50)):
    """Numbers may all be negative: no 0 from anywhere is a maximum."""
    return {"maxima": plain(dark.MaxPool2d(size)(-far - 3 + waves((2, 2, h, w))).value)}


@exam.question("max_pool", points=3)
def pooled_in_a_graph(dark, a: Float(-2, 2), size: Integer(2, 3), first: Float(0, 3)):
    """Maxima of a · x; the same layer may be called twice."""
    a, x, layer = dark.Parameter(a), dark.Parameter(waves((2, 2, 6, 6), first)), dark.MaxPool2d(size)
    y = dark.add(layer(dark.mul(a, x)), layer(x))
    return back(dark, y, a=a, x=x)


# global_pool


@exam.question("global_pool", points=2)
def means_of_maps(dark, n: Integer(1, 3), c: Integer(1, 3), h: Integer(1, 4), w: Integer(1, 4)):
    """One mean for each channel of each example, of images of any size."""
    x = dark.Parameter(waves((n, c, h, w)))
    return back(dark, dark.GlobalAveragePool()(x), x=x)


@exam.question("global_pool", points=2)
def means_of_other_axes(dark, n: Integer(1, 3), c: Integer(1, 3), rest: ListOf(Integer(1, 3), 0, 3)):
    """Whatever axes follow the channels: none, one, or more."""
    x = dark.Parameter(waves((n, c, *rest)))
    layer = dark.GlobalAveragePool()
    return back(dark, layer(x), x=x) | {"of an array": plain(layer(counted((c, n, *rest))).value)}


@exam.question("global_pool", points=2)
def rows_of_all_numbers(dark, n: Integer(1, 3), rest: ListOf(Integer(1, 3), 1, 3)):
    """Each example is a row of all its numbers, in their order."""
    x = dark.Parameter(counted((n, *rest)))
    return back(dark, dark.flatten(x), x=x) | {"of an array": plain(dark.flatten(waves((n, *rest))).value)}


# batch_norm


@exam.question("batch_norm", points=4)
def normalized(
    dark, n: Integer(2, 4), c: Integer(1, 3), axes: Choice([0], [0, 2], [1, 2]), eps: Float(0, 1), scale: Float(0.5, 3)
):
    """Mean 0 and variance 1 over the axes; the gradient includes that both depend on each number of its own x."""
    x, other = dark.Parameter(scale * waves((n, c, 3)) + 1), dark.Parameter(3 * waves((n, c, 3), 2.0))
    y, _ = (dark.Normalize.apply(each, axes=tuple(axes), eps=eps) for each in (x, other))
    return back(dark, y, x=x)


def batch_norm(dark, channels, momentum=0.1, eps=1e-5):
    """Make a layer with weights and biases that differ."""
    layer = dark.BatchNorm(channels, momentum, eps)
    layer.weight.value, layer.bias.value = counted((channels,), 2.0), counted((channels,), 0.5)
    return layer


def buffers(layer):
    """Look at the running statistics."""
    return {"running_mean": plain(layer.running_mean.value), "running_var": plain(layer.running_var.value)}


@exam.question("batch_norm", points=3)
def a_batch_in_training(
    dark, n: Integer(2, 4), c: Integer(1, 3), h: Integer(1, 3), eps: Float(0.001, 1), is_rows: Choice(False, True)
):
    """A batch of images or of rows, normalized for each channel, with weight and bias."""
    layer = batch_norm(dark, c, eps=eps)
    x = dark.Parameter(waves((n, c) if is_rows else (n, c, h, 2)) + 1)
    return back(dark, layer(x), x=x, weight=layer.weight, bias=layer.bias)


@exam.question("batch_norm", points=3)
def running_statistics(
    dark, n: Integer(2, 4), c: Integer(1, 3), momentum: Float(0, 1, often=(0.1,)), batches: Integer(1, 3)
):
    """After each batch the buffers move by the momentum; the variance in them is the unbiased one."""
    layer, seen = batch_norm(dark, c, momentum), {}
    for k in range(batches):
        layer(waves((n, c), k) * (k + 1) + 3)
        layer(waves((n, c, 2, 3), k) + k)
        seen |= {f"{name} after batch {2 * k + 2}": value for name, value in buffers(layer).items()}
    return seen


@exam.question("batch_norm", points=4)
def in_evaluation(dark, n: Integer(1, 3), c: Integer(1, 3), eps: Float(0.001, 1), is_rows: Choice(False, True)):
    """In evaluation the buffers normalize, and stay; one example alone is answered as in a batch."""
    layer = batch_norm(dark, c, 0.3, eps)
    layer(waves((5, c, 2, 2)) * 2 + 1)
    layer.eval()
    x = dark.Parameter(waves((n, c) if is_rows else (n, c, 2, 3), 1.0))
    seen = back(dark, layer(x), x=x, weight=layer.weight, bias=layer.bias) | buffers(layer)
    alone = layer(np.array(x.value[:1])).value
    layer.train()
    again = layer(waves((4, c), 2.0)).value
    return seen | {"alone": plain(alone), "in training again": plain(again)}


@exam.question("batch_norm", points=3)
def what_a_layer_holds(dark, channels: Integer(1, 4), first: Float(0, 3)):
    """Weight and bias are parameters, running statistics are constants, each with a number for each channel."""
    layer = dark.BatchNorm(channels)
    kinds = {name: isinstance(getattr(layer, name), dark.Constant) for name in ("running_mean", "running_var")}
    parameters = {f"parameter {name}": plain(p.value) for name, p in layer.named_parameters()}
    seen = {f"{name} is a constant": kind for name, kind in kinds.items()} | parameters | buffers(layer)
    layer(waves((3, channels), first))
    kinds = {name: isinstance(getattr(layer, name), dark.Constant) for name in ("running_mean", "running_var")}
    new = dark.BatchNorm(channels)
    seen |= {"small numbers": plain(dark.BatchNorm(channels)(0.003 * waves((4, channels), first)).value)}
    after = {f"{name} after a batch": value for name, value in buffers(layer).items()}
    new = {f"{name} of a new layer": value for name, value in buffers(new).items()}
    return seen | {f"{name} still is one": kind for name, kind in kinds.items()} | after | new


# dropout


@exam.question("dropout", points=4)
def dropped_and_scaled(dark, p: Float(0.1, 0.9), seed: Integer(1, 999)):
    """Each number is dropped with probability p, or scaled; the gradient goes where the number went."""
    layer = dark.Dropout(p, np.random.default_rng(seed))
    x = dark.Parameter(np.ones((40, 50)) + np.arange(50))
    y, following = layer(x), layer(x).value
    dark.sum_of(dark.mul(y, 2.0 + np.arange(50))).backward()
    return {"y": np.array(y.value), "gradient": np.array(x.grad), "next": np.array(following), "x": plain(x.value)}


@exam.question("dropout", points=2)
def drawn_from_its_generator(dark, p: Float(0.3, 0.7), seed: Integer(1, 999)):
    """The same seed drops the same numbers, whatever the global seed; another seed, or another layer, others."""
    x = np.ones((10, 10))

    def dropped(rng, global_seed=1):
        np.random.seed(global_seed)
        y = dark.Dropout(p, rng)(np.array(x))
        return np.array(getattr(y, "value", y))

    rng = np.random.default_rng(seed)
    first, layer = dropped(rng), dropped(rng)
    again, another = dropped(np.random.default_rng(seed), 2), dropped(np.random.default_rng(seed + 1))
    return {"first": first, "again": again, "another seed": another, "another layer": layer}


@exam.question("dropout")
def numbers_that_are_dropped(dark, p: Choice(0.25, 0.5, 0.75), first: Float(1, 3), seed: Integer(1, 999)):
    """How many of twenty equal numbers are dropped is up to chance, too: each is dropped on its own."""
    layer, x = dark.Dropout(p, np.random.default_rng(seed)), dark.Constant(np.full((1, 20), first))
    made = [np.array(layer(x).value) for _ in range(40)]
    return {"dropped": [int(np.sum(y == 0)) for y in made], "the largest": plain(max(y.max() for y in made))}


@exam.question("dropout", points=3)
def nothing_to_draw(dark, p: Choice(0, 0.5, 1), first: Float(0, 3), seed: Integer(1, 99)):
    """In evaluation, and with p = 0, numbers stay; with p = 1 all become 0, and nothing else."""
    layer = dark.Dropout(p, np.random.default_rng(seed))
    numbers = waves((2, 3), first) * np.array([1, 0, 1])
    x, none = dark.Parameter(numbers), dark.Dropout(0, np.random.default_rng(seed))
    seen = {"with p = 0": plain(np.array(none(x).value))}
    seen |= {"with p = 1": plain(np.abs(dark.Dropout(1, np.random.default_rng(seed))(x).value))}
    layer.eval()
    seen |= {"in evaluation": back(dark, dark.mul(1.0, layer(x)), x=x)}
    array = layer(x.value)
    return seen | {"of an array": plain(np.array(getattr(array, "value", array)))}


# residual


def scaling(dark, number, shape=None):
    """Make a module that multiplies by a parameter, and reshapes or repeats if asked to."""

    class Scale(dark.Module):
        def __init__(self):
            super().__init__()
            self.weight = dark.Parameter(number)

        def forward(self, x):
            return dark.mul(x, self.weight)

    return Scale()


@exam.question("residual", points=3)
def both_ways(dark, a: Float(-2, 2), n: Integer(1, 3), first: Float(0, 3)):
    """The sum of x and of what the block makes of it; x receives the gradients of both ways."""
    block = scaling(dark, a)
    layer, x = dark.Residual(block), dark.Parameter(waves((n, 2, 2, 3), first))
    return back(dark, layer(x), x=x, weight=block.weight)


@exam.question("residual", points=3)
def with_a_shortcut(dark, a: Float(-2, 2), b: Float(-2, 2), first: Float(0, 3)):
    """A shortcut is on the way around; its parameters are found, and learn."""
    block, shortcut = scaling(dark, a), scaling(dark, np.array([b, 1.0, -1.0]))
    block.weight.value = np.array([[a], [2.0]])
    layer, x = dark.Residual(block, shortcut), dark.Parameter(waves((2, 3), first))
    names = [name for name, _ in layer.named_parameters()]
    seen = {"number of parameters": len(names), "number of children": len(list(layer.named_children()))}
    return seen | back(dark, layer(x), x=x, **{"block's weight": block.weight, "shortcut's weight": shortcut.weight})


@exam.question("residual", points=3)
def shapes_that_differ(dark, a: Float(-2, 2), shape: Choice([2, 1, 4], [1, 3, 4], [2, 3, 1], [1], [2, 3, 4], [4])):
    """A sum that would be broadcast is refused: by a block that makes x smaller, or larger."""
    size = int(np.prod(shape))

    def smaller(x):
        return dark.mul(a, dark.reshape(dark.reshape(x, (24,))[:size], tuple(shape)))

    x = dark.Parameter(waves((2, 3, 4)))
    seen = {"smaller": attempt(lambda: dark.Residual(smaller)(x))}
    seen |= {"larger": attempt(lambda: dark.Residual(lambda y: dark.mul(a, x))(smaller(x)))}
    seen |= {"shortcut": attempt(lambda: dark.Residual(smaller, smaller)(x))}
    seen |= {"shortcut that differs": attempt(lambda: dark.Residual(lambda x: x, smaller)(x))}
    column = dark.Parameter(waves((3, 1)))  # as a row it has as many numbers, and the sum is a table
    seen |= {"as many": attempt(lambda: dark.Residual(lambda x: dark.reshape(x, (1, 3)))(column))}
    return seen | {"value": plain(dark.Residual(smaller, smaller)(x).value)}


@exam.question("residual")
def blocks_in_blocks(dark, a: Float(-2, 2), b: Float(-2, 2), mode: Choice(False, True)):
    """Blocks nest, and modes reach the parts inside."""
    inner, outer = scaling(dark, a), scaling(dark, b)
    calls = []

    def shortcut(x):
        calls.append("shortcut")
        return outer(x)

    class Counted(dark.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            calls.append("block")
            return self.inner(x)

    layer = dark.Residual(dark.Residual(Counted()), outer)
    layer.train(mode)
    x = dark.Parameter(waves((2, 2)))
    seen = back(dark, layer(x), x=x) | {"modes": [bool(inner.training), bool(outer.training)]}
    dark.Residual(outer, shortcut)(x)
    return seen | {f"calls of the {name}": calls.count(name) for name in ("block", "shortcut")}


# saliency


def asked(dark, first=0.0, modes=(True, True, True)):
    """Make a network of three parts, whose answer depends on its modes and, in training, on the batch."""

    class Layer(dark.Module):
        def __init__(self, shape, k):
            super().__init__()
            self.weight = dark.Parameter(waves(shape, first + k))
            self.bias = dark.Parameter(waves(shape[1:], first - k))
            self.calls = dark.Constant(np.zeros(1))

        def forward(self, x):
            y = dark.add(dark.matmul(x, self.weight), self.bias)
            if self.training:
                self.calls.value = self.calls.value + 1
                return dark.mul(y, dark.mean(y))
            return dark.mul(y, y)

    class Network(dark.Module):
        def __init__(self):
            super().__init__()
            self.body, self.head = Layer((12, 4), 1), Layer((4, 3), 2)

        def forward(self, x):
            return self.head(self.body(dark.reshape(x, (-1, 12))))

    network = Network()
    for part, mode in zip((network, network.body, network.head), modes):
        part.training = mode
    return network


def images(n, first=0.0):
    """Make images of 3 rows and 4 columns."""
    return waves((n, 1, 3, 4), first)


@exam.question("saliency", points=4)
def gradients_of_scores(dark, labels: ListOf(Integer(0, 2), 1, 3), first: Float(0, 3)):
    """Each image has the gradient of the score of its own label, in evaluation mode."""
    x = images(len(labels), first)
    found = dark.saliency(asked(dark, first), x, np.array(labels))
    return {"saliency": plain(np.array(found)), "images afterwards": plain(x)}


@exam.question("saliency", points=3)
def gradients_that_are_kept(dark, label: Integer(0, 2), first: Float(0, 3)):
    """Parameters keep the gradients that they had, or none; labels may be a list."""
    network = asked(dark, first)
    network.body.weight.grad, network.head.bias.grad = waves((12, 4), 7.0), waves((3,), 8.0)
    found = dark.saliency(network, images(1, first), np.array([label]))
    grads = {f"gradient of {name}": plain(p.grad) for name, p in network.named_parameters()}
    again = dark.saliency(network, images(1, first), [label])
    return {"saliency": plain(np.array(found)), "again": plain(np.array(again))} | grads


@exam.question("saliency", points=3)
def modes_that_are_kept(
    dark, a: Choice(False, True), b: Choice(False, True), c: Choice(False, True), first: Float(0, 3)
):
    """Each part is in its own mode again, and no buffer has changed."""
    network = asked(dark, first, (a, b, c))
    found = dark.saliency(network, images(2, first), np.array([1, 2]))
    modes = [part.training for part in (network, network.body, network.head)]
    calls = [plain(part.calls.value) for part in (network.body, network.head)]
    return {"saliency": plain(np.array(found)), "modes": modes, "calls": calls}


@exam.question("saliency", points=2)
def a_network_that_raises(dark, first: Float(0, 3), a: Choice(False, True)):
    """If the network raises, the error goes on, and modes and gradients are as before."""
    network = asked(dark, first, (a, True, not a))
    network.head.weight.grad = waves((4, 3), first)
    outcome = attempt(lambda: dark.saliency(network, np.ones((1, 1, 2, 4)), np.array([0])))
    modes = [part.training for part in (network, network.body, network.head)]
    grads = [plain(p.grad) for p in network.parameters()]
    found = dark.saliency(network, images(1, first), np.array([0]))
    return {"raised": outcome != "done", "modes": modes, "gradients": grads, "saliency": plain(np.array(found))}


# repairs of "Find the bug"; they earn no points


@exam.repair("published_features")
def features_and_the_body(dark, first: Float(0, 3), mode: Choice(False, True)):
    """Features are those of evaluation mode; the body's running statistics and mode stay."""
    body = batch_norm(dark, 2)
    body.running_mean.value, body.running_var.value = np.array([first, 1.0]), np.array([4.0, 9.0])
    body.train(mode)
    features = dark.published_features(body, [waves((3, 2), first), waves((2, 2), first + 1)])
    return {"features": [plain(np.array(each)) for each in features], "mode": bool(body.training)} | buffers(body)
