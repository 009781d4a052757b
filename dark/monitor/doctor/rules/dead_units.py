"""Dead units: ReLU units that are never active; their gradients are zero, so that they cannot recover."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun


def dead_units(run: NotedRun) -> Finding | None:
    """Find modules whose units are mostly dead at the end."""
    curves = {path: curve for path, curve in run.family("dead").items() if curve.end > limit("dead")}
    if not curves:
        return None
    path, worst = max(curves.items(), key=lambda item: item[1].end)
    onset = int(np.argmax(worst.values > limit("dead")))
    from_start = onset == 0
    when = "from the beginning" if from_start else f"since step {worst.steps[onset]}"
    summary = f"{worst.end:.0%} of the units of {path} are never active, {when}."
    if len(curves) > 1:
        summary += f" So it is in {len(curves)} modules."
    evidence = [curve.last(f"{curve.values[-1]:.0%} of the units") for curve in curves.values()]
    evidence += [] if from_start else [worst.at(onset, f"{worst.values[onset]:.0%} of the units, for the first time")]
    start = ("biases that begin at 0, initial weights of dark.nn.init, standardized inputs",)
    later = ("a smaller learning rate: one large step can push all units below zero",)
    advice = (*(start if from_start else later), "LeakyReLU or GELU, whose gradient is not zero below zero",
              "a normalization layer before the activation function")  # fmt: skip
    return Finding("dead units", summary, tuple(evidence), advice, tuple(curves))
