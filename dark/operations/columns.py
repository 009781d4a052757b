"""Convolution of arrays: what each window sees becomes a column of a matrix, and a product does the rest.

Three functions, each linear in each of its two arrays, and each the adjoint of the others: `correlate`
(images and filters give maps), `spread` (maps and filters give images), `match` (images and maps give
filters). The batch lies innermost in memory, (channels, height, width, batch), and results are views
of such arrays: moving a window by a pixel then moves whole runs of numbers. Copies are made for the
columns of the window only; its rows follow each other in memory, so that a view stacks them.
"""

from math import gcd

import numpy as np
from numpy.lib.stride_tricks import as_strided

from dark.operations.windows import Window, windows

CHUNK_BYTES = 1 << 21  # of columns at a time, so that they are still in the cache when they are multiplied


def innermost(x, groups=1):
    """Put the batch last in memory: (n, c, h, w) becomes (groups, c / groups, h, w, n), without a copy if it is so."""
    n, c, h, w = x.shape
    return np.ascontiguousarray(x.transpose(1, 2, 3, 0)).reshape(groups, c // groups, h, w, n)


def outermost(x, h, w):
    """View an array (groups, c, ..., n) with the batch last in memory as images (n, groups * c, h, w)."""
    return x.reshape(x.shape[0] * x.shape[1], h, w, -1).transpose(3, 0, 1, 2)


def stacks(x, first, size, rows, columns):
    """Make the columns of an image, some rows of the result at a time.

    Parameters
    ----------
    x : array, shape (g, c, h, w, n)
    first : int
        The row of `x` that the first row of the result sees first; it may lie outside.
    size : (int, int)
        The rows and columns of the result.
    rows, columns : Window

    Yields
    ------
    tuple of slice and array, shape (g, r, rows.size * c * columns.size, results in a row * n)
        Rows of the result, and what their windows see; zeros outside of the image.
    """
    g, c, _, _, n = x.shape
    count, wide = size
    slab = c * columns.size * wide * n  # what all windows of a row see of one row of the image
    at_once = (CHUNK_BYTES // (g * slab * x.itemsize or 1) - rows.span) // rows.stride + 1
    at_once = max(1, min(count, at_once))
    seen = np.empty((g, (at_once - 1) * rows.stride + rows.span, c, columns.size, wide, n), x.dtype)
    step = seen.strides[1]
    for start in range(0, count, at_once):
        r = min(at_once, count - start)
        look(seen, x, first + start * rows.stride, columns)
        stack = as_strided(  # windows share rows of the image; reshape copies only rows that are dilated
            seen,
            (g, r, rows.size, c * columns.size, wide * n),
            (seen.strides[0], rows.stride * step, rows.dilation * step, wide * n * x.itemsize, x.itemsize),
        )
        yield slice(start, start + r), stack.reshape(g, r, rows.size * c * columns.size, wide * n)


def look(seen, x, first, columns):
    """Copy what the windows of each row see of one row of the image after another, beginning with row `first`."""
    h, w, wide = x.shape[2], x.shape[3], seen.shape[4]
    low, high = [min(max(0, k - first), seen.shape[1]) for k in (0, h)]
    seen[:, :low] = 0
    seen[:, high:] = 0
    image = x[:, :, first + low : first + high].swapaxes(1, 2)  # (g, rows, c, w, n)
    for k in range(columns.size):
        results, places = columns.meeting(k, w, wide)
        part = seen[:, low:high, :, k]
        part[:, :, :, : results.start] = 0
        part[:, :, :, results.stop :] = 0
        part[:, :, :, results] = image[:, :, :, places]


def correlate(x, w, b=None, *, stride, padding, dilation, groups):
    """Weigh what each window sees: images (n, c, h, w) and filters (o, c / groups, kh, kw) give maps (n, o, ., .)."""
    rows, columns = windows(w.shape[2:], stride, padding, dilation)
    x = innermost(x, groups)
    n = x.shape[-1]
    tall, wide = rows.count(x.shape[2]), columns.count(x.shape[3])
    filters = w.transpose(0, 2, 1, 3).reshape(groups, 1, len(w) // groups, -1)
    y = np.empty(
        (groups, len(w) // groups, tall, wide * n), np.result_type(x, w) if b is None else np.result_type(x, w, b)
    )
    for part, stack in stacks(x, -rows.padding, (tall, wide), rows, columns):
        maps = y[:, :, part].swapaxes(1, 2)  # (g, rows, o / g, wide * n)
        np.matmul(filters, stack, out=maps)
        if b is not None:
            maps += b.reshape(groups, 1, -1, 1)
    return outermost(y, tall, wide)


def match(x, y, size, *, stride, padding, dilation, groups):
    """Add up what every window saw, times its map: images (n, c, h, w) and maps (n, o, ., .) give filters of a size."""
    o = y.shape[1]
    rows, columns = windows(size, stride, padding, dilation)
    x, y = innermost(x, groups), innermost(y, groups)
    g, c, tall, wide = groups, x.shape[1], *y.shape[2:4]
    maps = y.reshape(g, o // g, tall, -1).transpose(0, 2, 3, 1)  # (g, rows, wide * n, o / g)
    total = np.zeros((g, rows.size * c * columns.size, o // g), np.result_type(x, y))
    for part, stack in stacks(x, -rows.padding, (tall, wide), rows, columns):
        total += np.matmul(stack, maps[:, part]).sum(axis=1)
    filters = total.reshape(g, rows.size, c, columns.size, o // g).transpose(0, 4, 2, 1, 3)
    return filters.reshape(o, c, *size)


def spread(y, w, shape, *, stride, padding, dilation, groups):
    """Send maps (n, o, ., .) back to where the windows looked: images (n, c, *shape).

    Rows of the image that lie a stride apart see the same rows of the filters, and maps that follow
    each other: each such phase is a correlation of its own, along rows; the columns are then added.
    """
    rows, columns = windows(w.shape[2:], stride, padding, dilation)
    n, (tall, wide), o = len(y), y.shape[2:], y.shape[1] // groups
    y = innermost(y, groups).reshape(groups, o, tall, 1, wide * n)
    w = w.reshape(groups, o, *w.shape[1:])  # (g, o / g, c / g, kh, kw)
    c = w.shape[2]
    x = np.zeros((groups, c, *shape, n), np.result_type(y, w))
    for phase in range(rows.stride):
        seeing = [k for k in range(rows.size) if k * rows.dilation % rows.stride == phase][::-1]
        first = max(0, -(-(rows.padding - phase) // rows.stride))  # counted in strides, from the padding's begin
        place = phase - rows.padding + first * rows.stride
        count = len(range(place, shape[0], rows.stride))
        if not seeing or not count:
            continue
        behind = (seeing[0] * rows.dilation - phase) // rows.stride
        along = Window(len(seeing), dilation=rows.dilation // gcd(rows.dilation, rows.stride))
        filters = w[:, :, :, seeing].transpose(0, 2, 4, 3, 1).reshape(groups, 1, c * columns.size, -1)
        for part, stack in stacks(y, first - behind, (count, 1), along, Window(1)):
            sent = np.matmul(filters, stack)
            sent = sent.reshape(*sent.shape[:2], c, columns.size, wide, n)
            start = place + part.start * rows.stride
            image = x[:, :, start : place + part.stop * rows.stride : rows.stride].swapaxes(1, 2)
            for k in range(columns.size):
                results, places = columns.meeting(k, shape[1], wide)
                image[:, :, :, places] += sent[:, :, :, k, results]
    return outermost(x, *shape)
