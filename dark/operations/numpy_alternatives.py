"""Replacements for NumPy functions that are not operations; error messages look them up."""

from dark.nodes.protocols import ALTERNATIVES

# Piecewise constant functions and functions that do not return numbers: NumPy computes them from the values.
VALUES_ALONE = """
    all allclose any argmax argmin argpartition argsort argwhere around array2string array_equal array_equiv
    array_repr array_str bincount can_cast ceil common_type count_nonzero diag_indices_from digitize einsum_path fix
    flatnonzero floor floor_divide frexp heaviside histogram histogram2d histogram_bin_edges histogramdd intersect1d
    isclose iscomplex iscomplexobj isin isneginf isposinf isreal isrealobj ix_ lexsort logical_and logical_not
    logical_or logical_xor may_share_memory min_scalar_type modf nanargmax nanargmin nextafter nonzero result_type
    rint round save savetxt savez savez_compressed searchsorted setdiff1d setxor1d shares_memory signbit spacing
    tril_indices_from triu_indices_from trunc union1d unique unique_all unique_counts unique_inverse unique_values
"""

# Functions of complex numbers, or with complex results.
COMPLEX = """
    angle eig eigvals fft fft2 fftn hfft ifft ifft2 ifftn ihfft imag irfft irfft2 irfftn rfft rfft2 rfftn roots
    sort_complex
"""

INSTEAD = {
    "append": "concatenate", "apply_along_axis": "an operation with an axis",
    "apply_over_axes": "an operation with axes", "array_split": "split with a list of indices", "average": "mean",
    "block": "hstack and vstack", "broadcast_arrays": "broadcast_to", "choose": "where", "compress": "x[mask]",
    "cond": "svd", "convolve": "einsum, or slices and sums", "copy": "x itself, which no operation modifies",
    "copysign": "abs and where", "copyto": "where, or fill * ones_like(x); a node cannot be written into an array",
    "corrcoef": "mean and matmul", "correlate": "einsum, or slices and sums", "cov": "mean and matmul",
    "cross": "products of x[..., 0], x[..., 1], x[..., 2], and stack", "cumulative_prod": "cumprod",
    "cumulative_sum": "cumsum", "delete": "x[index]", "diagflat": "diag(ravel(x))",
    "divmod": "x % y, and np.floor_divide of the values", "dsplit": "split(..., axis=2)", "ediff1d": "diff",
    "extract": "x[mask]", "fftshift": "roll", "fill_diagonal": "where(np.eye(n, dtype=bool), value, x)",
    "fliplr": "flip(x, 1)", "flipud": "flip(x, 0)", "fmax": "maximum", "fmin": "minimum",
    "geomspace": "exp of a + (b - a) * t", "gradient": "diff", "hsplit": "split(..., axis=1)",
    "i0": "an operation of your own, whose derivative is the Bessel function i1", "ifftshift": "roll",
    "insert": "concatenate", "interp": "where", "ldexp": "x * 2.0**n", "linspace": "a + (b - a) * t",
    "logaddexp2": "logaddexp", "logspace": "10 ** (a + (b - a) * t)", "lstsq": "solve(x.T @ x, x.T @ y)",
    "matrix_power": "matmul", "matrix_rank": "np.linalg.matrix_rank of x.value",
    "matrix_transpose": "swapaxes(x, -1, -2)", "matvec": "matmul", "median": "sort(x)[len(x) // 2]",
    "meshgrid": "x[:, None] and y[None, :], which broadcast", "multi_dot": "matmul",
    "nancumprod": "cumprod, after nan_to_num(x, nan=1)", "nancumsum": "cumsum, after nan_to_num",
    "nanmax": "max, after where", "nanmean": "mean(x[mask])", "nanmedian": "sort(x[mask])",
    "nanmin": "min, after where", "nanpercentile": "sort(x[mask])", "nanprod": "prod, after nan_to_num(x, nan=1)",
    "nanquantile": "sort(x[mask])", "nanstd": "std(x[mask])", "nansum": "sum, after nan_to_num",
    "nanvar": "var(x[mask])", "partition": "sort", "percentile": "sort(x)[k]", "piecewise": "where",
    "pinv": "svd, inv or solve", "place": "where", "poly": "products of x - root", "polyadd": "a + b",
    "polyder": "x[:-1] * np.arange(n, 0, -1)", "polydiv": "sums and products of coefficients",
    "polyfit": "solve(x.T @ x, x.T @ y), with x = np.vander(...)", "polyint": "x / np.arange(n, 0, -1)",
    "polymul": "outer, and sums of its diagonals", "polysub": "a - b",
    "polyval": "Horner's rule: a loop of y = y * x + c", "ptp": "max(x) - min(x)", "put": "scatter_add, or where",
    "put_along_axis": "scatter_add, or where", "putmask": "where", "quantile": "sort(x)[k]",
    "real": "x itself, which is real", "real_if_close": "x itself, which is real", "resize": "tile and reshape",
    "rollaxis": "moveaxis", "rot90": "flip and transpose", "row_stack": "vstack", "select": "where",
    "tensorinv": "inv and reshape", "tensorsolve": "solve and reshape", "trapezoid": "sum of (x[1:] + x[:-1]) / 2",
    "trim_zeros": "x[start:stop]", "unstack": "list(x)", "unwrap": "x + 2 * np.pi * n", "vander": "stack of powers",
    "vdot": "sum(a * b)", "vecdot": "sum(a * b, axis=-1)", "vecmat": "matmul", "vsplit": "split",
    # methods of ufuncs
    "add.accumulate": "cumsum", "add.at": "scatter_add", "add.reduce": "sum", "logaddexp.reduce": "logsumexp",
    "maximum.reduce": "max", "minimum.reduce": "min", "multiply.accumulate": "cumprod", "multiply.outer": "outer",
    "multiply.reduce": "prod",
}  # fmt: skip

# Of integers and bools; nodes hold floats.
BITWISE = """
    bitwise_and bitwise_count bitwise_or bitwise_xor gcd invert lcm left_shift packbits ravel_multi_index right_shift
    unpackbits unravel_index
"""
MASKS = "parentheses around comparisons: (x > 0) & (x < 1), ~(x > 0); x.value.astype(int) holds integers."

ALTERNATIVES.update(dict.fromkeys(BITWISE.split(), MASKS))
ALTERNATIVES.update({name: f"np.{name} of x.value; it has no gradient." for name in VALUES_ALONE.split()})
ALTERNATIVES.update(dict.fromkeys(COMPLEX.split(), "two nodes, a real and an imaginary part: nodes hold real numbers."))
ALTERNATIVES.update({name: f"use {advice}." for name, advice in INSTEAD.items()})
