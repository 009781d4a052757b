"""Exploding gradients: they grow over the run, or from the last layer to the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.curve import Curve
from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.gradients import profile, total_norm
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun

ADVICE = (
    "clip the gradients: dark.optim.clip_grad_norm(parameters, 1.0)",
    "a smaller learning rate, by a factor of 10",
    "initial weights with the scale 1 / sqrt(inputs), or normalization layers",
    "see that zero_grad is called in each step, and that the loss is minimized, not maximized",
)


def exploding_gradients(run: NotedRun) -> Finding | None:
    """Find gradients that grew by orders of magnitude, in time or on their way back through the layers."""
    return _in_time(run) or _in_depth(run)


def _in_time(run):
    total = total_norm(run)
    if total is None or len(total) < 3:
        return None
    start = max(float(np.median(total.values[:2])), 1e-30)
    growth = total.high / start
    loss = run.training_loss
    has_passed = total.end < limit("growth") * start and loss is not None and loss.gain > limit("learned well")
    if growth < limit("growth") or has_passed:  # single large gradients of a recurrent network, say
        return None
    largest = max(run.family("gradient_norm").values(), key=lambda curve: curve.high)
    summary = f"the norm of all gradients grew {growth:.2g}-fold, from {start:.2g} to {total.high:.2g}."
    evidence = (largest.first(), largest.highest(f"{largest.high:.3g}, the largest of all"))
    return Finding("exploding gradients", summary, evidence, ADVICE, (largest.name.partition("/")[2],))


def _in_depth(run):
    sizes = profile(run, first=True)
    if len(sizes) < 4:
        return None
    (path, early), (last, late) = next(iter(sizes.items())), list(sizes.items())[-1]
    ratio = early / max(late, 1e-30)
    if ratio < limit("depth growth"):
        return None
    curves: list[Curve] = [run.family("gradient_norm")[name] for name in (path, last)]
    summary = f"on their way back from {last} to {path}, the gradients grow {ratio:.2g}-fold per element."
    return Finding("exploding gradients", summary, tuple(curve.first() for curve in curves), ADVICE, (path,))
