"""The layout of networks and of large graphs: boxes in layers, with modules as frames around them.

The layout is our own: that of Graphviz does not keep the main path of a network straight, and cannot lay out a frame on
its own. Here each module is laid out once, on one level, and is then a box of the level around it.

Reading order: `ranks`, `lanes` and `coordinates` (one level), `level`; `frames` (the levels of modules inside each
other); `contents` (the texts, heat maps and leaves of each box, and what is placed).
"""
