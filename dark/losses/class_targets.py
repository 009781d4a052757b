"""Targets that are numbers of classes: checked, and as labels and shares of rows."""

import numbers
from dataclasses import dataclass
from math import prod

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.losses.input_checks import in_type
from dark.nodes import value_of
from dark.nodes.values import as_value, describe
from dark.operations.axis_checks import whole


@dataclass(frozen=True)
class Labels:
    """The classes of all rows.

    Attributes
    ----------
    classes : array of int, shape (n,)
        From 0 to k - 1; 0 where the row is ignored.
    shares : float or array, shape (n,)
        What the loss of each row is multiplied by: the weight of its class, 0 where it is ignored.
    ignored : array of bool, shape (n,), or None
        Which rows are ignored, if any is.
    count : float
        The sum of the shares, by which the sum of the losses is divided for their mean.
    """

    classes: np.ndarray
    shares: object
    ignored: np.ndarray | None
    count: float


def labels_of(target, shape, who, weight=None, ignore_index=None, dtype=float):
    """Check classes against logits of a shape, one class for each place beside axis 1.

    Parameters
    ----------
    target : array of int, shape (), (n,) or (n, d1, ...)
    shape : tuple of int
        The shape of the logits: (k,), (n, k) or (n, k, d1, ...).
    who : str
        Which loss asks, for errors.
    weight : array, shape (k,), optional
    ignore_index : int, optional
        The class that means: leave this row out.

    Returns
    -------
    Labels

    Raises
    ------
    ShapeError
        If the shapes do not fit.
    ValueTypeError
        If the target holds anything but classes.
    """
    target = np.asarray(value_of(target))
    if target.dtype.kind not in "iu" and target.size:
        raise ValueTypeError(f"{who}: the target is {describe(target)}.", "an array of integers.", "target.astype(int)")
    if not shape or target.shape != shape[:1][: len(shape) - 1] + shape[2:]:
        raise ShapeError(
            f"{who}: input has the shape {shape}, and a target of classes the shape {target.shape}.",
            "(k,) and (), (n, k) and (n,), or (n, k, d1, ...) and (n, d1, ...).",
            "print both shapes; the classes are counted along axis 1.",
        )
    k, classes = shape[0 if len(shape) == 1 else 1], target.reshape(-1).astype(np.intp)
    ignored = None if ignore_index is None else classes == whole(ignore_index, who, "ignore_index")
    if ignored is not None and ignored.any():
        classes = np.where(ignored, 0, classes)
    else:
        ignored = None
    _refuse_unknown(classes if ignored is None else classes[~ignored], k, who)
    shares = 1.0 if weight is None else class_weights(weight, k, who, dtype)[classes]
    if ignored is not None:
        shares = in_type(np.where(ignored, 0.0, shares), dtype)
    count = len(classes) if type(shares) is float else shares.sum()
    return Labels(classes, shares, ignored, float(count))


def _refuse_unknown(classes, k, who):
    if len(classes) and not (classes.min() >= 0 and classes.max() < k):
        raise ValueTypeError(
            f"{who}: the target holds classes from {classes.min()} to {classes.max()}.",
            f"classes from 0 to {k - 1}, as the input has {k}.",
            "count the classes from 0.",
        )


def class_weights(weight, k, who, dtype):
    """Check one weight for each class.

    Raises
    ------
    ShapeError
        If there are more or fewer than classes.
    """
    weight = as_value(value_of(weight), who)
    if np.shape(weight) != (k,):
        raise ShapeError(
            f"{who}: weights of shape {np.shape(weight)} for {k} classes.", f"shape ({k},).", "one weight for a class."
        )
    return in_type(weight, dtype)


def checked_smoothing(label_smoothing, who):
    """Refuse a share of the other classes that is none.

    Raises
    ------
    UsageError
    """
    if not (isinstance(label_smoothing, numbers.Real) and 0.0 <= label_smoothing <= 1.0):
        raise UsageError(
            f"{who}: label_smoothing is {label_smoothing!r}.", "a number from 0 to 1.", "label_smoothing=0.1"
        )
    return float(label_smoothing)


def rows(x):
    """Make of logits of shape (k,), (n, k) or (n, k, d1, ...) one row of k for each class of a target.

    Examples
    --------
    >>> import dark
    >>> rows(dark.Constant(np.ones((4, 3, 2)))).shape
    (8, 3)
    """
    if x.ndim < 3:
        return x if x.ndim == 2 else x.reshape(1, -1)
    n, k, *others = x.shape
    return x.transpose(0, *range(2, x.ndim), 1).reshape(n * prod(others), k)
