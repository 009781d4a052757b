"""Convolution of arrays by im2col: the inputs of each window become a column of a matrix.

Three functions, each linear in both arrays, and each the adjoint of the others: `correlate` (images and filters give
outputs), `correlate_transposed` (outputs and filters give images), `correlate_filters` (images and outputs give
filters). The batch is the last axis in memory, (channels, height, width, batch), and results are views of such
arrays: a shift of the window by a pixel then moves contiguous memory. Only the columns of a window are copied; its
rows are contiguous, so that a view stacks them.
"""

import math
from math import gcd

import numpy as np
from numpy.lib.stride_tricks import as_strided

from dark.operations.images.image_checks import Window, windows

CHUNK_BYTES = 1 << 21  # of columns at a time, so that they are still in the cache for the matrix product
# Up to a million multiplications, OpenBLAS multiplies matrices without copying them first: then each column of the
# result is a product of its own, unless it is so small that the calls cost more. Where the batch is whole registers
# and the sums are not cut into parts, the bits equal a single product's on most processors, and are close on all.
SMALL_PRODUCT = 50_000, 1_000_000
REGISTERS, LONGEST_SUM = 16, 320


def batch_last(x, groups=1):
    """Return images (n, c, h, w) as (groups, c / groups, h, w, n), contiguous; copied only if needed."""
    n, c, h, w = x.shape
    return np.ascontiguousarray(x.transpose(1, 2, 3, 0)).reshape(groups, c // groups, h, w, n)


def batch_first(x, h, w, n):
    """View an array (groups, c, ..., n) with the batch last in memory as images (n, groups * c, h, w)."""
    return x.reshape(x.shape[0] * x.shape[1], h, w, n).transpose(3, 0, 1, 2)


def column_blocks(x, first, size, rows, columns, by_column=False):
    """Yield the im2col matrix of images (g, c, h, w, n), some rows of the result, of (rows, columns) `size`, at a time.

    `first` is the row of `x` that the first row of the result depends on; outside, there are zeros. With each slice of
    rows comes a matrix (g, r, 1, rows.size * c * columns.size, results in a row * n); `by_column`, there is one for
    each column of the result: (g, r, results in a row, rows.size * c * columns.size, n).
    """
    g, c, _, _, n = x.shape
    out_height, out_width = size
    # the inputs of a row of windows in one row of the image
    slab_bytes = g * c * columns.size * out_width * n * x.itemsize
    at_once = (CHUNK_BYTES // (slab_bytes or 1) - rows.span) // rows.stride + 1
    at_once = max(1, min(out_height, at_once))
    shape = (g, (at_once - 1) * rows.stride + rows.span, c, columns.size, out_width, n)
    if by_column:
        columns_buffer = np.empty((out_width, *shape[:4], n), x.dtype).transpose(1, 2, 3, 4, 0, 5)
    else:
        columns_buffer = np.empty(shape, x.dtype)
    for start in range(0, out_height, at_once):
        stop = min(start + at_once, out_height)
        fill_columns(columns_buffer, x, first + start * rows.stride, columns)
        yield slice(start, stop), as_columns(columns_buffer, stop - start, rows)


def fill_columns(columns_buffer, x, first, columns):
    """Copy the inputs of the windows, one row of the image after the other, starting with row `first`."""
    h, w, out_width = x.shape[2], x.shape[3], columns_buffer.shape[4]
    low, high = [min(max(0, k - first), columns_buffer.shape[1]) for k in (0, h)]
    columns_buffer[:, :low] = 0
    columns_buffer[:, high:] = 0
    image = x[:, :, first + low : first + high].swapaxes(1, 2)  # (g, rows, c, w, n)
    for k in range(columns.size):
        outputs, inputs = columns.tap_slices(k, w, out_width)
        part = columns_buffer[:, low:high, :, k]
        part[:, :, :, : outputs.start] = 0
        part[:, :, :, outputs.stop :] = 0
        part[:, :, :, outputs] = image[:, :, :, inputs]


def as_columns(columns_buffer, count, rows):
    """View the rows of the buffer that each row of windows depends on as one matrix; copied only with a dilation.

    Where columns of the result come first in memory, each has a matrix.
    """
    g, _, c, width, out_width, n = columns_buffer.shape
    of_group, step, _, tap, of_column, number = columns_buffer.strides
    matrices, length = (out_width, n) if of_column > step else (1, out_width * n)
    strides = (of_group, rows.stride * step, of_column, rows.dilation * step, tap, number)
    view = as_strided(columns_buffer, (g, count, matrices, rows.size, c * width, length), strides)
    return view.reshape(g, count, matrices, rows.size * c * width, length)


def correlate(x, w, b=None, *, stride, padding, dilation, groups):
    """Cross-correlate images (n, c, h, w) and filters (o, c / groups, kh, kw): outputs (n, o, ., .)."""
    rows, columns = windows(w.shape[2:], stride, padding, dilation)
    x = batch_last(x, groups)
    out_height, out_width, o = rows.count(x.shape[2]), columns.count(x.shape[3]), len(w) // groups
    depth, n = math.prod(w.shape[1:]), x.shape[4]
    filters = w.transpose(0, 2, 1, 3).reshape(groups, 1, 1, o, depth)
    dtype = np.result_type(*[v for v in (x, w, b) if v is not None])
    is_small = SMALL_PRODUCT[0] <= o * depth * n <= SMALL_PRODUCT[1]
    by_column = is_small and n >= 2 * REGISTERS and n % REGISTERS == 0 and depth <= LONGEST_SUM
    y = np.empty((groups, o, out_height, out_width if by_column else 1, n if by_column else out_width * n), dtype)
    for part, stack in column_blocks(x, -rows.padding, (out_height, out_width), rows, columns, by_column):
        maps = y[:, :, part].transpose(0, 2, 3, 1, 4)  # (g, r, 1, o / g, wide * n), or (g, r, wide, o / g, n)
        np.matmul(filters, stack, out=maps)
        if b is not None:
            maps += b.reshape(groups, 1, 1, o, 1)
    return batch_first(y, out_height, out_width, n)


def correlate_filters(x, y, size, *, stride, padding, dilation, groups):
    """Compute the gradient of the filters: images (n, c, h, w) and outputs (n, o, ., .) give filters of a size."""
    rows, columns = windows(size, stride, padding, dilation)
    x, y = batch_last(x, groups), batch_last(y, groups)
    (g, o, out_height, out_width, n), c = y.shape, x.shape[1]
    maps = y.reshape(g, o, out_height, out_width * n).transpose(0, 2, 3, 1)  # (g, tall, wide * n, o / g)
    total = np.zeros((g, rows.size * c * columns.size, o), np.result_type(x, y))
    for part, stack in column_blocks(x, -rows.padding, (out_height, out_width), rows, columns):
        total += np.matmul(stack[:, :, 0], maps[:, part]).sum(axis=1)
    filters = total.reshape(g, rows.size, c, columns.size, o).transpose(0, 4, 2, 1, 3)
    return filters.reshape(g * o, c, *size)


def correlate_transposed(y, w, shape, *, stride, padding, dilation, groups):
    """Compute the gradient of the images: outputs (n, o, ., .) and filters give images (n, c, *shape).

    Rows of an image that are a stride apart depend on the same rows of the filters, in consecutive rows of the
    outputs: their gradient is a correlation along the outputs. Columns are summed.
    """
    rows, columns = windows(w.shape[2:], stride, padding, dilation)
    y = batch_last(y, groups)
    g, o, out_height, out_width, n = y.shape
    y = y.reshape(g, o, out_height, 1, out_width * n)  # as an image of one column
    w = w.reshape(g, o, *w.shape[1:])  # (g, o / g, c / g, kh, kw)
    x = np.zeros((g, w.shape[2], *shape, n), np.result_type(y, w))
    for start in range(min(rows.stride, shape[0])):
        # of the outputs, in rows of the image
        offsets = [start + rows.padding - k * rows.dilation for k in range(rows.size)]
        taps = [k for k in reversed(range(rows.size)) if offsets[k] % rows.stride == 0]
        if not taps:
            continue
        image = x[:, :, start :: rows.stride].swapaxes(1, 2)  # (g, r, c / g, w, n)
        along = Window(len(taps), dilation=rows.dilation // gcd(rows.dilation, rows.stride))
        filters = w[:, :, :, taps].transpose(0, 2, 4, 3, 1).reshape(g, 1, w.shape[2] * columns.size, len(taps) * o)
        for part, stack in column_blocks(y, offsets[taps[0]] // rows.stride, (image.shape[1], 1), along, Window(1)):
            sent = np.matmul(filters, stack[:, :, 0])
            sent = sent.reshape(*sent.shape[:2], w.shape[2], columns.size, out_width, n)
            for k in range(columns.size):
                outputs, inputs = columns.tap_slices(k, shape[1], out_width)
                image[:, part, :, inputs] += sent[:, :, :, k, outputs]
    return batch_first(x, shape[0], shape[1], n)
