"""Metrics of images: the similarity of pairs, SSIM and PSNR.

Reading order: `psnr`, `similarity` (the terms of SSIM) and `ssim`. The public names are in `dark.metrics`.
"""
