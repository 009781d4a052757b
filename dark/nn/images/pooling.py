"""`MaxPool2d`, `AvgPool2d` and `Upsample`: layers that resize images and have no parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.nn.module import Module
from dark.operations import avg_pool2d, interpolate, max_pool2d
from dark.operations.images.image_checks import per_axis
from dark.operations.images.interpolation import scale_factors

if TYPE_CHECKING:
    from dark.nodes import Node
    from dark.typing import ArrayLike


class MaxPool2d(Module):
    """2-D max pooling.

    Parameters
    ----------
    kernel_size : int or (int, int)
        The height and width of a window.
    stride : int or (int, int), optional
        The step between neighboring windows, by default `kernel_size`.
    padding : int or (int, int), default 0
        The padding on each side, at most half of the window; padded elements are never the maximum.
    dilation : int or (int, int), default 1
        The distance between the elements of a window.
    ceil_mode : bool, default False
        Whether the size of the result is rounded up: windows may then reach over the edge.

    Raises
    ------
    ShapeError, UsageError, ValueTypeError
        If a setting is not an integer or a number; further checks in the call, see `dark.max_pool2d`.

    Examples
    --------
    >>> import numpy as np
    >>> MaxPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).value
    array([[[[ 5.,  7.],
             [13., 15.]]]])
    """

    def __init__(
        self, kernel_size: int | tuple[int, int], stride: int | tuple[int, int] | None = None,
        padding: int | tuple[int, int] = 0, dilation: int | tuple[int, int] = 1, *, ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        check_windows("max_pool2d", self.kernel_size, self.stride, padding, dilation)
        self.padding, self.dilation, self.ceil_mode = padding, dilation, bool(ceil_mode)

    def forward(self, x: ArrayLike) -> Node:
        """Pool: shape (batch, channels, height, width) to (batch, channels, ., .)."""
        return max_pool2d(x, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        text = f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
        return f"{text}, dilation={self.dilation}, ceil_mode={self.ceil_mode}"


class AvgPool2d(Module):
    """2-D average pooling.

    Parameters
    ----------
    kernel_size, stride, padding, ceil_mode
        As for `MaxPool2d`.
    count_include_pad : bool, default True
        Whether padded zeros count; if not, the divisor is the number of elements inside the image.

    Raises
    ------
    ShapeError, UsageError, ValueTypeError
        If a setting is not an integer or a number; further checks in the call, see `dark.avg_pool2d`.

    Examples
    --------
    >>> import numpy as np
    >>> AvgPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).value
    array([[[[ 2.5,  4.5],
             [10.5, 12.5]]]])
    """

    def __init__(
        self, kernel_size: int | tuple[int, int], stride: int | tuple[int, int] | None = None,
        padding: int | tuple[int, int] = 0, ceil_mode: bool = False, count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        check_windows("avg_pool2d", self.kernel_size, self.stride, padding)
        self.padding, self.ceil_mode, self.count_include_pad = padding, bool(ceil_mode), bool(count_include_pad)

    def forward(self, x: ArrayLike) -> Node:
        """Pool: shape (batch, channels, height, width) to (batch, channels, ., .)."""
        settings = {"ceil_mode": self.ceil_mode, "count_include_pad": self.count_include_pad}
        return avg_pool2d(x, self.kernel_size, self.stride, self.padding, **settings)

    def extra_repr(self) -> str:
        """Return the settings that PyTorch shows as text."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class Upsample(Module):
    """Resize images by nearest-neighbor or bilinear interpolation.

    Parameters
    ----------
    size : int or (int, int), optional
        The height and width of the result.
    scale_factor : float or (float, float), optional
        The factor of height and width, instead of `size`.
    mode : {"nearest", "bilinear"}, default "nearest"
    align_corners : bool, optional
        For "bilinear": whether the centers of the corner pixels of input and result coincide.

    Raises
    ------
    ShapeError, UsageError, ValueTypeError
        If a setting is not an integer or a number; further checks in the call, see `dark.interpolate`.

    Examples
    --------
    >>> import numpy as np
    >>> Upsample(scale_factor=2)(np.ones((5, 3, 4, 4))).shape
    (5, 3, 8, 8)
    """

    def __init__(
        self, size: int | tuple[int, int] | None = None, scale_factor: float | tuple[float, float] | None = None,
        mode: str = "nearest", align_corners: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if size is not None:
            per_axis(size, "interpolate", "size", 0, axes_of(size))
        if scale_factor is not None:
            scale_factors(scale_factor, axes_of(scale_factor))
        self.size, self.scale_factor, self.mode, self.align_corners = size, scale_factor, mode, align_corners

    def forward(self, x: ArrayLike) -> Node:
        """Resize: shape (batch, channels, height, width) to (batch, channels, ., .)."""
        return interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        size = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{size}, mode={self.mode!r}"


def axes_of(setting):
    """Return 1 for a sequence of one element, which is for signals, else 2."""
    return 1 if isinstance(setting, (tuple, list)) and len(setting) == 1 else 2


def check_windows(who, kernel_size, stride, padding, dilation=1):
    """Check that the settings of windows are integers, or pairs of integers."""
    per_axis(kernel_size, who, "kernel_size", 1)
    per_axis(stride, who, "stride", 1)
    per_axis(padding, who, "padding")
    per_axis(dilation, who, "dilation", 1)
