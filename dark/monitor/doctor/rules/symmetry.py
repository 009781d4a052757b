"""Symmetry: units of a layer that are equal, because they began equal and get equal gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import read
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun


def symmetry(run: NotedRun) -> Finding | None:
    """Find weights whose rows, one for each unit, are still equal after the first steps; later, rounding differs."""
    found = {}
    for path, series in run.weights.items():
        # Initial weights may be 0 for good reasons, but then they differ after a step.
        entry = next((k for k in run.finite_entries(series) if series.steps[k] >= 1), None)
        weight = None if entry is None else read(series, entry)
        if weight is not None and len(weight) > 1 and _rows_are_equal(weight):
            found[path] = int(series.steps[entry]), len(weight)
    if not found:
        return None
    path, (_, units) = next(iter(found.items()))
    summary = f"all {units} units of {path} have the same weights: the layer works like a single unit."
    evidence = tuple(Evidence(f"weights/{p}", step, None, f"all {n} rows are equal") for p, (step, n) in found.items())
    return Finding(
        "symmetry", summary, evidence,
        ("random initial weights instead of a constant, such as the layers of dark.nn have",), tuple(found),
    )  # fmt: skip


def _rows_are_equal(weight):
    rows = weight.reshape(len(weight), -1).astype(float)
    return bool(np.ptp(rows, axis=0).max(initial=0) <= limit("equal units") * np.abs(rows).max(initial=0))
