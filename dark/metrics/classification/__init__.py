"""Metrics of classification: accuracy, precision, recall, F-beta, the ROC curve, and those of a confusion matrix.

Reading order: `input_type` (binary, multiclass or multilabel), `accuracy`, `precision_recall`, `fbeta`,
`top_k_categorical_accuracy`, `roc_auc`, `sequence_transform` (outputs with a
time axis), `confusion_matrix` and `confusion_matrix_metrics`. The public names are in `dark.metrics`.
"""
