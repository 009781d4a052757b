"""Losses that do not fall: in the training, or only where it counts, on other data."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Find training losses that stay, and validation losses that never fall below their beginning."""
    loss = run.training_loss
    if loss is None or len(loss) < limit("notes"):
        return None
    if abs(loss.gain) < limit("no gain"):
        summary = f"the training loss stays at {loss.end:.3g}: it gained {loss.gain:.1%}."
        return Finding("no learning", summary, (loss.first(), loss.last()), ADVICE)
    other = run.validation_loss
    if other is None or len(other) < limit("notes"):
        return None
    accuracy = run.validation_accuracy
    first, before = float(other.values[0]), float(loss.values[:3].max())
    fell = other.end < 0.99 * first or other.low < max(
        limit("validation gain") * first, limit("validation level") * before
    )
    if fell or (accuracy is not None and accuracy.high > limit("good accuracy")):
        return None
    summary = (
        f"the training loss falls, but the validation loss ends where it began, at {other.end:.3g}: "
        "what is learned holds for the training set only."
    )
    evidence = [loss.first(), loss.last(), other.first(), other.lowest(f"{other.low:.3g}, the lowest"), other.last()]
    evidence += [] if accuracy is None else [accuracy.highest(f"{accuracy.high:.1%}, the highest")]
    return Finding("no learning", summary, tuple(evidence), ADVICE)
