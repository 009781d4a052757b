"""Labels that leak into the inputs: results that are too good, and a first layer that looks at few inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun
    from dark.typing import Array

SHOWN, LEAST_INPUTS, NOTES = 5, 4, 50
PERFECT_LOSS = 0.05  # of the beginning, if accuracies are not noted


class Dominance(NamedTuple):
    """How much each input stands out, in units of a threshold, and by what."""

    factors: Array
    evidence: Evidence


def leak(run: NotedRun) -> Finding | None:
    """Find perfect results with a first layer that few inputs dominate."""
    first = _first_layer(run)
    result = _result(run)
    if first is None or result is None:
        return None
    found = [dominance for dominance in (_change(run, first), _persistence(run, first)) if dominance is not None]
    strongest = max(found, key=lambda dominance: dominance.factors.max(), default=None)
    evidence, is_perfect, is_good = result
    if strongest is None:
        return None
    factor = strongest.factors.max()
    if not ((is_perfect and factor > 1) or (is_good and factor > limit("clear leak"))):
        return None
    columns = [int(k) for k in np.argsort(-strongest.factors) if strongest.factors[k] > 1]
    shown = ", ".join(map(str, columns[:SHOWN])) + (" …" if len(columns) > SHOWN else "")
    what = f"input {shown} stands" if len(columns) == 1 else f"inputs {shown} stand"
    return Finding(
        "leak",
        f"the result is suspiciously good ({evidence.text}), and {what} out in the first layer, {first}: "
        "the label may be among the inputs.",
        (evidence, *(dominance.evidence for dominance in found if dominance.factors.max() > 1)),
        (f"leave out input {columns[0]} and train again: does the result fall?",
         "ask how each input was made, and whether it is known before the label is",
         "see that no example is in both the training set and the validation set"), (first,),
    )  # fmt: skip


def _first_layer(run):
    """Return the path of the first weight matrix if it is that of a linear layer with several inputs."""
    path, series = next(iter(run.weights.items()), ("", None))
    name, _, kind = path.rpartition(".")
    bias = run.tensor_family("weights").get(f"{name}.bias" if name else "bias")
    is_linear = kind == "weight" and bias is not None and series is not None and bias.shape == series.shape[:1]
    return path if is_linear and len(series.shape) == 2 and series.shape[1] >= LEAST_INPUTS else None


def _result(run):
    """Return the best result, whether it is perfect, and whether it is nearly so."""
    accuracy = run.validation_accuracy or run.training_accuracy
    if accuracy is not None:
        best = accuracy.high
        return accuracy.highest(f"{best:.1%}"), best >= limit("perfect"), best >= limit("nearly perfect")
    loss = run.validation_loss or run.training_loss
    if loss is None or run.training_loss is None:
        return None
    is_perfect = float(loss.late.mean()) < PERFECT_LOSS * run.training_loss.start
    return loss.last(f"loss {loss.values[-1]:.3g}"), is_perfect, is_perfect


def _change(run, path):
    """Return how much the weights of each input changed."""
    pair = run.ends(run.weights[path])
    if pair is None:
        return None
    change = np.linalg.norm((pair[1] - pair[0]).astype(float), axis=0)
    return _dominance(f"weights/{path}", change, "dominant input", "changed")


def _persistence(run, path):
    """Return how much the gradients of each input point in one direction all the time: those of a leak do."""
    series = run.tensor_family("gradients").get(path)
    if series is None:
        return None
    total = np.zeros(run.weights[path].shape)
    for gradient in run.arrays(series, NOTES):
        total += gradient / max(float(np.linalg.norm(gradient)), 1e-300)
    return _dominance(
        f"gradients/{path}", np.linalg.norm(total, axis=0), "persistent input", "was pulled in one direction"
    )


def _dominance(series, sizes, name, what):
    ratios = sizes / max(float(np.median(sizes)), 1e-300)
    k = int(ratios.argmax())
    text = f"column {k} {what} {ratios[k]:.2g} times as much as the median column"
    return Dominance(ratios / limit(name), Evidence(series, None, float(ratios[k]), text))
