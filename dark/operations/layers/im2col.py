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

from dark.operations.layers.windows import Window, windows

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
    tall, wide = size
    slab_bytes = g * c * columns.size * wide * n * x.itemsize  # what a row of windows sees of one row of the image
    at_once = (CHUNK_BYTES // (slab_bytes or 1) - rows.span) // rows.stride + 1
    at_once = max(1, min(tall, at_once))
    seen = np.empty((g, (at_once - 1) * rows.stride + rows.span, c, columns.size, wide, n), x.dtype)
    for start in range(0, tall, at_once):
        stop = min(start + at_once, tall)
        look(seen, x, first + start * rows.stride, columns)
        yield slice(start, stop), stacked(seen, stop - start, rows)


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


def stacked(seen, count, rows):
    """View the rows of an image that each row of windows sees as one matrix; they are copied only if dilated."""
    g, _, c, width, wide, n = seen.shape
    step, number = seen.strides[1], seen.itemsize
    strides = (seen.strides[0], rows.stride * step, rows.dilation * step, wide * n * number, number)
    view = as_strided(seen, (g, count, rows.size, c * width, wide * n), strides)
    return view.reshape(g, count, rows.size * c * width, wide * n)


def correlate(x, w, b=None, *, stride, padding, dilation, groups):
    """Weigh what each window sees: images (n, c, h, w) and filters (o, c / groups, kh, kw) give maps (n, o, ., .)."""
    rows, columns = windows(w.shape[2:], stride, padding, dilation)
    x = innermost(x, groups)
    tall, wide, o = rows.count(x.shape[2]), columns.count(x.shape[3]), len(w) // groups
    filters = w.transpose(0, 2, 1, 3).reshape(groups, 1, o, -1)
    dtype = np.result_type(*[v for v in (x, w, b) if v is not None])
    y = np.empty((groups, o, tall, wide * x.shape[4]), dtype)
    for part, stack in stacks(x, -rows.padding, (tall, wide), rows, columns):
        maps = y[:, :, part].swapaxes(1, 2)  # (g, r, o / g, wide * n)
        np.matmul(filters, stack, out=maps)
        if b is not None:
            maps += b.reshape(groups, 1, o, 1)
    return outermost(y, tall, wide)


def match(x, y, size, *, stride, padding, dilation, groups):
    """Add up what every window saw, times its map: images (n, c, h, w) and maps (n, o, ., .) give filters of a size."""
    rows, columns = windows(size, stride, padding, dilation)
    x, y = innermost(x, groups), innermost(y, groups)
    (g, o, tall, wide, n), c = y.shape, x.shape[1]
    maps = y.reshape(g, o, tall, wide * n).transpose(0, 2, 3, 1)  # (g, tall, wide * n, o / g)
    total = np.zeros((g, rows.size * c * columns.size, o), np.result_type(x, y))
    for part, stack in stacks(x, -rows.padding, (tall, wide), rows, columns):
        total += np.matmul(stack, maps[:, part]).sum(axis=1)
    filters = total.reshape(g, rows.size, c, columns.size, o).transpose(0, 4, 2, 1, 3)
    return filters.reshape(g * o, c, *size)


def spread(y, w, shape, *, stride, padding, dilation, groups):
    """Send maps (n, o, ., .) back to where the windows looked: images (n, c, *shape).

    Rows of an image that lie a stride apart are seen by the same places of the windows, in maps that
    follow each other: what arrives in such rows is a correlation down the maps. Columns are added up.
    """
    rows, columns = windows(w.shape[2:], stride, padding, dilation)
    y = innermost(y, groups)
    g, o, tall, wide, n = y.shape
    y = y.reshape(g, o, tall, 1, wide * n)  # as an image of one column
    w = w.reshape(g, o, *w.shape[1:])  # (g, o / g, c / g, kh, kw)
    x = np.zeros((g, w.shape[2], *shape, n), np.result_type(y, w))
    for start in range(min(rows.stride, shape[0])):
        ahead = [
            start + rows.padding - k * rows.dilation for k in range(rows.size)
        ]  # of the maps, in rows of the image
        seeing = [k for k in reversed(range(rows.size)) if ahead[k] % rows.stride == 0]
        if not seeing:
            continue
        image = x[:, :, start :: rows.stride].swapaxes(1, 2)  # (g, r, c / g, w, n)
        along = Window(len(seeing), dilation=rows.dilation // gcd(rows.dilation, rows.stride))
        filters = w[:, :, :, seeing].transpose(0, 2, 4, 3, 1).reshape(g, 1, -1, len(seeing) * o)
        for part, stack in stacks(y, ahead[seeing[0]] // rows.stride, (image.shape[1], 1), along, Window(1)):
            sent = np.matmul(filters, stack)
            sent = sent.reshape(*sent.shape[:2], w.shape[2], columns.size, wide, n)
            for k in range(columns.size):
                results, places = columns.meeting(k, shape[1], wide)
                image[:, part, :, places] += sent[:, :, :, k, results]
    return outermost(x, *shape)
