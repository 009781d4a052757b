"""Fused operations of layers: linear, convolution, pooling, normalization, recurrent cells, attention, losses."""
