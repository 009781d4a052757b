"""Operations of images and signals: convolution, pooling and interpolation along their last axes.

Read `image_checks` (windows) and `im2col`, then `convolution`, `convolution_functions` and `convolution1d`, with their
checks in `convolution_checks`; then `max_pool`, `avg_pool` and `interpolation`. Arrays are computed by the fastest
formula; on nodes, for derivatives of derivatives, the plain composition is used. Every function raises a `ShapeError`
if shapes do not match.
"""
