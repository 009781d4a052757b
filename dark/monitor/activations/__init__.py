"""Which outputs of modules are kept, and how they are obtained.

Reading order: `rules` (what to keep), `forward_calls` (outputs in training, and their names),
`samples` and `exemplars` (outputs for chosen examples).
"""
