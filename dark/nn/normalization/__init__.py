"""Normalization layers.

Reading order: `layer_norm` (over the last axes, or over groups of channels); `batch_norm`, with
`running_statistics`. The public names are in `dark.nn`.
"""
