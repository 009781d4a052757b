"""Which outputs of modules are kept, and how they are obtained.

Reading order: `rules` (what to keep), `leaves` and `forward_calls` (outputs in training, and their names),
`unchanged` (calls that leave no trace), `samples` and `exemplars` (outputs for chosen examples).
"""
