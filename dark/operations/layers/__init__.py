"""Fused operations of networks: one node in place of many.

Read `linear`, `softmax`, `prelu` and `glu`; then normalization (`standardize`, `layer_norm`, `rms_norm`, `batch_norm`,
`group_norm`), recurrence (`sequences`, `rnn`, `gru`, `lstm`), `attention`, and the fused losses (`cross_entropy`,
`binary_cross_entropy`, `huber`). Arrays are computed by the fastest formula; on nodes, for derivatives of derivatives,
the plain composition is used. Every function raises a `ShapeError` if shapes do not match.
"""
