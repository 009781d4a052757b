"""Questions of module 02, trustworthy-gradients.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

The first questions about a rule draw no 0, no 1 and no two equal inputs, so that different mistakes
give different answers; signs, zeros, kinks and ties have questions of their own.
"""

import math
from collections.abc import KeysView

from dark.course.exams import Choice, Exam, Float, Integer, trace

exam = Exam("02")


def named(node, name):
    """Return a node a name, for the picture and the table."""
    node.name = name
    return node


def parameter(dark, name, value):
    """Make a parameter that has a name."""
    return named(dark.Parameter(value), name)


def told_apart(answer, *names):
    """Return a tuple of answers by their names; of anything else, that it is not a tuple."""
    if isinstance(answer, str | dict | set) or not hasattr(answer, "__iter__"):
        shown = f"{answer:g}" if isinstance(answer, int | float) else type(answer).__name__
        return {names[0]: f"{shown}, not in a tuple"}
    answer = list(answer)
    return dict(zip(names, answer)) if len(answer) == len(names) else answer


def value_of(answer):
    """Return the value of a node; anything else as it is."""
    return getattr(answer, "value", answer)


def as_number(answer):
    """Return a number as it is, one of NumPy without axes as a float, and of a node that it is one."""
    if getattr(answer, "ndim", None) == 0:
        return float(answer)
    return f"a node of value {answer.value}" if hasattr(answer, "value") else answer


def rule_of_one(operation, dldy, x):
    """Call the rule of an operation with a single input, with the value of its function."""
    answer = told_apart(operation._df(dldy, operation._f(x), x), "gradient of x")
    return {name: as_number(piece) for name, piece in answer.items()} if isinstance(answer, dict) else answer


def rule_on_nodes(dark, operation, dldy, x):
    """Call a rule with a single input on nodes: the value of its answer, and how far dldy and x move it."""
    dldy, x = dark.Parameter(dldy), dark.Parameter(x)
    pieces = told_apart(operation._df(dldy, operation.apply(x), x), "gradient of x")
    if not isinstance(pieces, dict):
        return pieces
    piece = dark.mul(1, pieces["gradient of x"])
    if piece.op is not None:
        piece.backward()
    seen = {"gradient of x": piece.value, "its slope along dldy": as_number(dldy.grad or 0.0)}
    return seen | {"its slope along x": as_number(x.grad or 0.0)}


def in_a_graph(dark, function, name, x, factor=-3.0):
    """Build y = factor · f(2x) + x, and send the gradient back."""
    x = parameter(dark, "x", x)
    double = named(dark.mul(2, x), "2x")
    each = named(function(double), name)
    y = named(dark.add(named(dark.mul(factor, each), f"factor · {name}"), x), "y")
    y.backward()
    gradients = {"gradient of 2x": as_number(double.grad), "gradient of x": as_number(x.grad)}
    return {"value of y": y.value} | gradients | {"graph": trace(y)}


def twice(dark, function, x):
    """Use one node for a function twice: f(a) · f(a) with a = 3x, and f of the plain number x."""
    plain, x = function(x), parameter(dark, "x", x)
    a = named(dark.mul(3, x), "3x")
    y = named(dark.mul(function(a), function(a)), "y")
    y.backward()
    kind = {"kind of f of a number": type(plain).__name__, "value of f of a number": plain.value}
    return {"value of f(3x) · f(3x)": y.value, "gradient of x": as_number(x.grad), **kind}


# exp_log


@exam.question("exp_log", points=2)
def rule_of_exp(dark, dldy: Float(11, 19), x: Float(2, 4)):
    """For y = exp(x) the rule returns one gradient, by the chain rule."""
    return rule_of_one(dark.Exp, dldy, x)


@exam.question("exp_log", points=2)
def rule_of_log(dark, dldy: Float(11, 19), x: Float(2, 4)):
    """For y = log(x) the rule returns one gradient, by the chain rule."""
    return rule_of_one(dark.Log, dldy, x)


@exam.question("exp_log", examples=50)
def exp_and_log_of_any_number(
    dark, dldy: Float(-9, 9, often=(0.0,)), x: Float(-20, 40, often=(0.0, 40.0, -20.0)), of: Choice("exp", "log")
):
    """The rules hold for a dldy and an x below 0 and of 0; log is asked at e to the x, and at 1e-20 and 1e-150."""
    if of == "exp":
        return rule_of_one(dark.Exp, dldy, x)
    answer = rule_of_one(dark.Log, dldy, math.exp(x))
    if not isinstance(answer, dict):
        return answer
    values = {f"value at {small:g}": as_number(dark.Log._f(small)) for small in (1e-20, 1e-150)}
    return answer | values | {f"at {small:g}": rule_of_one(dark.Log, dldy, small) for small in (1e-20, 1e-150)}


@exam.question("exp_log")
def exp_in_a_graph(dark, x: Float(-2, 2, often=(0.0,))):
    """In y = -3 · exp(2x) + x, the inputs receive the right gradients; exp takes numbers too."""
    return in_a_graph(dark, dark.exp, "exp(2x)", x) | twice(dark, dark.exp, x)


@exam.question("exp_log")
def log_in_a_graph(dark, x: Float(0.1, 4, often=(0.25,))):
    """In y = -3 · log(2x) + x, the inputs receive the right gradients; log takes numbers too."""
    return in_a_graph(dark, dark.log, "log(2x)", x) | twice(dark, dark.log, x)


@exam.question("exp_log")
def exp_and_log_made_of_operators(dark, x: Float(0.25, 3), dldy: Float(-9, 9, often=(-2.0,))):
    """`_df` is written with operators alone, so it takes nodes too, as module 03 will need."""
    return {"exp": rule_on_nodes(dark, dark.Exp, dldy, x), "log": rule_on_nodes(dark, dark.Log, dldy, x)}


# tanh


@exam.question("tanh")
def value_of_tanh(dark, x: Float(-3, 3, often=(0.0, 0.01))):
    """`_f` returns the hyperbolic tangent, between -1 and 1."""
    return dark.Tanh._f(x)


@exam.question("tanh")
def tanh_far_out(dark, side: Choice("right", "left"), x: Float(20, 2000, often=(400.0,))):
    """Far to the right the value is 1, far to the left, where x is negative, -1; nothing overflows."""
    return dark.Tanh._f(x if side == "right" else -x)


@exam.question("tanh")
def rule_of_tanh(dark, dldy: Float(11, 19), x: Float(0.4, 1.6)):
    """The rule returns one gradient, by the chain rule."""
    return rule_of_one(dark.Tanh, dldy, x)


@exam.question("tanh", examples=30)
def tanh_of_any_number(dark, dldy: Float(-9, 9, often=(0.0,)), x: Float(-3, 3, often=(0.0, 30.0))):
    """The rule holds for a dldy and an x below 0 and of 0, and where the curve is flat."""
    return rule_of_one(dark.Tanh, dldy, x)


@exam.question("tanh")
def tanh_in_a_graph(dark, x: Float(-2, 2, often=(0.0,))):
    """In y = -3 · tanh(2x) + x, the inputs receive the right gradients; tanh takes numbers too."""
    return in_a_graph(dark, dark.tanh, "tanh(2x)", x) | twice(dark, dark.tanh, x)


@exam.question("tanh")
def tanh_made_of_operators(dark, x: Float(-1, 1, often=(0.5,)), dldy: Float(-9, 9, often=(-2.0,))):
    """`_df` is written with operators alone, so it takes nodes too, as module 03 will need."""
    return rule_on_nodes(dark, dark.Tanh, dldy, x)


# sigmoid


@exam.question("sigmoid")
def value_of_the_sigmoid(dark, x: Float(-15, 15, often=(0.0,))):
    """`_f` returns one over (one plus e to the minus x), here at x and at ±9."""
    return {"value": dark.Sigmoid._f(x), "value at 9": dark.Sigmoid._f(9.0), "value at -9": dark.Sigmoid._f(-9.0)}


@exam.question("sigmoid", points=2)
def sigmoid_far_out(dark, side: Choice("right", "left"), x: Float(750, 2000, often=(800.0,))):
    """Far to the right the value is 1, far to the left, where x is negative, 0; nothing overflows."""
    return dark.Sigmoid._f(x if side == "right" else -x)


@exam.question("sigmoid")
def sigmoid_keeps_its_digits(dark, x: Float(-708, -20, often=(-20.0, -705.0))):
    """Small values keep all their digits; the test looks at the value times e to the -x, which is nearly 1."""
    return {"value · e to the -x": dark.Sigmoid._f(x) * math.exp(-x)}


@exam.question("sigmoid", points=2)
def rule_of_the_sigmoid(dark, dldy: Float(11, 19), x: Float(0.4, 1.6)):
    """The rule returns one gradient, by the chain rule."""
    return rule_of_one(dark.Sigmoid, dldy, x)


@exam.question("sigmoid", examples=30)
def sigmoid_of_any_number(dark, dldy: Float(-9, 9, often=(0.0,)), x: Float(-30, 30, often=(0.0, -700.0, 700.0))):
    """The rule holds for a dldy and an x below 0 and of 0, and where the curve is flat."""
    y = {700.0: 1.0, -700.0: 0.0}.get(x) if abs(x) > 100 else 1 / (1 + math.exp(-x))
    return told_apart(dark.Sigmoid._df(dldy, y, x), "gradient of x")


@exam.question("sigmoid")
def sigmoid_in_a_graph(dark, x: Float(-2, 2, often=(0.0, -500.0))):
    """In y = -3 · sigmoid(2x) + x, the inputs receive the right gradients; sigmoid takes numbers too."""
    return in_a_graph(dark, dark.sigmoid, "sigmoid(2x)", x) | twice(dark, dark.sigmoid, x)


@exam.question("sigmoid")
def sigmoid_made_of_operators(dark, x: Float(-1, 1, often=(0.5,)), dldy: Float(-9, 9, often=(-2.0,))):
    """`_df` is written with operators alone, so it takes nodes too, as module 03 will need."""
    return rule_on_nodes(dark, dark.Sigmoid, dldy, x)


# kinks


@exam.question("kinks", points=2)
def rule_of_relu(dark, dldy: Float(11, 19), x: Float(-3, 3)):
    """The rule of relu returns one gradient: what arrived, or 0."""
    return rule_of_one(dark.Relu, dldy, x)


@exam.question("kinks", points=2)
def rule_of_absolute(dark, dldy: Float(11, 19), x: Float(-3, 3)):
    """The rule of absolute returns one gradient: what arrived, or its opposite."""
    return rule_of_one(dark.Abs, dldy, x)


@exam.question("kinks")
def slopes_at_the_kinks(dark, dldy: Float(-9, 9, often=(3.0,))):
    """At 0 the slope of relu and that of absolute is 0; at 1 it is 1."""
    rules = {"relu": dark.Relu, "absolute": dark.Abs}
    return {f"{name} at {x:g}": rule_of_one(rule, dldy, x) for x in (0.0, 1.0) for name, rule in rules.items()}


@exam.question("kinks")
def close_to_the_kinks(dark, dldy: Float(-9, 9, often=(3.0,)), x: Choice(1e-6, -1e-6)):
    """Only at 0 itself the slope is 0; a millionth to the right or to the left, it is the slope of that side."""
    return {"relu": rule_of_one(dark.Relu, dldy, x), "absolute": rule_of_one(dark.Abs, dldy, x)}


@exam.question("kinks", examples=30)
def kinks_in_a_graph(dark, of: Choice("relu", "absolute"), x: Float(-3, 3, often=(0.0, -0.25, 0.25))):
    """In y = -3 · f(2x) + x, the inputs receive the right gradients; f takes numbers too."""
    function = getattr(dark, of)
    return in_a_graph(dark, function, f"{of}(2x)", x) | twice(dark, function, x)


@exam.question("kinks")
def kinks_of_nodes(dark, dldy: Float(-9, 9, often=(3.0,)), x: Float(-3, 3)):
    """`_df` is written with operators and comparisons alone, so it takes nodes too, as module 03 will need."""
    return {
        "relu": rule_on_nodes(dark, dark.Relu, dldy, x),
        "absolute": rule_on_nodes(dark, dark.Abs, dldy, x),
    }


# maximum


def largest(dark, a, b):
    """Ask value and rule of the maximum; of another number of gradients, that they are not a pair."""
    rule = told_apart(dark.Maximum._df(12.0, dark.Maximum._f(a, b), a, b), "gradient of a", "gradient of b")
    if not isinstance(rule, dict):
        rule = {"gradient of a": f"in a tuple of {len(rule)}, not in a tuple of 2"}
    return {"value": dark.Maximum._f(a, b), **rule}


@exam.question("maximum", points=2)
def first_or_second(dark, a: Float(-9, 9), b: Choice(0.0625, 7.0625, -7.0625)):
    """The larger one is the value and receives all of the gradient, here 12."""
    return largest(dark, a, b)


@exam.question("maximum")
def ties_share(dark, a: Float(-9, 9, often=(0.0,))):
    """For two equal numbers, each receives half of the gradient, here 12."""
    return largest(dark, a, a)


@exam.question("maximum")
def any_gradient_arrives(
    dark, dldy: Float(-9, 9, often=(0.0,)), a: Float(-3, 3, often=(2.0,)), b: Float(-3, 3, often=(2.0,))
):
    """The rule holds for a dldy below 0 and of 0."""
    return told_apart(dark.Maximum._df(dldy, max(a, b), a, b), "gradient of a", "gradient of b")


@exam.question("maximum")
def nearly_equal(dark, a: Float(-9, 9), less: Choice(0.004, 1e-9, -1e-9)):
    """Two numbers that are nearly equal are not a tie: here b is a less 0.004 or a billionth, or a billionth more."""
    return largest(dark, a, a - less)


@exam.question("maximum", examples=30)
def maximum_in_a_graph(dark, x: Float(-3, 3, often=(0.0,)), number: Choice(1, -5, 0)):
    """In y = -3 · maximum(2x, number) + maximum(x, x), the inputs receive the right gradients."""
    x = parameter(dark, "x", x)
    double = named(dark.mul(2, x), "2x")
    larger = named(dark.maximum(double, number), "maximum(2x, number)")
    y = named(dark.add(dark.mul(-3, larger), named(dark.maximum(x, x), "maximum(x, x)")), "y")
    y.backward()
    return {"value of y": y.value, "gradient of 2x": double.grad, "gradient of x": x.grad, "graph": trace(y)}


@exam.question("maximum")
def maximum_of_twins(dark, value: Float(-9, 9)):
    """Two parameters of equal value share; a node that appears twice in maximum(2x, 2x) receives it all."""
    a, b, x = parameter(dark, "a", value), parameter(dark, "b", value), parameter(dark, "x", value)
    y, z, double = dark.maximum(a, b), dark.maximum(a, value), dark.mul(2, x)
    y.backward()
    seen = {"value of maximum(a, b)": y.value, "gradient of a": a.grad, "gradient of b": b.grad}
    a.grad = None
    z.backward()
    dark.maximum(double, double).backward()
    return seen | {"gradient of a beside a number": a.grad, "gradient of 2x": double.grad, "gradient of x": x.grad}


@exam.question("maximum")
def maximum_of_nodes(dark, dldy: Float(-9, 9, often=(12.0,)), a: Float(-9, 9), b: Choice(1.03125, -5.03125)):
    """`_df` is written with operators and comparisons alone, so it takes nodes too, as module 03 will need."""
    dldy, a, b = dark.Parameter(dldy), dark.Parameter(a), dark.Parameter(b)
    pieces = told_apart(dark.Maximum._df(dldy, dark.maximum(a, b), a, b), "gradient of a", "gradient of b")
    if not isinstance(pieces, dict):
        return pieces
    seen = {name: value_of(piece) for name, piece in pieces.items()}
    dark.add(*(dark.mul(factor, piece) for factor, piece in zip((2, 5), pieces.values()))).backward()
    return seen | {"slope of 2 times the first, plus 5 times the second, along dldy": dldy.grad}


# operators

PAIRS = (
    "node, node",
    "node, number",
    "number, node",
    "the node twice",
    "two numbers",
    "Constant, node",
    "node, Constant",
)


def operands(dark, pair, a, b):
    """Make two operands, and list the parameters among them."""
    x, z = parameter(dark, "a", a), parameter(dark, "b", b)
    first = {"number, node": a, "two numbers": a, "Constant, node": dark.Constant(a)}.get(pair, x)
    second = {"node, number": b, "two numbers": b, "the node twice": x, "node, Constant": dark.Constant(b)}.get(pair, z)
    return first, second, (x, z)


def passed_back(y, leaves):
    """Send 3 back through a node of any kind, and give its value and the gradients."""
    if not hasattr(y, "op"):
        return f"{y}, which is not a node"
    seen = {"kind": type(y).__name__, "value": y.value}
    if y.op is not None:
        (y * 3).backward()
    return seen | {f"gradient of {leaf.name}": leaf.grad for leaf in leaves}


@exam.question("operators", points=2, examples=50)
def differences(dark, pair: Choice(*PAIRS), a: Float(-9, 9, often=(0.0,)), b: Choice(5.0, -0.5)):
    """sub(a, b) takes nodes and numbers; it is then multiplied by 3."""
    first, second, leaves = operands(dark, pair, a, b)
    return passed_back(dark.sub(first, second), leaves)


@exam.question("operators", points=2, examples=30)
def quotients(dark, pair: Choice(*PAIRS), a: Float(1, 9, often=(-3.0,)), b: Float(2, 9, often=(-0.5,))):
    """div(a, b) takes nodes and numbers; it is then multiplied by 3."""
    first, second, leaves = operands(dark, pair, a, b)
    return passed_back(dark.div(first, second), leaves)


@exam.question("operators", points=2)
def numbers_on_the_left(dark, x: Float(0.25, 4, often=(-4.0,)), number: Choice(7, 3.0, -2, 0, 0.5)):
    """In this order number - x and number / x are computed, and receive their gradients."""
    x, z = parameter(dark, "x", x), parameter(dark, "z", x)
    return {"number - x": passed_back(number - x, [x]), "number / z": passed_back(number / z, [z])}


@exam.question("operators")
def numbers_on_the_right(dark, x: Float(0.25, 4, often=(-4.0,)), number: Choice(7, 3.0, -2)):
    """In this order x - number and x / number are computed, and receive their gradients."""
    x, z = parameter(dark, "x", x), parameter(dark, "z", x)
    return {"x - number": passed_back(x - number, [x]), "z / number": passed_back(z / number, [z])}


@exam.question("operators", points=2, examples=30)
def formulas(
    dark,
    formula: Choice("(3 - x) / x", "1 - 2 / (x + z)", "-x / z - x", "z / (1 - x) - z", "2 - -x"),
    x: Float(2, 4, often=(-3.0,)),
):
    """In a whole formula every parameter receives its gradient, and results go in as they are."""
    x, z = parameter(dark, "x", x), parameter(dark, "z", 5)
    makers = {
        "(3 - x) / x": lambda: (3 - x) / x,
        "1 - 2 / (x + z)": lambda: 1 - 2 / (x + z),
        "-x / z - x": lambda: -x / z - x,
        "z / (1 - x) - z": lambda: z / (1 - x) - z,
        "2 - -x": lambda: 2 - -x,
    }
    return passed_back(makers[formula](), [x, z])


@exam.question("operators")
def nothing_is_touched(dark, x: Float(1, 9, often=(-4.0,))):
    """To build a formula changes no value and no gradient; of a Constant and a number it is a Constant."""
    a, b = parameter(dark, "a", x), parameter(dark, "b", 5.0)
    a.grad, b.grad = 7.0, -3.0
    c = dark.Constant(x)
    made = {
        "a - b": dark.sub(a, b),
        "a / b": dark.div(a, b),
        "1 - a": 1 - a,
        "1 / b": 1 / b,
        "a - 1": a - 1,
        "b / 2": b / 2,
    }
    fixed = {"c - 1": c - 1, "c / 2": c / 2, "1 - c": 1 - c, "1 / c": 1 / c}
    seen = {f"value of {name}": node.value for name, node in made.items()}
    seen |= {f"class of {name}, with a Constant c": type(node).__name__ for name, node in fixed.items()}
    return seen | {"value of a": a.value, "gradient of a": a.grad, "value of b": b.value, "gradient of b": b.grad}


# slope_along


@exam.question("slope_along", points=2, tolerance=1e-5)
def slope_along_one_of_two(dark, a: Float(2, 4, often=(-2.0,)), b: Float(5, 9, often=(-4.0,)), along: Choice("a", "b")):
    """For f = a · a · b, the slope along a is 2ab, and along b it is a²."""
    leaves = {"a": parameter(dark, "a", a), "b": parameter(dark, "b", b)}
    a, b = leaves.values()
    return as_number(dark.slope_along(lambda: dark.mul(dark.mul(a, a), b), leaves[along]))


@exam.question("slope_along", points=2)
def the_value_comes_back(dark, x: Float(-9, 9, often=(0.0, 3e-7, 1 / 3))):
    """Afterwards the value is the very same number, and no gradient has changed."""
    p, other = parameter(dark, "p", x), parameter(dark, "other", 2.0)
    p.grad, other.grad = 7.0, None
    slope = as_number(dark.slope_along(lambda: dark.mul(p, other), p))
    values = {"p has the value it had": p.value == x, "value of p": p.value, "value of other": other.value}
    slope = round(slope, 6) if isinstance(slope, float) else slope  # a slope is as exact as its nudge
    return {"slope": slope} | values | {"gradient of p": p.grad, "gradient of other": other.grad}


@exam.question("slope_along")
def nudged_to_both_sides(dark, x: Float(-2, 2), nudge: Choice(0.5, 0.25, None)):
    """For f = p³ the nudge goes to both sides, as far as asked, else 1e-5."""
    p = parameter(dark, "p", x)
    seen = []

    def f():
        seen.append(p.value)
        return dark.pow(p, 3)

    slope = as_number(dark.slope_along(f, p, **({"nudge": nudge} if nudge else {})))
    points = {f"point {k}": point - x for k, point in enumerate(sorted(set(seen) - {x}), 1)}
    return {"slope": round(slope, 6) if isinstance(slope, float) else slope, **points}


@exam.question("slope_along", tolerance=1e-6)
def wrong_rules_do_not_matter(dark, x: Float(-4, 4)):
    """A rule that is wrong, or fails, changes nothing: only values are asked for."""

    class Square(dark.Operation):
        _f = staticmethod(lambda x: x * x)

        @staticmethod
        def _df(dldy, y, x):
            raise ArithmeticError("The rule was asked.")

    p = parameter(dark, "p", x)
    return {"slope": as_number(dark.slope_along(lambda: Square.apply(p), p)), "gradient of p": p.grad}


@exam.question("slope_along", tolerance=1e-6)
def functions_of_any_kind(
    dark, x: Float(2, 4, often=(-3.0,)), f: Choice("5 · other", "p", "-p", "1000 · p", "p / 30000")
):
    """The slope is 0 where f does not use p, 1 where f is p itself, -1 for its opposite; it may be large or small."""
    p, other = parameter(dark, "p", x), parameter(dark, "other", 4.0)
    functions = {
        "5 · other": lambda: dark.mul(5, other),
        "p": lambda: p,
        "-p": lambda: dark.mul(-1, p),
        "1000 · p": lambda: dark.mul(1000, p),
        "p / 30000": lambda: dark.mul(1 / 30000, p),
    }
    return as_number(dark.slope_along(functions[f], p))


# gradcheck


def operation_of(dark, f, df):
    """Make an operation of a function and its rule."""
    body = {"_f": staticmethod(f), "_df": staticmethod(df)}
    return type("Made", (dark.Operation,), body).apply


WRONG = {
    "right": lambda dldy, y, a, b: (dldy * b, dldy * a),
    "first is wrong": lambda dldy, y, a, b: (dldy * a * 1.5, dldy * a),
    "second is wrong": lambda dldy, y, a, b: (dldy * b, dldy),
    "both are wrong": lambda dldy, y, a, b: (-dldy * b, dldy * a + 1),
    "first is nan": lambda dldy, y, a, b: (math.nan, dldy * a),
    "first is inf": lambda dldy, y, a, b: (math.inf, dldy * a),
    "second has the wrong sign": lambda dldy, y, a, b: (dldy * b, -dldy * a),
    "second is 0": lambda dldy, y, a, b: (dldy * b, 0.0),
    "exchanged": lambda dldy, y, a, b: (dldy * a, dldy * b),
}


LISTS = list, tuple, KeysView  # the keys of a dict have an order, and no key twice


def no_list(answer):
    """Return of an iterable, such as a generator, that it is not a list; return anything else as it is."""
    return f"a {type(answer).__name__}, not a list" if hasattr(answer, "__iter__") else answer


def found(answer, **parameters):
    """Name the parameters in a list, by what they are."""
    if not isinstance(answer, LISTS):
        return no_list(answer)
    names = {id(p): name for name, p in parameters.items()}
    return [names.get(id(each), "something else") for each in answer]


def product_by(dark, rule, a, b):
    """Make f = 2 · product(a, b) with a rule that is right or wrong, and the two parameters."""
    a, b = parameter(dark, "a", a), parameter(dark, "b", b)
    product = operation_of(dark, lambda a, b: a * b, WRONG[rule])
    return lambda: dark.mul(2, product(a, b)), a, b


@exam.question("gradcheck", points=3, examples=40)
def the_wrong_ones_are_listed(dark, rule: Choice(*WRONG), a: Float(2, 4, often=(-3.0,)), b: Float(5, 9, often=(-4.0,))):
    """Of f = 2 · a · b, the parameters whose gradient is wrong are listed, in order, and no others."""
    f, a, b = product_by(dark, rule, a, b)
    return {"list of wrong parameters": found(dark.gradcheck(f, [a, b]), a=a, b=b)}


@exam.question("gradcheck", points=2)
def nothing_has_changed(dark, rule: Choice("first is wrong", "both are wrong"), old: Float(-9, 9, often=(0.0,))):
    """Afterwards values and gradients are what they were, also those that were None."""
    f, a, b = product_by(dark, rule, 1 / 3, -2.7)
    a.grad, b.grad = old or None, old
    listed = found(dark.gradcheck(f, [a, b]), a=a, b=b)
    values = {"a has its value": a.value == 1 / 3, "b has its value": b.value == -2.7}
    return {"list of wrong parameters": listed} | values | {"gradient of a": a.grad, "gradient of b": b.grad}


@exam.question("gradcheck", points=2)
def old_gradients_do_not_count(dark, rule: Choice("right", "first is wrong"), old: Float(2, 9, often=(-10.0,))):
    """A gradient left from before neither hides a mistake nor makes one."""
    f, a, b = product_by(dark, rule, 2.5, 5.0)
    a.grad, b.grad = old, -old
    if rule == "first is wrong":
        a.grad = 2 * 5.0 - 2 * 2.5 * 1.5  # with what the wrong rule brings, it makes the right sum
    return {"list of wrong parameters": found(dark.gradcheck(f, [a, b]), a=a, b=b)}


@exam.question("gradcheck", examples=30)
def relative_and_absolute(
    dark, size: Choice(1.0, 1e6, 1e-3), error: Choice(0.0, 1e-4, -1e-4), tolerance: Choice(None, 1e-3)
):
    """Agreement is within the tolerance, 1e-6 unless given, times the larger of 1 and the slope's size."""
    p = parameter(dark, "p", 2.0)
    too_much = 1 + error / min(1, size)
    f = operation_of(dark, lambda x: size * x * x, lambda dldy, y, x: (dldy * 2 * size * x * too_much,))
    options = {"tolerance": tolerance} if tolerance else {}
    return {"list of wrong parameters": found(dark.gradcheck(lambda: f(p), [p], **options), p=p)}


@exam.question("gradcheck", examples=30)
def where_agreement_ends(
    dark, slope: Choice(0.25, 40.0, -40.0), error: Choice(0.9, 1.1, -1.1), tolerance: Choice(None, 0.01)
):
    """A gradient that is off by 0.9 times what is allowed agrees, by 1.1 times it does not."""
    p = parameter(dark, "p", 2.0)
    off = error * (tolerance or 1e-6) * max(1, abs(slope))
    f = operation_of(dark, lambda x: slope * x, lambda dldy, y, x: (dldy * (slope + off),))
    options = {"tolerance": tolerance} if tolerance else {}
    return {"list of wrong parameters": found(dark.gradcheck(lambda: f(p), [p], **options), p=p)}


@exam.question("gradcheck")
def no_number_where_the_slope_is_0(dark, answer: Choice("nan", "inf", "-inf", "0")):
    """Of f = a · b at b = 0 the slope along a is 0; a rule that answers nan or inf for it is wrong."""
    a, b = parameter(dark, "a", 2.0), parameter(dark, "b", 0.0)
    product = operation_of(dark, lambda a, b: a * b, lambda dldy, y, a, b: (float(answer), dldy * a))
    return {"list of wrong parameters": found(dark.gradcheck(lambda: product(a, b), [a, b]), a=a, b=b)}


@exam.question("gradcheck")
def small_and_large_slopes(
    dark, f: Choice("1e7 · sin p", "p⁴ at 300", "1e-9 · p", "(p - 2)² at 2"), wrong: Choice("p", "q")
):
    """Right gradients agree where the slope is very large, very small, or 0; of sin p + sin q, one rule is wrong."""
    p, q = parameter(dark, "p", 300.0 if f == "p⁴ at 300" else 2.0), parameter(dark, "q", 1.0)
    sine = operation_of(dark, math.sin, lambda dldy, y, x: (dldy * math.cos(x),))
    broken = operation_of(dark, math.sin, lambda dldy, y, x: (dldy * y,))
    functions = {
        "1e7 · sin p": lambda: dark.mul(1e7, sine(p)),
        "p⁴ at 300": lambda: dark.pow(p, 4),
        "1e-9 · p": lambda: dark.mul(1e-9, p),
        "(p - 2)² at 2": lambda: dark.pow(dark.add(p, -2), 2),
    }
    first, second = (broken, sine) if wrong == "p" else (sine, broken)
    of_a_wrong_rule = found(dark.gradcheck(lambda: dark.add(first(p), second(q)), [p, q]), p=p, q=q)
    return {
        "list of wrong parameters": found(dark.gradcheck(functions[f], [p]), p=p),
        f"list for a wrong rule of {wrong}": of_a_wrong_rule,
    }


@exam.question("gradcheck")
def unused_and_shared(dark, x: Choice(2.0, -3.0), f: Choice("a · a", "a + 0 · b", "a"), wrong: Choice("b", "a")):
    """A parameter that f does not use, or uses twice, or that is f, is not reported."""
    a, b = parameter(dark, "a", x), parameter(dark, "b", 5.0)
    b.grad = 4.0  # from before
    functions = {"a · a": lambda: dark.mul(a, a), "a + 0 · b": lambda: dark.add(a, dark.mul(0, b)), "a": lambda: a}
    broken = operation_of(dark, lambda x: x * x, lambda dldy, y, x: (dldy * x,))
    of_a_wrong_rule = found(dark.gradcheck(lambda: broken(a if wrong == "a" else b), [a, b]), a=a, b=b)
    listed = found(dark.gradcheck(functions[f], [a, b]), a=a, b=b)
    return {"list of wrong parameters": listed, f"list for a wrong rule of {wrong}": of_a_wrong_rule}


@exam.question("gradcheck")
def nudge_as_asked(dark, nudge: Choice(0.5, None), x: Choice(2.0, -1.0)):
    """The nudge is as large as asked, else 1e-5: with 0.5 the measured slope of p³ differs from the gradient."""
    p, seen = parameter(dark, "p", x), set()

    def f():
        seen.add(p.value)
        return dark.pow(p, 3)

    wrong = dark.gradcheck(f, [p], **({"nudge": nudge} if nudge else {}))
    points = {f"point {k}": point - x for k, point in enumerate(sorted(seen - {x}), 1)}
    return {"list of wrong parameters": found(wrong, p=p), **points}


@exam.question("gradcheck")
def many_parameters(dark, wrong: Integer(0, 6), gradient: Float(-9, 9)):
    """Of seven parameters, only the one with a wrong rule is listed; of seven equal ones, all but the one."""
    p = [parameter(dark, f"p{k}", 0.5 + k) for k in range(7)]
    square = operation_of(dark, lambda x: x * x, lambda dldy, y, x: (dldy * 2 * x,))
    mistaken = operation_of(dark, lambda x: x * x, lambda dldy, y, x: (dldy * 3 * x,))

    def f():
        total = 0.0
        for k, each in enumerate(p):
            total = dark.add(total, mistaken(each) if k == wrong else square(each))
        return total

    names = {f"p{k}": each for k, each in enumerate(p)}
    for k, each in enumerate(p):
        each.grad = gradient * k
    seen = {"list of wrong parameters": found(dark.gradcheck(f, p), **names)}
    seen |= {f"gradient of {name} afterwards": as_number(each.grad) for name, each in names.items()}
    seen["list for no parameters"] = found(dark.gradcheck(f, []))  # nothing is asked of p's gradients now
    for each in p:
        each.value = 2.0
    square, mistaken = mistaken, square
    return seen | {"list for seven equal parameters": found(dark.gradcheck(f, p), **names)}


# suspects

ONE = [(0.5,), (-1.5,), (2.0,)]  # points, moved by what is drawn
TWO = [(0.5, 2.0), (3.0, -1.0), (2.0, 3.0)]
RIGHT_RULES = {
    "cube": (lambda x: x**3, lambda dldy, y, x: (dldy * 3 * x * x,), ONE),
    "negative": (lambda x: -x, lambda dldy, y, x: (-dldy,), ONE),
    "difference": (lambda a, b: a - b, lambda dldy, y, a, b: (dldy, -dldy), TWO),
    "product": (lambda a, b: a * b, lambda dldy, y, a, b: (dldy * b, dldy * a), [*TWO, (1.5, 1.5)]),
    "line": (lambda a, b, c: a * b + c, lambda dldy, y, a, b, c: (dldy * b, dldy * a, dldy), [(2.0, -3.0, 5.0)]),
    "logarithm": (
        lambda a, b: b * math.log(a),
        lambda dldy, y, a, b: (dldy * b / a, dldy * math.log(a)),
        [(2.0, -3.0), (4.5, -5.0)],  # only the first may go into the logarithm
    ),
}
WRONG_RULES = {
    "no dldy": (lambda x: x * x, lambda dldy, y, x: (2 * x,), ONE),
    "right at 2 only": (lambda x: x**3, lambda dldy, y, x: (dldy * 6 * x,), [(2.0,), (0.5,), (-1.5,)]),
    "wrong below 0": (lambda x: abs(x), lambda dldy, y, x: (dldy,), ONE),
    "wrong at the last point": (lambda x: max(x, 1.5), lambda dldy, y, x: (0.0,), ONE),
    "second of two": (lambda a, b: a - b, lambda dldy, y, a, b: (dldy, dldy), TWO),
    "first of two": (lambda a, b: a / b, lambda dldy, y, a, b: (dldy * b, -dldy * y / b), TWO),
    "exchanged": (lambda a, b: a * b, lambda dldy, y, a, b: (dldy * a, dldy * b), TWO),
    "nan": (lambda x: x + 1, lambda dldy, y, x: (math.nan,), ONE),
    "sign": (math.cos, lambda dldy, y, x: (dldy * math.sin(x),), ONE),
    "off by a thousandth": (lambda x: x * x, lambda dldy, y, x: (dldy * 2.002 * x,), ONE),
    "third of three": (
        lambda a, b, c: a * b + c,
        lambda dldy, y, a, b, c: (dldy * b, dldy * a, -dldy),
        [(2.0, 3.0, 5.0)],
    ),
    "wrong at the first point": (lambda x: min(max(x, 0.0), 1.2), lambda dldy, y, x: (0.0,), ONE),
    "wrong at the tenth point": (
        lambda x: max(x, 9.5),
        lambda dldy, y, x: (0.0,),
        [(0.5,), (-1.5,), (2.0,), (3.0,), (1.0,), (-2.5,), (4.0,), (5.5,), (-4.0,), (12.0,)],
    ),
    "where the value is 0": (lambda x: x - 2, lambda dldy, y, x: (dldy * 2,), [(2.0,)]),
}


LETTERS = "QWERTZUIOPASDFGHJKLYXCVBNM"


def line_up(dark, *rules, away=0.0):
    """Make the operations that `suspects` is given, called Q, W, E and so on; their points are moved a little."""
    known, fixed = RIGHT_RULES | WRONG_RULES, ("right at 2 only", "where the value is 0")
    operations = {}
    for letter, rule in zip(LETTERS, rules):
        f, df, points = known[rule]
        moved = [tuple(x + (0 if rule in fixed else away) for x in point) for point in points]
        operations[letter] = operation_of(dark, f, df), moved
    return operations


def names(answer, *rules):
    """Return a list of letters with the rules that they stand for; of anything else, the name of its class."""
    if not isinstance(answer, LISTS):
        return no_list(answer)
    known = dict(zip(LETTERS, rules))
    return [f"{each}: {known.get(each)}" if isinstance(each, str) else f"a {type(each).__name__}" for each in answer]


@exam.question("suspects", points=3, examples=50)
def wrong_among_right(dark, wrong: Choice(*WRONG_RULES), position: Choice(0, 1, 2, 4, 6), away: Float(0, 0.4)):
    """One wrong rule among six right ones is found, wherever it is in the list; the names are letters."""
    present = list(RIGHT_RULES)
    present.insert(position, wrong)
    return {"list of wrong operations": names(dark.suspects(line_up(dark, *present, away=away)), *present)}


@exam.question("suspects", points=2)
def several_or_none(
    dark,
    which: Choice("all are wrong", "none is wrong", "two are wrong", "nothing is there"),
    away: Float(0, 0.4),
):
    """Every wrong one is listed once, in order; where none is wrong the list is empty."""
    present = {
        "all are wrong": list(WRONG_RULES),
        "none is wrong": list(RIGHT_RULES),
        "two are wrong": ["cube", "sign", "product", "no dldy"],
        "nothing is there": [],
    }[which]
    return {"list of wrong operations": names(dark.suspects(line_up(dark, *present, away=away)), *present)}


@exam.question("suspects", points=2)
def nothing_is_used_up(dark, wrong: Choice("sign", "second of two"), away: Float(0, 0.4)):
    """The operations stay as they were, and are found again."""
    present = "cube", wrong, "product"
    operations = line_up(dark, *present, away=away)
    first = names(dark.suspects(operations), *present)
    points = {f"points of {name}": [list(point) for point in points] for name, (_, points) in operations.items()}
    return {
        "list of wrong operations": first,
        "list of a second call": names(dark.suspects(operations), *present),
        **points,
    }


# repairs of "Find the bug"; they earn no points


@exam.repair("ShortMaximum")
def the_larger_receives_all(dark, a: Float(-3, 3), gap: Float(0.5, 2), first: Choice("larger", "smaller")):
    """The larger of two numbers receives the gradient, the other one nothing."""
    smaller, larger = dark.Parameter(a), dark.Parameter(a + gap)
    y = dark.ShortMaximum.apply(*((larger, smaller) if first == "larger" else (smaller, larger)))
    y.backward()
    return {"gradient of the larger": float(larger.grad), "gradient of the smaller": float(smaller.grad)}
