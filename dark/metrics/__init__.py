"""Metrics computed from an engine's output, exact over batches of unequal sizes.

Reading order: `metric` (the base class), `usages` (when a metric is reset, updated and computed), `outputs` (checks
of outputs and options), `means` (examples); `classification`; `images`, with `similarity`; `generative`; `arithmetic`
and `metrics_lambda` (operators between metrics, and groups); `accumulation`, `epoch_metric`, `running_average` and
`frequency`; `metric_state` (state dicts, how they are merged). Each subpackage gives its own reading order.
"""

from typing import TYPE_CHECKING

from dark.errors import NotComputableError
from dark.metrics.usages import (
    BatchFiltered, BatchWise, EpochWise, MetricUsage, RunningBatchWise, RunningEpochWise, SingleEpochRunningBatchWise,
)  # fmt: skip
from dark.metrics.metric import Metric
from dark.metrics.metrics_lambda import MetricGroup, MetricsLambda
from dark.metrics.accumulation import Average, GeometricAverage, VariableAccumulation
from dark.metrics.classification.accuracy import Accuracy, TopKCategoricalAccuracy
from dark.metrics.classification.confusion_matrix import (
    ConfusionMatrix, DiceCoefficient, IoU, JaccardIndex, cmAccuracy, cmPrecision, cmRecall, mIoU,
)  # fmt: skip
from dark.metrics.classification.precision_recall import Fbeta, Precision, Recall
from dark.metrics.classification.roc_auc import ROC_AUC, RocCurve
from dark.metrics.epoch_metric import EpochMetric, EpochMetricWarning
from dark.metrics.frequency import Frequency
from dark.metrics.generative.encoding_accuracy import EncodingAccuracy
from dark.metrics.generative.inception_score import InceptionScore
from dark.metrics.generative.sliced_wasserstein import SlicedWassersteinDistance
from dark.metrics.images import PSNR, SSIM
from dark.metrics.means import Loss, MeanAbsoluteError, MeanSquaredError, RootMeanSquaredError
from dark.metrics.metric_state import merge_states
from dark.metrics.running_average import RunningAverage
from dark.errors import module_getattr

__all__ = [
    "PSNR", "ROC_AUC", "SSIM", "Accuracy", "Average", "BatchFiltered", "BatchWise", "ConfusionMatrix",
    "DiceCoefficient", "EncodingAccuracy", "EpochMetric", "EpochMetricWarning", "EpochWise", "Fbeta", "Frequency",
    "GeometricAverage", "InceptionScore", "IoU", "JaccardIndex", "Loss", "MeanAbsoluteError", "MeanSquaredError",
    "Metric", "MetricGroup", "MetricUsage", "MetricsLambda", "NotComputableError", "Precision", "Recall", "RocCurve",
    "RootMeanSquaredError", "RunningAverage", "RunningBatchWise", "RunningEpochWise", "SingleEpochRunningBatchWise",
    "SlicedWassersteinDistance", "TopKCategoricalAccuracy", "VariableAccumulation", "cmAccuracy", "cmPrecision",
    "cmRecall", "mIoU", "merge_states",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
