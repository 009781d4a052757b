"""Units that pass no gradient: dead or saturated ones, seen by their outputs, or by gradients that are exactly 0."""

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.rules.gradients import player
from dark.monitor.doctor.thresholds import limit, share_confidence

LOOKED_AT = 8  # notes of gradients, evenly spread
OUTPUTS = ("out", "output", "head", "final", "last", "prediction")


START = "biases that begin at 0, initial weights of dark.nn.init, standardized inputs"
LATER = "a smaller learning rate: one large step can push all units below zero"
OTHERS = (
    "LeakyReLU or GELU, whose gradient is not zero below zero",
    "a normalization layer before the activation function",
)


def dead_units(run: NotedRun) -> Finding | None:
    """Find modules whose units are mostly dead at the end; or layers most of whose units get gradients of exactly 0."""
    return _seen_dead(run) or _without_gradient(run)


def _seen_dead(run):
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
    advice, confidence = (START if from_start else LATER, *OTHERS), share_confidence(worst.end, "dead")
    return Finding("dead units", summary, tuple(evidence), advice, tuple(curves), confidence)


def _without_gradient(run):
    """Find layers most of whose units get gradients of exactly 0: their activation function may be no module.

    A unit is a row of a weight, with its bias. The gradients of a unit are 0 for all examples of all notes if its
    activation function is flat there, or if nothing that follows looks at it; rounding alone does not make all of them
    0. The last layer does not count, nor do tables of embeddings, whose rows may not occur in the data.
    """
    paths = list(run.weights or run.of_matrices("gradient_norm"))[:-1]
    shares = {path: share for path in paths if (share := _share_of_zeros(run, path)) is not None}
    found = {path: share for path, share in shares.items() if share > limit("zero gradient")}
    loss = run.training_loss
    if not found or (loss is not None and abs(loss.end) <= limit("no loss") * abs(loss.start)):
        return None
    path = list(found)[-1]  # the layer nearest to the output: those before it get nothing because of it
    family = "gradients_abs" if run.weights else "gradient_norm"
    share, steps = found[path], (run.tensors | run.scalars)[f"{family}/{path}"].steps
    summary = (
        f"{share:.0%} of the units of {path.rpartition('.')[0] or path} get gradients of exactly 0 in all notes: their "
        "activation function is flat for every example, as ReLU is below zero."
    )
    evidence = tuple(
        Evidence(f"{family}/{p}", int(steps[-1]), s, f"exactly 0 for {s:.0%} of the units") for p, s in found.items()
    )
    look = "nn.ReLU() as a module instead of relu(x): then a monitor notes which units are dead"
    return Finding(
        "dead units", summary, evidence, (START, *OTHERS, look), tuple(found), share_confidence(share, "dead")
    )


def _share_of_zeros(run, path):
    """Return the share of the units of a layer whose gradients are 0 in the later notes; None if it is no layer."""
    if not run.weights:
        return _all_are_zero(run, path)
    series = run.tensor_family("gradients_abs")
    bias = path.removesuffix("weight") + "bias"
    shape = run.weights[path].shape
    has_bias = bias in series and series[bias].shape == shape[:1]
    if path not in series or len(run.finite_entries(series[path])) < limit("notes") or not (has_bias or len(shape) > 2):
        return None
    parts = [path, bias] if has_bias else [path]
    arrays = [run.arrays(series[part], LOOKED_AT)[LOOKED_AT // 2 :] for part in parts]
    if not all(arrays):
        return None
    flat = [np.any([array.reshape(len(array), -1).any(axis=1) for array in part], axis=0) for part in arrays]
    return float(np.mean(~np.any(flat, axis=0)))


def _all_are_zero(run, path):
    """Return 1 if the late gradients of a weight and its bias are exactly 0 by their norms, else 0; None if unknown."""
    norms = run.family("gradient_norm")
    curves = [norms.get(path), norms.get(path.removesuffix("weight") + "bias")]
    if any(curve is None or len(curve) < limit("notes") for curve in curves):
        return None
    return float(all(not curve.late.any() for curve in curves))


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
    confidence = share_confidence(worst.end, "saturated")
    return Finding("saturation", summary, tuple(evidence), advice, tuple(curves), confidence)


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
