"""Pictures of computational graphs, and of the backward pass step by step.

Reading order: `dot` (boxes as DOT), `layout` (DOT as SVG), `heat_map_placement` (heat maps in it); `base_picture`,
`film_strip`, `one_step` and `widget` (the backward pass); `drawing` (the `Drawing` that displays itself) and
`draw_graph` (`dark.draw`); `class_diagram`.
"""
