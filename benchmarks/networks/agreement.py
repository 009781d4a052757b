"""The comparison before anything is timed: losses of the first steps, and gradients."""

import numpy as np

TOLERANCE = 1e-3  # float32, a few steps of Adam; a wrong rule is off by far more


def difference(found, expected, floor=1e-6):
    """Return the largest absolute difference of two arrays, relative to the largest expected value."""
    found, expected = np.asarray(found, float).ravel(), np.asarray(expected, float).ravel()
    if found.shape != expected.shape:
        return float("inf")
    return float(np.max(np.abs(found - expected), initial=0) / (np.max(np.abs(expected), initial=0) + floor))


def disagreement(found, expected):
    """Describe how a framework differs from PyTorch; return "" if it does not.

    Parameters
    ----------
    found, expected : (list of float, list of array)
        Losses of the first steps and gradients of the last; losses are compared up to the shorter list.
    """
    common = min(len(found[0]), len(expected[0]))
    loss = difference(found[0][:common], expected[0][:common])
    if not common or not loss <= TOLERANCE:
        return f"loss differs by {loss:.0e}"
    if len(found[1]) != len(expected[1]):
        return f"{len(found[1])} gradients, not {len(expected[1])}"
    gradient = max(map(difference, found[1], expected[1]), default=0.0)
    return "" if gradient <= TOLERANCE else f"gradient differs by {gradient:.0e}"
