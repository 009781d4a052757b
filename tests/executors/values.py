"""Executors with fixed values, and random expressions of them with their value in plain arithmetic."""

import numpy as np
from hypothesis import strategies as st

from dark.executors import Executor, cosine, linear

STEP = 7


class Value(Executor):
    """An executor with a fixed value."""

    def __init__(self, value, name):
        super().__init__()
        self.value, self.name = value, name

    def call(self, context, **kwargs):
        """Return the value."""
        return self.value


def values():
    """Return three executors with the values 1, 10 and 100."""
    return Value(1.0, "a"), Value(10.0, "b"), Value(100.0, "c")


def half(step):
    """Return half the step, as a weight."""
    return 0.5 * step


NUMBERS = st.integers(-8, 8).map(lambda k: k / 4)
KINDS = st.sampled_from([float, np.float64, np.float32, lambda x: int(4 * x), lambda x: np.int64(4 * x)])
FACTORS = st.tuples(NUMBERS, KINDS).map(lambda pair: pair[1](pair[0]))
FUNCTIONS = st.sampled_from([half, linear(1, 5, steps=8), cosine(2, 1, steps=14)])


def expressions(leaves):
    """Return a strategy of pairs: an expression of the leaves, and its value at step 7."""

    def grown(parts):
        pairs = st.tuples(parts, parts)
        return st.one_of(
            pairs.map(lambda p: (p[0][0] + p[1][0], p[0][1] + p[1][1])),
            pairs.map(lambda p: (p[0][0] - p[1][0], p[0][1] - p[1][1])),
            parts.map(lambda p: (-p[0], -p[1])),
            st.tuples(parts, FACTORS).map(lambda p: (p[1] * p[0][0], float(p[1]) * p[0][1])),
            st.tuples(parts, FACTORS).map(lambda p: (p[0][0] * p[1], float(p[1]) * p[0][1])),
            st.tuples(parts, FACTORS.filter(bool)).map(lambda p: (p[0][0] / p[1], p[0][1] / float(p[1]))),
            st.tuples(parts, FUNCTIONS).map(lambda p: (p[0][0] * p[1], p[0][1] * p[1](STEP))),
            st.tuples(parts, FUNCTIONS).map(lambda p: (p[0][0] / p[1], p[0][1] / p[1](STEP))),
            st.lists(parts, min_size=1, max_size=3).map(lambda p: (sum(e for e, _ in p), sum(v for _, v in p))),
        )

    return st.recursive(st.sampled_from([(e, e.value) for e in leaves]), grown, max_leaves=8)
