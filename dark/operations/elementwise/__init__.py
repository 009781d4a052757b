"""Elementwise functions: arithmetic, exponentials, trigonometry, activation functions, selection.

Read `arithmetic` first, then any family. Every function takes nodes, floats or arrays whose shapes broadcast and
returns a node of the broadcast shape; it raises a `ShapeError` if they do not broadcast. Outside its domain a function
returns inf or NaN, as NumPy does.
"""
