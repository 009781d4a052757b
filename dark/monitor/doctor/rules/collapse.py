"""Collapse: one class for every input, one sample for all noise (mode collapse), or (in `code_collapse`) one code."""

import numpy as np

from dark.monitor.doctor.curve import Curve, entropy
from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.rules.code_collapse import code_collapse
from dark.monitor.doctor.thresholds import limit

LEAST_SAMPLES = 3
SAMPLE_ADVICE = (
    "in an adversarial training: let the discriminator see how much a batch varies",
    "a smaller learning rate of the generator, or label smoothing",
    "see that the inputs differ, and reach the network",
)


def collapse(run: NotedRun) -> Finding | None:
    """Find networks that give the same output for every input."""
    return _one_class(run) or _one_sample(run) or code_collapse(run)


def _one_class(run):
    """Find accuracies that stay at one value while the losses are not below the loss of a constant answer.

    If a class has the share p, the best constant answer has at least the loss -p log p - (1 - p) log(1 - p), at any p:
    as much for two classes, more for several. Who knows more than the shares has less.
    """
    pairs = [(run.training_accuracy, run.training_loss), (run.validation_accuracy, run.validation_loss)]
    noted = [(accuracy, loss) for accuracy, loss in pairs if accuracy is not None]
    shares = [p for accuracy, _ in noted if (p := _constant(accuracy)) is not None]
    if not noted or len(shares) < len(noted):
        return None
    entropies = [entropy(p) for p in shares]
    losses = [(loss, h) for (_, loss), h in zip(noted, entropies) if loss is not None]
    if run.training_loss is not None:  # also if only validation accuracies are noted
        losses.append((run.training_loss, entropies[0]))
    if not losses or any(_at_most(loss) < limit("prior loss") * h for loss, h in losses):
        return None
    favorite = _favorite(run)
    if favorite is not None and favorite < limit("prior answer") * shares[-1]:
        return None
    return _answer(*noted[-1], shares[-1], entropies[-1], favorite)


def _at_most(loss: Curve) -> float:
    """Return an upper bound of the mean of the late loss; with rare classes, most batches have far less."""
    late = loss.late
    return float(late.mean() + 2 * late.std() / len(late) ** 0.5)


def _constant(accuracy: Curve) -> float | None:
    """Return the value at which an accuracy stays; None if it varies, or is below a majority or perfect."""
    late = accuracy.values[len(accuracy) // 2 :]
    p = float(np.median(late))
    stays = len(accuracy) >= limit("notes") and np.mean(late == p) >= limit("constant accuracy")
    return p if stays and 0.5 < p < 1 else None


def _favorite(run):
    """Return the probability of the favorite class, in the mean over the examples; None if it is not noted.

    A network that gives everybody the same answer has the share of the class; one that knows classes of equal size
    favors none.
    """
    layers = {weight.rpartition(".")[0] for weight in list(run.weights)[-1:]}
    series = run.tensor_family("activations").get(next(iter(layers), ""))
    found = [] if series is None else run.arrays(series)[-1:]
    if not found or not found[0].size:
        return None
    scores = found[0].astype(float).reshape(len(found[0]), -1).mean(axis=1)
    if len(scores) == 1:
        return float(1 / (1 + np.exp(-abs(scores[0]))))
    odds = np.exp(scores - scores.max())
    return float(odds.max() / odds.sum())


def _answer(accuracy, loss, p, entropy, favorite):
    level = "" if loss is None else f", and the loss is {loss.end:.3g}, where a constant answer has {entropy:.3g}"
    summary = (
        f"the accuracy stays at exactly {p:.1%}{level}: the network predicts the most frequent class for every input."
    )
    seen = [accuracy.first(f"{accuracy.values[0]:.1%}"), accuracy.last(f"{accuracy.values[-1]:.1%}")]
    return Finding(
        "collapse", summary, (*seen, *(() if loss is None else (loss.last(),))),
        ("measure a score that a constant answer does not pass: balanced accuracy, F1, or the confusion matrix",
         "class weights in the loss: cross_entropy(scores, labels, weight=…), or draw rare classes more often",
         "check whether the inputs contain information about the classes"),
        confidence="medium" if favorite is None else "high",
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
            return Finding("collapse", summary, (seen,), SAMPLE_ADVICE, (path,), "high")
    return None


def _sample_sets(run):
    """Return the series of samples: by sample set, and by module, one for each exemplar."""
    found: dict[str, dict[str, list]] = {}
    for name, series in run.tensor_family("samples").items():
        exemplar, _, path = name.partition("/")
        found.setdefault(exemplar.rpartition(" ")[0], {}).setdefault(path, []).append(series)
    return found
