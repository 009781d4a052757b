"""Products of arrays summed along axes, which are paired by number (tensordot) or named by letters (einsum)."""

import math
import string

import numpy as np

from dark.checks import describe
from dark.errors import ShapeError, ValueTypeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.axis_checks import normalize_axes

LARGE = 50_000  # products from which on NumPy's search for a good order, and its use of BLAS, pay


class TensorDot(Operation, trusted=True, elementwise=False):
    """The sum of products along pairs of axes; what is left of the first stands before the second's."""

    @staticmethod
    def _f(a, b, axes):
        return np.tensordot(a, b, axes)

    def _left(dldy, y, a, b, axes):
        ours, theirs = summed_axes(a, b, axes)
        left, right = left_over(a, ours), left_over(b, theirs)
        g = np.tensordot(dldy, b, (tuple(range(len(left), len(left) + len(right))), right))
        return np.transpose(g, np.argsort([*left, *[ours[k] for k in np.argsort(theirs)]]))

    def _right(dldy, y, a, b, axes):
        ours, theirs = summed_axes(a, b, axes)
        left, right = left_over(a, ours), left_over(b, theirs)
        g = np.tensordot(a, dldy, (left, tuple(range(len(left)))))
        return np.transpose(g, np.argsort([*[theirs[k] for k in np.argsort(ours)], *right]))

    _df = (_left, _right)

    expects, advice = "pairs of axes of the same length", "print both shapes; einsum names the axes by letters."
    samples = (
        (((2, 3), (3, 4)), {"axes": ((1,), (0,))}), (((2, 3, 4), (4, 3, 5)), {"axes": ((1, 2), (1, 0))}),
        (((3,), (2,)), {"axes": ((), ())}), (((2, 3), (3, 2)), {"axes": ((0, 1), (1, 0))}),
        (((), (2, 3)), {"axes": ((), ())}), (((2, 0), (0, 3)), {"axes": ((-1,), (-2,))}),
    )  # fmt: skip


def summed_axes(a, b, axes):
    """Count the axes of a tensordot, checked at the door, from the left."""
    return tuple(tuple(k % len(np.shape(x)) for k in ks) for x, ks in zip((a, b), axes))


def left_over(x, axes):
    """List the axes that are not summed over."""
    return tuple(k for k in range(len(np.shape(x))) if k not in axes)


def spelled(subscripts, ndims):
    """Write subscripts out: the letters of each operand and of the result, an ellipsis as letters of its own.

    Examples
    --------
    >>> spelled("...ij,jk", (3, 2))
    (['aij', 'jk'], 'aik')
    """
    left, arrow, result = subscripts.replace(" ", "").partition("->")
    spare = [c for c in string.ascii_letters if c not in subscripts]
    wide = max([n - len(term) + 3 for term, n in zip(left.split(","), ndims) if "..." in term], default=0)
    terms = []
    for term, n in zip(left.split(","), ndims):
        terms.append(term.replace("...", "".join(spare[wide - (n - len(term) + 3) : wide])))
    if not arrow:
        result = "..." + "".join(sorted(c for c in set(left) - set(".,") if left.count(c) == 1))
    return terms, result.replace("...", "".join(spare[:wide]))


def summed(subscripts, *x):
    """Compute an einsum of arrays: small ones in one go, large ones in NumPy's best order."""
    terms, _ = spelled(subscripts, [np.ndim(v) for v in x])
    lengths = {}
    for term, v in zip(terms, x):
        for c, n in zip(term, np.shape(v)):
            lengths[c] = max(n, lengths.get(c, 1))
    return np.einsum(subscripts, *x, optimize=math.prod(lengths.values()) > LARGE)


def to_operand(k, dldy, x, subscripts):
    """Compute the gradient of one operand: the same kind of sum, with the result's gradient in its place.

    A letter that stands twice in the operand means its diagonal: an identity matrix ties a new letter
    to it. A letter that stands nowhere else was summed over: the gradient is repeated along it.
    """
    terms, result = spelled(subscripts, [len(np.shape(v)) for v in x])
    own, shape = terms[k], np.shape(x[k])
    given = [result, *terms[:k], *terms[k + 1 :]]
    operands = [dldy, *x[:k], *x[k + 1 :]]
    spare = iter(c for c in string.ascii_letters if c not in "".join([*terms, result]))
    wanted = ""
    for c, n in zip(own, shape):
        if c in wanted:
            twin = next(spare)
            given.append(c + twin)
            operands.append(np.eye(n, dtype=x[k].dtype))
            c = twin
        wanted += c
    there = [c in "".join(given) for c in wanted]
    named = "".join(c for c, yes in zip(wanted, there) if yes)
    contract = einsum if isinstance(dldy, Node) else summed
    g = contract(f"{','.join(given)}->{named}", *operands)
    lengths = iter(np.shape(g))
    g = np.reshape(g, [next(lengths) if yes else 1 for yes in there])
    return np.broadcast_to(g, np.broadcast_shapes(np.shape(g), shape))


class EinSum(Operation, trusted=True, elementwise=False):
    """Products of arrays, summed over the letters that the result does not have; any number of inputs."""

    @staticmethod
    def _f(*x, subscripts):
        try:
            return summed(subscripts, *x)
        except ValueError as error:
            shapes = " and ".join(str(shape_of(v)) for v in x)
            raise ShapeError(
                f"einsum: {subscripts!r} and shapes {shapes} do not match: {error}", EinSum.expects, EinSum.advice
            ) from None

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Compute the gradients of those inputs alone that take one."""
        return [
            to_operand(k, dldy, list(x), **node.settings) if n.requires_grad else None
            for k, n in enumerate(node.inputs)
        ]

    expects = "one letter for each axis, and one length for each letter"
    advice = "print the shapes and write each below its letters."
    samples = tuple(
        (shapes, {"subscripts": subscripts})
        for subscripts, *shapes in (
            ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij->ji", (2, 3)), ("ij->", (2, 3)),
            ("ij->j", (2, 3)), ("ii", (3, 3)), ("ii->i", (3, 3)), ("iii->i", (2, 2, 2)), ("bii,i->b", (2, 3, 3), (3,)),
            ("i,i", (3,), (3,)), ("i,j", (2,), (3,)), ("ij,j,i->i", (2, 3), (3,), (2,)), ("ij,k->i", (2, 3), (4,)),
            ("...ij,...jk->...ik", (5, 2, 3), (5, 3, 4)), ("...j,jk", (5, 2, 3), (3, 4)), ("...,...", (2, 3), (3,)),
            ("ij,ij->ij", (2, 1), (1, 3)), (",i->i", (), (2,)), ("ij,jk->ik", (0, 3), (3, 2)),
        )
    )  # fmt: skip


@implements(np.tensordot)
@implements(np.linalg.tensordot)
def tensordot(a, b, axes=2):
    """Multiply, and sum along pairs of axes.

    Parameters
    ----------
    a, b : Node, float or array
        Any shapes.
    axes : int or pair of int or of sequences of int, default 2
        n: the last n axes of `a` with the first n of `b`, in order. A pair: those of `a`, those of `b`.

    Returns
    -------
    Node
        The axes of `a` that are left, then those of `b`.

    Raises
    ------
    ShapeError
        If there is no such axis, or the two of a pair have different lengths.

    Examples
    --------
    >>> import numpy as np
    >>> tensordot(np.ones((2, 3, 4)), np.ones((4, 3, 5)), axes=([1, 2], [1, 0])).shape
    (2, 5)
    """
    shapes = np.shape(a), np.shape(b)
    if hasattr(axes, "__len__") and len(axes) == 2:
        pairs = tuple(normalize_axes(ks, shape, "tensordot") for ks, shape in zip(axes, shapes))
    elif isinstance(axes, (int, np.integer)) and 0 <= axes <= min(map(len, shapes)):
        pairs = tuple(range(len(shapes[0]) - axes, len(shapes[0]))), tuple(range(axes))
    else:
        raise ValueTypeError(
            f"tensordot: axes {describe(axes)} for shapes {shapes[0]} and {shapes[1]}.",
            "how many axes of both to sum along, or a pair of sequences.",
            "axes=([1], [0]) sums along axis 1 of the first and axis 0 of the second.",
        )
    if len(pairs[0]) != len(pairs[1]):
        raise ShapeError(f"tensordot: axes {pairs[0]} and {pairs[1]} form no pairs.", TensorDot.expects, "count them.")
    return TensorDot.apply(a, b, axes=pairs)


@implements(np.einsum)
def einsum(subscripts, *operands):
    """Multiply arrays and sum, with the axes named by letters.

    Parameters
    ----------
    subscripts : str
        The letters of each operand, separated by commas; after ``->`` those of the result. Without an
        arrow the result has, in alphabetical order, the letters that stand once. ``...`` stands for
        axes that broadcast.
    *operands : Node, float or array
        As many as the subscripts say.

    Returns
    -------
    Node

    Raises
    ------
    ValueTypeError
        If the subscripts are no text.
    ShapeError
        If subscripts and shapes do not match.

    Notes
    -----
    Letters that stand twice in one operand take its diagonal: ``einsum("ii", x)`` is the trace. What
    NumPy takes beside this, subscripts as lists and `optimize`, is left out; the order is chosen here.

    Examples
    --------
    >>> import numpy as np
    >>> einsum("ij,jk->ik", np.ones((2, 3)), np.ones((3, 4))).shape
    (2, 4)
    """
    if not isinstance(subscripts, str):
        raise ValueTypeError(
            f"einsum: the subscripts are {describe(subscripts)}.", "a text, such as 'ij,jk->ik'.", "write it first."
        )
    if not operands:
        raise ShapeError(f"einsum: no operand for {subscripts!r}.", "one operand for each term.", "einsum('ii', x)")
    return EinSum.apply(*operands, subscripts=subscripts)
