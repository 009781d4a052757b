"""Metrics computed from an engine's output, exact over batches of unequal sizes.

Reading order: `metric` (the base class), `usages` (when a metric is reset, updated and computed), `accuracy` (an
example), `arithmetic` and `metrics_lambda` (operators between metrics), `outputs` (checks of outputs), `metric_state`
(state dicts).
"""

from dark.errors import NotComputableError
from dark.metrics.usages import (
    BatchFiltered, BatchWise, EpochWise, MetricUsage, RunningBatchWise, RunningEpochWise, SingleEpochRunningBatchWise,
)  # fmt: skip
from dark.metrics.metric import Metric
from dark.metrics.metrics_lambda import MetricsLambda
from dark.metrics.accumulation import Average, GeometricAverage, VariableAccumulation
from dark.metrics.accuracy import Accuracy
from dark.metrics.confusion_matrix import ConfusionMatrix
from dark.metrics.confusion_matrix_metrics import (
    DiceCoefficient, IoU, JaccardIndex, cmAccuracy, cmPrecision, cmRecall, mIoU,
)  # fmt: skip
from dark.metrics.epoch_metric import EpochMetric, EpochMetricWarning
from dark.metrics.fbeta import Fbeta
from dark.metrics.frequency import Frequency
from dark.metrics.loss import Loss
from dark.metrics.mean_absolute_error import MeanAbsoluteError
from dark.metrics.mean_squared_error import MeanSquaredError
from dark.metrics.metric_group import MetricGroup
from dark.metrics.precision import Precision
from dark.metrics.recall import Recall
from dark.metrics.root_mean_squared_error import RootMeanSquaredError
from dark.metrics.running_average import RunningAverage
from dark.metrics.top_k_categorical_accuracy import TopKCategoricalAccuracy

__all__ = [
    "Accuracy", "Average", "BatchFiltered", "BatchWise", "ConfusionMatrix", "DiceCoefficient", "EpochMetric",
    "EpochMetricWarning", "EpochWise", "Fbeta", "Frequency", "GeometricAverage", "IoU", "JaccardIndex", "Loss",
    "MeanAbsoluteError", "MeanSquaredError", "Metric", "MetricGroup", "MetricUsage", "MetricsLambda",
    "NotComputableError", "Precision", "Recall", "RootMeanSquaredError", "RunningAverage", "RunningBatchWise",
    "RunningEpochWise", "SingleEpochRunningBatchWise", "TopKCategoricalAccuracy", "VariableAccumulation",
    "cmAccuracy", "cmPrecision", "cmRecall", "mIoU",
]  # fmt: skip
