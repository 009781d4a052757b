"""Learning rates: too large or too small."""

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.names import is_of_unknown_sign
from dark.monitor.doctor.thresholds import limit

HUGE = 1000  # a scale of weights that is not an initial one


def large_learning_rate(run: NotedRun) -> Finding | None:
    """Find steps that are a large part of the weights, and losses far above their beginning."""
    found = [sign for sign in (_large_updates(run), _large_weights(run), _rising_loss(run)) if sign is not None]
    if not found:
        return None
    peaks = {path: curve.high for path, curve in run.of_matrices("update_ratio").items()}
    return Finding(
        "learning rate too large",
        f"{'; '.join(said for said, _ in found)}.",
        tuple(evidence for _, seen in found for evidence in seen),
        ("a learning rate that is 10 times smaller", "a warm-up of some hundred steps, or a schedule that lowers it",
         "clip the gradients: dark.optim.clip_grad_norm(parameters, 1.0)"),
        tuple(path for path, peak in peaks.items() if peak > limit("large update")),
        "high" if len(found) > 1 else "medium",
    )  # fmt: skip


def _large_updates(run):
    ratios = run.of_matrices("update_ratio")
    if not ratios:
        return None
    peaks = {path: curve.high for path, curve in ratios.items()}
    typical = np.median(list(peaks.values())), np.median([_second(curve.values) for curve in ratios.values()])
    loss = run.training_loss
    if loss is not None and _falls_undisturbed(loss):
        return None
    is_stuck = loss is not None and len(loss) >= limit("notes") and loss.gain < limit("small gain")
    largest = limit("large update" if is_stuck else "huge update")
    if typical[0] <= largest and typical[1] <= limit("large update"):
        return None
    path = max(peaks, key=peaks.__getitem__)
    evidence = ratios[path].highest(f"{peaks[path]:.2g}; about 0.001 is usual")
    return f"a single step changed {path} by {peaks[path]:.2g} of its norm", [evidence]


def _falls_undisturbed(loss):
    """Return whether a loss falls well, never above its beginning: methods of second order take such steps, and may.

    If the data have noise that no method explains, it falls less, but then it hardly ever goes up.
    """
    if loss.low < 0 or loss.high > limit("undisturbed") * loss.values[0]:
        return False
    rises = float(np.maximum(np.diff(loss.values), 0).sum())
    is_smooth = rises <= limit("hardly up") * (loss.values[0] - loss.low) and loss.gain > limit("small gain")
    return loss.gain > limit("learned well") or is_smooth


def _large_weights(run):
    """Find weights that have grown far beyond the scale of initial weights, 1 / sqrt(inputs), in most layers."""
    pairs = {path: run.ends(series) for path, series in run.weights.items()}
    scales = {path: tuple(map(_scale, pair)) for path, pair in pairs.items() if pair is not None}
    grown = [path for path, (first, last) in scales.items() if last > min(limit("weight growth") * first, HUGE)]
    ends = sorted(last for _, last in scales.values())
    if not grown or ends[(len(ends) - 1) // 2] < limit("weight scale"):
        return None
    path = max(grown, key=lambda path: scales[path][1])
    size = scales[path][1]
    if size < limit("weight scale"):
        return None
    seen = f"{size:.3g} times 1 / sqrt(inputs) at the end; usual are 0.5 to 3"
    said = f"the weights of {path} grew to {size:.2g} times the usual scale, 1 / sqrt(inputs)"
    return said, [Evidence(f"weights/{path}", None, size, seen)]


def _scale(weight):
    """Return the root mean square of the weights of a unit, in units of 1 / sqrt(inputs)."""
    return float(np.sqrt(np.mean(weight.astype(float) ** 2) * np.prod(weight.shape[1:])))


def _rising_loss(run):
    loss = run.training_loss
    if loss is None or len(loss) < limit("notes") or is_of_unknown_sign(loss.name):
        return None
    size = max(abs(loss.start), float(np.ptp(loss.values[: len(loss) // 2])) * loss.is_signed)
    if loss.high <= limit("rise") * size or float(loss.late.mean()) <= loss.start or run.is_only_in_training:
        return None
    said = f"the loss rose to {loss.high:.2g}, from {loss.start:.2g}"
    return said, [loss.first(), loss.highest(), loss.last()]


def _second(values):
    """Return the second largest value: the first step of some optimizers, such as RMSprop, is large by design."""
    return float(np.sort(values)[-min(2, len(values))])


def small_learning_rate(run: NotedRun) -> Finding | None:
    """Find runs whose steps are a tiny part of the weights, and whose loss hardly falls."""
    ratios = {path: curve for path, curve in run.of_matrices("update_ratio").items() if curve.high > 0}
    loss = run.training_loss
    if not ratios or loss is None or len(loss) < 3 or _gain(run, loss) > limit("small gain"):
        return None
    typical = {path: float(np.quantile(curve.values, 0.9)) for path, curve in ratios.items()}
    path = max(typical, key=typical.__getitem__)
    if typical[path] > limit("small update") or max(curve.high for curve in ratios.values()) > limit("large update"):
        return None
    gained = f"the loss gains {_gain(run, loss):.1%}"
    summary = f"a step changes the weights by at most {typical[path]:.1g} of their norm, and {gained}."
    return Finding(
        "learning rate too small", summary,
        (ratios[path].highest(f"{ratios[path].high:.1g}; about 0.001 is usual"), loss.first(), loss.last()),
        ("a learning rate that is 10 or 100 times larger", "Adam, whose steps do not scale with the gradients"),
    )  # fmt: skip


def _gain(run, loss):
    """Return the share of the loss that is gained; of a validation loss, if it is noted: it has no noise of batches."""
    other = run.validation_loss
    return loss.gain if other is None or len(other) < limit("notes") else min(loss.gain, other.gain)
