"""Operations of images and signals: convolution, pooling and interpolation along their last axes.

Read `windows` and `im2col`, then `convolution` with `convolution_functions` and `convolution_checks`, and `max_pool`,
`avg_pool` and `interpolation`. Arrays are computed by the fastest formula; on nodes, for derivatives of derivatives,
the plain composition is used. Every function raises a `ShapeError` if shapes do not match.
"""
