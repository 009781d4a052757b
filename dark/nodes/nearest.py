"""What to use in place of one of NumPy's functions that has no operation here."""

from dark.errors import near_misses

# What only looks at values, or moves in steps: it has no gradient, and NumPy answers it for the values.
VALUES_ALONE = """
    all allclose any argmax argmin argpartition argsort argwhere around array2string array_equal array_equiv
    array_repr array_str bincount can_cast ceil copyto count_nonzero digitize divmod empty_like fix
    flatnonzero floor floor_divide fmod frexp full_like heaviside histogram iscomplexobj isclose isin isneginf
    isposinf isrealobj lexsort logical_and logical_not logical_or logical_xor may_share_memory modf nanargmax
    nanargmin nextafter nonzero ones_like result_type rint round save savetxt savez searchsorted shares_memory signbit
    spacing trunc unique zeros_like
"""

INSTEAD = {
    "append": "concatenate", "atleast_1d": "reshape", "atleast_2d": "reshape", "atleast_3d": "reshape",
    "average": "mean", "block": "concatenate", "choose": "where", "column_stack": "stack(..., axis=1)",
    "compress": "x[mask]", "convolve": "einsum, or slices and sums",
    "copy": "x itself, which no operation changes", "copysign": "abs and where",
    "corrcoef": "mean and matmul", "cov": "mean and matmul",
    "cross": "products of x[..., 0], x[..., 1], x[..., 2], and stack",
    "cumprod": "exp(cumsum(log(x))), of what is positive",
    "cumulative_prod": "exp(cumsum(log(x))), of what is positive", "delete": "x[index]", "diag": "einsum('ii->i', x)",
    "diagonal": "einsum('ii->i', x)", "diff": "x[1:] - x[:-1]", "dstack": "concatenate", "ediff1d": "x[1:] - x[:-1]",
    "eig": "det, inv, solve or cholesky", "eigh": "det, inv, solve or cholesky",
    "eigvalsh": "det, inv, solve or cholesky", "extract": "x[mask]", "fliplr": "flip(x, 1)", "flipud": "flip(x, 0)",
    "fmax": "maximum", "fmin": "minimum", "gradient": "x[1:] - x[:-1]", "hsplit": "split", "hstack": "concatenate",
    "inner": "tensordot(a, b, axes=(-1, -1))", "insert": "concatenate", "interp": "where", "kron": "einsum and reshape",
    "linspace": "a + (b - a) * t", "logaddexp2": "logaddexp", "lstsq": "solve(x.T @ x, x.T @ y)",
    "matrix_norm": "norm", "matrix_power": "matmul", "matvec": "matmul", "median": "x[place] of the one in the middle",
    "meshgrid": "x[:, None] and y[None, :], which broadcast", "multi_dot": "matmul", "nan_to_num": "where",
    "nanmax": "max, after where", "nanmean": "mean, after where", "nanmin": "min, after where",
    "nansum": "sum, after where", "partition": "x[place]", "percentile": "x[place]", "pinv": "inv or solve",
    "place": "where", "ptp": "max(x) - min(x)", "putmask": "where", "qr": "cholesky(x.T @ x)",
    "quantile": "x[place]", "ravel": "reshape(x, -1)", "real": "x itself, which is real",
    "remainder": "x - y * np.floor(x.value / y)", "resize": "tile and reshape", "roll": "concatenate([x[-n:], x[:-n]])",
    "rollaxis": "moveaxis", "rot90": "flip and transpose", "select": "where",
    "sort": "x[np.argsort(x.value)], or take_along_axis", "svd": "det, inv, solve or cholesky",
    "trace": "einsum('ii', x)", "trapezoid": "sum of (x[1:] + x[:-1]) / 2",
    "tril": "where, or a product with np.tri(n)",
    "triu": "where, or a product with np.tri(n).T", "unstack": "list(x)", "vander": "stack of powers",
    "vdot": "sum(a * b)", "vecdot": "sum(a * b, axis=-1)", "vecmat": "matmul", "vsplit": "split",
    "vstack": "concatenate",
    # methods of ufuncs
    "add.accumulate": "cumsum", "add.reduce": "sum", "logaddexp.reduce": "logsumexp", "maximum.reduce": "max",
    "minimum.reduce": "min", "multiply.outer": "outer", "multiply.reduce": "prod",
}  # fmt: skip


def instead_of(name, known):
    """Say what to use in place of a function of NumPy: the values, something that does nearly the same, or a near name.

    Parameters
    ----------
    name : str
        As in `numpy.name`; of a method of a ufunc, both names.
    known : iterable of str
        The names of what there is.

    Returns
    -------
    str
        A phrase for the `Try:` line of an error.

    Examples
    --------
    >>> instead_of("argmax", ["max", "sum"])
    'np.argmax of x.value; it has no gradient.'
    >>> instead_of("vstack", ["stack"]), instead_of("sums", ["max", "sum"])
    ('use concatenate.', 'use sum.')
    """
    if name in VALUES_ALONE.split():
        return f"np.{name} of x.value; it has no gradient."
    return f"use {INSTEAD.get(name) or near_misses(name.partition('.')[0], sorted(set(known)))}."
