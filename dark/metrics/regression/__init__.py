"""Metrics of regression: errors of predicted numbers.

Reading order: `mean_absolute_error`, `mean_squared_error`. The public names are in
`dark.metrics`.
"""
