"""Layers of images and signals: convolution, pooling and interpolation along their last axes.

Read `convolution`, with `convolution_settings`; then `pooling`, which also has `Upsample`. The
public names are in `dark.nn`.
"""
