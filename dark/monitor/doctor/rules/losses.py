"""Losses that do not fall, rise, swing, or jump from batch to batch."""

import numpy as np

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.names import is_of_unknown_sign
from dark.monitor.doctor.thresholds import confidence, limit

ADVICE = (
    "look at ten examples with their labels: are the labels shuffled, or shifted against the inputs?",
    "train on ten examples only: if their loss does not go to zero, the fault is in the network or the loss",
    "see whether the inputs say anything about the labels: compare with a linear model",
)
DROPOUT_ADVICE = (
    "a smaller rate of dropout: 0.1 to 0.5 is usual",
    "less augmentation, or weaker",
    "measure the loss of the training set in evaluation mode: is it as low as that of the validation set?",
)


def no_learning(run: NotedRun) -> Finding | None:
    """Find training losses that stay, and validation losses that never fall noticeably below their beginning.

    A loss that stays is no fault if the network knew something before, as in a run that goes on in a new note.
    """
    if run.knew_before is not None:
        return None
    loss, other, accuracy = run.training_loss, run.validation_loss, run.validation_accuracy
    if loss is not None and len(loss) >= limit("notes") and abs(loss.gain) < limit("no gain"):
        is_good = any(a is not None and a.end > limit("good accuracy") for a in (accuracy, run.training_accuracy))
        if not is_good and abs(loss.end) > loss.noise * loss.is_signed:  # around 0, a loss has no level
            summary = f"the training loss stays at {loss.end:.3g}: it gained {loss.gain:.1%}."
            return Finding("no learning", summary, (loss.first(), loss.last()), _advice(run))
    if other is None or len(other) < limit("notes") or _has_fallen(run, other):
        return None
    summary = (
        f"the validation loss ends near its beginning, at {other.end:.3g}: the network does not generalize beyond the "
        "training set."
    )
    evidence = [] if loss is None else [loss.first(), loss.last()]
    evidence += [other.first(), other.lowest(f"{other.low:.3g}, the lowest"), other.last()]
    evidence += [] if accuracy is None else [accuracy.highest(f"{accuracy.high:.1%}, the highest")]
    return Finding("no learning", summary, tuple(evidence), ADVICE)


def _advice(run):
    """Return what to try; first of all, if there are no gradients, to look why."""
    norms = run.family("gradient_norm").values()
    has_none = bool(norms) and all(curve.high == 0 for curve in norms)
    why = "all gradients are exactly 0: look for detach, a factor of 0, or a dtype too small for them, such as float16"
    return (why, *ADVICE) if has_none else ADVICE


def _has_fallen(run, other):
    """Return whether a validation loss fell after its first value, or had fallen before, or is a good one anyway."""
    first, loss, accuracy = float(other.values[0]), run.training_loss, run.validation_accuracy
    before = first if loss is None else max(first, float(np.median(loss.values[:3])))
    return (
        other.end < limit("validation end") * first
        or other.low < max(limit("validation gain") * first, limit("validation level") * before)
        or (accuracy is not None and accuracy.high > limit("good accuracy"))
        or (
            accuracy is not None and (run.outputs or 0) > 2 and accuracy.end > max(0.5, 2 / run.outputs)
        )  # far above chance
    )


def rising_loss(run: NotedRun) -> Finding | None:
    """Find training losses that end above their beginning, by more than their noise, while nothing else improves."""
    loss, other, accuracy = run.training_loss, run.validation_loss, run.validation_accuracy
    if loss is None or len(loss) < 2 * limit("notes") or is_of_unknown_sign(loss.name):
        return None
    rise, size = loss.end - loss.start, max(abs(loss.start), abs(loss.end))
    if rise <= max(limit("higher") * size, limit("noise level") * loss.noise / np.sqrt(max(2, len(loss) // 20))):
        return None
    has_improved = other is not None and len(other) >= limit("notes") and other.gain > limit("no gain")
    has_improved |= accuracy is not None and accuracy.end - accuracy.start > limit("no gain")
    if has_improved:
        return None
    summary = f"the loss is higher at the end, {loss.end:.3g}, than at the beginning, {loss.start:.3g}."
    return Finding(
        "rising loss", summary, (loss.first(), loss.lowest(f"{loss.low:.3g}, the lowest"), loss.last()),
        ("a learning rate that is 10 times smaller", "see whether the loss is minimized, not maximized",
         "see whether the data, or the weights of the loss, change during the training: then it may be right"),
        confidence="medium" if rise > 4 * limit("higher") * size else "low",
    )  # fmt: skip


def oscillating_loss(run: NotedRun) -> Finding | None:
    """Find training losses that swing in a rhythm in their late half, as far as at the beginning.

    Noise has all frequencies alike; a rhythm has most of its variance in one of them, or in two neighbors.
    """
    loss = run.training_loss
    if loss is None or len(loss) < 4 * limit("notes"):
        return None
    late = loss.late
    low, middle, high = np.quantile(late, (0.1, 0.5, 0.9))
    level = max(abs(loss.start), abs(middle))
    if high - low <= limit("swing") * level or middle < limit("swing") * loss.start:
        return None
    times = np.arange(len(late))
    power = np.abs(np.fft.rfft(late - np.polyval(np.polyfit(times, late, 1), times)))[1:] ** 2
    share = float(np.max(power + np.append(power[1:], 0))) / max(float(power.sum()), 1e-300)
    rest = max(len(power) - 2, 1)
    chance = len(power) * (1 - share) ** rest * (1 + rest * share)  # two of many equal parts of a sum, and all pairs
    if chance > limit("one rhythm") or int(np.argmax(power)) == 0:  # the lowest frequency is a bow, not a rhythm
        return None
    period = len(late) / (1 + int(np.argmax(power)))
    summary = f"the loss swings between {low:.3g} and {high:.3g} to the end, in a rhythm of {period:.2g} notes."
    return Finding(
        "oscillating loss", summary, (loss.first(), loss.lowest(), loss.highest(), loss.last()),
        ("a learning rate that is 3 to 10 times smaller, or less momentum",
         "shuffle the examples in each epoch: batches of one kind after the other swing, too"),
        confidence=confidence(chance, "one rhythm"),
    )  # fmt: skip


def gradient_noise(run: NotedRun) -> Finding | None:
    """Find training losses whose spread in the last half is of the size of the loss at the beginning.

    A loss in training mode that stays above the first validation loss, which needs hardly any knowledge, while the
    network learns in evaluation mode, has noise of the training mode itself, such as dropout.
    """
    loss = run.training_loss
    if (found := _dropped_out(run)) is not None:
        return found
    if loss is None or len(loss) < 2 * limit("notes"):
        return None
    spread = float(loss.late.std()) / max(abs(loss.start), 1e-300)
    if spread < limit("loss spread") or loss.is_signed:
        return None
    noise = [curve.at(len(curve) // 2) for curve in run.family("gradient_noise").values()]
    summary = f"in the last half, the loss varies by {spread:.0%} of its value at the beginning, from batch to batch."
    seen = (loss.first(), loss.highest(f"{loss.high:.3g}, the highest"), *noise[:1])
    return Finding(
        "gradient noise", summary, seen,
        ("larger batches, by a factor of 4 or more", "a smaller learning rate, or a schedule that lowers it",
         "accumulate the gradients of several batches before each step"),
        confidence=confidence(spread, "loss spread"),
    )  # fmt: skip


def _dropped_out(run):
    """Find networks through which nothing passes in some batches, or that are better without the noise of training."""
    return _silent(run) or _worse_in_training(run)


def _silent(run):
    """Find layers that get gradients of exactly 0 in some batches, though not in others: everything was left out."""
    loss, norms = run.training_loss, run.family("gradient_norm")
    if loss is None:
        return None
    for path, curve in run.of_matrices("gradient_norm").items():
        bias = norms.get(path.removesuffix("weight") + "bias")
        if bias is None or len(curve) < 4 * limit("notes") or not np.array_equal(bias.steps, curve.steps):
            continue
        late = slice(len(curve) // 2, None)
        steps = curve.steps[late][(curve.values[late] == 0) & (bias.values[late] == 0)]
        left = np.abs(loss.values[np.isin(loss.steps, steps)])
        share = len(steps) / len(curve.values[late])
        is_left = len(left) > 0 and float(left.min()) > limit("no loss") * abs(loss.start)
        if limit("silent batches") < share < 1 and is_left:
            k = int(np.flatnonzero(curve.steps == steps[-1])[0])
            summary = f"in {share:.0%} of the late batches, no gradient reaches {path}: all that follows is left out."
            seen = (curve.at(k, "exactly 0"), curve.highest(f"{curve.high:.2g}, in another batch"), loss.last())
            return Finding("gradient noise", summary, seen, DROPOUT_ADVICE, (path,), "medium")
    return None


def _worse_in_training(run):
    """Find networks that are worse in training mode than one that knows nothing, but learn in evaluation mode."""
    loss, other = run.training_loss, run.validation_loss
    if loss is None or other is None or min(len(loss), len(other)) < limit("notes") or other.low <= 0:
        return None
    if run.knew_before is not None:  # then the first validation loss is a good one
        return None
    first, ratio = float(other.values[0]), float(np.median(loss.late)) / float(other.values[0])
    if ratio < limit("training mode") or not run.is_only_in_training or loss.gain > limit("small gain"):
        return None
    summary = (
        f"in training mode the loss stays at {float(np.median(loss.late)):.3g}, above the first validation loss, "
        f"{first:.3g}, while the validation loss falls to {other.end:.3g}: noise of the training mode, such as "
        "dropout, leaves little of the signal."
    )
    return Finding(
        "gradient noise", summary, (loss.last(), other.first(), other.last()), DROPOUT_ADVICE,
        confidence=confidence(ratio, "training mode"),
    )  # fmt: skip
