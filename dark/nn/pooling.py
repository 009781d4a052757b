"""`MaxPool2d`, `AvgPool2d` and `Upsample`: images made smaller and larger, with nothing to learn."""

from dark.nn.module import Module
from dark.operations import avg_pool2d, interpolate, max_pool2d


class MaxPool2d(Module):
    """Keep the largest number of each window.

    Parameters
    ----------
    kernel_size : int or (int, int)
        The height and the width of the window.
    stride : int or (int, int), optional
        How far it moves; by its own size if not given.
    padding : int or (int, int), default 0
        How far it begins outside of the image; at most half of the window.
    dilation : int or (int, int), default 1
        The distance of the places it sees.
    ceil_mode : bool, default False
        Whether there is a result for a window too that begins in the image and ends outside.

    Raises
    ------
    ShapeError, UsageError, ValueTypeError
        In the call; see `dark.max_pool2d`.

    Examples
    --------
    >>> import numpy as np
    >>> MaxPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).value
    array([[[[ 5.,  7.],
             [13., 15.]]]])
    """

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, *, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation, self.ceil_mode = padding, dilation, bool(ceil_mode)

    def forward(self, x):
        """Pool: shape (batch, channels, height, width) to (batch, channels, ., .)."""
        return max_pool2d(x, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode)

    def extra_repr(self):
        """Return the settings."""
        text = f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
        return f"{text}, dilation={self.dilation}, ceil_mode={self.ceil_mode}"


class AvgPool2d(Module):
    """Keep the average of each window.

    Parameters
    ----------
    kernel_size, stride, padding, ceil_mode
        As for `MaxPool2d`.
    count_include_pad : bool, default True
        Whether zeros beside the image count; False divides by the places in the image only.

    Raises
    ------
    ShapeError, UsageError, ValueTypeError
        In the call; see `dark.avg_pool2d`.

    Examples
    --------
    >>> import numpy as np
    >>> AvgPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).value
    array([[[[ 2.5,  4.5],
             [10.5, 12.5]]]])
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode, self.count_include_pad = padding, bool(ceil_mode), bool(count_include_pad)

    def forward(self, x):
        """Pool: shape (batch, channels, height, width) to (batch, channels, ., .)."""
        how = {"ceil_mode": self.ceil_mode, "count_include_pad": self.count_include_pad}
        return avg_pool2d(x, self.kernel_size, self.stride, self.padding, **how)

    def extra_repr(self):
        """Return the settings that PyTorch shows."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class Upsample(Module):
    """Give images another size.

    Parameters
    ----------
    size : int or (int, int), optional
        The new height and width.
    scale_factor : float or (float, float), optional
        In place of `size`: by what height and width are multiplied.
    mode : {"nearest", "bilinear"}, default "nearest"
        What a place of the result takes: the number there, or a mean of the four around it.
    align_corners : bool, optional
        Of "bilinear": whether the middles of the corner pixels lie on each other.

    Raises
    ------
    ShapeError, UsageError, ValueTypeError
        In the call; see `dark.interpolate`.

    Examples
    --------
    >>> import numpy as np
    >>> Upsample(scale_factor=2)(np.ones((5, 3, 4, 4))).shape
    (5, 3, 8, 8)
    """

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None):
        super().__init__()
        self.size, self.scale_factor, self.mode, self.align_corners = size, scale_factor, mode, align_corners

    def forward(self, x):
        """Resize: shape (batch, channels, height, width) to (batch, channels, ., .)."""
        return interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self):
        """Return the size or the factor, and the mode."""
        how = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{how}, mode={self.mode!r}"
