"""A pad to draw on in a notebook, and what functions of images read on it.

Reading order: `sketch_picture` (what a function says of an image, and the pad without a kernel), `sketch_widget` and
its script `sketch_pad.js`, and `sketch_pad`, which makes one of both.
"""
