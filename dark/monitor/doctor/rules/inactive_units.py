"""Units that pass no gradient: ReLU units that are never active, and activation functions near their bounds."""

import numpy as np

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.rules.gradients import player
from dark.monitor.doctor.thresholds import limit

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
