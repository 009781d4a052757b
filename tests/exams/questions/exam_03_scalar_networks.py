"""Questions of module 03, scalar-networks.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.
"""

import random

from dark.course.exams import Choice, Exam, Float, Integer, trace

exam = Exam("03")
MANY = 30  # random numbers, among which there are some of either sign
DOUBLINGS = 40  # of a graph with 41 nodes and a million million paths


def named(node, name):
    """Return a node a name, for the picture and the table."""
    node.name = name
    return node


def parameter(dark, name, value):
    """Make a parameter that has a name."""
    return named(dark.Parameter(value), name)


def value_of(answer):
    """Return the value of a node; anything else as it is."""
    return getattr(answer, "value", answer)


def no_list(answer):
    """Return of an iterable, such as a generator, that it is not a list; return anything else as it is."""
    return f"a {type(answer).__name__}, not a list" if hasattr(answer, "__iter__") else answer


# neuron, layer, mlp


def identity(total):
    """Return the argument: an activation function that does nothing."""
    return total


def drawn(net):
    """Tell what is true of parameters just made; their values are random."""
    parameters = list(net.parameters())
    seen = {
        "number of parameters": len(parameters),
        "number of different parameters": len({id(p) for p in parameters}),
        "classes of the parameters": sorted({type(p).__name__ for p in parameters}),
    }
    if not all(hasattr(p, "value") for p in parameters):
        return seen
    values = [p.value for p in parameters]
    seen |= {
        "all values are within -1 and 1": all(-1 <= value <= 1 for value in values),
        "number of parameters of value 0": sum(value == 0 for value in values),
        "number of different values": len(set(values)),
        "number of parameters with a gradient": sum(p.grad is not None for p in parameters),
    }
    if len(values) > MANY:
        seen["some weight is below 0"] = any(value < 0 for value in values)
        seen["some weight is above 0"] = any(value > 0 for value in values)
    return seen


def drawn_by(make, seed):
    """Make parameters with generators of the same seed and of another one; the judge compares their values."""
    rng = random.Random(seed)
    generators = {"first": rng, "next": rng, "again": random.Random(seed), "another seed": random.Random(seed + 100)}
    return {name: [p.value for p in make(generator)] for name, generator in generators.items()}


def filled(net, first=1.0):
    """Return the parameters, in their order, the values 1/4, -2/4, 3/4, ..."""
    for k, p in enumerate(net.parameters()):
        p.value = first * (-1) ** k * (k + 1) / 4
    return net


def numbered(answers, name="answer"):
    """Return the values in a list by their indices; of anything else, that it is not a list."""
    if not isinstance(answers, list | tuple):
        return {f"{name} 1": f"a {type(answers).__name__}, not in a list"}
    return {f"{name} {k}": value_of(y) for k, y in enumerate(answers, 1)}


def send_back(dark, answers):
    """Send 1 back from the first answer, 2 from the second and so on; do nothing without a list."""
    total = dark.Constant(0.0)
    for k, y in enumerate(answers if isinstance(answers, list | tuple) else (), 1):
        total = dark.add(total, dark.mul(k, y))
    if total.op is not None:
        total.backward()


def gradients_of(net):
    """Return the gradients of a net by the place of each parameter."""
    return {f"gradient of parameter {k}": p.grad for k, p in enumerate(net.parameters(), 1)}


@exam.question("neuron")
def neuron_is_drawn(dark, inputs: Integer(30, 60), seed: Integer(1, 99)):
    """A new neuron has a weight for each input, drawn from -1 to 1, and a bias of 0, all parameters."""
    neuron = dark.Neuron(inputs, identity, random.Random(seed))
    if not hasattr(neuron.weights, "__len__"):
        return {"number of weights": no_list(neuron.weights)}
    kinds = {"number of weights": len(neuron.weights), "value of the bias": neuron.bias.value}
    kinds |= {"class of the bias": type(neuron.bias).__name__}
    kinds |= spread(dark.Neuron(1000, identity, random.Random(seed)).weights)
    rng = random.Random(seed)
    few = [w for k in range(1, 10) for _ in range(100 // k) for w in dark.Neuron(k, identity, rng).weights]
    kinds |= {f"{name}, in neurons of 1 to 9 inputs": answer for name, answer in spread(few).items()}
    return kinds | drawn(neuron)


def spread(weights):
    """Tell whether some 900 weights are spread evenly: of each tenth of the way from -1 to 1, 60 % too many or few."""
    values = [w.value for w in weights]
    tenths = [sum(low < 5 * (value + 1) <= low + 1 for value in values) * 10 / len(values) for low in range(10)]
    return {
        "some weight is below -0.8": min(values) < -0.8,
        "some weight is above 0.8": max(values) > 0.8,
        "the weights are spread evenly from -1 to 1": all(0.4 < part < 1.6 for part in tenths),
    }


@exam.question("neuron")
def neuron_asks_the_generator(dark, inputs: Integer(60, 90), seed: Integer(1, 99)):
    """The same seed draws the same weights, a different seed different ones, and a generator continues its sequence."""
    return drawn_by(lambda rng: dark.Neuron(inputs, identity, rng).weights, seed)


@exam.question("neuron", points=2)
def neuron_computes(
    dark, a: Float(-9, 9, often=(0.0,)), b: Float(1, 9, often=(-0.5,)), bias: Float(-2, 2, often=(0.5,))
):
    """For inputs a and b the neuron is activation(weight 1 · a + weight 2 · b + bias)."""
    neuron = dark.Neuron(2, identity, random.Random(1))
    neuron.weights[0].value, neuron.weights[1].value, neuron.bias.value = 3.0, -7.0, bias
    y = neuron([a, b])
    y.backward()
    sent = {"gradient of weight 1": neuron.weights[0].grad, "gradient of weight 2": neuron.weights[1].grad}
    return {"value": y.value, **sent, "gradient of the bias": neuron.bias.grad}


@exam.question("neuron", points=2)
def neuron_bends(dark, x: Float(-1, 1, often=(0.5,)), activation: Choice("tanh", "square", "relu")):
    """The activation is applied once, to the whole sum; nodes go in, and receive their gradients."""
    functions = {"tanh": dark.tanh, "square": lambda total: dark.mul(total, total), "relu": dark.relu}
    calls = []

    def counting(total):
        calls.append(value_of(total))
        return functions[activation](total)

    neuron = filled(dark.Neuron(3, counting, random.Random(1)))
    x = parameter(dark, "x", x)
    y = neuron([x, 2.0, dark.mul(2, x)])
    y.backward()
    return {
        "value": y.value,
        "arguments of the activation function": calls,
        "gradient of x": x.grad,
        **gradients_of(neuron),
    }


@exam.question("neuron")
def any_number_of_inputs(dark, inputs: Integer(1, 6), step: Float(1, 4)):
    """Every input counts, the list of them is not changed, and no gradient of before is touched."""
    neuron = filled(dark.Neuron(inputs, identity, random.Random(1)))
    for p in neuron.parameters():
        p.grad = 7.0
    x = [step * k - 3.0 for k in range(inputs)]
    seen = {"value": neuron(x).value, "list of inputs afterwards": x}
    return seen | gradients_of(neuron)


@exam.question("neuron")
def parameters_of_a_neuron(dark, inputs: Integer(1, 9), seed: Integer(1, 99)):
    """`parameters()` lists the weights in order, then the bias, the very ones that compute."""
    neuron = dark.Neuron(inputs, identity, random.Random(seed))
    listed = list(neuron.parameters())
    own = [*neuron.weights, neuron.bias]
    same = len(listed) == len(own) and all(one is other for one, other in zip(listed, own))
    seen = {"number of parameters": len(listed), "the weights come first, then the bias": same}
    return seen | {"number of parameters in a second call": len(list(neuron.parameters()))}


@exam.question("neuron")
def neurons_share_nothing(dark, x: Float(2, 9, often=(-3.0,)), slope: Float(2, 9)):
    """Two neurons have parameters of their own, and calling one twice builds two results."""
    one, other = (dark.Neuron(1, identity, random.Random(seed)) for seed in (1, 2))
    one.weights[0].value, other.weights[0].value, other.bias.value = slope, 5.0, 1.0
    first, second = one([x]), one([x + 1])
    first.backward()
    seen = {"value at x": first.value, "value at x + 1": second.value, "gradient of the weight": one.weights[0].grad}
    one.weights[0].value = slope + 1
    return seen | {"value of another neuron": other([x]).value, "value at x after a step": one([x]).value}


@exam.question("layer")
def layer_is_drawn(dark, inputs: Integer(2, 4), outputs: Integer(4, 9), seed: Integer(1, 9)):
    """A new layer has as many neurons as outputs; all weights are drawn, each by itself."""
    layer = dark.Layer(inputs, outputs, identity, random.Random(seed))
    return {"number of neurons": len(layer.neurons), **drawn(layer)}


@exam.question("layer")
def layer_computes(dark, a: Float(2, 9, often=(-3.0, 0.0)), b: Float(2, 9, often=(-0.5,)), outputs: Choice(2, 3, 1)):
    """The answer is a list: what each neuron makes of the same inputs, in order."""
    layer = filled(dark.Layer(2, outputs, lambda total: dark.mul(total, total), random.Random(1)))
    answers = layer([a, b])
    send_back(dark, answers)
    return numbered(answers, "answer of neuron") | gradients_of(layer)


@exam.question("layer")
def parameters_of_a_layer(dark, inputs: Integer(1, 9), outputs: Integer(1, 9)):
    """`parameters()` is one flat list, neuron by neuron, of the very parameters that compute."""
    layer = dark.Layer(inputs, outputs, identity, random.Random(1))
    listed = list(layer.parameters())
    own = [p for neuron in layer.neurons for p in neuron.parameters()]
    in_order = list(map(id, listed)) == list(map(id, own))
    return {"number of parameters": len(listed), "they come neuron by neuron": in_order}


@exam.question("layer")
def layer_bends(dark, x: Float(-1, 1, often=(0.5,))):
    """Every neuron gets the activation; nodes go in, and receive their gradients from all neurons."""
    calls = []

    def counting(total):
        calls.append(value_of(total))
        return dark.tanh(total)

    layer, x = filled(dark.Layer(1, 3, counting, random.Random(1))), parameter(dark, "x", x)
    send_back(dark, layer([x]))
    return {"arguments of the activation function": calls, "gradient of x": x.grad}


@exam.question("layer")
def layer_asks_the_generator(dark, inputs: Integer(8, 20), outputs: Integer(8, 12), seed: Integer(1, 99)):
    """The same seed draws the same weights, a different seed different ones, and a generator continues its sequence."""
    return drawn_by(lambda rng: dark.Layer(inputs, outputs, identity, rng).parameters(), seed)


@exam.question("layer")
def layer_asked_again(dark, inputs: Integer(1, 4), x: Float(-1, 1, often=(0.5,))):
    """Of other inputs a layer makes other answers; the first ones, the inputs and gradients of before stay."""
    layer = filled(dark.Layer(inputs, 2, dark.tanh, random.Random(1)), 0.5)
    for p in layer.parameters():
        p.grad = 7.0
    x = [x * k - 0.75 for k in range(inputs)]
    first, second = layer(x), layer([-2.0] * inputs)
    seen = numbered(first, "answer of neuron") | numbered(second, "of -2, answer of neuron")
    return seen | {"list of inputs afterwards": x} | gradients_of(layer)


@exam.question("layer")
def layers_share_nothing(dark, x: Float(2, 9)):
    """Two layers have neurons of their own, as many as each was asked for."""
    one, other = (filled(dark.Layer(1, count, identity, random.Random(count)), count) for count in (2, 3))
    seen = numbered(one([x]), "first layer, neuron") | numbered(other([x]), "second layer, neuron")
    counts = {"neurons of the first layer": len(one.neurons), "neurons of the second layer": len(other.neurons)}
    return seen | counts


SIZES = ("1, 2, 1", "2, 8, 1", "1, 2, 3, 2", "3, 2", "2, 2, 2, 2")


@exam.question("mlp")
def mlp_is_drawn(dark, sizes: Choice(*SIZES), seed: Integer(1, 9)):
    """A new MLP has a layer from each size to the next; 2, 8, 1 has 33 parameters."""
    sizes = [int(size) for size in sizes.split(", ")]
    net = dark.MLP(sizes, identity, random.Random(seed))
    counts = {f"neurons of layer {k}": len(layer.neurons) for k, layer in enumerate(net.layers, 1)}
    return {"number of layers": len(net.layers), **counts, **drawn(net), "sizes afterwards": sizes}


@exam.question("mlp")
def mlp_asks_the_generator(dark, inputs: Integer(8, 30), seed: Integer(1, 99)):
    """The same seed draws the same weights, a different seed different ones, and a generator continues its sequence."""
    return drawn_by(lambda rng: dark.MLP((inputs, 8, 1), identity, rng).parameters(), seed)


@exam.question("mlp", points=2)
def mlp_computes(dark, sizes: Choice(*SIZES), x: Float(0.5, 3, often=(-2.0,))):
    """Each layer works on what the one before it answers; the last one answers a list."""
    sizes = tuple(int(size) for size in sizes.split(", "))
    net = filled(dark.MLP(sizes, dark.relu, random.Random(1)), 0.25)
    answers = net([x + k for k in range(sizes[0])])
    send_back(dark, answers)
    return numbered(answers) | gradients_of(net)


@exam.question("mlp", points=2)
def all_but_the_last_are_bent(dark, sizes: Choice("1, 2, 3, 2", "2, 1", "2, 8, 1"), x: Float(0.5, 3, often=(-2.0,))):
    """The activation function is applied in every layer but the last, which returns its sums as they are."""
    sizes, calls = tuple(int(size) for size in sizes.split(", ")), []

    def counting(total):
        calls.append(1)
        return dark.mul(total, total)

    net = filled(dark.MLP(sizes, counting, random.Random(1)), 0.5)
    answers = net([x] * sizes[0])
    return {"calls of the activation function": len(calls)} | numbered(answers)


@exam.question("mlp")
def parameters_of_an_mlp(dark, sizes: Choice("2, 8, 1", "1, 2, 3, 2"), seed: Integer(1, 99)):
    """`parameters()` is one flat list, layer by layer, of the very parameters that compute."""
    net = dark.MLP([int(size) for size in sizes.split(", ")], identity, random.Random(seed))
    listed = net.parameters()
    if not isinstance(listed, list | tuple):
        return {"number of parameters": no_list(listed)}
    own = [p for layer in net.layers for p in layer.parameters()]
    in_order = list(map(id, listed)) == list(map(id, own))
    return {"number of parameters": len(listed), "they come layer by layer": in_order}


@exam.question("mlp")
def inputs_stay_as_they_are(dark, x: Float(0.5, 3, often=(-2.0,))):
    """Inputs and gradients of before are not changed, a net can be asked again, and nodes may go in."""
    net, inputs = filled(dark.MLP((2, 3, 1), dark.tanh, random.Random(1)), 0.5), [x, 1.0]
    for p in net.parameters():
        p.grad = 7.0
    first, again = net(inputs), net(inputs)
    first, again = numbered(first), numbered(again, "again, answer")
    again |= numbered(net([-x, 3.0]), "of other inputs, answer")
    again |= gradients_of(net)
    x = parameter(dark, "x", x)
    send_back(dark, net([x, 1.0]))
    return first | again | {"list of inputs afterwards": inputs, "gradient of x": x.grad}


# second_derivative


def below(root):
    """List the nodes at and below a root, as they are met."""
    nodes, found = [root], {id(root)}
    for node in nodes:
        for n in node.inputs:
            if id(n) not in found:
                found.add(id(n))
                nodes.append(n)
    return nodes


def curve(dark, name, x):
    """Build one of some functions of x."""
    made = {
        "x³": lambda: dark.pow(x, 3),
        "x · x": lambda: dark.mul(x, x),
        "x · x · x": lambda: dark.mul(dark.mul(x, x), x),
        "exp(2x)": lambda: dark.exp(dark.mul(2, x)),
        "tanh(x)": lambda: dark.tanh(x),
        "log(x · x)": lambda: dark.log(dark.mul(x, x)),
        "1 / (1 + x · x)": lambda: 1 / (1 + x * x),
        "sigmoid(x) · x": lambda: dark.sigmoid(x) * x,
    }
    return made[name]()


PRODUCTS = ("x³", "x · x · x", "exp(2x)")  # of the others, right graphs may have different forms
CURVES = (*PRODUCTS, "tanh(x)", "log(x · x)", "1 / (1 + x · x)", "sigmoid(x) · x")


@exam.question("second_derivative", points=2)
def first_derivative(dark, f: Choice(*CURVES), x: Float(0.5, 3, often=(-0.5,))):
    """gradient(f(x), x) is a node, and its value is the slope of f at x."""
    x = parameter(dark, "x", x)
    slope = dark.gradient(curve(dark, f, x), x)
    graph = trace(slope) if f in PRODUCTS else None
    return {"slope": value_of(slope), "the slope is a node": hasattr(slope, "inputs"), "graph": graph}


@exam.question("second_derivative", points=3)
def second_derivatives(dark, f: Choice(*CURVES), x: Float(0.5, 3, often=(-0.5,))):
    """The slope of the slope, by gradient again and by backward; and the slope of that."""
    x = parameter(dark, "x", x)
    first = dark.gradient(curve(dark, f, x), x)
    second = dark.gradient(first, x)
    seen = {"second derivative": second.value, "third derivative": dark.gradient(second, x).value}
    first.backward()
    graph = trace(first) if f in PRODUCTS else None
    return {**seen, "gradient of x from first.backward()": x.grad, "graph": graph}


@exam.question("second_derivative")
def where_slopes_are_0(dark, f: Choice("x · x", "x · x · x", "1 / (1 + x · x)", "sigmoid(x) · x"), factor: Float(1, 9)):
    """At x = 0 the slope of factor · f may be 0, and the slope's slope is not: what is 0 counts all the same."""
    x = parameter(dark, "x", 0.0)
    first = dark.gradient(dark.mul(factor, curve(dark, f, x)), x)
    second = dark.gradient(first, x)
    seen = {"first derivative": value_of(first), "second derivative": value_of(second)}
    return seen | {"third derivative": value_of(dark.gradient(second, x))}


@exam.question("second_derivative")
def rules_get_nodes(dark, x: Float(0.25, 2)):
    """The rules get nodes for dldy, y and the inputs: second slopes of exp(x), x · x, and exp(x · x)."""
    seen = {}
    for name in ("exp(x)", "x · x", "exp(x · x)"):
        p = parameter(dark, "x", x)
        made = p if name == "exp(x)" else dark.mul(p, p)
        y = dark.exp(made) if name.startswith("exp") else made
        seen[f"second slope of {name}"] = dark.gradient(dark.gradient(y, p), p).value
    return seen


@exam.question("second_derivative", points=3)
def nodes_that_are_shared(dark, x: Float(2, 9, often=(-3.0,)), order: Choice("a · a + a", "a + a · a")):
    """With a = 3x, the node a is used three times and receives all pieces, in either order."""
    x = parameter(dark, "x", x)
    a = named(dark.mul(3, x), "a")
    y = dark.add(dark.mul(a, a), a) if order == "a · a + a" else dark.add(a, dark.mul(a, a))
    along_x, along_a = dark.gradient(y, x), dark.gradient(y, a)
    again = {"slope of that along x": dark.gradient(along_x, x).value}
    return {"slope along a": along_a.value, "slope along x": along_x.value, **again, "graph": trace(along_x)}


@exam.question("second_derivative")
def two_parameters(dark, x: Float(2, 4, often=(-3.0,)), z: Float(5, 9, often=(-0.5,))):
    """For y = x · x · z: along x it is 2xz, along z x²; and the mixed slopes are both 2x."""
    x, z = parameter(dark, "x", x), parameter(dark, "z", z)
    y = dark.mul(dark.mul(x, x), z)
    along_x, along_z = dark.gradient(y, x), dark.gradient(y, z)
    mixed = {"slope along x, then z": dark.gradient(along_x, z).value}
    mixed |= {"slope along z, then x": dark.gradient(along_z, x).value}
    return {"slope along x": along_x.value, "slope along z": along_z.value, **mixed}


@exam.question("second_derivative")
def no_field_is_changed(dark, x: Float(2, 9, often=(-3.0,))):
    """Gradients and values stay as they were, of x, of the results and of the root."""
    x = parameter(dark, "x", x)
    a = named(dark.mul(3, x), "3x")
    y = named(dark.mul(a, a), "y")
    x.grad = 7.0
    dark.gradient(y, x)
    fresh = {"gradient of x": x.grad, "gradient of 3x": a.grad, "gradient of y": y.grad}
    y.backward()
    y.grad = 5.0
    dark.gradient(y, x)
    kept = {"gradient of 3x after backward": a.grad, "gradient of y, set to 5": y.grad, "value of x": x.value}
    return fresh | kept | {"slope": dark.gradient(y, x).value}


@exam.question("second_derivative")
def straight_lines(dark, y: Choice("2x", "x itself", "5z", "z + 3x"), x: Float(2, 9, often=(-3.0,))):
    """A slope that does not depend on x is a node too, 0 where y does not use x; no Parameter is added to train."""
    x, z = parameter(dark, "x", x), parameter(dark, "z", 4.0)
    made = {
        "2x": lambda: dark.mul(2, x),
        "x itself": lambda: x,
        "5z": lambda: dark.mul(5, z),
        "z + 3x": lambda: dark.add(z, dark.mul(3, x)),
    }
    slope = dark.gradient(made[y](), x)
    if not hasattr(slope, "inputs"):
        return {"slope": f"{slope}, a plain number"}
    new = [n for n in below(slope) if type(n).__name__ == "Parameter" and n is not x and n is not z]
    seen = {"slope": slope.value, "Parameters in the slope's graph beside x and z": len(new)}
    return seen | {"slope of the slope": value_of(dark.gradient(slope, x))}


@exam.question("second_derivative")
def operations_of_three_inputs(dark, a: Float(2, 4), b: Float(5, 9)):
    """An operation of three inputs, a · b + b · c with c = a · a, sends a piece to each of them."""

    class Pairs(dark.Operation):
        _f = staticmethod(lambda a, b, c: a * b + b * c)

        @staticmethod
        def _df(dldy, y, a, b, c):
            return dldy * b, dldy * (a + c), dldy * b

    a, b = parameter(dark, "a", a), parameter(dark, "b", b)
    y = Pairs.apply(a, b, dark.mul(a, a))
    along_a, along_b = dark.gradient(y, a), dark.gradient(y, b)
    again = {"slope along a, then a": dark.gradient(along_a, a).value}
    return {"slope along a": along_a.value, "slope along b": along_b.value, **again}


@exam.question("second_derivative", examples=3)
def doublings(dark, factor: Float(2, 9)):
    """From y = factor · x, y = y + y forty times: the slope is factor · 2 to the 40, without a walk along each path."""
    x = parameter(dark, "x", 3.0)
    y = dark.mul(factor, x)
    for _ in range(DOUBLINGS):
        y = dark.add(y, y)
    return {"slope": dark.gradient(y, x).value}


@exam.question("second_derivative", examples=3)
def a_long_chain(dark, x: Float(2, 9)):
    """A chain of 2,000 operations does not exceed the recursion limit: y = (x + 0 + ... + 0) · x has the slope 2x."""
    x = parameter(dark, "x", x)
    y = x
    for _ in range(2000):
        y = dark.add(y, 0)
    return {"slope": dark.gradient(dark.mul(y, x), x).value}


# repairs of "Find the bug"; they earn no points


@exam.repair("ShortLayer")
def each_output_has_a_neuron_of_its_own(dark, inputs: Integer(1, 3), outputs: Integer(2, 4)):
    """Each output has a neuron of its own, with parameters that no other one has."""
    parameters = dark.ShortLayer(inputs, outputs, dark.tanh, random.Random(0)).parameters()
    return {"listed": len(parameters), "different": len({id(p) for p in parameters})}
