"""Units of a layer that are equal: they began equal, and get equal gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun


def symmetry(run: NotedRun) -> Finding | None:
    """Find weights whose rows, one for each unit, are equal at the beginning and at the end."""
    found = {}
    for path, series in run.weights.items():
        pair = run.ends(series)
        if pair is not None and len(pair[0]) > 1 and all(_rows_are_equal(weight) for weight in pair):
            found[path] = int(series.steps[run.finite_entries(series)[-1]]), len(pair[0])
    if not found:
        return None
    path, (_, units) = next(iter(found.items()))
    summary = f"all {units} units of {path} have the same weights: the layer works like a single unit."
    evidence = tuple(Evidence(f"weights/{p}", step, None, f"all {n} rows are equal") for p, (step, n) in found.items())
    return Finding(
        "symmetry", summary, evidence,
        ("random initial weights instead of a constant, such as those of the layers of dark.nn",), tuple(found),
    )  # fmt: skip


def _rows_are_equal(weight):
    rows = weight.reshape(len(weight), -1).astype(float)
    return bool(np.ptp(rows, axis=0).max(initial=0) <= limit("equal units") * np.abs(rows).max(initial=0))
