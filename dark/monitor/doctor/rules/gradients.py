"""Gradients that explode, over the run or on their way back through the layers, or vanish."""

import numpy as np

from dark.monitor.doctor.curve import Curve
from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.thresholds import confidence, limit

EARLY = 3  # notes
ADVICE = (
    "clip the gradients: dark.optim.clip_grad_norm(parameters, 1.0)",
    "a smaller learning rate, by a factor of 10",
    "initial weights with the scale 1 / sqrt(inputs), or normalization layers",
    "see that zero_grad is called in each step, and that the loss is minimized, not maximized",
)


def total_norm(run: NotedRun) -> Curve | None:
    """Return the norm of all gradients over the steps at which each of them is noted.

    Gradients of parameters that are never updated do not count: an optimizer that does not know them does not clear
    them, so that they are sums over all steps.
    """
    updates = run.family("update_ratio")
    norms = run.family("gradient_norm")
    curves = [curve for path, curve in norms.items() if path not in updates or updates[path].high > 0]
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
    found = {}
    for path, curve in run.of_matrices("gradient_norm").items():
        notes = EARLY if first else max(EARLY, len(curve) // 3)
        found[path] = float(np.median(curve.values[:notes])) / max(run.sizes.get(path, 1), 1) ** 0.5
    return found


def player(run: NotedRun, path: str) -> str:
    """Return which network a path belongs to: of an adversarial training, the first module; otherwise there is one."""
    return path.partition(".")[0] if run.is_adversarial else ""


def exploding_gradients(run: NotedRun) -> Finding | None:
    """Find gradients that grew by orders of magnitude, in time or on their way back through the layers."""
    return _in_time(run) or _in_depth(run)


def _in_time(run):
    total = total_norm(run)
    if total is None or len(total) < 3:
        return None
    some = total.values[total.values > 0][:2]  # a batch may have no gradient at all
    start = float(np.median(some)) if len(some) else np.inf
    growth = total.high / start
    loss = run.training_loss
    is_harmless = loss is not None and (
        loss.gain > limit("learned well") or (run.is_only_in_training and loss.high > limit("rise") * abs(loss.start))
    )
    has_passed = total.end < limit("growth") * start and is_harmless
    if growth < limit("growth") or has_passed:  # single large gradients of a recurrent network, say
        return None
    largest = max(run.family("gradient_norm").values(), key=lambda curve: curve.high)
    summary = f"the norm of all gradients grew {growth:.2g}-fold, from {start:.2g} to {total.high:.2g}."
    evidence = (largest.first(), largest.highest(f"{largest.high:.3g}, the largest of all"))
    where = (largest.name.partition("/")[2],)
    return Finding("exploding gradients", summary, evidence, ADVICE, where, confidence(growth, "growth"))


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
    seen = tuple(curve.first() for curve in curves)
    return Finding("exploding gradients", summary, seen, ADVICE, (path,), confidence(ratio, "depth growth"))


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
        ("ReLU or GELU instead of sigmoid and tanh between the layers",
         "initial weights with the scale sqrt(2 / inputs) for ReLU, sqrt(1 / inputs) for tanh: dark.nn.init",
         "normalization layers, residual connections, or fewer layers"), (path,), confidence(ratio, "depth decay"),
    )  # fmt: skip
