"""Normalization layers.

Reading order: `layer_norm` and `rms_norm` (over the last axes); `group_norm` (over groups of channels); `batch_norm`
and `instance_norm`, with `running_statistics`. The public names are in `dark.nn`.
"""
