"""Array operations: reductions, shapes, axes, indexing, concatenation, padding."""
