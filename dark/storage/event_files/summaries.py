"""Arrays as values of a summary: histograms, and images as PNG."""

import io
import math
from typing import Any

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.storage.event_files.event_file import tensorboard_protocol

LAYOUTS = ("CHW", "HWC", "HW", "NCHW", "NHWC")
CHANNELS = (1, 3, 4)  # gray, RGB, and RGB with transparency
COLUMNS = 8  # of a sheet of images


def as_array(value: Any) -> np.ndarray:
    """Return a node, an array, a number, or a tensor of another framework as an array."""
    if not isinstance(value, np.ndarray) and hasattr(value, "detach"):
        value = value.detach()
    return np.asarray(getattr(value, "value", value))


def histogram(values: np.ndarray, bins: int | str) -> Any:
    """Return the histogram of the finite values; None if no value is finite."""
    values = values.astype(np.float64).ravel()
    values = values[np.isfinite(values)]
    if not values.size:
        return None
    counts, edges = np.histogram(values, bins)
    return tensorboard_protocol().HistogramProto(
        min=values.min(), max=values.max(), num=values.size, sum=values.sum(), sum_squares=values @ values,
        bucket_limit=edges[1:].tolist(), bucket=counts.tolist(),
    )  # fmt: skip


def image(pixels: np.ndarray, layout: str) -> Any:
    """Return an image of pixels: bytes, or floats, clipped to 0 to 1; several images are put next to each other."""
    pixels = _height_width_channels(pixels, layout)
    if pixels.dtype.kind in "fb":
        pixels = (np.nan_to_num(pixels.astype(np.float64)).clip(0, 1) * 255).astype(np.uint8)
    if pixels.dtype != np.uint8:
        raise ValueTypeError(
            f"add_image: pixels must be uint8 or floats, got dtype {pixels.dtype}.",
            "uint8 from 0 to 255, or floats from 0 to 1.",
            "pixels.astype(np.uint8), or pixels / pixels.max()",
        )
    height, width, channels = pixels.shape
    protocol, file = tensorboard_protocol(), io.BytesIO()
    picture = protocol.Image.fromarray(pixels[:, :, 0] if channels == 1 else pixels)
    picture.save(file, format="PNG")
    return protocol.Summary.Image(height=height, width=width, colorspace=channels, encoded_image_string=file.getvalue())


def _height_width_channels(pixels, layout):
    if layout not in LAYOUTS:
        raise UsageError(
            f"add_image: dataformats {layout!r} is not supported.",
            f"one of {', '.join(LAYOUTS)}.",
            'dataformats="CHW".',
        )
    if pixels.ndim != len(layout):
        raise _shape_error(pixels, layout)
    if layout == "HW":
        return pixels[:, :, None]
    in_order = np.moveaxis(pixels, layout.index("C"), -1)
    if in_order.shape[-1] not in CHANNELS or not in_order.size:
        raise _shape_error(pixels, layout)
    return in_order if pixels.ndim == 3 else _sheet(in_order)


def _sheet(images):
    """Return images (number, height, width, channels) in rows of at most 8."""
    number, height, width, channels = images.shape
    columns = min(number, COLUMNS)
    rows = math.ceil(number / columns)
    sheet = np.zeros((rows * columns, height, width, channels), images.dtype)
    sheet[:number] = images
    in_rows = sheet.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return in_rows.reshape(rows * height, columns * width, channels)


def _shape_error(pixels, layout):
    return ShapeError(
        f"add_image: an array of shape {pixels.shape} is not an image of layout {layout}.",
        f"the axes {layout}, with 1, 3 or 4 channels (C), height (H) and width (W), or a number (N) of images.",
        'add_image for one image, add_images for several; dataformats="HWC", if channels are last.',
    )
