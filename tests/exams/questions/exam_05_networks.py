"""Questions of module 05, networks.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Parameters hold numbers that are all different, so that a wrong one shows. What is drawn at random has many right
answers: there the body returns the arrays, and the judge tests what holds of all of them.
"""

from numbers import Real

import numpy as np

from dark.course.exams import Array, Choice, Exam, Float, Integer, ListOf

exam = Exam("05")


def array(numbers):
    """Make an array of floats."""
    return np.array(numbers, dtype=float)


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


def back(dark, y, **leaves):
    """Send a gradient of a different size to each number of y, and look at values and gradients."""
    weights = counted(np.shape(y.value), 2.0)
    dark.sum_of(dark.mul(y, weights)).backward()
    seen = {"value": plain(y.value)}
    seen |= {f"gradient of {name}": plain(leaf.grad) for name, leaf in leaves.items()}
    return seen | {f"{name} afterwards": plain(leaf.value) for name, leaf in leaves.items()}


def attempt(action):
    """Return "done", or "refused" if the action raised an error; a stub is not attempted."""
    try:
        action()
    except NotImplementedError:
        raise
    except Exception:
        return "refused"
    return "done"


MATRICES = ([[1, 2, 3], [4, 5, 6]], [[-1, 0, 0.3], [3, -2, 1]], [[2, 2, 2], [0, 0, 0]])
SQUARES = ([[0, 1], [3, 2]], [[1, -1], [0, 0.5]], [[2, 0], [-3, 1]])
BLOCK = [[[1, -2], [3, 0.5]], [[5, 5], [-7, 1]], [[0, 4], [2, -3]]]  # of shape (3, 2, 2)

# softmax


@exam.question("softmax", points=2)
def probabilities_of_rows(dark, x: Array(*MATRICES), axis: Choice(1, -1, 0)):
    """Along the axis, the probabilities are exponentials over their sum."""
    return {"probabilities": plain(dark.softmax(dark.Parameter(array(x)), axis).value)}


@exam.question("softmax", points=2)
def the_last_axis_by_default(dark, x: Array([0, 1, 3], *SQUARES, BLOCK, [5.0])):
    """Without an axis it is the last one, also of a vector or of three axes."""
    return {"probabilities": plain(dark.softmax(dark.Parameter(array(x))).value)}


@exam.question("softmax", points=2)
def numbers_too_large_for_exp(dark, x: Array(*MATRICES), large: Choice(1000, -1000, [[1000], [-1000]], [[0], [5000]])):
    """A large number, added to a whole row or to one number of it, does not overflow."""
    seen = {"probabilities": plain(dark.softmax(dark.Parameter(array(x) + array(large)), 1).value)}
    far = dark.Parameter(array(x) + array([1000, 0, 0]))
    return seen | {"with one large number": plain(dark.softmax(far, 1).value)}


@exam.question("softmax", points=3)
def gradients_of_probabilities(dark, x: Array(*MATRICES, *SQUARES), axis: Choice(1, 0, -1)):
    """Each number of x receives what all probabilities along the axis send it."""
    x = dark.Parameter(array(x))
    return back(dark, dark.softmax(x, axis), x=x)


@exam.question("softmax", points=2)
def three_axes(dark, more: Float(-3, 3), axis: Choice(0, 1, 2, -2)):
    """Of three axes any one can be meant."""
    x = dark.Parameter(array(BLOCK) + more * np.arange(2.0))
    return back(dark, dark.softmax(x, axis), x=x)


@exam.question("softmax")
def probabilities_in_a_graph(dark, x: Array(*MATRICES), c: Float(-2, 2)):
    """In y = softmax(c · x) + x, x receives both gradients; its value stays as it is."""
    x = dark.Parameter(array(x))
    seen = back(dark, dark.add(dark.softmax(dark.mul(c, x), 1), x), x=x)
    return seen | {"x afterwards": plain(x.value)}


# cross_entropy


@exam.question("cross_entropy", points=3)
def loss_of_two_examples(dark, logits: Array(*MATRICES), classes: ListOf(Integer(0, 2), 2, 2)):
    """The loss of two examples of three classes, and its gradient."""
    logits = dark.Parameter(array(logits))
    return back(dark, dark.cross_entropy(logits, np.array(classes)), logits=logits)


@exam.question("cross_entropy", points=3)
def batches_of_all_sizes(dark, rows: Integer(1, 5), columns: Integer(2, 4), first: Float(0, 2), turn: Integer(0, 3)):
    """One example or five, of two classes or four."""
    logits = dark.Parameter(np.sin(counted((rows, columns), first)))
    classes = (turn + np.arange(rows)) % columns
    return back(dark, dark.cross_entropy(logits, classes), logits=logits)


@exam.question("cross_entropy", points=2)
def classes_zero_and_one(dark, logits: Array(*SQUARES), classes: Choice([0, 1], [1, 0], [1, 1], [0, 0])):
    """With two examples of two classes, [0, 1] are two classes, not a row of probabilities."""
    logits = dark.Parameter(array(logits))
    return back(dark, dark.cross_entropy(logits, np.array(classes)), logits=logits)


@exam.question("cross_entropy", points=2)
def a_truth_that_seems_impossible(dark, x: Array(*MATRICES), far: Choice(-1000, 1000, -3000), class_: Integer(0, 2)):
    """A class whose probability is too small for a float has a large loss, not an infinite one."""
    x = array(x)
    x[0, class_] += far
    logits = dark.Parameter(x)
    return back(dark, dark.cross_entropy(logits, np.array([class_, 2])), logits=logits)


@exam.question("cross_entropy")
def a_loss_in_a_graph(dark, w: Float(-2, 2), classes: ListOf(Integer(0, 2), 2, 2)):
    """For logits w · x, w receives its gradient; the classes stay as they are."""
    w, classes = dark.Parameter(w), np.array(classes)
    loss = dark.cross_entropy(dark.mul(w, array([[1, 2, 3], [3, -1, 0]])), classes)
    return back(dark, dark.mul(3, loss), w=w) | {"classes afterwards": plain(classes)}


# module


def part(dark, **attributes):
    """Make a module of a new class with these attributes, set in this order."""

    class Part(dark.Module):
        def __init__(self):
            super().__init__()
            for name, value in attributes.items():
                setattr(self, name, value)

        def forward(self, x):
            return x

    return Part()


def parameters_in(module):
    """Write down the names of parameters in their order, and the value of each."""
    pairs = [(name, plain(p.value)) for name, p in module.named_parameters()]
    return {"list of names": [name for name, _ in pairs]} | {f"value of {name}": value for name, value in pairs}


def modes_of(after="", **parts):
    """Write down the attribute `training` of several modules."""
    return {f"training of {name}{after}": bool(part.training) for name, part in parts.items()}


def tree(dark, first=1.0):
    """Make a network of four levels, with a parameter that is set after a child."""
    numbers = iter(first + np.arange(9))

    def new():
        return dark.Parameter(next(numbers))

    deepest = part(dark, weight=new())
    inner = part(dark, deepest=deepest, scale=new())
    outer = part(dark, inner=inner, weight=new(), bias=new())
    other, gain = part(dark, weight=new()), new()
    return part(dark, outer=outer, gain=gain, other=other, shift=new(), third=part(dark, weight=new()))


@exam.question("module", points=3)
def attributes_of_all_kinds(dark, first: Float(-3, 3), swap: Choice(False, True)):
    """Only attributes that are parameters are listed, in their order, also parameters of a class of their own."""

    class Scale(dark.Parameter):
        pass

    kinds = {
        "weight": dark.Parameter(array([first, 2])), "size": 3, "table": array([1, 2]), "name": "part",
        "bias": dark.Parameter(first), "fixed": dark.Constant(4.0), "function": abs, "nothing": None,
        "scale": Scale(first + 1),
    }  # fmt: skip
    module = part(dark, **dict(reversed(kinds.items())) if swap else kinds)
    return parameters_in(module) | {"list of children": [name for name, _ in module.named_children()]}


@exam.question("module", points=3)
def names_in_a_tree(dark, first: Float(-3, 3)):
    """A module's own parameters come first, then the parameters of each child, with its name and a dot in front."""
    net = tree(dark, first)
    return {"network": parameters_in(net), "child": parameters_in(net.outer)}


@exam.question("module", points=2)
def children_alone(dark, first: Float(-3, 3)):
    """named_children lists the modules among the attributes, by each of their names, not their children."""
    net = tree(dark, first)
    net.again = net.other
    children = list(net.named_children())
    seen = {name: parameters_in(child) for name, child in children}
    return {"list of children": [name for name, _ in children]} | seen


@exam.question("module", points=3)
def tied_parts(dark, number: Float(-3, 3), equal: Choice(False, True)):
    """A parameter with several names is listed once; two equal parameters are two."""
    shared, twin = dark.Parameter(number), dark.Parameter(number if equal else number + 1)
    layer = part(dark, weight=dark.Parameter(array([number, 1])), shared=shared)
    net = part(dark, first=layer, second=part(dark, again=layer, own=dark.Parameter(2.0)), a=twin, b=twin, last=shared)
    return parameters_in(net) | {"list of parameters": [plain(p.value) for p in net.parameters()]}


@exam.question("module", points=2)
def parts_that_are_replaced(dark, first: Float(-3, 3)):
    """After an attribute is replaced or deleted, the old part is gone; a new one is there."""
    net = tree(dark, first)
    before = len(list(net.named_parameters()))
    net.outer = part(dark, weight=dark.Parameter(array([first, 1])))
    net.gain = dark.Parameter(first + 20)
    del net.other
    net.new = part(dark, weight=dark.Parameter(first + 30))
    return {
        "number of parameters before": before,
        **parameters_in(net),
        "list of children": [name for name, _ in net.named_children()],
    }


@exam.question("modes", points=3)
def modes_of_a_tree(dark, modes: ListOf(Integer(0, 3), 1, 3), first: Float(-3, 3)):
    """`train` and `eval` set the mode of every part; a new module is in training mode."""
    net, seen = tree(dark, first), {}
    calls = [lambda: net.eval(), lambda: net.train(), lambda: net.train(False), lambda: net.train(True)]
    for k, number in enumerate([None, *modes]):
        after = f" after call {k}" if k else ""
        if k:
            seen[f"call {k} returns the network"] = calls[number]() is net
        outer, inner = net.outer, net.outer.inner
        parts = {"outer": outer, "inner": inner, "deepest": inner.deepest, "other": net.other, "third": net.third}
        seen |= modes_of(after, network=net, **parts)
    net.eval().eval()
    return seen | modes_of(" after eval twice", network=net, deepest=net.outer.inner.deepest)


@exam.question("modes", points=2)
def one_part_alone(dark, first: Float(-3, 3), mode: Choice(False, True)):
    """The mode of a part leaves its parent as it is, and other parts of the same class."""

    class Leaf(dark.Module):
        pass

    net = part(dark, outer=part(dark, inner=Leaf(), weight=dark.Parameter(first)), leaf=Leaf())
    other = Leaf()
    net.train(not mode)
    net.outer.train(mode)
    parts = {"outer": net.outer, "inner": net.outer.inner, "leaf": net.leaf}
    leaves = {"training of another leaf": bool(other.training), "training of a new leaf": bool(Leaf().training)}
    return modes_of(network=net, **parts) | leaves


@exam.question("module")
def a_module_is_called(dark, x: Float(-3, 3), y: Float(-3, 3)):
    """A call hands all inputs to `forward`, and returns what it returns."""

    class Difference(dark.Module):
        def forward(self, x, y):
            return [x, x - y]

    difference = Difference()
    difference.inner = part(dark, weight=dark.Parameter(x))
    training = {"training of a new module": difference.training}
    return training | parameters_in(difference) | {"result": difference(x, y)}


@exam.question("modes", points=2)
def parts_that_stay_frozen(dark, first: Float(-3, 3), call: Choice("train", "eval")):
    """`train` calls each child's own `train`: a part that stays in evaluation mode does; parameters stay frozen."""

    class Frozen(dark.Module):
        def __init__(self):
            super().__init__()
            self.weight = dark.Parameter(first)
            self.inner = part(dark, weight=dark.Parameter(2.0))

        def train(self, mode=True):
            return super().train(False)

    net = part(dark, frozen=Frozen(), other=part(dark, weight=dark.Parameter(first), bias=dark.Parameter(2.0)))
    net.other.weight.requires_grad, net.other.bias.requires_grad = False, True
    net.train()
    net.late = part(dark, weight=dark.Parameter(first))
    getattr(net, call)()
    modes = modes_of(network=net, frozen=net.frozen, inner=net.frozen.inner, other=net.other, late=net.late)
    required = {f"requires_grad of parameter {k}": bool(p.requires_grad) for k, p in enumerate(net.other.parameters())}
    return modes | required


# linear: kaiming_uniform


@exam.question("linear", points=4)
def drawn_within_the_bound(dark, columns: Integer(10, 60), seed: Integer(1, 999)):
    """Numbers are spread evenly up to the bound, which depends on the number of columns."""
    shape = (2 + 1200 // columns, columns)
    return {"weight": np.array(dark.kaiming_uniform(shape, np.random.default_rng(seed)))}


@exam.question("linear", points=4)
def drawn_from_the_generator(dark, columns: Integer(40, 60), seed: Integer(1, 999)):
    """The same seed draws the same weight, whatever the global seed; the generator moves on."""
    shape = (2 + 600 // columns, columns)

    def draw(global_seed, seed, rounds=1):
        np.random.seed(global_seed)
        rng = np.random.default_rng(seed)
        return [np.array(dark.kaiming_uniform(shape, rng)) for _ in range(rounds)]

    first, following = draw(1, seed, 2)
    return {
        "first": first, "next": following, "again": draw(1, seed)[0],
        "another global seed": draw(2, seed)[0], "another seed": draw(1, seed + 1)[0],
    }  # fmt: skip


# linear


def linear(dark, weight, bias):
    """Make a linear layer with these parameters."""
    layer = dark.Linear(np.shape(weight)[1], np.shape(weight)[0], np.random.default_rng(1))
    layer.weight.value, layer.bias.value = array(weight), array(bias)
    return layer


@exam.question("linear", points=3)
def outputs_and_gradients(dark, weight: Array(*MATRICES), n: Integer(1, 4), first: Float(-3, 3)):
    """For a batch of any size, the weight, the bias and the input receive their gradients."""
    layer, x = linear(dark, weight, [0.5, -1]), dark.Parameter(counted((n, 3), first))
    return back(dark, layer(x), x=x, weight=layer.weight, bias=layer.bias)


@exam.question("linear", points=2)
def as_many_outputs_as_inputs(dark, weight: Array(*SQUARES), x: Array([[1, 2]], [[3, -1], [0, 2]], [[5, 5]])):
    """Where the weight is square, its rows are still the neurons; x may be a plain array."""
    layer = linear(dark, weight, [2, 3])
    return back(dark, layer(array(x)), weight=layer.weight, bias=layer.bias)


@exam.question("linear", points=2)
def shapes_of_parameters(dark, in_features: Integer(1, 6), out_features: Integer(1, 6)):
    """The weight has a row for each output; the bias is a vector of zeros."""
    layer = dark.Linear(in_features, out_features, np.random.default_rng(1))
    pairs = [(name, list(np.shape(p.value))) for name, p in layer.named_parameters()]
    shapes = {f"shape of {name}": shape for name, shape in pairs}
    return {"list of names": [name for name, _ in pairs], **shapes, "value of bias": plain(layer.bias.value)}


@exam.question("linear", points=3)
def weights_of_layers(dark, in_features: Integer(10, 60), seed: Integer(1, 999)):
    """Weights are drawn by kaiming_uniform from the generator that is passed; each layer has its own."""
    rng, out_features = np.random.default_rng(seed), 1200 // in_features
    first, second = (dark.Linear(in_features, out_features, rng) for _ in range(2))
    again = dark.Linear(in_features, out_features, np.random.default_rng(seed))
    layers = {"first": first, "second": second, "again": again}
    return {name: np.array(layer.weight.value) for name, layer in layers.items()}


# sequential


def stretch(dark, factor):
    """Make a layer with one parameter, which stretches x and adds 1."""

    class Stretch(dark.Module):
        def __init__(self):
            super().__init__()
            self.factor = dark.Parameter(factor)

        def forward(self, x):
            return dark.add(dark.mul(x, self.factor), 1)

    return Stretch()


def functions(dark):
    """Return functions; no two of them may be exchanged."""
    return [
        lambda x: dark.mul(x, 2), lambda x: dark.add(x, 3), lambda x: dark.mul(x, x),
        lambda x: dark.add(x, -1), lambda x: dark.mul(x, -3),
    ]  # fmt: skip


@exam.question("sequential", points=3)
def layer_after_layer(dark, x: Array([1, 2], [0, -3], [0.5, 4]), order: ListOf(Integer(0, 4), 1, 12)):
    """Layers are called in their order, all of them: one, or a dozen."""
    x = dark.Parameter(array(x) / 10)
    net = dark.Sequential(*(functions(dark)[k] for k in order[:4]), *(functions(dark)[k // 2] for k in order[4:]))
    dozen = dark.Sequential(*(lambda node, k=k: dark.add(dark.mul(node, 2), k) for k in range(12)))
    return back(dark, net(x), x=x) | {"output of a dozen other layers": plain(dozen(x).value)}


@exam.question("sequential", points=3)
def names_of_layers(dark, first: Float(-3, 3), order: ListOf(Choice("module", "function"), 1, 12)):
    """The names of layers are their positions, as strings; functions are counted, too, and called."""
    made = [stretch(dark, first + k) if kind == "module" else abs for k, kind in enumerate(order)]
    net = dark.Sequential(*made)
    names = {"list of children": [name for name, _ in net.named_children()]}
    return parameters_in(net) | names | {"output": plain(net(dark.Parameter(first)).value)}


@exam.question("sequential", points=2)
def containers_in_containers(dark, first: Float(-3, 3), x: Float(0.5, 2)):
    """Nested containers have dotted names, modes and gradients; a layer may come twice."""
    twice = stretch(dark, first)
    inner = dark.Sequential(twice, functions(dark)[2], stretch(dark, first + 1))
    net = dark.Sequential(inner, twice, twice)
    net.eval()
    seen = back(dark, net(dark.Parameter(x)), factor=twice.factor)
    return seen | parameters_in(net) | modes_of(network=net, inner=inner, layer=twice)


@exam.question("sequential", points=2)
def layers_that_are_replaced(dark, first: Float(-3, 3), x: Float(0.5, 2), place: Choice("0", "1", "2")):
    """A layer that replaces another one as attribute is listed, and used; another network keeps its own."""
    net, other = (dark.Sequential(*(stretch(dark, first + k) for k in range(n))) for n in (3, 2))
    setattr(net, place, stretch(dark, first + 10))
    values = [plain(each(dark.Parameter(x)).value) for each in (net, other)]
    outputs = {"output": values[0], "output of another network": values[1]}
    return outputs | {"network": parameters_in(net), "another network": parameters_in(other)}


# sgd and adam


def three(dark, first=1.0):
    """Make three parameters: an array, a number and a vector."""
    return [dark.Parameter(array(each)) for each in ([[first, -2], [3, 4]], first + 5, [first, 7, -1])]


def gradients_of(numbers, step):
    """Return gradients for all three parameters in one step."""
    g = numbers[step]
    return [g * array([[1, -2], [0.1, 0]]), g + 0.5, g * array([3, -0.5, 1])]


def by_number(field, parameters, when):
    """Return the values or the gradients of parameters, by their positions."""
    seen = [plain(p.value if field == "value" else p.grad) for p in parameters]
    return {f"{when}: {field} of parameter {k}": each for k, each in enumerate(seen)}


def steps(dark, optimizer, parameters, numbers, skip=(), rates=None):
    """Run steps with these gradients; return all values after each. In the steps of skip, one parameter has none."""
    seen = {}
    for step in range(len(numbers)):
        if rates:
            optimizer.lr = rates[step]
        optimizer.zero_grad()
        given = gradients_of(numbers, step)
        for k, (p, g) in enumerate(zip(parameters, given)):
            if not (k == step % 3 and step in skip):
                p.grad = g
        optimizer.step()
        seen |= by_number("value", parameters, f"after step {step + 1}")
    return seen


GRADIENTS = ListOf(Float(-2, 2, often=(1.0,)), 2, 5)
RATES = Float(0.01, 1)


@exam.question("sgd")
def downhill_without_momentum(dark, numbers: GRADIENTS, lr: RATES):
    """Each step subtracts lr times the gradient."""
    parameters = three(dark)
    return steps(dark, dark.SGD(parameters, lr=lr), parameters, numbers)


@exam.question("sgd", points=3)
def downhill_with_momentum(dark, numbers: GRADIENTS, lr: RATES, momentum: Float(0.1, 1.0)):
    """Velocities are momentum times what they were, plus the gradient."""
    parameters = three(dark)
    return steps(dark, dark.SGD(parameters, lr=lr, momentum=momentum), parameters, numbers)


@exam.question("sgd", points=2)
def rates_that_change(dark, rates: ListOf(Float(0, 1), 4, 4), momentum: Float(0.1, 0.9)):
    """When lr changes, the next step has the new rate, and the same velocity."""
    parameters = three(dark)
    optimizer = dark.SGD(parameters, lr=0.5, momentum=momentum)
    return steps(dark, optimizer, parameters, [1.0, -0.5, 2.0, 1.0], rates=rates)


@exam.question("sgd", points=2)
def without_a_gradient(dark, skip: ListOf(Integer(0, 4), 1, 4), momentum: Float(0.1, 0.9)):
    """A parameter without a gradient does not move in this step, and its velocity stays; the next one moves."""
    parameters = three(dark)
    optimizer = dark.SGD(parameters, lr=0.1, momentum=momentum)
    return steps(dark, optimizer, parameters, [1.0, -2.0, 0.5, 1.0, 1.5], skip=skip)


@exam.question("sgd", points=2)
def gradients_are_cleared(dark, x: Float(-3, 3), passes: Integer(1, 3)):
    """zero_grad leaves None at every parameter; a step before it changes no gradient."""
    parameters = three(dark, x)
    optimizer, seen = dark.SGD(parameters, lr=0.1, momentum=0.9), {}
    for k in range(1, passes + 1):
        for p in parameters:
            dark.sum_of(dark.mul(p, p)).backward()
        optimizer.step()
        seen |= by_number("gradient", parameters, f"after step {k}") | by_number("value", parameters, f"after step {k}")
        optimizer.zero_grad()
        seen |= by_number("gradient", parameters, f"after zero_grad {k}")
    optimizer.step()
    return seen | by_number("value", parameters, "after a step without gradients")


@exam.question("sgd")
def two_at_once(dark, numbers: GRADIENTS):
    """Two optimizers share nothing; the parameters may come from an iterator."""
    one, other = three(dark), three(dark, 3.0)
    first, second = (dark.SGD(iter(each), lr=0.1, momentum=0.9) for each in (one, other))
    return {
        "first optimizer": steps(dark, first, one, numbers),
        "second optimizer": steps(dark, second, other, numbers),
    }


@exam.question("adam", points=3)
def first_steps(dark, numbers: GRADIENTS, lr: RATES):
    """The first steps, with the default hyperparameters."""
    parameters = three(dark)
    return steps(dark, dark.Adam(parameters, lr=lr), parameters, numbers)


@exam.question("adam", points=3)
def other_betas(dark, numbers: GRADIENTS, beta1: Float(0, 0.95), beta2: Float(0.1, 0.99)):
    """Each running mean has its own beta, and its own correction."""
    parameters = three(dark)
    return steps(dark, dark.Adam(parameters, lr=0.1, betas=(beta1, beta2)), parameters, numbers)


@exam.question("adam", points=3)
def a_large_epsilon(dark, numbers: GRADIENTS, eps: Float(0.1, 2)):
    """Epsilon is added to the corrected root."""
    parameters = three(dark)
    return steps(dark, dark.Adam(parameters, lr=0.1, eps=eps), parameters, numbers)


@exam.question("adam", points=3)
def counts_of_ones_own(dark, skip: ListOf(Integer(0, 4), 1, 4), lr: RATES):
    """In a step without a gradient, a parameter does not move, and its count stays."""
    parameters = three(dark)
    optimizer = dark.Adam(parameters, lr=lr, betas=(0.8, 0.9))
    return steps(dark, optimizer, parameters, [1.0, -2.0, 0.5, 1.0, 1.5], skip=skip)


@exam.question("adam", points=2)
def rates_of_adam_change(dark, rates: ListOf(Float(0, 1), 4, 4)):
    """When lr changes, the next step has the new rate."""
    parameters = three(dark)
    return steps(dark, dark.Adam(parameters), parameters, [1.0, -0.5, 2.0, 1.0], rates=rates)


@exam.question("adam")
def two_adams(dark, numbers: GRADIENTS):
    """Two optimizers share nothing; the parameters may come from an iterator."""
    one, other = three(dark), three(dark, 3.0)
    first, second = dark.Adam(iter(one)), dark.Adam(iter(other), lr=0.1)
    return {
        "first optimizer": steps(dark, first, one, numbers),
        "second optimizer": steps(dark, second, other, numbers),
        "first optimizer again": steps(dark, first, one, numbers),
    }


@exam.question("adam", points=2)
def gradients_that_grow(dark, x: Float(-3, 3), size: Choice(1, 1000, 0.001), passes: Integer(1, 3)):
    """Gradients that add up from pass to pass are not changed by a step, nor shared with a mean."""
    parameters = three(dark, x)
    optimizer, seen = dark.Adam(parameters, lr=0.1), {}
    for k in range(1, passes + 1):
        for p in parameters:
            dark.sum_of(dark.mul(size, dark.mul(p, p))).backward()
        optimizer.step()
        seen |= by_number("gradient", parameters, f"after step {k}") | by_number("value", parameters, f"after step {k}")
    for p in parameters:
        p.grad = 0 * p.value
    optimizer.step()
    return seen | by_number("value", parameters, "after gradients of 0")


# state_dict


def small_net(dark, first=1.0):
    """Make a network with arrays of four shapes."""
    inner = part(dark, weight=dark.Parameter(counted((2, 3), first)), bias=dark.Parameter(counted((3,), first)))
    last = part(dark, weight=dark.Parameter(counted((1, 3), first)))
    return part(dark, inner=inner, gain=dark.Parameter(array([first + 9])), last=last)


@exam.question("state_dict", points=2)
def names_and_values(dark, first: Float(-3, 3)):
    """A state dict has the value of each parameter, by its dotted name."""
    net = small_net(dark, first)
    seen = {name: plain(np.asarray(value)) for name, value in sorted(net.state_dict().items())}
    net.inner.bias.value = net.inner.bias.value + 1
    return seen | {"after a step": {name: plain(np.asarray(value)) for name, value in sorted(net.state_dict().items())}}


@exam.question("state_dict", points=2)
def a_moment_that_stays(dark, first: Float(-3, 3), way: Choice("the states", "the network")):
    """A change in place of the states does not change the network, nor the other way round."""
    net = small_net(dark, first)
    states = net.state_dict()
    if way == "the states":
        for value in states.values():
            if np.ndim(value):
                value[...] = 70
    else:
        other = small_net(dark, first + 20).state_dict()
        net.load_state_dict(other)
    kept = {name: plain(np.asarray(value)) for name, value in sorted(states.items())}
    return {"states": kept, "network": parameters_in(net)}


@exam.question("state_dict", points=3)
def loaded_into_another(dark, first: Float(-3, 3), reverse: Choice(False, True)):
    """Loading sets the values of the same parameters, in any order of names, and leaves the states alone."""
    net, parameters = small_net(dark, first + 20), []
    parameters += [p for _, p in net.named_parameters()]
    states = small_net(dark, first).state_dict()
    states = dict(reversed(states.items())) if reverse else states
    net.load_state_dict(states)
    names = sorted(states)
    for value in states.values():
        if np.ndim(value):
            value[...] = 70
    seen = by_number("value", parameters, "made before") | {"network": parameters_in(net)}
    return seen | {"list of names in the states": names}


REFUSED = ("missing", "unexpected", "another name", "empty", "another shape")
NAMES = Choice("inner.weight", "inner.bias", "last.weight", "gain")


def spoiled(dark, first, kind, name):
    """List states that do not match a network, each with what is wrong; there are several shapes to try."""
    *outer, length = np.shape(small_net(dark, first).state_dict()[name]) or (1,)
    shapes = {
        "one longer": (*outer, length + 1),
        "one of three axes": (1, 1, length),
        "a number": () if outer else (1, 1),
    }
    results = []
    for wrong in shapes if kind == "another shape" else [kind]:
        states = small_net(dark, first).state_dict()
        value = states.pop(name) if kind != "unexpected" else 0
        if kind == "empty":
            states.clear()
        elif kind == "another shape":
            states[name] = np.full(shapes[wrong], 7.0)
        elif kind != "missing":
            states["other"] = value
        results.append((wrong, states))
    return results


@exam.question("state_dict")
def a_number_beside_arrays(dark, first: Float(-3, 3)):
    """A parameter that holds a number is saved and loaded like an array; an array does not fit it."""
    net, other = (part(dark, weight=dark.Parameter(array([k, 2])), scale=dark.Parameter(k)) for k in (first, first + 1))
    other.load_state_dict(net.state_dict())
    refused = attempt(lambda: other.load_state_dict(net.state_dict() | {"scale": array([[7]])}))
    return parameters_in(other) | {"an array of shape (1, 1)": refused}


@exam.question("state_dict", points=3, examples=40)
def all_or_nothing(dark, kind: Choice(*REFUSED), name: NAMES, first: Float(-3, 3)):
    """If a name or a shape does not match, loading is refused, and no parameter has changed."""
    seen = {}
    for wrong, states in spoiled(dark, first + 20, kind, name):
        net = small_net(dark, first)
        loading = attempt(lambda net=net, states=states: net.load_state_dict(states))
        seen[wrong] = {"loading": loading, "network": parameters_in(net)}
    return seen


@exam.question("state_dict")
def a_refusal_is_a_value_error(dark, kind: Choice("nothing", *REFUSED), name: NAMES, first: Float(-3, 3)):
    """States that do not match raise a ValueError; those that match are loaded."""
    seen = {}
    right = [("nothing", small_net(dark, first + 20).state_dict())]
    for wrong, states in right if kind == "nothing" else spoiled(dark, first + 20, kind, name):
        net = small_net(dark, first)
        try:
            net.load_state_dict(states)
            seen[wrong] = parameters_in(net)
        except ValueError:
            seen[wrong] = "a ValueError"
    return seen


# repairs of "Find the bug"; they earn no points


@exam.repair("published_training")
def the_best_weights_are_loaded(dark, best: Integer(1, 4), start: Float(-3, 3)):
    """At the end the network has the weights of the epoch with the best accuracy."""
    net = dark.Module()
    net.weight = dark.Parameter(np.array([start]))

    def epoch(net):
        net.weight.value += 1.0

    dark.published_training(net, epoch, lambda net: 1 - abs(float(net.weight.value[0]) - start - best) / 10)
    return float(net.weight.value[0])
