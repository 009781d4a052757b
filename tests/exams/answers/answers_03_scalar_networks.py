"""Answers of module 03, scalar-networks: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import random
from statistics import correlation, fmean

import dark
from dark.course.exams.answers import Answers

answers = Answers("03")

# the reference, where `dark` has another form: written on its nodes


@answers.reference
class Neuron:
    """An activation function of a weighted sum and a bias."""

    def __init__(self, inputs, activation, rng):
        self.weights = [dark.Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias, self.activation = dark.Parameter(0.0), activation

    def __call__(self, x):
        return self.activation(sum((w * v for w, v in zip(self.weights, x)), self.bias))

    def parameters(self):
        return [*self.weights, self.bias]


@answers.reference
class Layer:
    """A row of neurons."""

    def __init__(self, inputs, outputs, activation, rng):
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        return [p for neuron in self.neurons for p in neuron.parameters()]


@answers.reference
class MLP:
    """A sequence of layers."""

    def __init__(self, sizes, activation, rng):
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        self.layers = [Layer(*sizes[k : k + 2], each, rng) for k, each in enumerate(activations)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


@answers.reference
def gradient(y, x):
    """Compute the gradient of y along x as a node."""
    arrived = {y: dark.Constant(1.0)}
    for node in reversed(dark.topological_order(y)):
        if node.op is not None and node in arrived:
            for n, piece in zip(node.inputs, node.op._df(arrived[node], node, *node.inputs)):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0.0)
    return found if isinstance(found, dark.Node) else dark.Constant(found)


# judges


@answers.judge("neuron_asks_the_generator", "layer_asks_the_generator", "mlp_asks_the_generator")
def is_drawn_from_the_generator(answer, inputs, expected):
    """Judge which generators the weights depend on, and that they look drawn, from whatever interval."""
    if answer["first"] == answer["another seed"]:
        return "Another seed gives the same weights: they are not drawn from the generator that is passed."
    if answer["first"] != answer["again"]:
        return "The same seed gives other weights: something is drawn from elsewhere."
    if answer["first"] == answer["next"]:
        return "The next weights are the same: the generator has not moved."
    for values in answer.values():
        if len(values) != len(expected["first"]):
            return "The number of parameters is not what the sizes ask for."
        weights = [value for value in values if value != 0]  # a bias is 0
        if len(set(weights)) < len(weights) or abs(correlation(weights[1:], weights[:-1])) > 0.6:
            return "The weights are not drawn one by one."
        if not 0.2 < max(map(abs, weights)) < 4 or abs(fmean(weights)) > 0.4 * max(map(abs, weights)):
            return "The weights are not drawn from -1 to 1."
    return None


# predictions


@answers.prediction("03.0a")
def tanh_hands_down(dark):
    """5 · (1 - 0.8 · 0.8) = 5 · 0.36 = 1.8."""
    return 5 * (1 - 0.8**2)


@answers.prediction("03.2a")
def parameters_of_two_eight_one(dark):
    """8 neurons with 2 weights and a bias, 24; and one with 8 weights and a bias, 9."""
    return len(dark.MLP((2, 8, 1), dark.tanh, random.Random(0)).parameters())


@answers.prediction("03.3a")
def second_slope_of_a_cube(dark):
    """The slope of 3x² is 6x, at 3 it is 18."""
    x = dark.Parameter(3)
    return dark.gradient(dark.gradient(x**3, x), x).value


@answers.prediction("03.3b")
def a_step_of_newton(dark):
    """10 - 40 / 4 = 0, the minimum: the slope of a parabola continues in a straight line."""
    x = dark.Parameter(10)
    first = dark.gradient(2 * x**2 + 5, x)
    return 10 - first.value / dark.gradient(first, x).value


@answers.prediction("03.4a")
def neurons_of_a_short_layer(dark):
    """`[neuron] * 8` is one neuron, eight times: 2 weights and a bias. A gradient check cannot know what you meant."""
    return 3


@answers.prediction("03.4b")
def equal_neurons(dark):
    """Equal inputs, equal weights, equal gradients: eight neurons that can only ever do what one does."""
    return 1


@answers.prediction("03.5a")
def flowers_of_a_wrong_rule(dark):
    """As many as with the right one, though the training never converges. A score does not tell; a check does."""
    return 94


# repairs of "Find the bug"; they earn no points


@answers.reference
class ShortLayer(Layer):
    """`[neuron] * 8` lists one neuron eight times; a comprehension makes a new one for each output."""
