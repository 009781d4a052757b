"""Operations on arrays: shapes, axes, stacks, indexing, padding, shifts, sorting, diagonals, reductions.

Read `shapes`, `indexing` and `reductions`; the others follow their pattern. `x` is a node, float or array of any shape,
and each function returns a node; only `ones_like` and its siblings in `casting` return arrays. Every function raises a
`ShapeError` for an axis that is out of bounds, and a `ValueTypeError` for an axis, count or length that is not an
integer.
"""
