"""Diagrams: boxes with fields and edges between them, laid out by Graphviz or by this package, and drawn in one way.

Reading order: `diagram` (what is drawn, and its looks); `positions` (what a layout yields); `edge_routes` (of our own
layout); `dot`, `graphviz_layout`, `webassembly` and `compiled_modules` (Graphviz); `layout` (our own, and the choice);
`node_shapes` and `diagram_svg`.
"""
