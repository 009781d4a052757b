"""No learning: the loss does not fall, in training or on validation data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun

ADVICE = (
    "look at ten examples with their labels: are the labels shuffled, or shifted against the inputs?",
    "train on ten examples only: if their loss does not go to zero, the fault is in the network or the loss",
    "see whether the inputs say anything about the labels: compare with a linear model",
)


def no_learning(run: NotedRun) -> Finding | None:
    """Find training losses that stay, and validation losses that never fall noticeably below their beginning."""
    loss = run.training_loss
    if loss is not None and len(loss) >= limit("notes") and abs(loss.gain) < limit("no gain"):
        summary = f"the training loss stays at {loss.end:.3g}: it gained {loss.gain:.1%}."
        return Finding("no learning", summary, (loss.first(), loss.last()), ADVICE)
    other = run.validation_loss
    if other is None or len(other) < limit("notes") or _has_fallen(run, other):
        return None
    summary = (
        f"the validation loss ends near its beginning, at {other.end:.3g}: what is learned does not hold beyond the "
        "training set."
    )
    accuracy = run.validation_accuracy
    evidence = [] if loss is None else [loss.first(), loss.last()]
    evidence += [other.first(), other.lowest(f"{other.low:.3g}, the lowest"), other.last()]
    evidence += [] if accuracy is None else [accuracy.highest(f"{accuracy.high:.1%}, the highest")]
    return Finding("no learning", summary, tuple(evidence), ADVICE)


def _has_fallen(run, other):
    """Return whether a validation loss fell after its first value, or had fallen before, or is a good one anyway."""
    first, loss, accuracy = float(other.values[0]), run.training_loss, run.validation_accuracy
    before = first if loss is None else max(first, float(np.median(loss.values[:3])))
    return (
        other.end < limit("validation end") * first
        or other.low < max(limit("validation gain") * first, limit("validation level") * before)
        or (accuracy is not None and accuracy.high > limit("good accuracy"))
    )
