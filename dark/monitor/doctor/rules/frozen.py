"""Frozen parameters: they never change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun


def frozen_parameters(run: NotedRun) -> Finding | None:
    """Find parameters that keep their bits, for another reason than gradients of 0."""
    frozen = {path: reason for path in _parameters(run) if (reason := _reason(run, path))}
    if not frozen:
        return None
    all_of_them = len(frozen) == len(_parameters(run))
    paths = list(frozen)
    shown = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    summary = (
        "no parameter changes."
        if all_of_them
        else f"{shown}: {'never changes' if len(paths) == 1 else 'never change'}."
    )
    evidence = tuple(
        Evidence(f"weights/{path}", None, 0.0, f"the same in all notes; {frozen[path]}") for path in paths[:3]
    )
    if any(reason.startswith("no gradient") for reason in frozen.values()):
        advice = ("look for detach(), no_grad() and .value between these parameters and the loss",
                  "see whether requires_grad is False; if that is intended, all is well")  # fmt: skip
    else:
        advice = ("see whether the optimizer got these parameters: Optimizer(network.parameters())",
                  "see whether their learning rate is 0, and optimizer.step() is called")  # fmt: skip
    return Finding("frozen parameters", summary, evidence, advice, tuple(paths))


def _parameters(run):
    return list({**run.tensor_family("weights"), **run.family("update_ratio")})


def _reason(run, path):
    """Return why a parameter is frozen; "" if it changes, or has gradients of 0."""
    if not _never_changes(run, path):
        return ""
    norms = run.family("gradient_norm")
    gradients = run.tensor_family("gradients")
    if path in norms:
        largest = max(curve.high for curve in norms.values())
        is_tiny = norms[path].high <= limit("tiny gradient") * largest
        return "" if is_tiny else f"the gradient norm is up to {norms[path].high:.2g}"
    if path in gradients:
        return "it has gradients" if any(map(np.any, run.arrays(gradients[path], 2))) else ""
    return "no gradient is noted" if norms or gradients else "no gradients are noted at all"


def _never_changes(run, path):
    series = run.tensor_family("weights").get(path)
    pair = None if series is None else run.ends(series)
    ratio = run.family("update_ratio").get(path)
    if pair is not None:
        return np.array_equal(*pair) and (ratio is None or ratio.high == 0)
    return ratio is not None and len(ratio) > 1 and ratio.high == 0
