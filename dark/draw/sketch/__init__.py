"""A pad to draw on in a notebook, and the readings of functions of images.

Reading order: `sketch_picture` (what a function says of an image, and the pad without a kernel), and
`sketch_pad` with its script `sketch_pad.js`, which makes that or a widget.
"""
