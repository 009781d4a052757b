"""Linear algebra: products of matrices and vectors."""

import numpy as np

from dark.nodes import Operation
from dark.nodes.node import implements


def turned(x):
    """Return a matrix, or a stack of them, with its last two axes exchanged."""
    return np.swapaxes(x, -1, -2)


class MatMul(Operation, sign="@", ufunc=np.matmul, elementwise=False):
    """The product of two matrices, of stacks of them, or with a vector on either side."""

    expects = "(..., n, k) and (..., k, m), with the same k, and stacks that broadcast; a vector is (k,)"
    advice = "print both shapes; one of the two may need .T"

    def _f(a, b):
        return np.matmul(a, b)

    def _left(dldy, y, a, b):
        if len(np.shape(b)) == 1:
            return dldy[..., None] * b if len(np.shape(a)) > 1 else dldy * b
        if len(np.shape(a)) == 1:
            return np.matmul(b, dldy[..., None])[..., 0]
        return np.matmul(dldy, turned(b))

    def _right(dldy, y, a, b):
        if len(np.shape(a)) == 1:
            return a[:, None] * dldy[..., None, :] if len(np.shape(b)) > 1 else dldy * a
        if len(np.shape(b)) == 1:
            return np.matmul(turned(a), dldy[..., None])[..., 0]
        return np.matmul(turned(a), dldy)

    _partials = (_left, _right)


@implements(np.matmul)
def matmul(a, b):
    """Multiply matrices: ``a @ b``.

    Parameters
    ----------
    a, b : Node or array, shapes (..., n, k) and (..., k, m)
        Matrices, stacks of matrices that broadcast, or vectors of shape (k,).

    Returns
    -------
    Node, shape (..., n, m)
        Without the axis of a vector.

    Raises
    ------
    ShapeError
        If the two shapes do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> matmul(np.ones((2, 3)), np.ones((3, 4))).shape
    (2, 4)
    """
    return MatMul.quick(a, b)
