"""Pictures of computational graphs, and of the backward pass step by step.

Reading order: `traverse` and `boxes` (a graph as plain data), `box_fields` and `dot` (boxes as DOT), `layout` (DOT as
SVG), `heat_map_placement` (heat maps in it), `png_pdf`; `descriptions` and `node_table` (the graph in words);
`near_root` and `grouping` (large graphs); `contributions`, `backward_steps`, `base_picture`, `film_strip` and `widget`
(the backward pass); `drawing` (the `Drawing` that displays itself) and `draw_graph` (`dark.draw`); `class_diagram`.
"""
