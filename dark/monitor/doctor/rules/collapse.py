"""Collapse: one class for every input, or one sample for all noise (mode collapse)."""

import numpy as np

from dark.monitor.doctor.curve import Curve
from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.thresholds import limit

LEAST_SAMPLES = 3
SAMPLE_ADVICE = (
    "in an adversarial training: let the discriminator see how much a batch varies",
    "a smaller learning rate of the generator, or label smoothing",
    "see that the inputs differ, and reach the network",
)


def collapse(run: NotedRun) -> Finding | None:
    """Find networks that answer the same to everything."""
    return _one_class(run) or _one_sample(run)


def _one_class(run):
    """Find accuracies that stay at one value while a loss is equal to the loss of a constant answer."""
    pairs = [(run.training_accuracy, run.training_loss), (run.validation_accuracy, run.validation_loss)]
    accuracies = [accuracy for accuracy, _ in pairs if accuracy is not None]
    if not accuracies or any(_constant(accuracy) is None for accuracy in accuracies):
        return None
    for accuracy, loss in pairs:
        p = None if accuracy is None else _constant(accuracy)
        if p is None or loss is None:
            continue
        entropy = -(p * np.log(p) + (1 - p) * np.log(1 - p))
        is_learned = run.training_loss is not None and run.training_loss.end < limit("learned loss") * entropy
        if loss.end >= limit("prior loss") * entropy and not is_learned:
            return _answer(accuracy, loss, p, entropy)
    return None


def _constant(accuracy: Curve) -> float | None:
    """Return the value at which an accuracy stays; None if it varies, is below a majority, or is nearly perfect."""
    late = accuracy.values[len(accuracy) // 2 :]
    p = float(np.median(late))
    stays = len(accuracy) >= limit("notes") and np.mean(late == p) >= limit("constant accuracy")
    return p if stays and 0.5 < p < limit("nearly perfect") else None


def _answer(accuracy, loss, p, entropy):
    summary = (
        f"the accuracy stays at exactly {p:.1%}, and the loss is {loss.end:.3g}, where a constant answer has "
        f"{entropy:.3g}: the network answers the most frequent class to everything."
    )
    seen = (accuracy.first(f"{accuracy.values[0]:.1%}"), accuracy.last(f"{accuracy.values[-1]:.1%}"), loss.last())
    return Finding(
        "collapse", summary, seen,
        ("class weights in the loss: cross_entropy(scores, labels, weight=…), or draw rare classes more often",
         "measure a score that a constant answer does not pass: balanced accuracy, F1, or the confusion matrix"),
    )  # fmt: skip


def _one_sample(run):
    """Find the last output of the network, for several samples, to be the same for all of them."""
    for sample_set, modules in _sample_sets(run).items():
        path, outputs = list(modules.items())[-1]
        arrays = [found[-1].astype(float) for series in outputs if (found := run.arrays(series, 2))]
        if len(arrays) < LEAST_SAMPLES or len({array.shape for array in arrays}) > 1:
            continue
        spread, size = float(np.ptp(arrays, axis=0).max(initial=0)), float(np.abs(arrays).max(initial=0))
        if spread <= limit("same output") * size:
            said = f"{len(arrays)} samples differ by {spread:.2g} of {size:.2g}"
            seen = Evidence(f"samples/{sample_set} 0/{path}", int(outputs[0].steps[-1]), spread, said)
            summary = f"the output of {path} is the same for all {len(arrays)} samples of {sample_set}."
            return Finding("collapse", summary, (seen,), SAMPLE_ADVICE, (path,))
    return None


def _sample_sets(run):
    """Return the series of samples: by sample set, and by module, one for each exemplar."""
    found: dict[str, dict[str, list]] = {}
    for name, series in run.tensor_family("samples").items():
        exemplar, _, path = name.partition("/")
        found.setdefault(exemplar.rpartition(" ")[0], {}).setdefault(path, []).append(series)
    return found
