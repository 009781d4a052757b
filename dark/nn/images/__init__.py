"""Layers of images and signals: convolution, pooling and interpolation along their last axes.

Read `convolution` and `transposed_convolution`, with `convolution_settings` and `padding_modes`; then `pooling` and
`upsample`. The public names are in `dark.nn`.
"""
