# ruff: noqa
"""Right answers to module 01, written differently from the solutions: none of them may fail a check."""

# %% slope
def slope(f, x, nudge=1e-6):
    right, left = f(x + nudge), f(x - nudge)
    return 0.5 * (right - left) / nudge

# %% add
class Add(Operation):
    _f = staticmethod(lambda a, b: b + a)
    _df = staticmethod(lambda dldy, y, a, b: [1 * dldy, 1.0 * dldy])


def add(*numbers):
    return Add.apply(*numbers)

# %% mul
class Mul(Operation):
    def _f(a, b):
        return b * a

    def _df(dldy, y, a, b):
        gradients = []
        for other in (b, a):
            gradients.append(other * dldy)
        return gradients


def mul(a, b):
    return Mul.apply(a, b)

# %% pow
class Pow(Operation):
    @staticmethod
    def _f(x, n):
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        along_n = float("nan")
        if x > 0:
            along_n = math.log(x) * x**n
        return (n * x ** (n - 1)) * dldy, along_n * dldy


def pow(x, n):
    return Pow.apply(x, n)

# %% node
class Node:
    def __init__(self, value):
        self.op, self.grad, self.inputs = None, None, tuple()
        self.value = value * 1.0

    def __repr__(self):
        return str(self.value)


class Constant(Node):
    def __init__(self, value):
        Node.__init__(self, value)


class Parameter(Node):
    pass

# %% apply
def apply(cls, *inputs):
    nodes = []
    recorded = False
    for n in inputs:
        if not isinstance(n, Node):
            n = Constant(n)
        recorded = recorded or not isinstance(n, Constant)
        nodes.append(n)
    values = [n.value for n in nodes]
    result = Node(cls._f(*values)) if recorded else Constant(cls._f(*values))
    if recorded:
        result.op = cls
        result.inputs = tuple(nodes)
    return result


Operation.apply = classmethod(apply)

# %% differentiate
def differentiate(cls, node):
    return node.op._df(node.grad, node.value, *(each.value for each in node.inputs))


Operation.differentiate = classmethod(differentiate)

# %% topological_order
def topological_order(root):
    users = {id(root): 0}
    found = [root]
    for node in found:
        for n in node.inputs:
            if id(n) not in users:
                users[id(n)] = 0
                found.append(n)
            users[id(n)] += 1
    ready, order = [root], []
    while ready:
        node = ready.pop()
        order.append(node)
        for n in node.inputs:
            users[id(n)] -= 1
            if users[id(n)] == 0:
                ready.append(n)
    return order[::-1]

# %% backward
def backward(self):
    arrived = {id(self): 1.0}
    for node in topological_order(self)[::-1]:
        dldy = arrived.get(id(node), 0.0)
        if isinstance(node, Constant):
            continue
        if node.op is None:
            node.grad = dldy if node.grad is None else node.grad + dldy
            continue
        node.grad = dldy
        for n, piece in zip(node.inputs, node.op.differentiate(node)):
            arrived[id(n)] = arrived.get(id(n), 0.0) + piece


Node.backward = backward

# %% zero_grad
def zero_grad(self):
    seen, waiting = {self}, [self]
    while waiting:
        node = waiting.pop()
        if node.grad is not None:
            node.grad = 0.0
        for n in node.inputs:
            if n not in seen:
                seen.add(n)
                waiting.append(n)


Node.zero_grad = zero_grad

# %% minimize
def minimize(f, x, learning_rate=0.1, steps=100):
    path = [float(x)]
    while len(path) <= steps:
        place = Parameter(path[-1])
        f(place).backward()
        path.append(place.value - learning_rate * place.grad)
    return path
