"""Pictures of computational graphs, and of the backward pass step by step.

Reading order: `base_picture`, `pytorch_pass` (the pass of a loss of PyTorch), `film_strip`, `one_step` and `widget`
(the backward pass); `explored` (the page of a drawing), `drawing` (the `Drawing` that displays itself) and
`graph_drawing` (that of a graph); `class_diagram`.
"""
