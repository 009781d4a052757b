"""Comparison of a function with PyTorch's: values, gradients, second derivatives."""

import numpy as np
import pytest

import dark


def compare(actual, reference, *shapes, rtol=1e-10):
    """Compare two functions on random arrays, and the first two derivatives of the sum of their cubes."""
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    rng = np.random.default_rng(0)
    x = [rng.normal(size=shape) for shape in shapes]
    a, b = [dark.Parameter(v) for v in x], [torch.tensor(v, requires_grad=True) for v in x]
    y, z = actual(*a), reference(*b)
    np.testing.assert_allclose(y.value, z.detach().numpy(), rtol=rtol)
    weights = rng.normal(size=y.shape)
    (weights * y**3).sum().backward(create_graph=True)
    first = torch.autograd.grad((torch.tensor(weights) * z**3).sum(), b, create_graph=True)
    mine = [p.grad for p in a]
    for p, g, right in zip(a, mine, first):
        np.testing.assert_allclose(g.value, right.detach().numpy(), rtol=rtol, atol=1e-12)
        p.grad = None
    dark.sum(dark.stack([(g**2).sum() for g in mine])).backward()
    second = torch.autograd.grad(sum((g**2).sum() for g in first), b)
    for p, right in zip(a, second):
        np.testing.assert_allclose(p.grad, right.numpy(), rtol=rtol, atol=1e-12)
