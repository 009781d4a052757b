"""Metrics of generative models: of samples, by a classifier or by their distance from real examples.

Reading order: `called_models` (how a metric calls a network), `inception_score`, `encoding_accuracy`; `pyramid`
and `sliced_wasserstein`. The public names are in `dark.metrics`.
"""
