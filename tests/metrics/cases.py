"""Every metric with outputs for it, for the tests of laws. A new metric is one line here."""

import numpy as np

from dark import metrics as m

ROWS = 24


def _of_classes(rng):
    return rng.random((ROWS, 4)), rng.integers(0, 4, ROWS)


def _of_images(rng):
    return rng.random((ROWS, 3, 2, 5)), rng.integers(0, 3, (ROWS, 2, 5))


def _of_two(rng):
    return rng.integers(0, 2, ROWS), rng.integers(0, 2, ROWS)


def _of_labels(rng):
    return rng.integers(0, 2, (ROWS, 3)), rng.integers(0, 2, (ROWS, 3))


def _of_numbers(rng):
    return rng.normal(size=(ROWS, 2)), rng.normal(size=(ROWS, 2))


def _positive(rng):
    return rng.random((ROWS, 3)) + 0.1


def _scores_of_two(rng):
    return rng.integers(0, 9, ROWS) / 8, np.arange(ROWS) % 2


def _scores_of_labels(rng):
    return rng.integers(0, 9, (ROWS, 3)) / 8, (np.arange(ROWS)[:, None] + np.arange(3)) % 2


def _pairs_of_images(rng):
    return tuple(rng.random((2, ROWS, 2, 9, 12)))


def _pairs_for_patches(rng):
    return tuple(rng.random((2, ROWS, 2, 8, 8)))


def _probabilities(x):
    return np.abs(x) / np.abs(x).sum(axis=1, keepdims=True)


def _codes(rng):
    return rng.normal(size=(ROWS, 3)), rng.integers(0, 3, ROWS)


def _swd():
    return m.SlicedWassersteinDistance(4, patches_per_image=3, patch_size=3, num_projections=8)


def _mean_square(y_pred, y):
    return ((y_pred - y) ** 2).mean()


def _largest_error(y_pred, y):
    return float(np.abs(y_pred - y).max())


# name: a function that creates the metric, and one that draws ROWS examples
CASES = {
    "Accuracy": (m.Accuracy, _of_classes),
    "Accuracy of images": (m.Accuracy, _of_images),
    "Accuracy of two": (m.Accuracy, _of_two),
    "Accuracy of labels": (lambda: m.Accuracy(is_multilabel=True), _of_labels),
    **{
        f"{metric.__name__} {average}": (lambda metric=metric, average=average: metric(average=average), _of_classes)
        for metric in (m.Precision, m.Recall)
        for average in (False, None, True, "micro", "weighted")
    },
    "Precision of two": (m.Precision, _of_two),
    "Precision of both": (lambda: m.Precision(average=None), _of_two),
    "Recall of samples": (lambda: m.Recall(average="samples", is_multilabel=True), _of_labels),
    "Recall of labels": (lambda: m.Recall(is_multilabel=True), _of_labels),
    "Fbeta": (lambda: m.Fbeta(2), _of_classes),
    "ConfusionMatrix": (lambda: m.ConfusionMatrix(4), _of_classes),
    "ConfusionMatrix of samples": (lambda: m.ConfusionMatrix(3, average="samples"), _of_images),
    "mIoU": (lambda: m.mIoU(m.ConfusionMatrix(4)), _of_classes),
    "DiceCoefficient": (lambda: m.DiceCoefficient(m.ConfusionMatrix(4), ignore_index=0), _of_classes),
    "Loss": (lambda: m.Loss(_mean_square), _of_numbers),
    "MeanSquaredError": (m.MeanSquaredError, _of_numbers),
    "MeanAbsoluteError": (m.MeanAbsoluteError, _of_numbers),
    "RootMeanSquaredError": (m.RootMeanSquaredError, _of_numbers),
    "TopKCategoricalAccuracy": (lambda: m.TopKCategoricalAccuracy(2), _of_classes),
    "ROC_AUC": (m.ROC_AUC, _scores_of_two),
    "ROC_AUC of labels": (m.ROC_AUC, _scores_of_labels),
    "RocCurve": (m.RocCurve, _scores_of_two),
    "PSNR": (lambda: m.PSNR(1.0), _pairs_of_images),
    "SSIM": (lambda: m.SSIM(1.0, kernel_size=5), _pairs_of_images),
    "SSIM of scales": (lambda: m.SSIM(1.0, 3, multiscale=True, betas=(0.4, 0.6)), _pairs_of_images),
    "InceptionScore": (lambda: m.InceptionScore(_probabilities), _positive),
    "EncodingAccuracy": (lambda: m.EncodingAccuracy(np.square, np.negative, np.tanh), _codes),
    "SlicedWassersteinDistance": (_swd, _pairs_for_patches),
    "Average": (m.Average, _positive),
    "GeometricAverage": (m.GeometricAverage, _positive),
    "VariableAccumulation": (lambda: m.VariableAccumulation(lambda a, x: a + x.sum(axis=0)), _positive),
    "EpochMetric": (lambda: m.EpochMetric(_largest_error), _of_numbers),
    "MetricGroup": (lambda: m.MetricGroup({"a": m.Accuracy(), "p": m.Precision(average=True)}), _of_classes),
    "MetricsLambda": (lambda: (m.Precision() * 2 + m.Recall()).mean() ** 2, _of_classes),
    "Frequency": (lambda: m.Frequency(len, clock=lambda: 0.0), _positive),
    "RunningAverage": (lambda: m.RunningAverage(m.Accuracy(), alpha=0.5), _of_classes),
}

NO_LAW = {"Frequency", "RunningAverage"}  # they depend on time, or on the order


def part(output, rows):
    """Return some examples of an output, a pair or an array."""
    return tuple(array[rows] for array in output) if isinstance(output, tuple) else output[rows]


def feed(metric, *batches):
    """Update a metric with batches, as an engine with these outputs would."""
    for batch in batches:
        metric._forward(batch)


def same(left, right, tolerance=0.0):
    """Return whether two results are equal, up to a relative tolerance."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key], tolerance) for key in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(same(a, b, tolerance) for a, b in zip(left, right))
    if left is None or right is None:
        return left is right
    return np.asarray(left).dtype == np.asarray(right).dtype and np.allclose(left, right, rtol=tolerance, atol=0)
