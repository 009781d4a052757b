"""The norm of gradients, and their sizes from layer to layer, for several rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.curve import Curve

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun

EARLY = 3  # notes


def total_norm(run: NotedRun) -> Curve | None:
    """Return the norm of all gradients over the steps at which each of them is noted."""
    curves = list(run.family("gradient_norm").values())
    steps = sorted(set.intersection(*(set(curve.steps.tolist()) for curve in curves))) if curves else []
    if not steps:
        return None
    parts = [curve.values[np.isin(curve.steps, steps)] for curve in curves]
    with np.errstate(over="ignore"):
        return Curve("gradient_norm", np.array(steps), np.sqrt(np.sum(np.square(parts), axis=0)))


def profile(run: NotedRun, first: bool = False) -> dict[str, float]:
    """Return the root mean square of the gradients of each weight, in the order of the layers.

    It is the median of the first third of the training, or of the first notes.
    """
    sizes = {path: int(np.prod(series.shape)) for path, series in run.weights.items()}
    found = {}
    for path, curve in run.of_matrices("gradient_norm").items():
        notes = EARLY if first else max(EARLY, len(curve) // 3)
        found[path] = float(np.median(curve.values[:notes])) / max(sizes.get(path, 1), 1) ** 0.5
    return found


def player(run: NotedRun, path: str) -> str:
    """Return which network a path belongs to: of an adversarial training, the first module; otherwise there is one."""
    return path.partition(".")[0] if run.is_adversarial else ""
