"""Metrics: how well it goes, from what an engine puts out, exact over batches of unequal sizes.

Reading order: `metric` (what a metric is), `usages` (when it is reset, updated and computed), `accuracy` (one of
them), `algebra` (signs between metrics), `outputs` and `saving` (what is checked and what is saved).
"""

from dark.errors import NotComputableError
from dark.metrics.usages import (
    BatchFiltered,
    BatchWise,
    EpochWise,
    MetricUsage,
    RunningBatchWise,
    RunningEpochWise,
    SingleEpochRunningBatchWise,
)
from dark.metrics.metric import Metric, MetricsLambda
from dark.metrics.accumulation import Average, GeometricAverage, VariableAccumulation
from dark.metrics.accuracy import Accuracy
from dark.metrics.confusion_matrix import (
    ConfusionMatrix,
    DiceCoefficient,
    IoU,
    JaccardIndex,
    cmAccuracy,
    cmPrecision,
    cmRecall,
    mIoU,
)
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
