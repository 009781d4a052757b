"""Fused operations of networks: one node in place of many.

Read `linear` and `activations`; then normalization (`layer_norm`, `batch_norm`), recurrence (`sequences`,
`rnn`, `gru`, `lstm`), `attention`, and the fused `losses`. Arrays are computed by the fastest formula; on nodes, for
derivatives of derivatives, the plain composition is used. Every function raises a `ShapeError` if shapes do not match.
"""
