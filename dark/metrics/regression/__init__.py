"""Metrics of regression, the errors of predicted numbers: `mean_errors`. The public names are in `dark.metrics`."""
