"""Pictures of computational graphs, and of the backward pass step by step.

Reading order: `dot` (boxes as DOT), `layout` (DOT as SVG), `heat_map_placement` (heat maps in it); `base_picture`,
`film_strip`, `one_step` and `widget` (the backward pass); `explored` (the page of a drawing) and `drawing` (the
`Drawing` that displays itself); `class_diagram`.
"""
