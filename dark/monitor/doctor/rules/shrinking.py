"""Shrinking weights: they decay to zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun


def shrinking_weights(run: NotedRun) -> Finding | None:
    """Find networks whose weight matrices have all lost most of their norm."""
    pairs = {path: run.ends(series) for path, series in run.weights.items()}
    norms = {path: tuple(float(np.linalg.norm(w)) for w in pair) for path, pair in pairs.items() if pair is not None}
    norms = {path: (before, after) for path, (before, after) in norms.items() if before > 0}
    if not norms or any(after > limit("shrunk") * before for before, after in norms.values()):
        return None
    path, (before, after) = min(norms.items(), key=lambda item: item[1][1] / item[1][0])
    steps = run.weights[path].steps
    summary = f"all weights decay towards zero; those of {path} from a norm of {before:.3g} to {after:.2g}."
    evidence = (Evidence(f"weights/{path}", int(steps[0]), before, f"norm {before:.3g}"),
                Evidence(f"weights/{path}", int(steps[-1]), after, f"norm {after:.3g}"))  # fmt: skip
    advice = ("a smaller weight decay, by a factor of 100", "a smaller weight of penalties in the loss")
    return Finding("shrinking weights", summary, evidence, advice, tuple(norms))
