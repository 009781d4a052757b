"""PyTorch's arguments for the functions of dark, where they differ: names, orders, defaults.

An adapter answers NotImplemented for settings that dark does not have.
"""

import numpy as np

import dark as d


def each(function):
    """Return a function of several arrays, which also come as one list."""
    return lambda *xs: function(*(xs[0] if isinstance(xs[0], list) else xs))


def of_dtype(x, bound):
    """Return a bound in the dtype of x: arrays of integers promote to float64 in NumPy, and not in PyTorch."""
    return bound.astype(x.dtype) if getattr(bound, "dtype", x.dtype).kind == "i" else bound


def axes(dim):
    """Return PyTorch's `dim`, where an empty list stands for all axes."""
    return None if dim in (None, [], ()) else tuple(dim) if isinstance(dim, (list, tuple)) else dim


def reduction(function):
    """Return a reduction with PyTorch's names of arguments."""
    return lambda x, dim=None, keepdim=False: function(x, axes(dim), keepdim)


def spread(function):
    """Return `std` or `var` with PyTorch's names of arguments."""

    def adapted(x, dim=None, unbiased=None, *, correction=1, keepdim=False):
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        ddof = correction if unbiased is None else int(unbiased)
        return function(x, axes(dim), ddof=1 if ddof is None else ddof, keepdims=keepdim)

    return adapted


def extreme(function):
    """Return `max` or `min` along one axis, without the indices."""
    return lambda x, dim, keepdim=False: function(x, dim, keepdim)


def sizes(shape):
    """Return a shape that is given as a sequence or as arguments."""
    return shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape


def expanded(x, *shape):
    """Expand, where -1 keeps a size."""
    shape = sizes(shape)
    return d.broadcast_to(x, [m if n == -1 else n for n, m in zip(shape, (1,) * (len(shape) - x.ndim) + x.shape)])


def flattened(x, start_dim=0, end_dim=-1):
    """Join axes."""
    shape = x.shape or (1,)
    first, last = start_dim % len(shape), end_dim % len(shape)
    return d.reshape(x, (*shape[:first], int(np.prod(shape[first : last + 1])), *shape[last + 1 :]))


def softplus(x, beta=1, threshold=20):
    """Compute softplus where PyTorch does not replace it with x."""
    return d.softplus(beta * x) / beta if np.all(np.asarray(x.value) * beta <= threshold) else NotImplemented


def padded(x, pad, mode="constant", value=None):
    """Pad, the last axis first."""
    pairs = np.reshape(pad, (-1, 2))[::-1].tolist()
    return d.pad(x, [(0, 0)] * (x.ndim - len(pairs)) + pairs, mode, 0.0 if value is None else value)


def split(x, size, dim=0):
    """Split into parts of a size, or of several."""
    ends = np.cumsum(size)[:-1] if isinstance(size, (list, tuple)) else range(size, x.shape[dim], size)
    return d.split(x, list(ends), dim)


def chunk(x, chunks, dim=0):
    """Split into parts of equal sizes."""
    return split(x, -(-x.shape[dim] // chunks), dim)


def ordered(x, dim=-1, descending=False, stable=None):
    """Sort, without the indices."""
    return d.flip(d.sort(x, dim), dim) if descending else d.sort(x, dim)


def layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Normalize the last axes."""
    weight = np.ones(normalized_shape, x.dtype) if weight is None else weight
    return d.layer_norm(x, weight, np.zeros(normalized_shape, x.dtype) if bias is None else bias, eps)


def rms_norm(x, normalized_shape, weight=None, eps=None):
    """Divide by the root mean square of the last axes."""
    return d.rms_norm(x, np.ones(normalized_shape, x.dtype) if weight is None else weight, eps)


def instance_norm(
    x, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5
):
    """Normalize each channel of each example."""
    return d.group_norm(x, x.shape[1], weight, bias, eps) if use_input_stats else NotImplemented


def batch_norm(x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Normalize a batch."""
    if not training or x.ndim < 2:
        return NotImplemented
    n = x.shape[1]
    weight = np.ones(n, x.dtype) if weight is None else weight
    return d.batch_norm(x, weight, np.zeros(n, x.dtype) if bias is None else bias, eps)


def attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, enable_gqa=False):
    """Compute scaled dot-product attention."""
    return NotImplemented if dropout_p or enable_gqa else d.attention(q, k, v, attn_mask, is_causal)


def maxima(function):
    """Return a maximum pooling, without the indices."""

    def adapted(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        return function(x, kernel_size, stride, padding, dilation, ceil_mode=ceil_mode)

    return adapted


def averages(function):
    """Return an average pooling."""

    def adapted(x, size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        settings = {"ceil_mode": ceil_mode, "count_include_pad": count_include_pad}
        return NotImplemented if divisor_override else function(x, size, stride, padding, **settings)

    return adapted


def interpolated(mode):
    """Return the interpolation with a mode."""

    def adapted(x, size=None, scale_factor=None, mode=mode, align_corners=None, recompute_scale_factor=None):
        return NotImplemented if recompute_scale_factor else d.interpolate(x, size, scale_factor, mode, align_corners)

    return adapted


def product(a, b, c, beta=1, alpha=1):
    """Add a matrix product."""
    return beta * a + alpha * d.matmul(b, c)


def mirrored(x, is_mirrored=True):
    """Return the transposed matrices."""
    return d.swapaxes(x, -1, -2) if is_mirrored else x


def symmetric(x):
    """Make a matrix symmetric, as PyTorch's own tests do."""
    return x + mirrored(x)


def svd(x, full_matrices=True):
    """Decompose into singular values and vectors, where these are unique up to their signs."""
    is_unique = not full_matrices or x.shape[-1] == x.shape[-2]
    return d.svd(x, full_matrices) if is_unique else NotImplemented


def norm(x, p="fro", dim=None, keepdim=False):
    """Compute a norm of vectors, or the nuclear norm of matrices."""
    if p == "nuc":
        return d.norm(x, p, axes(dim), keepdim)
    return d.vector_norm(x, ord=2 if p in ("fro", None) else p, axis=axes(dim), keepdims=keepdim)


def index_add(x, dim, index, source, alpha=1):
    """Add slices at indices along an axis."""
    places = (slice(None),) * (dim % max(x.ndim, 1)) + (index,)
    return x + alpha * d.scatter_add(source, places, x.shape) if x.ndim else NotImplemented


def scatter_add(x, dim, index, source):
    """Add elements at indices along an axis."""
    if not x.ndim or not index.ndim:
        return NotImplemented
    places = list(np.indices(index.shape))
    places[dim] = index
    return x + d.scatter_add(source[tuple(map(slice, index.shape))], tuple(places), x.shape)


def loss(function, *names):
    """Return a loss function with arguments of these names besides `reduction`."""

    def adapted(x, target, *rest, reduction="mean", **settings):
        return (
            NotImplemented
            if rest or settings.keys() - set(names)
            else function(x, target, reduction=reduction, **settings)
        )

    return adapted
