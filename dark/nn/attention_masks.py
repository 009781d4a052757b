"""The masks of `MultiheadAttention`, put together to the one that `dark.attention` takes."""

import numpy as np

from dark.errors import ShapeError, ValueTypeError
from dark.nodes.values import describe
from dark.operations.layers.attention import as_mask

WHO = "MultiheadAttention"


def joined(padding, places, is_causal, shape):
    """Join masks in which true hides a key to one in which true shows it, or whose floats are added to the scores.

    Parameters
    ----------
    padding : array, shape (n, s), or None
        Which keys are none.
    places : array, shape (l, s) or (n * heads, l, s), or None
        Which key is hidden from which query.
    is_causal : bool
        Whether later keys are hidden, too.
    shape : tuple of int
        (n, heads, l, s)

    Returns
    -------
    array, of a shape that broadcasts to `shape`, or None

    Raises
    ------
    ShapeError
        If a mask has another shape.
    ValueTypeError
        If it holds something else than truth values or floats.

    Examples
    --------
    >>> joined(np.array([[False, True]]), None, False, (1, 1, 2, 2))
    array([[[[ True, False]]]])
    """
    n, heads, rows, keys = shape
    masks = []
    if padding is not None:
        masks.append(_checked(padding, "key_padding_mask", [(n, keys)])[:, None, None])
    if places is not None:
        places = _checked(places, "attn_mask", [(rows, keys), (n * heads, rows, keys)])
        masks.append(places if places.ndim == 2 else places.reshape(shape))
    if all(m.dtype.kind == "b" for m in masks):
        mask = ~np.logical_or(masks[0], masks[-1]) if masks else None
    else:
        mask = sum(np.where(m, -np.inf, 0.0) if m.dtype.kind == "b" else m for m in masks)
    return as_mask(mask, is_causal, (rows, keys))


def _checked(mask, name, shapes):
    """Return a mask that has one of the shapes, and holds truth values or floats."""
    if not isinstance(mask, np.ndarray) or mask.dtype.kind not in "bf":
        raise ValueTypeError(
            f"{WHO}: {name} is {describe(mask)}.",
            "an array of truth values, true where a key is hidden; or of floats, which are added to the scores.",
            "mask.astype(bool).",
        )
    if mask.shape not in shapes:
        raise ShapeError(
            f"{WHO}: {name} has shape {mask.shape}.", f"{' or '.join(map(str, shapes))}.", "print the shape of query."
        )
    return mask
