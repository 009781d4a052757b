"""The windows of max and average pooling: their checks, and inputs without a batch."""

from dark.checks import boolean
from dark.errors import UsageError
from dark.operations.arrays.shapes import expand_dims, squeeze
from dark.operations.images.image_checks import by, image_shape, is_single, output_size, per_axis
from dark.operations.images.windows import windows


def pool(op, x, kernel_size, stride, padding, ceil_mode, **more):
    """Check the arguments of a pooling function, and apply its operation."""
    who, axes = op.function_name, op.axes
    if is_single(x, who, axes):
        return squeeze(pool(op, expand_dims(x, 0), kernel_size, stride, padding, ceil_mode, **more), 0)
    size = per_axis(kernel_size, who, "kernel_size", 1, axes)
    stride = size if stride is None else per_axis(stride, who, "stride", 1, axes)
    padding, ceil_mode = per_axis(padding, who, "padding", 0, axes), boolean(ceil_mode, who, "ceil_mode")
    if "dilation" in more:
        more["dilation"] = per_axis(more["dilation"], who, "dilation", 1, axes)
    along = windows(size, stride, padding, more.get("dilation", (1,) * axes))
    check_windows(along, image_shape(x, who, axes)[2:], who, ceil_mode)
    return op.apply(x, kernel_size=size, stride=stride, padding=padding, ceil_mode=ceil_mode, **more)


def check_windows(along, lengths, who, ceil_mode):
    """Raise if a padding is more than half of its window, or a window contains no element of the input."""
    padding, dilation = [tuple([getattr(window, name) for window in along]) for name in ("padding", "dilation")]
    if any(2 * window.padding > window.size for window in along):
        raise UsageError(
            f"{who}: padding={padding} with kernel_size={tuple([window.size for window in along])}.",
            "at most half of the window.",
            "padding=kernel_size // 2",
        )
    found = output_size(along, lengths, who, ceil_mode)
    if any((w.dilation > 1 or n == 0) and w.has_empty_window(n, m) for w, n, m in zip(along, lengths, found)):
        things = f"{by(lengths)} images" if len(along) == 2 else f"signals of length {lengths[0]}"
        raise UsageError(
            f"{who}: dilation={dilation} and padding={padding} leave a window of {things} empty.",
            "at least one element in each window.",
            "padding=0, or a smaller dilation.",
        )


def pooling_sample(shape, kernel_size, stride, padding=(0, 0), ceil_mode=False, **more):
    """Return a test case of pooling: a shape and the settings."""
    return (shape,), {"kernel_size": kernel_size, "stride": stride, "padding": padding, "ceil_mode": ceil_mode, **more}
