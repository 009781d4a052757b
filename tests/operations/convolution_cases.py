"""Strategies for convolution: shapes and settings that match; and a comparison of two derivatives."""

import numpy as np
from hypothesis import strategies as st

import dark

numbers = st.integers(1, 3)
pairs = st.tuples(numbers, numbers)


@st.composite
def convolutions(draw, batch=st.integers(0, 3)):
    """Draw the shapes of images and filters, and settings with which they match."""
    groups, size, dilation = draw(numbers), draw(pairs), draw(pairs)
    padding = draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
    least = [max(1, d * (k - 1) + 1 - 2 * p) for k, d, p in zip(size, dilation, padding)]
    image = [n + draw(st.integers(0, 4)) for n in least]
    x = (draw(batch), groups * draw(numbers), *image)
    w = (groups * draw(numbers), x[1] // groups, *size)
    return x, w, {"stride": draw(pairs), "padding": padding, "dilation": dilation, "groups": groups}


@st.composite
def transposed(draw, batch=st.integers(0, 3)):
    """Draw the shapes of inputs and filters, and settings with which the result is not empty."""
    groups, size, dilation, stride = draw(numbers), draw(pairs), draw(pairs), draw(pairs)
    x = (draw(batch), groups * draw(numbers), *draw(pairs))
    w = (x[1], draw(numbers), *size)
    more = tuple([draw(st.integers(0, max(s, d) - 1)) for s, d in zip(stride, dilation)])
    spans = [(n - 1) * s + d * (k - 1) + m for n, s, d, k, m in zip(x[2:], stride, dilation, size, more)]
    padding = tuple([draw(st.integers(0, span // 2)) for span in spans])
    return x, w, {"stride": stride, "padding": padding, "output_padding": more, "dilation": dilation, "groups": groups}


def drawn(*shapes):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


def two_derivatives(f, inputs):
    """Return the value, the gradients of a weighted sum of its cubes, and the gradients of their squares."""
    leaves = [dark.Parameter(v) for v in inputs]
    y = f(*leaves)
    (np.cos(np.arange(y.size)).reshape(y.shape) * y**3).sum().backward(create_graph=True)
    first = [leaf.grad for leaf in leaves]
    for leaf in leaves:
        leaf.grad = None
    dark.sum(dark.stack([(g**2).sum() for g in first])).backward()
    return [y.value, *[g.value for g in first], *[leaf.grad for leaf in leaves]]
