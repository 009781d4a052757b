"""Diagrams: boxes with fields and edges between them, laid out by Graphviz or by this package, and drawn in one way.

Reading order: `diagram` (what is drawn, and its looks) and `box_diagram` (graphs); `positions` (what a layout yields);
`layered_layout` with `edge_routes` (our own layout); `dot`, `graphviz_layout`, `webassembly` and `compiled_modules`
(Graphviz); `layout` (the choice); `node_shapes` and `diagram_svg`.
"""
