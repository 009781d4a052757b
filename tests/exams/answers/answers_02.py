# ruff: noqa
"""Right answers to module 02, written differently from the solutions: none of them may fail a check."""

# %% exp_log
class Exp(Operation):
    def _f(x):
        return math.e**x

    def _df(dldy, y, x):
        return [y * dldy]


class Log(Operation):
    _f = staticmethod(math.log)
    _df = staticmethod(lambda dldy, y, x: [dldy * x**-1])


def exp(x):
    return Exp.apply(x)


def log(x):
    return Log.apply(x)

# %% tanh
class Tanh(Operation):
    @staticmethod
    def _f(x):
        if abs(x) > 30:
            return 1.0 if x > 0 else -1.0
        return (math.exp(x) - math.exp(-x)) / (math.exp(x) + math.exp(-x))

    @staticmethod
    def _df(dldy, y, x):
        slope = (1 + y) * (1 - y)
        return [slope * dldy]


def tanh(x):
    return Tanh.apply(x)

# %% sigmoid
class Sigmoid(Operation):
    @staticmethod
    def _f(x):
        if x < 0:
            e = math.exp(x)
            return e / (e + 1.0)
        return 1.0 / (1.0 + math.exp(-x))

    @staticmethod
    def _df(dldy, y, x):
        return ((y - y**2) * dldy,)


def sigmoid(x):
    return Sigmoid.apply(x)

# %% kinks
class Relu(Operation):
    def _f(x):
        return max(x, 0)

    def _df(dldy, y, x):
        return [dldy * (x > 0)]


class Abs(Operation):
    _f = staticmethod(lambda x: (x * x) ** 0.5)

    def _df(dldy, y, x):
        sign = (x > 0) - (x < 0)
        return (dldy * sign,)


def relu(x):
    return Relu.apply(x)


def absolute(x):
    return Abs.apply(x)

# %% maximum
class Maximum(Operation):
    _f = staticmethod(max)

    @staticmethod
    def _df(dldy, y, a, b):
        if a == b:
            return dldy / 2, dldy / 2
        if a > b:
            return dldy, 0
        return 0, dldy


def maximum(a, b):
    return Maximum.apply(a, b)

# %% signs
class Negative(Operation):
    _f = staticmethod(lambda x: -x)
    _df = staticmethod(lambda dldy, y, x: (-dldy,))


class Quotient(Operation):
    _f = staticmethod(lambda a, b: a / b)
    _df = staticmethod(lambda dldy, y, a, b: (dldy / b, -dldy * y / b))


def sub(a, b):
    return add(a, Negative.apply(b))


def div(a, b):
    return Quotient.apply(a, b)


Node.__sub__ = sub
Node.__truediv__ = lambda self, other: div(self, other)
Node.__rsub__ = lambda self, other: add(other, neg(self))
Node.__rtruediv__ = lambda self, other: Quotient.apply(other, self)

# %% slope_along
def slope_along(f, p, nudge=1e-5):
    before = p.value
    heights = []
    try:
        for place in (before - nudge, before + nudge):
            p.value = place
            heights.append(f().value)
    finally:
        p.value = before
    return (heights[1] - heights[0]) / (2 * nudge)

# %% gradcheck
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    before = {p: p.grad for p in parameters}
    found = {}
    try:
        for p in parameters:
            p.grad = 0.0
        f().backward()
        for p in parameters:
            found[p] = p.grad
    finally:
        for p, grad in before.items():
            p.grad = grad

    def agrees(p):
        expected = slope_along(f, p, nudge=nudge)
        return math.isclose(found[p], expected, rel_tol=0, abs_tol=tolerance * max(abs(expected), 1.0))

    return [p for p in parameters if not agrees(p)]

# %% suspects
def is_wrong(f, place):
    parameters = list(map(Parameter, place))
    return len(gradcheck(lambda: mul(f(*parameters), -2.5), parameters)) > 0


def suspects(operations):
    return [name for name, (f, places) in operations.items() if any(is_wrong(f, place) for place in places)]

# %% neuron
class Neuron:
    def __init__(self, inputs, activation, rng):
        self.weights = []
        while len(self.weights) < inputs:
            self.weights.append(Parameter(2 * rng.random() - 1))
        self.bias = Parameter(0.0)
        self.f = activation

    def __call__(self, x):
        total = 0
        for k in range(len(self.weights)):
            total = add(total, mul(x[k], self.weights[k]))
        return self.f(add(self.bias, total))

    def parameters(self):
        return self.weights + [self.bias]

# %% layer
class Layer:
    def __init__(self, inputs, outputs, activation, rng):
        self.neurons = tuple(Neuron(inputs, activation, rng) for _ in range(outputs))

    def __call__(self, x):
        answers = []
        for neuron in self.neurons:
            answers.append(neuron(x))
        return answers

    def parameters(self):
        found = []
        for neuron in self.neurons:
            found += neuron.parameters()
        return found

# %% mlp
class MLP:
    def __init__(self, sizes, activation, rng):
        self.layers = []
        for k in range(1, len(sizes)):
            is_last = k == len(sizes) - 1
            f = (lambda total: total) if is_last else activation
            self.layers.append(Layer(sizes[k - 1], sizes[k], f, rng))

    def __call__(self, x):
        answers = x
        for layer in self.layers:
            answers = layer(answers)
        return answers

    def parameters(self):
        return sum((layer.parameters() for layer in self.layers), [])

# %% second_derivative
def gradient(y, x):
    order = topological_order(y)
    pieces_of = {id(node): [] for node in order}
    pieces_of[id(y)].append(Constant(1))
    sums = {}
    for node in order[::-1]:
        total = Constant(0)
        for piece in pieces_of[id(node)]:
            total = add(total, piece)
        sums[id(node)] = total
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op._df(total, node, *node.inputs)):
                pieces_of[id(n)].append(piece)
    return sums.get(id(x), Constant(0))
