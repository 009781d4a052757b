"""Layers: modules with a forward pass, from fully connected to recurrent and attention layers.

Reading order: `linear`, `activations`, `axis_activations`, `flatten`, `dropout` and `embedding`;
`recurrent_cells` (one time step), `recurrent_base` and `recurrent` (whole sequences); `attention` and
`transformer`. The public names are in `dark.nn`.
"""
