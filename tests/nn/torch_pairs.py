"""A layer and its counterpart in PyTorch: equal weights, all results and gradients compared."""

import numpy as np
import pytest
from hypothesis import strategies as st

import dark
from dark import nn

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")

TYPES = st.sampled_from([(np.float64, torch.float64, 1e-10), (np.float32, torch.float32, 3e-4)])
LENGTHS = st.integers(1, 4)


def close(a, b, tolerance):
    """Compare, with a tolerance relative to the largest value."""
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * max(1.0, np.abs(b).max(initial=0)))


def flat(results):
    """Flatten nested tuples of nodes or tensors to a list, without None."""
    if isinstance(results, tuple):
        return [r for part in results for r in flat(part)]
    return [] if results is None else [results]


def layer_pair(name, arguments, settings, kind):
    """Build a layer in both libraries, with PyTorch's weights in both."""
    dtype, torch_dtype, _ = kind
    own = getattr(nn, name)(*arguments, **settings, dtype=dtype)
    theirs = getattr(torch.nn, name)(*arguments, **settings).to(torch_dtype)
    own.load_state_dict(theirs.state_dict())
    return own, theirs


def compare(own, theirs, inputs, tolerance, call):
    """Compare all results, and the gradients of a weighted sum of them, of inputs and weights.

    Parameters
    ----------
    own, theirs : Module
    inputs : list of array
    tolerance : float
    call : callable
        Takes a layer, its inputs, and the function that makes a node or a tensor of an array; returns results.
    """
    leaves = [dark.Parameter(x) for x in inputs]
    tensors = [torch.tensor(x, requires_grad=True) for x in inputs]
    mine, right = flat(call(own, leaves, np.asarray)), flat(call(theirs, tensors, torch.tensor))
    total, wanted, rng = dark.Constant(0.0), 0.0, np.random.default_rng(1)
    for a, b in zip(mine, right, strict=True):
        assert a.dtype == b.detach().numpy().dtype
        close(a.value, b.detach().numpy(), tolerance)
        weights = rng.normal(size=a.shape).astype(a.dtype)
        total, wanted = total + dark.sum(weights * a), wanted + (torch.tensor(weights) * b).sum()
    total.backward(), wanted.backward()
    for a, b in zip(leaves, tensors):
        close(a.grad, b.grad.numpy(), tolerance)
    named = dict(theirs.named_parameters())
    for name, p in own.named_parameters():
        close(p.grad, named[name].grad.numpy(), tolerance)
