"""Gradients that explode, over the run or on their way back, or vanish; and units that pass none: dead or saturated."""

import numpy as np

from dark.monitor.doctor.curve import Curve
from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.thresholds import limit

EARLY = 3  # notes
ADVICE = (
    "clip the gradients: dark.optim.clip_grad_norm(parameters, 1.0)",
    "a smaller learning rate, by a factor of 10",
    "initial weights with the scale 1 / sqrt(inputs), or normalization layers",
    "see that zero_grad is called in each step, and that the loss is minimized, not maximized",
)


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


def exploding_gradients(run: NotedRun) -> Finding | None:
    """Find gradients that grew by orders of magnitude, in time or on their way back through the layers."""
    return _in_time(run) or _in_depth(run)


def _in_time(run):
    total = total_norm(run)
    if total is None or len(total) < 3:
        return None
    start = max(float(np.median(total.values[:2])), 1e-30)
    growth = total.high / start
    loss = run.training_loss
    has_passed = total.end < limit("growth") * start and loss is not None and loss.gain > limit("learned well")
    if growth < limit("growth") or has_passed:  # single large gradients of a recurrent network, say
        return None
    largest = max(run.family("gradient_norm").values(), key=lambda curve: curve.high)
    summary = f"the norm of all gradients grew {growth:.2g}-fold, from {start:.2g} to {total.high:.2g}."
    evidence = (largest.first(), largest.highest(f"{largest.high:.3g}, the largest of all"))
    return Finding("exploding gradients", summary, evidence, ADVICE, (largest.name.partition("/")[2],))


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
    return Finding("exploding gradients", summary, tuple(curve.first() for curve in curves), ADVICE, (path,))


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
         "normalization layers, residual connections, or fewer layers"), (path,),
    )  # fmt: skip


OUTPUTS = ("out", "output", "head", "final", "last", "prediction")


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


def saturation(run: NotedRun) -> Finding | None:
    """Find hidden modules whose outputs are saturated at the end; outputs of the network may well be."""
    late = {path: curve for path, curve in run.family("saturated").items() if curve.end > limit("saturated")}
    curves = {path: curve for path, curve in late.items() if not _is_output(run, path)}
    if not curves:
        return None
    path, worst = max(curves.items(), key=lambda item: item[1].end)
    summary = f"{worst.end:.0%} of the outputs of {path} are where its activation function is flat."
    evidence = [curve.last(f"{curve.values[-1]:.0%} saturated") for curve in curves.values()]
    evidence += [worst.first(f"{worst.values[0]:.0%} saturated")]
    from_start = worst.values[0] > limit("saturated")
    start = ("standardized inputs: dark.data.Standardize", "initial weights with the scale 1 / sqrt(inputs)")
    later = ("a smaller learning rate, or weight decay: the weights have grown until the units saturate",)
    advice = (*(start if from_start else later), "a normalization layer before the activation function",
              "ReLU or GELU in hidden layers")  # fmt: skip
    return Finding("saturation", summary, tuple(evidence), advice, tuple(curves))


def _is_output(run, path):
    """Return whether no weights come after a module, as far as names and the order of the activations tell."""
    path = path.partition("#")[0]
    own = [weight.rpartition(".")[0] for weight in run.weights if player(run, weight) == player(run, path)]
    key = _numbers(path)
    if key is not None and all(_numbers(weight) is not None for weight in own):
        return bool(own) and all(_numbers(weight) < key for weight in own)
    order = [name.partition("#")[0] for name in run.tensor_family("activations")]
    if path in order and set(own) & set(order):
        return all(order.index(weight) < order.index(path) for weight in own if weight in order)
    return path.rpartition(".")[2] in OUTPUTS


def _numbers(path):
    """Return the positions in a Sequential, behind the name of the player; None if another module has a name."""
    parts = path.split(".")
    numbers = parts if parts[0].isdigit() else parts[1:]
    return [int(part) for part in numbers] if numbers and all(part.isdigit() for part in numbers) else None
