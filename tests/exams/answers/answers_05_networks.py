"""Answers of module 05, networks: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.

The judges return the same sentence for the same mistake, whatever was drawn, so that a diagnosis can name it.
"""

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("05")

# the reference, where the names or the signatures of `dark` differ


@answers.reference
def sum_of(x, axis=None, keepdims=False):
    """Compute the sum along an axis, or of all."""
    return dark.sum(x, axis, keepdims)


@answers.reference
def cross_entropy(logits, classes):
    """Compute the mean cross-entropy."""
    return dark.losses.cross_entropy(logits, classes)


@answers.reference
def kaiming_uniform(shape, rng):
    """Draw a weight."""
    parameter = dark.Parameter(np.zeros(shape))
    return np.array(dark.nn.init.kaiming_uniform_(parameter, nonlinearity="relu", seed=rng).value)


@answers.reference
class Module(dark.nn.Module):
    """The module of `dark`, which lists a child by each of its names, and whose refusals are all value errors."""

    def named_children(self, remove_duplicate=False):
        """List a pair for each attribute that is a module."""
        return [(name, part) for name, part in vars(self).items() if isinstance(part, dark.nn.Module)]

    def load_state_dict(self, states):
        """Load all or nothing."""
        try:
            super().load_state_dict(states)
        except dark.errors.DarkError as error:
            raise ValueError(str(error)) from error


@answers.reference
class Linear(dark.nn.Linear):
    """The linear layer of `dark`, with Kaiming's weights and a bias of 0."""

    def __init__(self, in_features, out_features, rng):
        super().__init__(in_features, out_features)
        self.weight.value = kaiming_uniform((out_features, in_features), rng)
        self.bias.value = np.zeros(out_features)


@answers.reference
class Sequential(Module):
    """Layers by their positions; that of `dark` makes modules of functions."""

    def __init__(self, *layers):
        super().__init__()
        self.count = len(layers)
        for k, layer in enumerate(layers):
            setattr(self, str(k), layer)

    def forward(self, x):
        """Call layer after layer."""
        for k in range(self.count):
            x = getattr(self, str(k))(x)
        return x


def rate(optimizer):
    """Return the learning rate of the only group of parameters."""
    return optimizer.param_groups[0]["lr"]


def set_rate(optimizer, lr):
    """Set the learning rate of the only group of parameters."""
    optimizer.param_groups[0]["lr"] = lr


@answers.reference
class SGD(dark.optim.SGD):
    """The optimizer of `dark`, with its rate as an attribute."""

    lr = property(rate, set_rate)


@answers.reference
class Adam(dark.optim.Adam):
    """The optimizer of `dark`, with its rate as an attribute."""

    lr = property(rate, set_rate)


# judges


def is_kaiming(weight, shape):
    """Return a sentence on what is wrong with a weight of at least about a thousand numbers, or None."""
    weight = np.asarray(weight, dtype=float)
    if weight.shape != tuple(shape):
        return "The weight does not have the shape (out_features, in_features)."
    bound, largest = np.sqrt(6 / shape[1]), np.abs(weight).max()
    if np.abs(weight).mean() < 0.83 * weight.std():  # 0.87 if spread evenly, 0.80 if normal
        return "The weights are not spread evenly: most of them are small."
    for name, other in other_bounds(*shape).items():
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
    return seems_made(weight, shape)


def other_bounds(rows, columns):
    """Return the bounds that are taken for Kaiming's, by what they come from."""
    return {
        "the number of inputs and outputs": np.sqrt(6 / (rows + columns)),
        "the number of outputs": np.sqrt(6 / rows),
        "the standard deviation": np.sqrt(2 / columns),
        "a sum without relu": np.sqrt(3 / columns),
        "PyTorch's linear layer": np.sqrt(1 / columns),
        "6 / fan_in, without a root": 6 / columns,
        "the inputs alone, without a 6": 1 / columns,
    }


def seems_made(weight, shape):
    """Return a sentence on why a weight of at least 600 numbers is not drawn for a shape, or None.

    Another bound, or another distribution, is not what is asked for here.
    """
    if not 0.2 < np.sqrt(np.mean(weight**2) * shape[1] / 2) < 2.4:  # 1 for Kaiming's bound
        return "The weights are far too large or far too small for the number of inputs."
    if len(np.unique(weight)) < 0.9 * np.size(weight):
        return "The same weights come again and again."
    if abs(np.corrcoef(weight.ravel()[1:], weight.ravel()[:-1])[0, 1]) > 0.3:  # 0.04 is usual
        return "Each weight depends on the one before it."
    return None


def equal(a, b):
    """Return whether two arrays are equal."""
    return np.array_equal(np.asarray(a, dtype=float), np.asarray(b, dtype=float))


@answers.judge("drawn_within_the_bound")
def is_within_the_bound(answer, inputs):
    """Judge the size and the spread of a weight."""
    return is_kaiming(answer["weight"], (2 + 1200 // inputs["columns"], inputs["columns"]))


@answers.judge("drawn_from_the_generator")
def is_drawn_from_the_generator(answer, inputs):
    """Judge which generators a weight depends on."""
    shape = (2 + 600 // inputs["columns"], inputs["columns"])
    if any(np.shape(each) != shape for each in answer.values()):
        return "The weight does not have the shape (out_features, in_features)."
    if equal(answer["first"], answer["another seed"]):
        if equal(answer["first"], answer["next"]):
            return "All weights are equal, whatever the seed."
        return "Another seed gives the same weight: it is not drawn from the generator that was passed."
    if not (equal(answer["first"], answer["again"]) and equal(answer["first"], answer["another global seed"])):
        return "The same seed gives another weight: something is drawn from elsewhere."
    if equal(answer["first"], answer["next"]):
        return "The next weight is the same: the generator has not moved."
    return next(filter(None, (seems_made(np.asarray(each, dtype=float), shape) for each in answer.values())), None)


@answers.judge("weights_of_layers")
def are_drawn_for_each_layer(answer, inputs):
    """Judge the weights of two layers from the same generator, and of a third from the same seed."""
    shape = (1200 // inputs["in_features"], inputs["in_features"])
    if wrong := is_kaiming(answer["first"], shape):
        return wrong
    if equal(answer["first"], answer["second"]):
        return "Two layers have the same weights: the generator has not moved."
    if not equal(answer["first"], answer["again"]):
        return "The same seed gives another weight."
    return is_kaiming(answer["second"], shape)


# predictions


@answers.prediction("05.0a")
def gradients_of_equal_numbers(dark):
    """They are the probabilities, and four equal numbers are equally likely: 0.25 each."""
    x = dark.Parameter(np.zeros(4))
    dark.logsumexp(x).backward()
    return float(x.grad[0])


@answers.prediction("05.1a")
def loss_of_an_untrained_network(dark):
    """-log(1/10) = log 10 = 2.303. A loss far above it at the start tells of weights that are too large."""
    return float(dark.cross_entropy(np.zeros((1, 10)), np.array([3])).value)


@answers.prediction("05.2a")
def bound_of_24_inputs(dark):
    """24 · b² / 3 / 2 = 4 b² must be 1, so b is 0.5. In general, b² is 6 over fan_in."""
    return 0.5


@answers.prediction("05.2b")
def size_of_a_network(dark):
    """64 · 64 weights and 64 biases, then 64 · 10 weights and 10 biases: 4160 + 650 = 4810."""
    layers = [dark.Linear(64, 64, np.random.default_rng(0)), dark.Linear(64, 10, np.random.default_rng(0))]
    return sum(int(np.size(p.value)) for layer in layers for p in layer.parameters())


@answers.prediction("05.3a")
def two_steps_with_momentum(dark):
    """The velocity is 1, then 0.9 + 1 = 1.9; 0.1 · (1 + 1.9) = 0.29. After many steps it is 10."""
    w = dark.Parameter(0.0)
    optimizer = dark.SGD([w], lr=0.1, momentum=0.9)
    for _ in range(2):
        w.grad = 1.0
        optimizer.step()
    return -float(w.value)


@answers.prediction("05.3b")
def first_step_of_adam(dark):
    """Corrected, m is the gradient and v its square: 0.01 · 1000 / 1000 = 0.01. Its size does not matter."""
    w = dark.Parameter(0.0)
    optimizer = dark.Adam([w], lr=0.01)
    w.grad = 1000.0
    optimizer.step()
    return -float(w.value)


@answers.prediction("05.5a")
def the_best_goes_on_training(dark):
    """`best_weights` is a second name for the array that is trained on: it is 4 at the end, like the last weights."""
    return 4


@answers.prediction("05.5b")
def a_step_without_a_rate(dark):
    """0.9: the velocity still has the old rate in it, 0.9 · 1 - 0 · 1. And 0.81 after that."""
    return 0.9


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_training(net, epoch, accuracy):
    """Your `state_dict` returns copies: training goes on without changing what was kept."""
    best_accuracy, best_weights = 0.0, {}
    for _ in range(4):
        epoch(net)
        if accuracy(net) > best_accuracy:
            best_accuracy = accuracy(net)
            best_weights = {name: p.value.copy() for name, p in net.named_parameters()}
    net.load_state_dict(best_weights)
