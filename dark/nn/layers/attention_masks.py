"""The masks of `MultiheadAttention`, combined into the one mask of `dark.attention`."""

import numpy as np

from dark.checks import describe
from dark.errors import ShapeError, ValueTypeError
from dark.operations.layers.attention import as_mask

WHO = "MultiheadAttention"


def combine_masks(padding, attention, is_causal, shape):
    """Combine PyTorch's masks, in which True hides a key, into one in which True shows it, or into added floats.

    >>> combine_masks(np.array([[False, True]]), None, False, (1, 1, 2, 2))
    array([[[[ True, False]]]])
    """
    n, heads, queries, keys = shape
    masks = []
    if padding is not None:
        masks.append(_check_mask(padding, "key_padding_mask", [(n, keys)])[:, None, None])
    if attention is not None:
        attention = _check_mask(attention, "attn_mask", [(queries, keys), (n * heads, queries, keys)])
        masks.append(attention if attention.ndim == 2 else attention.reshape(shape))
    if all(m.dtype.kind == "b" for m in masks):
        mask = ~np.logical_or(masks[0], masks[-1]) if masks else None
    else:
        mask = sum(np.where(m, -np.inf, 0.0) if m.dtype.kind == "b" else m for m in masks)
    return as_mask(mask, is_causal, (queries, keys))


def _check_mask(mask, name, shapes):
    """Return a bool or float mask of one of the shapes."""
    if not isinstance(mask, np.ndarray) or mask.dtype.kind not in "bf":
        raise ValueTypeError(
            f"{WHO}: {name} must be a bool or float array, got {describe(mask)}.",
            "a bool array, True where a key is hidden; or a float array, which is added to the scores.",
            "mask.astype(bool).",
        )
    if mask.shape not in shapes:
        raise ShapeError(
            f"{WHO}: {name} has the wrong shape {mask.shape}.",
            f"{' or '.join(map(str, shapes))}.",
            "print(query.shape, key.shape).",
        )
    return mask
