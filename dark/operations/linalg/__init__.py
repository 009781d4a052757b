"""Linear algebra: matrix products, einsum, inverses, determinants, factorizations, norms.

Read `matmul` first. Matrices are the last two axes of an array; leading axes are batch dimensions. Every function
raises a `ShapeError` if the shapes do not match.
"""
