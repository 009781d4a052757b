"""Layers of images and signals: convolution, pooling and interpolation along their last axes.

Read `convolution`, then `pooling`. The public names are in `dark.nn`.
"""
