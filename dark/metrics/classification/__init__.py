"""Metrics of classification: accuracy, precision, recall, F-beta, the ROC curve, and metrics of a confusion matrix.

Reading order: `input_type` (binary, multiclass or multilabel), `accuracy`, `precision_recall`, `roc_auc`,
`sequence_transform` (outputs with a time axis) and `confusion_matrix`. The public names are in `dark.metrics`.
"""
