"""Answers of module 04, arrays: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("04")

# the reference, where the names or the signatures of `dark` are others


@answers.reference
def unbroadcast(g, shape):
    """Sum a gradient over the axes that broadcasting added or stretched."""
    return dark.nodes.unbroadcast(g, shape)


@answers.reference
def sum_of(x, axis=None, keepdims=False):
    """Compute the sum along an axis, or of all."""
    return dark.sum(x, axis, keepdims)


@answers.reference
def log_sum_exp(x, axis=None):
    """Compute the logarithm of the sum of exponentials."""
    return dark.logsumexp(x, axis)


@answers.reference
def take(x, rows):
    """Take rows."""
    return dark.take(x, rows, axis=0)


# predictions


@answers.prediction("04.0a")
def slope_of_a_sure_loss(dark):
    """-1/y from the logarithm, times y (1 - y) from the sigmoid: y - 1 = -0.2. The surer, the less is sent."""
    z = dark.Parameter(float(np.log(4)))
    dark.mul(-1, dark.log(dark.sigmoid(z))).backward()
    return z.grad


@answers.prediction("04.1a")
def shape_of_a_sum(dark):
    """From the last axis on: 1 and 4 give 4; 3 stands alone, and 2 too. The result has the shape (2, 3, 4)."""
    return list(dark.add(np.zeros((2, 3, 1)), np.zeros(4)).shape)


@answers.prediction("04.1b")
def gradient_of_a_bias(dark):
    """Each number of b is used in all three rows. Its gradient is 1 + 1 + 1 = 3."""
    b = dark.Parameter(np.zeros(2))
    dark.sum_of(dark.add(np.zeros((3, 2)), b)).backward()
    return float(b.grad[0])


@answers.prediction("04.2a")
def first_row_of_a_sum(dark):
    """All three numbers of the first row went into the sum that received 10. Each changes it by as much."""
    x = dark.Parameter(np.zeros((2, 3)))
    dark.sum_of(dark.mul(dark.sum_of(x, 1), np.array([10.0, 20.0]))).backward()
    return x.grad[0].tolist()


@answers.prediction("04.2b")
def share_of_a_mean(dark):
    """A nudge of one number moves the mean of six by a sixth of it: 1/6, about 0.167."""
    x = dark.Parameter(np.zeros((2, 3)))
    dark.mean(x).backward()
    return float(x.grad[0, 0])


@answers.prediction("04.3a")
def shape_of_the_other_factor(dark):
    """(2, 4) times (4, 3) gives (2, 3), the shape of a. It is b, of shape (3, 4), transposed."""
    return [4, 3]


@answers.prediction("04.4a")
def shape_after_turning(dark):
    """New axis 0 is old axis 1, then come old axis 2 and old axis 0: lengths 3, 4, 2."""
    return list(dark.transpose(np.zeros((2, 3, 4)), (1, 2, 0)).shape)


@answers.prediction("04.4b")
def the_way_back(dark):
    """Old axis 0 is now at index 2, old axis 1 at 0, old axis 2 at 1. Permuting by (1, 2, 0) again is wrong."""
    return [2, 0, 1]


@answers.prediction("04.4c")
def row_taken_twice(dark):
    """Index 0 was taken twice, so it receives 1 + 1; index 1 was not taken."""
    x = dark.Parameter(np.zeros(3))
    dark.sum_of(dark.take(x, [0, 0, 2])).backward()
    return x.grad.tolist()


@answers.prediction("04.5a")
def log_of_two_thousands(dark):
    """Two equal numbers: the sum of exponentials is twice one of them, and log 2 is 0.693. No exp(1000) is needed."""
    return float(dark.log_sum_exp(np.array([1000.0, 1000.0])).value) - 1000


@answers.prediction("04.6a")
def gradient_in_shared_memory(dark):
    """The 5 was added in place to an array that t shares with x: now both show 6. Right would be 1 for t, 6 for x."""
    return 6


@answers.prediction("04.6b")
def differences_of_column_and_row(dark):
    """Column (3, 1) and row (3,) stretch to (3, 3): nine differences. Every prediction meets every answer."""
    return int(np.size(dark.add(np.zeros((3, 1)), np.zeros(3)).value))


# repairs of "Find the bug"; they earn no points


@answers.reference
def thrifty_arrival(n, piece):
    """A copy in line 2, or `n.grad + piece` in line 3: either is enough, no shared memory is changed then."""
    n.grad = piece.copy() if n.grad is None else n.grad + piece
