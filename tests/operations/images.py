"""Convolution, pooling and interpolation by their formulas, one element at a time; signals are images with one row."""

import math

import numpy as np


def conv2d(x, w, b=None, *, stride, padding, dilation, groups):
    """Sum the products of each filter and its window."""
    n, c, h, wide = x.shape
    o, part, kh, kw = w.shape
    size = [
        (m + 2 * p - d * (k - 1) - 1) // s + 1 for m, p, d, k, s in zip((h, wide), padding, dilation, (kh, kw), stride)
    ]
    y = np.zeros((n, o, *size), np.result_type(x, w))
    for out, i, j, k, m in np.ndindex(o, *size, kh, kw):
        row, column = i * stride[0] + k * dilation[0] - padding[0], j * stride[1] + m * dilation[1] - padding[1]
        if 0 <= row < h and 0 <= column < wide:
            first = out // (o // groups) * part
            y[:, out, i, j] += x[:, first : first + part, row, column] @ w[out, :, k, m]
    return y if b is None else y + b.reshape(-1, 1, 1)


def conv_transpose2d(x, w, b=None, *, stride, padding, output_padding, dilation, groups):
    """Add each filter, times each element of the image."""
    n, c, h, wide = x.shape
    _, part, kh, kw = w.shape
    along = zip((h, wide), (kh, kw), stride, padding, dilation, output_padding)
    size = [(m - 1) * s - 2 * p + d * (k - 1) + 1 + more for m, k, s, p, d, more in along]
    y = np.zeros((n, part * groups, *size), np.result_type(x, w))
    for into, i, j, k, m in np.ndindex(c, h, wide, kh, kw):
        row, column = i * stride[0] + k * dilation[0] - padding[0], j * stride[1] + m * dilation[1] - padding[1]
        if 0 <= row < size[0] and 0 <= column < size[1]:
            first = into // (c // groups) * part
            y[:, first : first + part, row, column] += x[:, into, i, j, None] * w[into, :, k, m]
    return y if b is None else y + b.reshape(-1, 1, 1)


def conv2d_weight(x, y, kernel_size, *, stride, padding, dilation, groups):
    """Compute for each element of each filter the result of a filter that is 1 there and 0 elsewhere."""
    o, part = y.shape[1], x.shape[1] // groups
    w = np.zeros((o, part, *kernel_size), np.result_type(x, y))
    for place in np.ndindex(w.shape):
        one = np.zeros_like(w)
        one[place] = 1
        w[place] = (conv2d(x, one, stride=stride, padding=padding, dilation=dilation, groups=groups) * y).sum()
    return w


def windows(x, kernel_size, stride, padding, dilation, ceil_mode):
    """Yield the positions of a pooled image, with their windows of the image and of the padded image."""
    kh, kw = kernel_size
    size = []
    for n, k, s, p, d in zip(x.shape[2:], kernel_size, stride, padding, dilation):
        room = (n + 2 * p - d * (k - 1) - 1) / s
        m = (math.ceil(room) if ceil_mode else math.floor(room)) + 1
        size.append(m - 1 if (m - 1) * s >= n + p else m)
    for i, j in np.ndindex(*size):
        rows = [i * stride[0] + k * dilation[0] - padding[0] for k in range(kh)]
        columns = [j * stride[1] + k * dilation[1] - padding[1] for k in range(kw)]
        places = [(r, c) for r in rows for c in columns]
        inside = [x[:, :, r, c] for r, c in places if 0 <= r < x.shape[2] and 0 <= c < x.shape[3]]
        padded = sum(r < x.shape[2] + padding[0] and c < x.shape[3] + padding[1] for r, c in places)
        yield size, (i, j), inside, padded


def max_pool2d(x, kernel_size, stride, padding, dilation, ceil_mode):
    """Compute the maximum of each window."""
    found = list(windows(x, kernel_size, stride, padding, dilation, ceil_mode))
    y = np.zeros((*x.shape[:2], *found[0][0]), x.dtype)
    for _, place, inside, _ in found:
        y[:, :, *place] = np.max(inside, axis=0)
    return y


def avg_pool2d(x, kernel_size, stride, padding, ceil_mode, count_include_pad):
    """Compute the mean of each window."""
    found = list(windows(x, kernel_size, stride, padding, (1, 1), ceil_mode))
    y = np.zeros((*x.shape[:2], *found[0][0]), x.dtype)
    for _, place, inside, padded in found:
        y[:, :, *place] = np.sum(inside, axis=0) / (padded if count_include_pad else len(inside))
    return y


def interpolate(x, size, scale_factor, mode, align_corners):
    """Interpolate the image at each position: nearest, or bilinear."""
    y = np.zeros((*x.shape[:2], *size), x.dtype)
    scales = scale_factor or [m / n for m, n in zip(size, x.shape[2:])]
    for place in np.ndindex(*size):
        here = []
        for i, m, n, scale in zip(place, size, x.shape[2:], scales):
            if mode == "nearest":
                here.append((min(int(i / scale), n - 1), 0, 0.0))
                continue
            at = i * (n - 1) / max(m - 1, 1) if align_corners else max((i + 0.5) / scale - 0.5, 0)
            low = min(int(at), n - 1)
            here.append((low, min(low + 1, n - 1), min(at - low, 1.0)))
        for row, down in ((here[0][0], 1 - here[0][2]), (here[0][1], here[0][2])):
            for column, across in ((here[1][0], 1 - here[1][2]), (here[1][1], here[1][2])):
                y[:, :, *place] += x[:, :, row, column] * down * across
    return y


def of_signals(formula, neutral):
    """Make the formula for signals of that for images: one row, and settings with which it stays one."""

    def function(x, *filters, **settings):
        pairs = {name: (neutral[name], *v) if isinstance(v, tuple) else v for name, v in settings.items()}
        rows = [v[:, :, None] if np.ndim(v) == 3 else v for v in (x, *filters)]
        return formula(*rows, **pairs)[:, :, 0]

    return function


NEUTRAL = {"kernel_size": 1, "stride": 1, "padding": 0, "output_padding": 0, "dilation": 1}
conv1d, conv_transpose1d, max_pool1d, avg_pool1d = [
    of_signals(formula, NEUTRAL) for formula in (conv2d, conv_transpose2d, max_pool2d, avg_pool2d)
]
