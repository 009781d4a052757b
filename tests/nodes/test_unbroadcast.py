"""Un-broadcasting: the adjoint of broadcasting, for all types and layouts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dark.nodes import unbroadcast


@given(arrays(float, (3, 4), elements=st.floats(-10, 10)), st.sampled_from([(4,), (1, 4), (3, 1), (1, 1), ()]))
def test_unbroadcast_is_the_adjoint_of_broadcast(g, shape):
    x = np.arange(1.0, 1 + np.prod(shape, dtype=int)).reshape(shape)
    assert np.isclose(np.sum(unbroadcast(g, shape) * x), np.sum(g * np.broadcast_to(x, g.shape)))


@pytest.mark.parametrize("shape", [(2, 8192), (3, 20001), (1, 300000), (4, 100, 100), (30000, 3), (100, 100)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_long_sums_are_about_as_accurate_as_numpys(shape, dtype):
    g = np.random.default_rng(0).uniform(0, 1, shape).astype(dtype)
    for axes in ((0,), (len(shape) - 1,), tuple(range(1, len(shape)))):
        kept = tuple(1 if k in axes else n for k, n in enumerate(shape))
        right = g.astype(np.longdouble).sum(axes, keepdims=True)
        found, numpys = [np.max(np.abs(y - right) / right) for y in (unbroadcast(g, kept), g.sum(axes, keepdims=True))]
        assert found <= 4 * max(numpys, np.finfo(dtype).eps)


@pytest.mark.parametrize("shape", [(5,), (4, 5), (1, 5), (3, 1, 1), (4, 1), (1, 4, 1), (1, 1, 1), ()])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_unbroadcast_keeps_the_dtype_and_accepts_views(shape, dtype):
    g = np.random.default_rng(0).normal(size=(3, 4, 5)).astype(dtype)
    padded = (1,) * (3 - len(shape)) + shape
    axes = tuple(k for k in range(3) if padded[k] == 1)
    for view in (g, np.asfortranarray(g), np.repeat(g, 2, axis=1)[:, ::2]):
        summed = unbroadcast(view, shape)
        np.testing.assert_allclose(summed, g.astype(float).sum(axes).reshape(shape), rtol=1e-2, atol=1e-2)
        assert summed.dtype == dtype
