"""Tensor contractions: tensordot and einsum."""

from __future__ import annotations

import math
import string
from typing import Any

import numpy as np

from dark.checks import describe, is_integer
from dark.errors import ShapeError, ValueTypeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.axis_checks import input_shape, normalize_axes
from dark.typing import ArrayLike

LARGE = 50_000  # products above which NumPy's optimized order, which uses BLAS, is faster


class TensorDot(Operation, trusted=True, elementwise=False):
    """Sum of products along pairs of axes; the remaining axes of a precede b's."""

    _f = staticmethod(lambda a, b, axes: np.tensordot(a, b, axes))

    @staticmethod
    def _left(dldy, y, a, b, axes):
        a_axes, b_axes = positive_axes(a, b, axes)
        a_free, b_free = free_axes(a, a_axes), free_axes(b, b_axes)
        g = np.tensordot(dldy, b, (tuple(range(len(a_free), len(a_free) + len(b_free))), b_free))
        return np.transpose(g, np.argsort([*a_free, *[a_axes[k] for k in np.argsort(b_axes)]]))

    @staticmethod
    def _right(dldy, y, a, b, axes):
        a_axes, b_axes = positive_axes(a, b, axes)
        a_free, b_free = free_axes(a, a_axes), free_axes(b, b_axes)
        g = np.tensordot(a, dldy, (a_free, tuple(range(len(a_free)))))
        return np.transpose(g, np.argsort([*[b_axes[k] for k in np.argsort(a_axes)], *b_free]))

    _df = (_left, _right)

    expects, advice = "pairs of axes of the same length", "print both shapes; einsum names the axes."
    samples = (
        (((2, 3), (3, 4)), {"axes": ((1,), (0,))}), (((2, 3, 4), (4, 3, 5)), {"axes": ((1, 2), (1, 0))}),
        (((3,), (2,)), {"axes": ((), ())}), (((2, 3), (3, 2)), {"axes": ((0, 1), (1, 0))}),
        (((), (2, 3)), {"axes": ((), ())}), (((2, 0), (0, 3)), {"axes": ((-1,), (-2,))}),
    )  # fmt: skip


def positive_axes(a, b, axes):
    """Return the axes of a tensordot as non-negative integers."""
    return tuple(tuple(k % len(np.shape(x)) for k in ks) for x, ks in zip((a, b), axes))


def free_axes(x, axes):
    """Return the axes that are not summed over."""
    return tuple(k for k in range(len(np.shape(x))) if k not in axes)


def expand_subscripts(subscripts, ndims):
    """Return the subscripts of each operand and of the result, with the ellipsis replaced by letters.

    >>> expand_subscripts("...ij,jk", (3, 2))
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


def contract(subscripts, *x):
    """Compute an einsum of arrays; large ones in NumPy's optimized contraction order."""
    terms, _ = expand_subscripts(subscripts, [np.ndim(v) for v in x])
    lengths: dict[str, int] = {}
    for term, v in zip(terms, x):
        if len(set(term)) < len(term) and len(set(zip(term, np.shape(v)))) > len(set(term)):
            raise ValueError(f"the subscripts {term!r} name axes of different lengths")  # NumPy misses a length of 0
        for c, n in zip(term, np.shape(v)):
            lengths[c] = max(n, lengths.get(c, 1))
    return np.einsum(subscripts, *x, optimize=math.prod(lengths.values()) > LARGE)


def operand_gradient(k, dldy, x, subscripts):
    """Compute the gradient of operand `k`: the einsum with the gradient of the result in place of the operand.

    A subscript that is repeated in the operand takes its diagonal: an identity matrix connects it to a new
    subscript. A subscript of the operand alone was summed over: the gradient is broadcast along it.
    """
    terms, result = expand_subscripts(subscripts, [len(np.shape(v)) for v in x])
    own_letters, shape = terms[k], np.shape(x[k])
    terms_in = [result, *terms[:k], *terms[k + 1 :]]
    operands = [dldy, *x[:k], *x[k + 1 :]]
    spare = iter(c for c in string.ascii_letters if c not in "".join([*terms, result]))
    wanted = ""
    for c, n in zip(own_letters, shape):
        if c in wanted:
            duplicate = next(spare)
            terms_in.append(c + duplicate)
            operands.append(np.eye(n, dtype=x[k].dtype))
            c = duplicate
        wanted += c
    is_present = [c in "".join(terms_in) for c in wanted]
    kept_letters = "".join(c for c, yes in zip(wanted, is_present) if yes)
    contraction = einsum if isinstance(dldy, Node) else contract
    g = contraction(f"{','.join(terms_in)}->{kept_letters}", *operands)
    lengths = iter(np.shape(g))
    g = np.reshape(g, [next(lengths) if yes else 1 for yes in is_present])
    return np.broadcast_to(g, np.broadcast_shapes(np.shape(g), shape))


class EinSum(Operation, trusted=True, elementwise=False):
    """Einstein summation of any number of inputs."""

    @staticmethod
    def _f(*x, subscripts):
        try:
            return contract(subscripts, *x)
        except ValueError as error:
            shapes = " and ".join(str(shape_of(v)) for v in x)
            raise ShapeError(
                f"einsum: {subscripts!r} and shapes {shapes} do not match: {error}", EinSum.expects, EinSum.advice
            ) from None

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Compute the gradients of the inputs that require one."""
        return [
            operand_gradient(k, dldy, list(x), **node.settings) if n.requires_grad else None
            for k, n in enumerate(node.inputs)
        ]

    expects = "one subscript for each axis, and one length for each subscript"
    advice = "print the shapes and compare them with the subscripts."
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
def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2) -> Node:
    """Compute a tensor contraction: multiply, and sum along pairs of axes.

    The result has the remaining axes of `a`, then those of `b`.

    Parameters
    ----------
    axes : int or pair of int or of sequences of int, default 2
        n: the last n axes of `a` with the first n of `b`, in order. A pair: the axes of `a` and those of `b`.

    Examples
    --------
    >>> tensordot(np.ones((2, 3, 4)), np.ones((4, 3, 5)), axes=([1, 2], [1, 0])).shape
    (2, 5)
    """
    shapes = input_shape(a, "tensordot"), input_shape(b, "tensordot")
    if hasattr(axes, "__len__") and len(axes) == 2:
        pairs = tuple(normalize_axes(ks, shape, "tensordot") for ks, shape in zip(axes, shapes))
    elif is_integer(axes, 0) and axes <= min(map(len, shapes)):
        pairs = tuple(range(len(shapes[0]) - axes, len(shapes[0]))), tuple(range(axes))
    else:
        raise ValueTypeError(
            f"tensordot: invalid axes {describe(axes)} for shapes {shapes[0]} and {shapes[1]}.",
            "the number of axes to sum along, or a pair of sequences.",
            "axes=([1], [0]) sums along axis 1 of the first and axis 0 of the second.",
        )
    if len(pairs[0]) != len(pairs[1]):
        raise ShapeError(
            f"tensordot: axes must pair axes of a and b, got {len(pairs[0])} and {len(pairs[1])}.",
            TensorDot.expects,
            "axes=([1], [0])",
        )
    return TensorDot.apply(a, b, axes=pairs)


@implements(np.einsum)
def einsum(subscripts: str, *operands: ArrayLike) -> Node:
    """Evaluate the Einstein summation convention on the operands.

    A subscript that is repeated in one operand takes its diagonal: ``einsum("ii", x)`` is the trace. The
    argument `optimize` is not needed: large contractions are always optimized. NumPy's sublist format is not supported.

    Parameters
    ----------
    subscripts : str
        The subscripts of each operand, separated by commas; after ``->`` the result's. Without an
        arrow the result has, in alphabetical order, the subscripts that appear once. ``...`` stands for
        axes that broadcast.
    *operands : Node, float or array

    Examples
    --------
    >>> einsum("ij,jk->ik", np.ones((2, 3)), np.ones((3, 4))).shape
    (2, 4)
    """
    if not isinstance(subscripts, str):
        raise ValueTypeError(
            f"einsum: subscripts must be a string, got {describe(subscripts)}.",
            "a string, such as 'ij,jk->ik'.",
            "pass it as the first argument.",
        )
    if not operands:
        raise ShapeError(
            f"einsum: no operand for {subscripts!r}.", "one operand for each comma-separated term.", "einsum('ii', x)"
        )
    return EinSum.apply(*operands, subscripts=subscripts)
