"""Diagrams: boxes, frames, edges and texts, laid out by Graphviz or by this package, and drawn in one way.

Reading order: `diagram` (what is drawn, and its looks); `positions` (what a layout yields); `edge_routes` (of our own
layout); `cards` (networks and large graphs, with their layout); `dot`, `graphviz_layout`, `webassembly` and
`compiled_modules` (Graphviz); `layout` (our own, and the choice); `node_shapes`, `card_svg` and `diagram_svg`.
"""
