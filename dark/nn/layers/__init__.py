"""Layers: modules with a forward pass, from fully connected to recurrent and attention layers.

Reading order: `linear`, `activations`, `axis_activations`, `prelu`, `flatten` and `dropout`; `batch_norm` and
`layer_norm`; `embedding`; `recurrent_cells` (one time step), `recurrent_base` and `recurrent` (whole sequences);
`attention_masks`, `attention` and `transformer`; `float_dtype` checks the argument `dtype` of all layers. The public
names are in `dark.nn`.
"""
