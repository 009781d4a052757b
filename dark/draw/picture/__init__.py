"""Pictures of computational graphs, and of the backward pass step by step.

Reading order: `heat_map_placement` (heat maps in a diagram); `base_picture`, `film_strip`, `one_step` and `widget` (the
backward pass); `explored` (the page of a drawing) and `drawing` (the `Drawing` that displays itself); `class_diagram`.
"""
