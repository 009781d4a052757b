"""What a transform of images is given: an image alone, or with its mask, its points and whatever else.

- an array is an image;
- of a tuple or a list, the first part is the image, the others stay as they are;
- of a dict, `image` is the image, `mask` (optional) its mask, `points` (optional) its points; other keys stay.

An image has shape (channels, height, width), a batch of images (n, channels, height, width). A mask has shape
(height, width), with n before it for a batch. Points have shape (p, 2), with n before it for a batch; each is
(x, y) in pixels: x counts columns to the right, y counts rows down, and the middle of the first pixel is (0, 0).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError


@dataclass(frozen=True)
class Sample:
    """An image with what belongs to it; mask and points may be None."""

    image: np.ndarray
    mask: np.ndarray | None = None
    points: np.ndarray | None = None


def opened(given, who):
    """Take image, mask and points out of a sample.

    Parameters
    ----------
    given : array, tuple, list or dict
        See the text of this module.
    who : str
        The transform, for errors.

    Returns
    -------
    Sample

    Raises
    ------
    UsageError
        If a dict has no image.
    ValueTypeError
        If the image is no array of numbers.
    ShapeError
        If image, mask and points do not fit the layout.
    """
    if isinstance(given, Mapping):
        if "image" not in given:
            raise UsageError(
                f"{who}: a dict with the keys {', '.join(map(str, given))}.",
                "the key 'image', and where there are any 'mask' and 'points'.",
                "name the picture 'image' where the dataset makes the item.",
            )
        parts = (given["image"], given.get("mask"), given.get("points"))
    else:
        parts = (given[0] if isinstance(given, (tuple, list)) and len(given) else given, None, None)
    image, mask, points = (None if part is None else np.asarray(part) for part in parts)
    _check_image(image, who)
    _check_company(image, mask, points, who)
    return Sample(image, mask, None if points is None else points.astype(np.result_type(points, np.float32)))


def closed(given, sample):
    """Put image, mask and points back where they were; the sample that was given stays as it is."""
    if isinstance(given, Mapping):
        names = ("image", "mask", "points")
        return {**given, **{name: getattr(sample, name) for name in names if getattr(sample, name) is not None}}
    if isinstance(given, (tuple, list)):
        rest = [sample.image, *given[1:]]
        return given._make(rest) if hasattr(given, "_make") else type(given)(rest)
    return sample.image


def _check_image(image, who):
    if image is None or image.dtype.kind not in "biuf":
        raise ValueTypeError(
            f"{who}: the image is {'missing' if image is None else f'of type {image.dtype}'}.",
            "an array of numbers.",
            "np.asarray(image, dtype=float)",
        )
    if image.ndim not in (3, 4) or not image.size:
        raise ShapeError(
            f"{who}: an image of shape {image.shape}.",
            "(channels, height, width), or (n, channels, height, width) for a batch.",
            "image[None] for one grey picture, images[:, None] for many.",
        )


def _check_company(image, mask, points, who):
    batch, size = image.shape[:-3], image.shape[-2:]
    if mask is not None and mask.shape != batch + size:
        raise ShapeError(
            f"{who}: a mask of shape {mask.shape} with an image of shape {image.shape}.",
            f"shape {batch + size}.",
            "one mask an image, without an axis of channels.",
        )
    if points is not None and (points.ndim != len(batch) + 2 or points.shape != (*batch, points.shape[-2], 2)):
        raise ShapeError(
            f"{who}: points of shape {points.shape} with an image of shape {image.shape}.",
            f"shape {str((*batch, 'p', 2)).replace(chr(39), '')}: rows of x and y.",
            "np.stack([x, y], axis=-1)",
        )
