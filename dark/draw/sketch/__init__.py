"""A pad to draw on in a notebook, and what functions of images read on it.

Reading order: `readings` (what a function says of an image, as plain data), `sketch_picture` (the pad without a
kernel), `sketch_widget` and its script `sketch_pad.js`, and `sketch_pad`, which makes one of both.
"""
