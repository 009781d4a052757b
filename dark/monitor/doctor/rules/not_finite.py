"""Losses, gradients, weights and activations that are NaN or infinite."""

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.histograms import count_of_bad, kind

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
    names = sorted((name for name, step in run.bad.items() if step == first), key=_place([*run.scalars, *run.tensors]))
    steps = [series.steps for series in (*run.scalars.values(), *run.tensors.values())]
    before = max((int(step) for found in steps for step in found if step < first), default=None)
    others = len(run.bad) - len(names)
    rest = f" {others} further series follow." if others else ""
    why, advice = _reason(run)
    if not _is_of_step(run, names[0], first, before):
        return _unknown(run, names, first, before, advice)
    evidence = [Evidence(name, first, *_value(run, name, first)) for name in names[:SHOWN]]
    evidence += [] if before is None else [Evidence(names[0], before, None, "the last note at which all was finite")]
    summary = f"{names[0]} is not finite from step {first} on, {why}.{rest}"
    return Finding("not finite", summary, tuple(evidence), advice, (names[0],), "high")


def _is_of_step(run, name, step, before):
    """Return whether values became not finite within this step, so that the order within it gives the first.

    The notes before may be many steps old. Weights that were not finite already make everything else so: a monitor has
    an update ratio of a weight only if the weight was finite before the update.
    """
    if kind(name) not in ORDER or name == "loss" or step - (before or 0) <= 1:
        return True
    noted = [(f"{family}/", path) for family in ("weight_norm", "weights") for path in run.paths(family)]
    broken = {path for family, path in noted if not run.is_finite_at(family + path, step)}
    return bool(noted) and all(run.has_at(f"update_ratio/{path}", step) for path in broken)


def _unknown(run, names, step, before, advice):
    """Return the finding where the weights were not finite already before the first step that was noted so."""
    shown = next((name for name in names if kind(name) not in ORDER or name == "loss"), names[-1])
    evidence = [Evidence(shown, step, *_value(run, shown, step))]
    evidence += [] if before is None else [Evidence(shown, before, None, "the last note at which all was finite")]
    since = "before the first note" if before is None else f"between step {before} and step {step}"
    summary = (
        f"NaN or infinity arose {since}; which series was the first is not known: at step {step}, {len(names)} series "
        "are not finite, and the weights were so before it."
    )
    when_nan = "note.attach(…, when_nan=True), which records the step in which it arises, with its activations"
    return Finding("not finite", summary, tuple(evidence), (when_nan, *advice), (), "high")


def _reason(run):
    """Return why something may not be finite, and what to try."""
    grown = _grown(run)
    if grown is not None:
        return f"after {grown.name} had grown", (
            "a smaller learning rate, by a factor of 10",
            "clip the gradients: dark.optim.clip_grad_norm(parameters, 1.0)",
        )
    return "at once, without growing before", (
        "look for NaN and infinity in the batch of this step, inputs and labels",
        "look for log(0), 0 / 0 and overflowing exp in the loss; losses of scores (cross_entropy) are safe",
        "run the step again under dark.anomaly(), which names the operation",
        "if all inputs are finite, a smaller learning rate",
    )


def _place(order):
    """Return the key that sorts names as they become NaN within a step: gradients do so from the last layer on."""

    def key(name):
        start = kind(name)
        place = ORDER.index(start) if start in ORDER else ORDER.index("loss")
        return place, order.index(name) * (-1 if start.startswith("gradient") else 1)

    return key


def _value(run, name, step):
    if name in run.scalars:
        value = float(run.scalars[name].values[run.scalars[name].steps == step][0])
        return value, str(value)
    array = run.tensors[name].at(step)
    return None, "{} of {} elements".format(*count_of_bad(name, array))


def _grown(run):
    """Return the loss or the gradient that has grown before."""
    curves = [run.training_loss, *run.family("gradient_norm").values()]
    curves = [curve for curve in curves if curve is not None and len(curve) > 1]
    ratios = {abs(c.values[-1]) / max(abs(float(np.median(c.values[:-1]))), 1e-300): c for c in curves}
    return ratios[max(ratios)] if ratios and max(ratios) > GROWTH else None
