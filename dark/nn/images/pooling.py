"""Images of another size: `MaxPool1d`, `MaxPool2d`, `AvgPool1d` and `AvgPool2d`, and `Upsample`."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable

from dark.nn.module import Module
from dark.nodes import Node
from dark.operations import avg_pool1d, avg_pool2d, interpolate, max_pool1d, max_pool2d
from dark.operations.images.image_checks import per_axis
from dark.operations.images.interpolation import scale_factors
from dark.typing import ArrayLike, Shape


class MaxPool(Module, ABC):
    """Base class of `MaxPool1d` and `MaxPool2d`, which differ in the number of axes."""

    axes: int
    _function: Callable[..., Node]

    def __init__(
        self, kernel_size: int | Shape, stride: int | Shape | None = None, padding: int | Shape = 0,
        dilation: int | Shape = 1, *, ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        check_windows(self, padding, dilation)
        self.padding, self.dilation, self.ceil_mode = padding, dilation, bool(ceil_mode)

    def forward(self, x: ArrayLike) -> Node:
        """Pool: shape (batch, channels, ...) to (batch, channels, ...), or both without the batch."""
        return self._function(x, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        text = f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
        return f"{text}, dilation={self.dilation}, ceil_mode={self.ceil_mode}"


class MaxPool2d(MaxPool):
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

    Examples
    --------
    >>> MaxPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).value
    array([[[[ 5.,  7.],
             [13., 15.]]]])
    """

    axes, _function = 2, staticmethod(max_pool2d)


class MaxPool1d(MaxPool):
    """1-D max pooling; parameters as for `MaxPool2d`, along the length.

    >>> MaxPool1d(2)(np.array([[[1.0, 3.0, 2.0, 0.0]]])).value
    array([[[3., 2.]]])
    """

    axes, _function = 1, staticmethod(max_pool1d)


class AvgPool(Module, ABC):
    """Base class of `AvgPool1d` and `AvgPool2d`, which differ in the number of axes."""

    axes: int
    _function: Callable[..., Node]

    def __init__(
        self, kernel_size: int | Shape, stride: int | Shape | None = None, padding: int | Shape = 0,
        ceil_mode: bool = False, count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        check_windows(self, padding)
        self.padding, self.ceil_mode, self.count_include_pad = padding, bool(ceil_mode), bool(count_include_pad)

    def forward(self, x: ArrayLike) -> Node:
        """Pool: shape (batch, channels, ...) to (batch, channels, ...), or both without the batch."""
        settings = {"ceil_mode": self.ceil_mode, "count_include_pad": self.count_include_pad}
        return self._function(x, self.kernel_size, self.stride, self.padding, **settings)

    def extra_repr(self) -> str:
        """Return the settings that PyTorch shows as text; it has tuples for signals."""
        shown = [self.kernel_size, self.stride, self.padding]
        if self.axes == 1:
            shown = [n if isinstance(n, tuple) else (n,) for n in shown]
        return "kernel_size={}, stride={}, padding={}".format(*shown)


class AvgPool2d(AvgPool):
    """2-D average pooling.

    Parameters
    ----------
    kernel_size, stride, padding, ceil_mode
        As for `MaxPool2d`.
    count_include_pad : bool, default True
        Whether padded zeros count; if not, the divisor is the number of elements inside the image.

    Examples
    --------
    >>> AvgPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).value
    array([[[[ 2.5,  4.5],
             [10.5, 12.5]]]])
    """

    axes, _function = 2, staticmethod(avg_pool2d)


class AvgPool1d(AvgPool):
    """1-D average pooling; parameters as for `AvgPool2d`, along the length.

    >>> AvgPool1d(2)(np.array([[[1.0, 3.0, 2.0, 0.0]]])).value
    array([[[2., 1.]]])
    """

    axes, _function = 1, staticmethod(avg_pool1d)


def check_windows(layer, padding, dilation=1):
    """Check that the settings of windows are integers, or one for each axis."""
    who, axes = layer._function.__name__, layer.axes
    per_axis(layer.kernel_size, who, "kernel_size", 1, axes)
    per_axis(layer.stride, who, "stride", 1, axes)
    per_axis(padding, who, "padding", 0, axes)
    per_axis(dilation, who, "dilation", 1, axes)


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
