"""Gradient noise: the loss jumps from batch to batch; the batches are too small for the size of the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun


def gradient_noise(run: NotedRun) -> Finding | None:
    """Find training losses whose spread in the last half is of the size of the loss at the beginning."""
    loss = run.training_loss
    if loss is None or len(loss) < 2 * limit("notes"):
        return None
    spread = float(loss.late.std()) / max(abs(loss.start), 1e-300)
    if spread < limit("loss spread"):
        return None
    noise = [curve.at(len(curve) // 2) for curve in run.family("gradient_noise").values()]
    summary = f"in the last half, the loss varies by {spread:.0%} of its value at the beginning, from batch to batch."
    seen = (loss.first(), loss.highest(f"{loss.high:.3g}, the highest"), *noise[:1])
    return Finding(
        "gradient noise", summary, seen,
        ("larger batches, by a factor of 4 or more", "a smaller learning rate, or a schedule that lowers it",
         "accumulate the gradients of several batches before each step"),
    )  # fmt: skip
