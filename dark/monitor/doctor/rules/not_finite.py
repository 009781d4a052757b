"""Losses, gradients, weights and activations that are NaN or infinite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun

# As in a step: forward, backward, update; then the samples, which the network with its new weights answers.
ORDER = (
    "activations", "activations_abs", "loss", "gradient_norm", "gradients", "gradients_abs", "weights", "samples",
)  # fmt: skip
GROWTH = 10  # a loss or a gradient that has grown by this factor before is the reason, rather than the data
SHOWN = 3


def not_finite(run: NotedRun) -> Finding | None:
    """Find the first step and the first series that is not finite."""
    if not run.bad:
        return None
    first = min(run.bad.values())
    names = sorted((name for name, step in run.bad.items() if step == first), key=_place)
    evidence = [Evidence(name, first, *_value(run, name, first)) for name in names[:SHOWN]]
    before = [int(step) for curve in run.scalars.values() for step in curve.steps if step < first]
    evidence += [] if not before else [Evidence(names[0], max(before), None, "the last note at which all was finite")]
    grown = _grown(run)
    if grown is not None:
        why, advice = (
            f"after {grown.name} had grown",
            (
                "a smaller learning rate, by a factor of 10",
                "clip the gradients: dark.optim.clip_grad_norm(parameters, 1.0)",
            ),
        )
    else:
        why, advice = (
            "at once, without growing before",
            (
                "look for NaN and infinity in the batch of this step, inputs and labels",
                "look for log(0), 0 / 0 and overflowing exp in the loss; losses of scores (cross_entropy) are safe",
                "run the step again under dark.anomaly(), which names the operation",
                "if all inputs are finite, a smaller learning rate",
            ),
        )
    others = len(run.bad) - len(names)
    rest = f" {others} further series follow." if others else ""
    summary = f"{names[0]} is not finite from step {first} on, {why}.{rest}"
    return Finding("not finite", summary, tuple(evidence), advice, (names[0],))


def _place(name):
    start = name.split("/")[0]
    return ORDER.index(start) if start in ORDER else ORDER.index("loss")


def _value(run, name, step):
    if name in run.scalars:
        value = float(run.scalars[name].values[run.scalars[name].steps == step][0])
        return value, str(value)
    array = run.tensors[name].at(step)
    return None, f"{np.count_nonzero(~np.isfinite(array))} of {array.size} elements"


def _grown(run):
    """Return the loss or the gradient that has grown before."""
    curves = [run.training_loss, *run.family("gradient_norm").values()]
    curves = [curve for curve in curves if curve is not None and len(curve) > 1]
    ratios = {abs(c.values[-1]) / max(abs(float(np.median(c.values[:-1]))), 1e-300): c for c in curves}
    return ratios[max(ratios)] if ratios and max(ratios) > GROWTH else None
