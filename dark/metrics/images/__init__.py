"""Metrics of images: the similarity of pairs, SSIM and PSNR.

Reading order: `pairs` (checks of a batch), `psnr`, `windows` (sums over the neighborhood of each pixel), `similarity`
(the terms of SSIM) and `ssim`. The public names are in `dark.metrics`.
"""
