"""Random scalar graphs as plain data, and how to build one from any arithmetic."""

import math

from hypothesis import strategies as st

BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")
UNARY = ("neg", "exp", "tanh", "sqrt", "log", "abs", "relu")


def programs(most=200, leaves=3):
    """Draw `(leaf values, [(operation, i, j), ...])`; an operation uses earlier entries by number.

    Values are kept in range by `build`, which puts a tanh on what grows, and nudged off kinks.
    """
    step = st.tuples(st.sampled_from(BINARY + UNARY), st.integers(0, 10**6), st.integers(0, 10**6))
    values = st.lists(st.floats(0.3, 1.7).map(lambda v: round(v, 6)), min_size=leaves, max_size=leaves, unique=True)
    return st.tuples(values, st.lists(step, min_size=1, max_size=most))


def build(lib, leaves, program, number=lambda node: node.value):
    """Run a program with the functions of `lib` on leaf objects; return every object made.

    Functions with a kink or a border are applied where they are smooth: the sum of a square and a
    constant under `sqrt`, `log` and as a divisor, a shift in front of `abs` and `relu`.
    """
    made = list(leaves)
    for operation, i, j in program:
        a, b = made[i % len(made)], made[j % len(made)]
        if operation in ("sqrt", "log"):
            a = lib.add(lib.mul(a, a), 0.5)
        if operation == "div":
            b = lib.add(lib.mul(b, b), 0.5)
        if operation in ("abs", "relu") and abs(number(a)) < 1e-3:
            a = lib.add(a, 0.5)
        if operation in ("maximum", "minimum") and abs(number(a) - number(b)) < 1e-3:
            b = lib.add(b, 0.5)
        function = getattr(lib, operation)
        y = function(a, b) if operation in BINARY else function(a)
        if not math.isfinite(number(y)) or abs(number(y)) > 3:
            y = lib.tanh(a)
        made.append(y)
    total = made[len(leaves)]
    for y in made[len(leaves) + 1 :]:
        total = lib.add(lib.mul(total, 0.5), y)
    return made, total
