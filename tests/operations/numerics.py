"""Expected values of generated tests: weighted sums as losses, and gradients by finite differences."""

import numpy as np

import dark


def weights(shape, dtype=float):
    """Return the gradient of the result, with distinct elements."""
    return np.cos(1.0 + np.arange(int(np.prod(shape)), dtype=float)).reshape(shape).astype(dtype)


def gradients(f, x, create_graph=False):
    """Send the weights back through a function of leaves; return result and leaves.

    Parameters
    ----------
    f : callable
        Takes one node an input, returns a node.
    x : list of float or array
    """
    leaves = [dark.Parameter(v) for v in x]
    y = f(*leaves)
    w = weights(y.shape)
    y.backward(w.astype(y.dtype) if y.ndim else float(w), create_graph=create_graph)
    return y, leaves


def loss(f, x):
    """Compute the weighted sum of what a function returns."""
    with dark.no_grad():
        y = np.asarray(f(*x).value)
    return float((y * weights(y.shape)).sum())


def slopes(value, x, nudge=1e-5):
    """Compute the gradient of `value(list of arrays) -> float` by central finite differences."""
    found = []
    for k, v in enumerate(x):
        measured = np.zeros(np.shape(v))
        for index in np.ndindex(np.shape(v)):
            sides = []
            for step in (nudge, -nudge):
                moved = np.array(v)
                moved[index] += step
                sides.append(value([*x[:k], moved, *x[k + 1 :]]))
            measured[index] = (sides[0] - sides[1]) / (2 * nudge)
        found.append(measured)
    return found


def assert_close(actual, right, tolerance):
    """Compare arrays, with a tolerance relative to the largest element."""
    actual, right = np.asarray(actual, dtype=float), np.asarray(right, dtype=float)
    assert actual.shape == right.shape
    finite = np.abs(right[np.isfinite(right)])
    np.testing.assert_allclose(actual, right, rtol=tolerance, atol=tolerance * max(1.0, finite.max(initial=0.0)))
