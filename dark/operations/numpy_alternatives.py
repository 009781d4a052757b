"""What to use in place of a NumPy function that is not an operation; error messages look it up."""

from dark.nodes.protocols import ALTERNATIVES

# Piecewise constant functions and functions that do not return numbers: NumPy computes them from the values.
VALUES_ALONE = """
    all allclose any argmax argmin argpartition argsort argwhere around array2string array_equal array_equiv
    array_repr array_str bincount can_cast ceil copyto count_nonzero digitize divmod empty_like fix
    flatnonzero floor floor_divide frexp full_like heaviside histogram iscomplexobj isclose isin isneginf
    isposinf isrealobj lexsort logical_and logical_not logical_or logical_xor may_share_memory modf nanargmax
    nanargmin nextafter nonzero ones_like result_type rint round save savetxt savez searchsorted shares_memory signbit
    spacing trunc unique zeros_like
"""

INSTEAD = {
    "append": "concatenate", "atleast_1d": "reshape", "atleast_2d": "reshape", "atleast_3d": "reshape",
    "average": "mean", "block": "concatenate", "choose": "where", "column_stack": "stack(..., axis=1)",
    "compress": "x[mask]", "convolve": "einsum, or slices and sums",
    "copy": "x itself, which no operation modifies", "copysign": "abs and where",
    "corrcoef": "mean and matmul", "cov": "mean and matmul",
    "cross": "products of x[..., 0], x[..., 1], x[..., 2], and stack",
    "cumprod": "exp(cumsum(log(x))), for positive elements",
    "cumulative_prod": "exp(cumsum(log(x))), for positive elements", "delete": "x[index]", "diag": "einsum('ii->i', x)",
    "diagonal": "einsum('ii->i', x)", "diff": "x[1:] - x[:-1]", "dstack": "concatenate", "ediff1d": "x[1:] - x[:-1]",
    "eig": "det, inv, solve or cholesky", "eigh": "det, inv, solve or cholesky",
    "eigvalsh": "det, inv, solve or cholesky", "extract": "x[mask]", "fliplr": "flip(x, 1)", "flipud": "flip(x, 0)",
    "fmax": "maximum", "fmin": "minimum", "gradient": "x[1:] - x[:-1]", "hsplit": "split", "hstack": "concatenate",
    "inner": "tensordot(a, b, axes=(-1, -1))", "insert": "concatenate", "interp": "where", "kron": "einsum and reshape",
    "linspace": "a + (b - a) * t", "logaddexp2": "logaddexp", "lstsq": "solve(x.T @ x, x.T @ y)",
    "matrix_norm": "norm", "matrix_power": "matmul", "matvec": "matmul",
    "median": "x[np.argsort(x.value)[len(x) // 2]]",
    "meshgrid": "x[:, None] and y[None, :], which broadcast", "multi_dot": "matmul", "nan_to_num": "where",
    "nanmax": "max, after where", "nanmean": "mean, after where", "nanmin": "min, after where",
    "nansum": "sum, after where", "partition": "x[np.argsort(x.value)[k]]",
    "percentile": "x[np.argsort(x.value)[k]]", "pinv": "inv or solve",
    "place": "where", "ptp": "max(x) - min(x)", "putmask": "where", "qr": "cholesky(x.T @ x)",
    "quantile": "x[np.argsort(x.value)[k]]", "ravel": "reshape(x, -1)", "real": "x itself, which is real",
    "resize": "tile and reshape", "roll": "concatenate([x[-n:], x[:-n]])",
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

ALTERNATIVES.update({name: f"np.{name} of x.value; it has no gradient." for name in VALUES_ALONE.split()})
ALTERNATIVES.update({name: f"use {advice}." for name, advice in INSTEAD.items()})
