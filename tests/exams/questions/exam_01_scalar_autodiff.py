"""Questions of module 01, scalar-autodiff.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

The first questions about a rule draw no 0, no 1 and no two equal inputs: then different mistakes
give different answers, also on the smallest counterexample. Signs, zeros and twins have questions
of their own.
"""

import math
from numbers import Real

from dark.course.exams import Choice, Exam, Expression, Float, Integer, ListOf, build, trace

exam = Exam("01")
DEEP = 1100  # more levels than Python allows calls inside each other
DOUBLINGS = Integer(60, 70)  # of a graph with more paths than any computer can walk
LOOKS = 100_000  # at the inputs of such a graph; 200 are enough, and its nodes squared are allowed


ANY = Expression(("x", "z"), ("add", "mul"), 6, ["add", "...", ["mul", "x", "z"]])
ZERO = (0.0, -3.0, 3.0, 1 / 3)


def named(node, name):
    """Return a node a name, for the picture and the table."""
    node.name = name
    return node


def parabola(dark, x):
    """Build y = 2x² + 5."""
    square = named(dark.pow(x, 2), "x²")
    return named(dark.add(named(dark.mul(2, square), "2x²"), 5), "y")


def late_use(dark, x, order):
    """Build y = a + 2a or y = 2a + a, with a = 1 · x."""
    a = named(dark.mul(1, named(x, "x")), "a")
    y = dark.add(a, named(dark.mul(2, a), "2a")) if order == "a + 2a" else dark.add(named(dark.mul(2, a), "2a"), a)
    return named(y, "y")


def chain(dark, x, levels=DEEP):
    """Build a chain of additions of 0; only the first is computed."""
    y = dark.add(x, 0)
    operation, zero = y.op, y.inputs[1]
    for _ in range(levels - 1):
        node = dark.Node(2)
        node.op, node.inputs = operation, (y, zero)
        y = node
    return y


class Counted(tuple):
    """Inputs of a node that count how often they are looked at, in a dict shared by a graph of some nodes."""

    def __new__(cls, nodes, looks):
        """Take the nodes, and the dict."""
        self = super().__new__(cls, nodes)
        self.looks = looks
        return self

    def _look(self):
        self.looks["count"] += 1
        if self.looks["count"] > LOOKS:
            nodes = self.looks["nodes"]
            raise RuntimeError(f"Of {nodes} nodes the inputs were read {LOOKS:,} times: once for each path?")

    def __iter__(self):
        """Count, and go through the nodes."""
        self._look()
        return super().__iter__()

    def __getitem__(self, place):
        """Count, and give a node."""
        self._look()
        return super().__getitem__(place)


def doublings(dark, x, times):
    """Start from y = 1 · x and set y = y + y, 1 · y + y, y + y or y + 1 · y, in turn."""
    looks, y = {"count": 0, "nodes": 3 + times + 2 * (times // 2)}, dark.mul(1, x)
    for k in range(times):
        other = dark.mul(1, y) if k % 2 else y
        y = dark.add(*((other, y) if k % 4 == 1 else (y, other)))
        for node in {y, other} if k % 2 else {y}:
            node.inputs = Counted(node.inputs, looks)
    return y


def own_operations(dark):
    """Make an operation with one input, -x, and one with three, x · y + z."""

    class Negative(dark.Operation):
        _f = staticmethod(lambda x: -x)
        _df = staticmethod(lambda dldy, y, x: (-dldy,))

    class Line(dark.Operation):
        _f = staticmethod(lambda x, y, z: x * y + z)
        _df = staticmethod(lambda dldy, r, x, y, z: (dldy * y, dldy * x, dldy))

    return Negative, Line


def line_through(dark, x, z):
    """Build y = (-x) · z + x with custom operations."""
    negative, line = own_operations(dark)
    return named(line.apply(named(negative.apply(x), "-x"), z, x), "y")


def kinds_of_leaves(node):
    """Name the inputs of a node that are leaves."""
    return [kind(n) for n in node.inputs if n.op is None]


def kind(node):
    """Name the class of a node and its value."""
    return f"{type(node).__name__} of value {node.value}"


def parameter(dark, name, value):
    """Make a parameter that has a name."""
    return named(dark.Parameter(value), name)


def below(root):
    """List the nodes at and below a root, as they are met."""
    found = {id(root): root}
    for node in (nodes := [root]):
        for n in node.inputs:
            if id(n) not in found:
                found[id(n)] = n
                nodes.append(n)
    return nodes


def held(root):
    """List what no walk through a graph may change: values, operations and inputs of its nodes."""
    return [(id(node), node.value, node.op, [id(n) for n in node.inputs]) for node in below(root)]


def shape_of(node):
    """Tell the fields of a node that is to be left alone."""
    return {"value": node.value, "gradient": node.grad, "operation": node.op is not None, "inputs": len(node.inputs)}


def labels(root):
    """Name the nodes below a root, each differently; those without a name by their values."""
    found = {}
    for node in below(root):
        name = getattr(node, "name", None) or f"the constant {node.value}".removesuffix(".0")
        while name in found:
            name += "′"
        found[name] = node
    return found


def gradients(root, chosen=lambda node: True):
    """Return the gradients below a root by the names of the nodes, from the root down."""
    return {f"gradient of {name}": node.grad for name, node in labels(root).items() if chosen(node)}


def is_no_constant(node):
    """Tell what receives gradients."""
    return type(node).__name__ != "Constant"


def is_float(value):
    """Tell a float of Python, or one of NumPy without axes."""
    return isinstance(value, float) or getattr(getattr(value, "dtype", None), "kind", "") == "f" and value.ndim == 0


def members(answer):
    """Return the numbers of any sequence as a list, nodes in words; anything else as it is."""
    if isinstance(answer, str | dict | set) or not hasattr(answer, "__iter__"):
        return answer
    return [float(each) if isinstance(each, Real) else _no_number(each) for each in answer]


def _no_number(thing):
    return f"a {type(thing).__name__}, not a number" if hasattr(thing, "inputs") else thing


def told_apart(answer, *names):
    """Return a sequence of answers by their names; anything else as it is."""
    answer = members(answer)
    is_whole = isinstance(answer, list) and len(answer) == len(names)
    return dict(zip(names, answer)) if is_whole else answer


def path_told_apart(path):
    """Return the places of a path by when they were reached."""
    path = members(path)
    if not isinstance(path, list):
        return path
    return {f"after step {k}" if k else "start": place for k, place in enumerate(path)}


# slope


@exam.question("slope", points=2, tolerance=1e-6)
def slope_of_a_parabola(dark, x: Float(-10, 10)):
    """The slope of f(v) = 2v² + 5 at x is close to 4x."""
    return dark.slope(lambda v: 2 * v**2 + 5, x)


@exam.question("slope", points=3)
def nudge_to_both_sides(dark, x: Float(-5, 5), nudge: Float(0.1, 0.9)):
    """For f(v) = v³, the slope compares one nudge to the right with one to the left, of the size asked for."""
    return dark.slope(lambda v: v**3, x, nudge)


@exam.question("slope", tolerance=1e-7)
def slope_of_a_growth(dark, x: Float(-3, 3), factor: Choice(1.0, -1.0)):
    """With the usual nudge, the slope of f(v) = factor · e to the v is close to f at x / 3, rising or falling."""
    return dark.slope(lambda v: factor * math.exp(v), x / 3)


# add, mul, pow: the value, the rule, the rule in a graph


@exam.question("add_mul")
def value_of_a_sum(dark, a: Float(2, 4), b: Float(5, 9)):
    """`_f` returns the sum."""
    return dark.Add._f(a, b)


@exam.question("add_mul", points=2)
def rule_of_a_sum(dark, dldy: Float(11, 19), a: Float(2, 4), b: Float(5, 9)):
    """`_df` returns one gradient for each input, by the chain rule."""
    return told_apart(dark.Add._df(dldy, a + b, a, b), "gradient of a", "gradient of b")


@exam.question("add_mul")
def value_of_a_product(dark, a: Float(3, 4), b: Float(5, 9)):
    """`_f` returns the product."""
    return dark.Mul._f(a, b)


@exam.question("add_mul", points=2)
def rule_of_a_product(dark, dldy: Float(11, 19), a: Float(3, 4), b: Float(5, 9)):
    """`_df` returns one gradient for each input, by the chain rule."""
    return told_apart(dark.Mul._df(dldy, a * b, a, b), "gradient of a", "gradient of b")


@exam.question("add_mul")
def sum_in_a_graph(dark, factor: Float(-5, -2), a: Float(2, 4), b: Float(5, 9)):
    """In the graph of y = factor · (a + b), both inputs of the sum receive the right gradient."""
    a, b = parameter(dark, "a", a), parameter(dark, "b", b)
    y = named(dark.mul(factor, named(dark.add(a, b), "a + b")), "y")
    y.backward()
    return {"value of y": y.value, "gradient of a": a.grad, "gradient of b": b.grad, "graph": trace(y)}


@exam.question("add_mul", examples=40)
def sum_with_signs_and_zeros(
    dark, dldy: Float(-9, 9, often=ZERO), a: Float(-9, 9, often=ZERO), b: Float(-999, 999, often=ZERO)
):
    """Value and rule hold for negative numbers, for 0, and for two equal numbers."""
    rule = told_apart(dark.Add._df(dldy, a + b, a, b), "gradient of a", "gradient of b")
    return {"value": dark.Add._f(a, b), **(rule if isinstance(rule, dict) else {"gradients": rule})}


@exam.question("add_mul")
def sum_of_nodes_and_numbers(dark, x: Float(-5, 5, often=(0.0,)), number: Choice(5, 0, -2)):
    """In y = (2x + number) + 2x and in x + x, every input stays what it is, and x receives 4 and 2."""
    x = parameter(dark, "x", x)
    double = named(dark.mul(2, x), "2x")
    part = dark.add(double, number)
    y, twice = named(dark.add(part, double), "y"), dark.add(x, x)
    y.backward()
    seen = {"value of y": y.value, "gradient of x": x.grad, "value of x + x": twice.value}
    x.grad = None
    twice.backward()
    seen |= {"gradient of x from x + x": x.grad, "constants of 2x + number": kinds_of_leaves(part)}
    return seen | {"graph": trace(y)}


@exam.question("add_mul")
def product_in_a_graph(dark, factor: Float(-5, -2), a: Float(3, 4), b: Float(5, 9)):
    """In the graph of y = (a · b) · factor + a, both inputs of the product receive the right gradient."""
    a, b = parameter(dark, "a", a), parameter(dark, "b", b)
    y = named(dark.add(dark.mul(named(dark.mul(a, b), "a · b"), factor), a), "y")
    y.backward()
    return {"value of y": y.value, "gradient of a": a.grad, "gradient of b": b.grad, "graph": trace(y)}


@exam.question("add_mul", examples=40)
def product_with_signs_and_zeros(
    dark, dldy: Float(-9, 9, often=ZERO), a: Float(-9, 9, often=ZERO), b: Float(-999, 999, often=ZERO)
):
    """Value and rule hold for negative numbers, for 0, and for two equal numbers."""
    rule = told_apart(dark.Mul._df(dldy, a * b, a, b), "gradient of a", "gradient of b")
    return {"value": dark.Mul._f(a, b), **(rule if isinstance(rule, dict) else {"gradients": rule})}


@exam.question("add_mul")
def product_of_nodes_and_numbers(dark, x: Float(-5, 5, often=(0.0,)), number: Choice(5, 0, -2)):
    """In y = (x + 1) · number · (x + 1) and in x · x, every input stays what it is."""
    x = parameter(dark, "x", x)
    more = named(dark.add(x, 1), "x + 1")
    part = dark.mul(more, number)
    y, square = named(dark.mul(part, more), "y"), dark.mul(x, x)
    y.backward()
    seen = {"value of y": y.value, "gradient of x": x.grad, "value of x · x": square.value}
    x.grad = None
    square.backward()
    seen |= {"gradient of x from x · x": x.grad, "constants of (x + 1) · number": kinds_of_leaves(part)}
    return seen | {"graph": trace(y)}


@exam.question("pow")
def value_of_a_power(dark, x: Float(2, 4), n: Choice(3.0, 2.5, -1.0)):
    """`_f` returns the power."""
    return dark.Pow._f(x, n)


@exam.question("pow", points=3)
def rule_of_a_power(dark, dldy: Float(11, 19), x: Float(3, 4), n: Float(1.5, 2.5)):
    """`_df` returns a gradient for the base and one for the exponent, by the chain rule."""
    return told_apart(dark.Pow._df(dldy, x**n, x, n), "gradient of x", "gradient of n")


@exam.question("pow")
def power_of_a_negative_number(dark, x: Float(-4, 0, often=(0.0,)), n: Choice(2, 3, 1)):
    """A base of 0 or below gets its gradient when the exponent is a fixed number."""
    x = parameter(dark, "x", x)
    y = named(dark.pow(x, n), "y")
    y.backward()
    return {"value of y": y.value, "gradient of x": x.grad}


@exam.question("pow")
def x_to_the_x(dark, x: Float(2, 3)):
    """In y = x to the x, the base and the exponent both add to the gradient of x."""
    x = parameter(dark, "x", x)
    y = named(dark.pow(x, x), "y")
    y.backward()
    return {"value of y": y.value, "gradient of x": x.grad, "graph": trace(y)}


@exam.question("pow", points=2, examples=40)
def rule_for_any_base(dark, dldy: Float(-9, 9), x: Float(-5, 5, often=(0.0, 0.5, 1.0)), n: Choice(2.0, 3.0, 1.0)):
    """Along n the answer is nan for a base below 0; along x it is a number for every base."""
    answer = told_apart(dark.Pow._df(dldy, x**n, x, n), "gradient of x", "gradient of n")
    if x == 0 and isinstance(answer, dict):
        del answer["gradient of n"]  # nan here, as the lesson asks; the limit, 0, in `dark`
    return answer


@exam.question("pow")
def rule_for_small_exponents(dark, x: Float(0.2, 3), n: Float(-3, 1, often=(0.0, 0.5))):
    """The rule holds for an exponent below 1, for 0 and for a negative one."""
    return told_apart(dark.Pow._df(3.0, x**n, x, n), "gradient of x", "gradient of n")


@exam.question("pow")
def power_of_a_result(dark, x: Float(-3, 3, often=(-2.0,)), n: Choice(2, 3)):
    """In y = (2x) to the n, x receives its gradient, and the exponent is a Constant."""
    x = parameter(dark, "x", x)
    y = named(dark.pow(named(dark.mul(2, x), "2x"), n), "y")
    y.backward()
    return {"value of y": y.value, "gradient of x": x.grad, "leaves of y": kinds_of_leaves(y), "graph": trace(y)}


# node


@exam.question("node", points=2)
def fields_of_a_leaf(dark, kind: Choice("Parameter", "Constant", "Node"), value: Float(-9, 9)):
    """A new leaf, of any kind, has its value, no gradient, no operation and no inputs."""
    leaf = getattr(dark, kind)(value)
    return {"value": leaf.value, "grad": leaf.grad, "op": leaf.op, "inputs": leaf.inputs}


@exam.question("node")
def integers_become_floats(dark, kind: Choice("Parameter", "Constant", "Node"), value: Integer(-3, 3)):
    """The value of a leaf is a float, also when an integer is given."""
    leaf = getattr(dark, kind)(value)
    return {"the value is a float": is_float(leaf.value), "value": leaf.value}


@exam.question("node")
def all_digits_are_kept(dark, kind: Choice("Parameter", "Constant", "Node"), parts: Integer(3, 99)):
    """The value of a leaf keeps all its digits."""
    return getattr(dark, kind)(1 / parts).value


@exam.question("node")
def leaves_share_nothing(dark, kind: Choice("Parameter", "Node"), first: Float(2, 4), second: Float(5, 9)):
    """A change of one leaf does not show in another."""
    for _ in range(50):
        getattr(dark, kind)(first).grad = 7.0  # of a leaf that nothing uses any more
    one, two = getattr(dark, kind)(first), getattr(dark, kind)(second)
    two.grad = 7.0
    if isinstance(two.inputs, list):
        two.inputs.append(one)
    values = {"value of the first": one.value, "value of the second": two.value}
    seen = values | {"gradient of the first": one.grad, "inputs of the first": len(one.inputs)}
    if isinstance(two.inputs, list):
        two.inputs.clear()  # a list that all share begins each time alike
    return seen


@exam.question("node")
def three_kinds(dark, value: Integer(2, 9)):
    """A Parameter and a Constant are Nodes; no Parameter is a Constant; a plain Node is neither."""
    found = {}
    for name, one, other in (("Parameter", "Node", "Constant"), ("Constant", "Node", "Parameter")):
        leaf = getattr(dark, name)(value)
        found |= {f"a {name} is a {each}": isinstance(leaf, getattr(dark, each)) for each in (one, other)}
    plain = dark.Node(value)
    for each in ("Parameter", "Constant"):
        found[f"a plain Node is a {each}"] = isinstance(plain, getattr(dark, each))
    return found | {"value of the plain Node": plain.value}


@exam.question("node")
def equal_leaves_are_two(dark, kind: Choice("Parameter", "Constant"), value: Float(-9, 9, often=(0.0,))):
    """Two leaves of the same value are two: a set holds both, neither equals the other, each has its own gradient."""
    one, two = getattr(dark, kind)(value), getattr(dark, kind)(value)
    if kind == "Parameter":
        two.grad = 7.0
    seen = {"value of the first": one.value, "value of the second": two.value, "they are one node": one is two}
    seen["gradient of the first"] = one.grad
    return seen | {"they are equal": bool(one == two), "in a set": len({one, two, one})}


# apply


@exam.question("apply", points=2)
def result_remembers(dark, a: Float(-4, 4), b: Float(5, 9)):
    """A result knows its value, its operation, and the very nodes that went in."""
    a, b = parameter(dark, "a", a), parameter(dark, "b", b)
    y = named(dark.Mul.apply(a, b), "y")
    same = {f"input {k}": what_went_in(n, given) for k, (n, given) in enumerate(zip(y.inputs, (a, b)), 1)}
    graph = trace(y) if all(hasattr(n, "inputs") for n in y.inputs) else None
    return {"value of y": y.value, "its operation is Mul": y.op is dark.Mul, **same, "graph": graph}


def what_went_in(node, given):
    """Tell whether an input of a result is the node that was given, or what it is instead."""
    if node is given:
        return "the node that went in"
    return f"another {kind(node)}" if hasattr(node, "value") else f"a {type(node).__name__}, not a node"


@exam.question("apply", points=2)
def numbers_become_constants(dark, number: Float(2, 4), x: Float(5, 9)):
    """A plain number becomes a Constant; the result stays a result."""
    y = named(dark.Add.apply(number, parameter(dark, "x", x)), "y")
    inputs = {f"input {k} of y": f"{type(n).__name__} of value {n.value}" for k, n in enumerate(y.inputs, 1)}
    return {"class of y": type(y).__name__, **inputs, "graph": trace(y)}


@exam.question("apply", points=2)
def constants_make_a_constant(dark, a: Float(2, 4), b: Float(5, 9)):
    """A result of constants alone is a Constant that remembers nothing."""
    y = named(dark.Mul.apply(a, b), "y")
    remembers = {"y has an operation": y.op is not None, "inputs of y": len(y.inputs)}
    return {"class of y": type(y).__name__, "value of y": y.value, **remembers, "graph": trace(y)}


@exam.question("apply", points=2)
def any_number_of_inputs(dark, a: Float(2, 4), b: Float(5, 9)):
    """An operation of your own may have one input, such as -a, or three, such as a · b + 1 or 2 · 3 + a."""

    class Negative(dark.Operation):
        _f = staticmethod(lambda x: -x)

    class Line(dark.Operation):
        _f = staticmethod(lambda x, y, z: x * y + z)

    a, b = dark.Parameter(a), dark.Parameter(b)
    results = {"-a": Negative.apply(a), "a · b + 1": Line.apply(a, b, 1), "2 · 3 + a": Line.apply(2, 3, a)}
    seen = {f"value of {name}": node.value for name, node in results.items()}
    return seen | {f"inputs of {name}": len(node.inputs) for name, node in results.items()}


KINDS = ("a parameter", "a result", "a constant", "a number", "a plain Node")


@exam.question("apply", points=3, examples=50)
def inputs_of_all_kinds(
    dark, first: Choice(*KINDS), second: Choice(*KINDS, "the first again"), value: Float(-9, 9, often=(0.0,))
):
    """Nodes of every kind, numbers, and the same node twice go in; the result knows each of them."""
    makers = {
        "a plain Node": lambda: dark.Node(value),
        "a parameter": lambda: dark.Parameter(value),
        "a result": lambda: dark.add(dark.Parameter(value), 0),
        "a constant": lambda: dark.Constant(value),
        "a number": lambda: value,
    }
    a = makers[first]()
    b = a if second == "the first again" else makers[second]()
    y = named(dark.Mul.apply(a, b), "y")
    seen = {"y": kind(y), "its operation is Mul": y.op is dark.Mul, "inputs of y": [kind(n) for n in y.inputs]}
    for k, (n, given) in enumerate(zip(y.inputs, (a, b)), 1):
        seen[f"input {k} is the node that went in"] = n is given or isinstance(given, float)
    return seen | {"graph": trace(y)}


@exam.question("apply")
def gradients_are_left_alone(dark, a: Float(-4, 4), gradient: Float(-9, 9, often=(0.0,))):
    """A result has no gradient yet, its inputs stay as they are, and the same inputs make a second result."""
    a, b, c = parameter(dark, "a", a), dark.mul(2, dark.Parameter(a)), dark.Constant(a)
    a.grad = b.grad = gradient
    y, again, other, third = dark.Mul.apply(a, b), dark.Mul.apply(a, b), dark.Mul.apply(b, a), dark.Mul.apply(b, c)
    seen = {"gradient of y": y.grad, "two results are one": y is again or y is other}
    seen |= {"b · a begins with b": other.inputs[0] is b, "b · c ends with c": third.inputs[1] is c}
    d = dark.Constant(2.0)
    fixed = dark.Mul.apply(c, d)
    seen |= {"value of c · 2": fixed.value, "c · 2 is c, or the 2": fixed is c or fixed is d, "constant 2": shape_of(d)}
    return seen | {"parameter a": shape_of(a), "result b": shape_of(b), "constant c": shape_of(c)}


@exam.question("apply", examples=40)
def four_inputs_of_which_some_are_constants(dark, inputs: ListOf(Choice(*KINDS[:3]), 1, 4), x: Float(2, 9)):
    """An operation of one to four inputs makes a Constant only if all of them are constants."""

    class Total(dark.Operation):
        _f = staticmethod(lambda *numbers: sum(k * number for k, number in enumerate(numbers, 1)))

    makers = {
        "a parameter": lambda: dark.Parameter(x),
        "a result": lambda: dark.add(dark.Parameter(x), 1),
        "a constant": lambda: dark.Constant(x + 2),
    }
    nodes = [makers[each]() for each in inputs]
    y = named(Total.apply(*nodes), "y")
    return {"y": kind(y), "inputs of y": [kind(n) for n in y.inputs], "graph": trace(y)}


# topological order


def nodes_of(answer):
    """Return the nodes in their order, or that the answer is not a list: it has no order, or can be read only once."""
    if isinstance(answer, set | frozenset) or hasattr(answer, "__next__"):
        return f"a {type(answer).__name__}, not a list"
    return [*answer]


def listed(dark, root):
    """Observe an order: the nodes below a root by their names, and which inputs each of them has."""
    names = {id(node): name for name, node in labels(root).items()}
    for node in below(root):
        node.name = names[id(node)]
    needs = {names[id(node)]: [names[id(n)] for n in node.inputs] for node in below(root)}
    before = held(root), [node.grad for node in below(root)]
    order = nodes_of(dark.topological_order(root))
    if isinstance(order, str):
        return {"listed": order, "values": [], "inputs": needs, "changed": False}
    changed = before != (held(root), [node.grad for node in below(root)])
    listed = [names.get(id(node), "?") for node in order]
    values = [node.value for node in order if id(node) in names]
    return {"listed": listed, "values": values, "inputs": needs, "changed": changed, "graph": trace(root)}


@exam.question("topological_order", points=4)
def inputs_before_users(dark, y: Expression(("x", "z"), ("add", "mul"), 9, ["add", "...", "x"])):
    """Every node is listed once, after all its inputs."""
    return listed(dark, build(dark, y, {"x": dark.Parameter(2), "z": dark.Parameter(3)}))


@exam.question("topological_order", points=3)
def used_early_and_late(dark, y: Choice("a + 2a", "2a + a"), x: Float(2, 9)):
    """With a = 1 · x, the node a is used twice, and is listed before both of its users."""
    return listed(dark, late_use(dark, dark.Parameter(x), y))


@exam.question("topological_order", points=2)
def equal_values_are_two_nodes(dark, value: Float(2, 9)):
    """In y = a · b, two nodes with the same value are two nodes."""
    y = dark.mul(parameter(dark, "a", value), parameter(dark, "b", value))
    return listed(dark, named(y, "y"))


@exam.question("topological_order", points=2, examples=3)
def deep_graph_in_order(dark, levels: Integer(DEEP, DEEP + 50)):
    """A chain of 1,100 operations, or some more, does not exceed the recursion limit."""
    x = dark.Parameter(2)
    y = chain(dark, x, levels)
    order = nodes_of(dark.topological_order(y))
    if isinstance(order, str):
        return {"number of nodes": order}
    seen = {"number of nodes": len(order), "the root is last": order[-1] is y}
    return seen | {"x comes before all results": len(order) - order.index(x) > levels}


@exam.question("topological_order", points=3)
def long_and_short_paths(dark, x: Float(2, 9)):
    """In ((x + 2x) + 2x) + 2(x + z), and in some sums with 2u = u + u beside u + v, paths have different lengths."""
    x, z = parameter(dark, "x", x), parameter(dark, "z", 3)
    twice, both = named(dark.add(x, x), "2x"), named(dark.add(x, z), "x + z")
    left = named(dark.add(named(dark.add(x, twice), "x + 2x"), twice), "x + 2x + 2x")
    seen = listed(dark, named(dark.add(left, named(dark.add(both, both), "2(x + z)")), "y"))
    for more in (listed(dark, root) for root in sums_of_twins(dark) if isinstance(seen["listed"], list)):
        for key in ("listed", "values", "inputs", "changed"):
            seen[key] = seen[key] | more[key] if key in ("inputs", "changed") else seen[key] + more[key]
    return seen


def sums_of_twins(dark):
    """Build (u + v) + 2u, ((u + v) + v) + 2u, both in either order, and w + (u · u + w) with w = u + v."""
    line = own_operations(dark)[1]
    for k in range(5):
        u, v = (parameter(dark, f"{name}{k + 1}", value) for name, value in (("u", 2), ("v", 5)))
        part, twice = named(dark.add(u, v), f"{u.name} + {v.name}"), named(dark.add(u, u), f"2{u.name}")
        part = named(dark.add(part, v), f"{part.name} + {v.name}") if k in (2, 3) else part
        twice = named(line.apply(u, u, part), "u · u + w") if k == 4 else twice
        y = dark.add(*((part, twice)[:: -1 if k % 2 else 1]))
        yield named(y, f"y{k + 1}")


@exam.question("topological_order")
def one_input_and_three(dark, x: Float(-3, 3)):
    """In y = (-x) · z + x, made of an operation of one input and one of three, every node is listed."""
    return listed(dark, line_through(dark, parameter(dark, "x", x), parameter(dark, "z", 5)))


@exam.question("topological_order")
def three_inputs_and_many_leaves(dark, levels: Integer(1, 4)):
    """Built with y = y · (a number) + z, again and again, every z and every number is listed."""
    line, y = own_operations(dark)[1], parameter(dark, "x", 2)
    for k in range(levels):
        y = named(line.apply(y, 3 + k, parameter(dark, f"z{k}", 5)), f"y{k}")
    return listed(dark, y)


@exam.question("topological_order")
def leaf_alone(dark, leaf: Choice("Parameter", "Constant"), value: Float(-3, 3)):
    """The order of a leaf is that leaf alone."""
    return listed(dark, named(getattr(dark, leaf)(value), "x"))


@exam.question("topological_order", points=2)
def listed_again(dark, y: ANY, part: Integer(0, 9)):
    """After a graph and one of its parts, that part or a graph that uses both is listed: each call starts anew."""
    y = build(dark, y, {"x": dark.Parameter(2), "z": dark.Parameter(3)})
    dark.topological_order(y)
    results = [node for node in below(y) if node.op is not None]
    inner = results[part % len(results)]
    answer = dark.topological_order(inner)
    if isinstance(answer, list):
        answer.clear()  # it is the caller's
    return listed(dark, dark.add(inner, y) if part % 2 else inner)


@exam.question("topological_order", examples=3)
def doublings_in_order(dark, times: DOUBLINGS):
    """From y = 1 · x, y = y + y or y + 1 · y, sixty times (123 nodes) or more: no time for each of the paths."""
    x = dark.Parameter(1)
    y = doublings(dark, x, times)
    order = nodes_of(dark.topological_order(y))
    if isinstance(order, str):
        return {"number of nodes": order}
    return {"number of nodes": len(order), "the root is last": order[-1] is y}


# backward


@exam.question("backward")
def every_gradient_of_the_parabola(dark, x: Float(2, 9)):
    """For y = 2x² + 5 the gradients are 1, 1, 2 at the results and 4x at x."""
    y = parabola(dark, parameter(dark, "x", x))
    y.backward()
    return {"value of y": y.value, **gradients(y, is_no_constant), "graph": trace(y)}


@exam.question("backward", points=3)
def shared_node(dark, x: Float(2, 5), y: Choice("a + 2a", "2a + a")):
    """With a = 1 · x, the node a is used twice and receives both gradients, in either order."""
    y = late_use(dark, dark.Parameter(x), y)
    y.backward()
    return {"value of y": y.value, **gradients(y, is_no_constant), "graph": trace(y)}


@exam.question("backward", points=3, examples=18)
def any_graph(dark, x: Float(-3, 3, often=(0.0,)), z: Float(-3, 3, often=(0.0,)), y: ANY):
    """Every node of any graph of sums and products gets its gradient; values and inputs stay."""
    y = build(dark, y, {"x": dark.Parameter(x), "z": dark.Parameter(z)})
    before = held(y)
    y.backward()
    return {**gradients(y, is_no_constant), "the graph stays": before == held(y), "graph": trace(y)}


@exam.question("backward", points=2, examples=18)
def two_roots(dark, x: Float(-3, 3), z: Float(-3, 3), y: ANY, part: Integer(0, 9)):
    """After y = ..., a second root t = 3 · (a part of y) + x: parameters add up, results start anew."""
    leaves = {"x": dark.Parameter(x), "z": dark.Parameter(z)}
    y = build(dark, y, leaves)
    results = [node for node in below(y) if node.op is not None]
    inner = results[part % len(results)]
    t = named(dark.add(named(dark.mul(3, inner), "3 · a part"), leaves["x"]), "t")
    y.backward()
    t.backward()
    seen = gradients(t, is_no_constant) | {"graph": trace(t)}
    y.backward()
    return seen | {"gradient of x after y, t, y": leaves["x"].grad, "gradient of z after y, t, y": leaves["z"].grad}


@exam.question("backward")
def leaf_as_root(dark, x: Float(-3, 3), z: Float(-3, 3), gradient: Float(2, 9)):
    """A parameter by itself is a root too: its gradient is 1, and no other's changes; a plain Node n receives, too."""
    x, z, n = parameter(dark, "x", x), parameter(dark, "z", z), named(dark.Node(x), "n")
    dark.mul(x, z)
    z.grad = gradient
    x.backward()
    dark.mul(n, n).backward()
    return {"gradient of x": x.grad, "gradient of z": z.grad, "gradient of n from n · n": n.grad}


@exam.question("backward")
def three_passes(dark, x: Float(2, 10)):
    """For y = 2x² + 5, x adds up over passes (at 10: 40, 80, 120); results show the last pass."""
    p = parameter(dark, "x", x)
    y = parabola(dark, p)
    seen = {}
    for k in (1, 2, 3):
        y.backward()
        seen[f"gradient of x after pass {k}"] = p.grad
    return seen | gradients(y, lambda node: node.op is not None) | {"graph": trace(y)}


@exam.question("backward")
def fresh_start(dark, x: Float(2, 10)):
    """For y = 2x² + 5, a pass after zero_grad brings the full gradient again."""
    p = parameter(dark, "x", x)
    y = parabola(dark, p)
    y.backward()
    y.zero_grad()
    y.backward()
    return {"gradient of x": p.grad, "graph": trace(y)}


@exam.question("backward")
def constants_take_nothing(dark, x: Float(2, 9), factor: Choice(2.0, 0.0)):
    """In y = factor · (2x² + 5), the gradient of each Constant stays None, and that of x is 4x · factor, also if 0."""
    y = dark.mul(factor, parabola(dark, parameter(dark, "x", x)))
    y.backward()
    return gradients(y, lambda node: node.op is None) | {"graph": trace(y)}


@exam.question("backward", examples=3)
def deep_graph_backward(dark, factor: Float(2, 9)):
    """In y = factor · x + 0 + 0 + ..., a gradient arrives through a chain of 1,100 operations."""
    x = dark.Parameter(2)
    chain(dark, dark.mul(factor, x)).backward()
    return {"gradient of x": x.grad}


@exam.question("backward")
def one_input_and_three_backward(dark, x: Float(-3, 3), z: Float(-3, 3)):
    """In y = (-x) · z + x, made of an operation of one input and one of three, each receives its gradient."""
    x, z = parameter(dark, "x", x), parameter(dark, "z", z)
    y = line_through(dark, x, z)
    y.backward()
    return {"value of y": y.value, "gradient of x": x.grad, "gradient of z": z.grad, "graph": trace(y)}


@exam.question("backward", examples=3)
def doublings_backward(dark, times: DOUBLINGS):
    """From y = 1 · x, y = y + y or y + 1 · y, so many times: the gradient is 2 to that power; no time for each path."""
    x = dark.Parameter(1)
    doublings(dark, x, times).backward()
    return {"gradient of x": x.grad}


# zero_grad


SHARED = ("2x² + 5", "(z + x) + x", "x + (z + x)", "x + (x + z)", "x · x + z", "z + x · x")


@exam.question("zero_grad", examples=24)
def every_gradient_is_cleared(dark, y: Choice(*SHARED), x: Float(2, 9)):
    """Below y, every gradient that is there becomes 0.0, also behind a node that is used twice; the values stay."""
    x, z = parameter(dark, "x", x), parameter(dark, "z", 3.0)
    add, mul = dark.add, dark.mul
    made = {
        "2x² + 5": lambda: parabola(dark, x),
        "(z + x) + x": lambda: add(add(z, x), x),
        "x + (z + x)": lambda: add(x, add(z, x)),
        "x + (x + z)": lambda: add(x, add(x, z)),
        "x · x + z": lambda: add(mul(x, x), z),
        "z + x · x": lambda: add(z, mul(x, x)),
    }
    y = made[y]()
    y.backward()
    y.zero_grad()
    values = {f"value of {name}": node.value for name, node in labels(y).items()}
    return gradients(y, is_no_constant) | values | {"graph": trace(y)}


@exam.question("zero_grad")
def none_stays_none(dark, gradient: Choice(None, 0.0, 3.0), x: Float(2, 9)):
    """Below y = 2x² + 5, a gradient that is None stays None; that of x, from another graph, becomes 0.0."""
    x = parameter(dark, "x", x)
    y = parabola(dark, x)
    y.grad, x.grad = gradient, 7.0
    y.zero_grad()
    return gradients(y) | {"graph": trace(y)}


@exam.question("zero_grad", examples=18)
def any_graph_cleared(
    dark, y: Expression(("x", "z"), ("add", "mul"), 6), gradients_there: ListOf(Choice(3.0, None, 0.0, "nan"), 1, 6)
):
    """Of any graph with gradients here and there, each becomes 0.0, None stays, and nothing else changes."""
    y = build(dark, y, {"x": dark.Parameter(0.0), "z": dark.Parameter(-2.0)})
    for k, node in enumerate(filter(is_no_constant, below(y))):
        given = gradients_there[k % len(gradients_there)]
        node.grad = float(given) if isinstance(given, str) else given
    before = held(y)
    y.zero_grad()
    return {**gradients(y), "the graph stays": before == held(y), "graph": trace(y)}


@exam.question("zero_grad")
def cleared_again(dark, y: ANY, part: Integer(0, 9), gradient: Float(-9, 9)):
    """A graph that was cleared is cleared again, and so is a part of it: each call starts anew."""
    y = build(dark, y, {"x": dark.Parameter(2), "z": dark.Parameter(3)})
    results = [node for node in below(y) if node.op is not None]
    inner = results[part % len(results)]
    for root in (y, inner, y):
        for node in filter(is_no_constant, below(root)):
            node.grad = gradient
        root.zero_grad()
    for node in filter(is_no_constant, below(y)):
        node.grad = gradient
    inner.zero_grad()  # what is not below it keeps its gradient
    return gradients(y) | {"graph": trace(y)}


@exam.question("zero_grad")
def one_input_and_three_cleared(dark, x: Float(-3, 3), gradient: Float(-9, 9)):
    """In y = (-x) · z + w, of operations of one input and of three, all becomes 0.0; 2y, above, keeps its gradient."""
    negative, line = own_operations(dark)
    leaves = [parameter(dark, name, x) for name in "xzw"]
    y = named(line.apply(named(negative.apply(leaves[0]), "-x"), *leaves[1:]), "y")
    above = dark.mul(2, y)
    for node in (above, *below(y)):
        node.grad = gradient
    y.zero_grad()
    return gradients(y) | {"gradient of 2y": above.grad, "graph": trace(y)}


@exam.question("zero_grad")
def leaf_cleared(dark, x: Float(-9, 9), gradient: Choice(3.0, None)):
    """A parameter by itself is cleared too, and a constant stays as it is."""
    x, c = dark.Parameter(x), dark.Constant(x)
    x.grad = gradient
    x.zero_grad()
    c.zero_grad()
    return {"parameter": shape_of(x), "constant": shape_of(c)}


@exam.question("zero_grad", examples=3)
def deep_graph_cleared(dark, gradient: Float(2, 9)):
    """A chain of 1,100 operations does not exceed the recursion limit; 2y, which is above it, keeps its gradient."""
    x = dark.Parameter(2)
    y = chain(dark, x)
    above = dark.mul(2, y)
    above.grad = y.grad = x.grad = gradient
    y.zero_grad()
    return {"gradient of x": x.grad, "gradient of 2y": above.grad}


@exam.question("zero_grad", examples=3)
def doublings_cleared(dark, times: DOUBLINGS, gradient: Float(2, 9)):
    """From y = 1 · x, y = y + y or y + 1 · y, so many times: no time for each path; 2y, above, keeps its gradient."""
    x = dark.Parameter(1)
    y = doublings(dark, x, times)
    above = dark.mul(2, y)
    above.grad = y.grad = x.grad = gradient
    y.zero_grad()
    return {"gradient of y": y.grad, "gradient of x": x.grad, "gradient of 2y": above.grad}


# minimize


@exam.question("minimize", points=3)
def path_down_the_parabola(dark, start: Float(-10, 10, often=(10.0, 1 / 3)), steps: Integer(2, 5)):
    """The path of 2x² + 5 from 10 is 10, 6, 3.6, 2.16: the start, then one value a step."""
    return path_told_apart(dark.minimize(lambda x: parabola(dark, x), start, steps=steps))


@exam.question("minimize", examples=4)
def hundred_steps(dark, start: Float(1, 9)):
    """By default, 100 steps of rate 0.1 are taken, here on x² / 10; the path has 101 values."""
    path = members(dark.minimize(lambda x: dark.mul(0.1, dark.pow(x, 2)), start))
    return {"number of values": len(path), "last value": path[-1]}


@exam.question("minimize")
def rate_as_asked(dark, start: Float(2, 9), learning_rate: Float(0.05, 0.4)):
    """For f(x) = (x - 1)², each of 3 steps goes the learning rate times the gradient."""
    square = lambda x: dark.pow(dark.add(x, -1), 2)
    return path_told_apart(dark.minimize(square, start, learning_rate=learning_rate, steps=3))


@exam.question("minimize", points=2)
def graph_of_today(dark, start: Float(-2, 2)):
    """For f(x) = x² · x², every one of 4 steps of rate 0.01 uses the slope at the present x."""
    square = lambda x: dark.mul(dark.pow(x, 2), dark.pow(x, 2))
    return path_told_apart(dark.minimize(square, start, learning_rate=0.01, steps=4))


@exam.question("minimize")
def flat_or_no_steps(dark, start: Integer(0, 9), steps: Choice(3, 0)):
    """At the minimum of 2x² + 5 every step is noted all the same; 0 steps leave the start alone."""
    return path_told_apart(dark.minimize(lambda x: parabola(dark, x), start, steps=steps))


@exam.question("minimize")
def too_large_a_rate(dark, learning_rate: Choice(0.5, 1.0), start: Float(-10, 10)):
    """On 2x² + 5 a rate of 0.5 jumps to and fro and a rate of 1 away, for all of 9 steps."""
    return path_told_apart(dark.minimize(lambda x: parabola(dark, x), start, learning_rate=learning_rate, steps=9))


@exam.question("minimize")
def two_descents(dark, first: Float(2, 9), second: Float(-9, -2), weight: Float(1, 4)):
    """A second call begins anew, the path of the first stays, f gets a Parameter, and its own ones do not move."""
    w, kinds = dark.Parameter(weight), set()

    def bowl(x):
        kinds.add(type(x).__name__)
        return dark.pow(dark.add(x, w), 2)

    one = dark.minimize(bowl, first, steps=3)
    before = members(one)
    two = dark.minimize(bowl, second, steps=2)
    seen = {"first path": path_told_apart(one), "second path": path_told_apart(two), "value of w": w.value}
    return seen | {"the first path stays": members(one) == before, "class of what f gets": sorted(kinds)}


# repairs of "Find the bug"; they earn no points


@exam.repair("first_backward")
def the_same_after_zero_grad(dark, x: Float(-3, 3), passes: Integer(2, 3)):
    """After zero_grad, a backward pass gives the gradient that the first one gave."""
    p, gradients = dark.Parameter(x), []
    y = parabola(dark, p)
    for _ in range(passes):
        dark.first_backward(y)
        gradients.append(float(p.grad))
        dark.first_zero_grad(y)
    return gradients
