"""Linear algebra: matrix products, einsum, inverses, determinants, norms."""
