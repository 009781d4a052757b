"""`Upsample`: images or signals are resized by interpolation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.nn.module import Module
from dark.nodes import Node
from dark.operations import interpolate
from dark.operations.images.image_checks import per_axis
from dark.operations.images.interpolation import scale_factors

if TYPE_CHECKING:
    from dark.typing import ArrayLike, Shape


class Upsample(Module):
    """Resize images, by nearest-neighbor or bilinear interpolation, or signals, by nearest-neighbor or linear.

    Parameters
    ----------
    size : int or (int, int), optional
        The height and width of the result, or its length.
    scale_factor : float or (float, float), optional
        The factor of height and width, or of the length, instead of `size`.
    mode : {"nearest", "bilinear", "linear"}, default "nearest"
        "bilinear" for images, "linear" for signals.
    align_corners : bool, optional
        For "bilinear" and "linear": whether the centers of the corner pixels of input and result coincide.

    Examples
    --------
    >>> import numpy as np
    >>> Upsample(scale_factor=2)(np.ones((5, 3, 4, 4))).shape
    (5, 3, 8, 8)
    >>> Upsample(7, mode="linear")(np.ones((5, 3, 4))).shape
    (5, 3, 7)
    """

    def __init__(
        self, size: int | Shape | None = None, scale_factor: float | tuple[float, ...] | None = None,
        mode: str = "nearest", align_corners: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if size is not None:
            per_axis(size, "interpolate", "size", 0, axes_of(size))
        if scale_factor is not None:
            scale_factors(scale_factor, axes_of(scale_factor))
        self.size, self.scale_factor, self.mode, self.align_corners = size, scale_factor, mode, align_corners

    def forward(self, x: ArrayLike) -> Node:
        """Resize: shape (batch, channels, height, width) to (batch, channels, ., .), or with one length each."""
        return interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        size = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{size}, mode={self.mode!r}"


def axes_of(setting):
    """Return the number of axes of a setting: 1 for a sequence with one element, which is for signals, else 2."""
    return 1 if isinstance(setting, (tuple, list)) and len(setting) == 1 else 2
