"""Overfitting: networks that memorize their training set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun


def overfitting(run: NotedRun) -> Finding | None:
    """Find validation losses that rise while the training loss falls, and accuracies that differ."""
    evidence, said = [], []
    train, other = run.training_accuracy, run.validation_accuracy
    if train is not None and other is not None and train.end - other.end > limit("accuracy gap"):
        said.append(f"the accuracy is {train.end:.1%} on the training set, but {other.end:.1%} on the validation set")
        evidence += [train.last(), other.last()]
    loss, other = run.training_loss, run.validation_loss
    if loss is not None and other is not None and len(other) >= limit("notes"):
        if _rises(loss, other):
            said.append(f"the validation loss rises to {other.end:.3g} after its minimum {other.low:.3g}")
            evidence += [other.lowest(f"{other.low:.3g}, the lowest"), other.last(), loss.last()]
        elif _is_high(loss, other) and other.end > limit("memorized gap") * loss.end:
            said.append(f"the training loss falls to {loss.end:.3g}, the validation loss only to {other.low:.3g}")
            evidence += [loss.last(), other.lowest(f"{other.low:.3g}, the lowest"), other.last()]
    if not evidence:
        return None
    best = (
        ""
        if other is None or not len(other)
        else f"; the minimum was at step {int(other.steps[other.values.argmin()])}"
    )
    return Finding(
        "overfitting", f"{'; '.join(said)}.", tuple(evidence),
        ("more training data, or augmentation", f"stop early: dark.handlers.EarlyStopping{best}",
         "dropout, weight decay, or a smaller network"),
    )  # fmt: skip


def _rises(loss, other):
    """Return whether the validation loss rises, far above the training loss: by much, or by a factor if it is high."""
    rise = (other.end - other.low) / _beginning(loss, other)
    if rise > limit("validation rise") and other.end > limit("loss gap") * loss.end:
        return True
    is_apart = other.end > limit("mild loss gap") * loss.end
    return _is_high(loss, other) and is_apart and other.end > limit("validation factor") * other.low


def _is_high(loss, other):
    """Return whether the validation loss never falls to a small share of the beginning; of losses that are positive."""
    return min(loss.low, other.low) >= 0 and other.low > limit("validation share") * _beginning(loss, other)


def _beginning(loss, other):
    return max(abs(float(other.values[0])), abs(loss.start), 1e-300)
