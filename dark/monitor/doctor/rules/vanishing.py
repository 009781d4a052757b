"""Vanishing gradients: they shrink from the last layer to the first, so that the first layers do not learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.gradients import player, profile
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun


def vanishing_gradients(run: NotedRun) -> Finding | None:
    """Find weights whose gradients are orders of magnitude smaller than in a later layer, but not zero."""
    sizes = profile(run)
    worst = None
    paths = list(sizes)
    for k, path in enumerate(paths):
        later = [p for p in paths[k + 1 :] if player(run, p) == player(run, path)]
        top = max(later, key=sizes.__getitem__, default=None)
        if top is None or not 0 < sizes[path] < limit("depth decay") * sizes[top]:
            continue
        ratio = sizes[path] / sizes[top]
        if worst is None or ratio < worst[0]:
            worst = ratio, path, top
    if worst is None:
        return None
    ratio, path, top = worst
    curves = run.family("gradient_norm")
    summary = f"per element, the gradients of {path} are {ratio:.1g} times those of {top}."
    evidence = tuple(curves[p].at(min(2, len(curves[p]) - 1), f"{sizes[p]:.2g} per element") for p in (path, top))
    return Finding(
        "vanishing gradients", summary, evidence,
        (
            "ReLU or GELU instead of sigmoid and tanh between the layers",
            "initial weights with the scale sqrt(2 / inputs) for ReLU, sqrt(1 / inputs) for tanh: dark.nn.init",
            "normalization layers, residual connections, or fewer layers",
        ),
        (path,),
    )  # fmt: skip
