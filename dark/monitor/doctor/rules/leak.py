"""Label leakage: results that are too good, and a first layer that looks at one input, or at a one-hot code.

A label among the inputs makes all others superfluous: one input stands out far above the next, or, if the label is
written one-hot, neighboring inputs do, each for a class of its own. Several inputs that matter for
other reasons, as in a regression almost without noise, do not look like that.
"""

import numpy as np

from dark.monitor.doctor.curve import entropy
from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.rules.token_leak import token_leak
from dark.monitor.doctor.thresholds import limit

SHOWN, LEAST_INPUTS, EARLY = 5, 4, 8
VERY = {  # the thresholds for results that are good, but not perfect
    "dominant input": "very dominant input", "influential input": "very influential input", "input": "clear input",
}  # fmt: skip
CODE = "their effects on the outputs are aligned with a one-hot code"
PERFECT_LOSS = 0.05  # of the beginning, if accuracies are not noted


def leak(run: NotedRun) -> Finding | None:
    """Find results that are too good, with a first layer that a single input or a one-hot code dominates."""
    first, result = _first_layer(run), _result(run)
    if result is None:
        return None
    evidence, is_perfect = result
    if first is None:
        return token_leak(run, evidence) if is_perfect and _is_tiny(run) else None
    limits = {name: limit(name if is_perfect else VERY[name]) for name in VERY}
    if not _is_tiny(run):  # of inputs that are merely informative, the loss of some examples remains
        limits["input"] = limit(VERY["input"])
    found = []
    for sign in _dominance(run, first):  # the inputs that stand out, the most conspicuous first
        least = limits[sign[0]]
        if sign[0] == "input" and _loneliness(run, sign[1], [int(sign[1].argmax())]) > limit("far alone"):
            least = limit("input")
        columns = [int(k) for k in np.argsort(-sign[1]) if sign[1][k] > least]
        if columns and _looks_like_a_label(run, sign[1], columns):
            found.append((sign, columns))
    if not found and is_perfect and (code := _code(run)) is not None:
        found.append((("code", code[1], CODE), code[0]))
        limits["code"] = limit("one-hot code")
    if not found:
        return None
    columns = max(found, key=lambda pair: float(pair[0][1].max()) / limits[pair[0][0]])[1]
    shown = ", ".join(map(str, columns[:SHOWN])) + (" …" if len(columns) > SHOWN else "")
    what = f"input {shown} stands" if len(columns) == 1 else f"inputs {shown} stand"
    return Finding(
        "leak",
        f"the result is suspiciously good ({evidence.text}), and {what} out in the first layer, {first}: "
        "it looks as if the label were among the inputs.",
        (evidence, *(_evidence(f"weights/{first}", ratios, said) for (_, ratios, said), _ in found)),
        (f"leave out input {columns[0]} and train again: does the result fall?",
         "ask how each input was made, and whether it is known before the label is: if so, all is well",
         "see that no example is in both the training set and the validation set"), (first,),
        "medium" if is_perfect and len(found) > 1 else "low",  # a single input that really decides looks the same
    )  # fmt: skip


def _effects(run, ratios):
    """Return the effect of each input on the outputs: of the product of all weights, if the layers are a chain."""
    linear, outputs = _linear_map(run), next(reversed(run.weights.values())).shape[0]
    return ratios if linear is None else np.linalg.norm(linear - linear.mean(axis=0) * (outputs > 1), axis=0)


def _loneliness(run, ratios, columns):
    """Return the effect of the least of some inputs over the largest of the others."""
    effects = _effects(run, ratios)
    return float(effects[columns].min() / max(float(np.delete(effects, columns).max(initial=0)), 1e-300))


def _looks_like_a_label(run, ratios, columns):
    """Return whether the inputs that stand out are a single one, far above the next, or neighbors with a class each."""
    linear, outputs = _linear_map(run), next(reversed(run.weights.values())).shape[0]
    has_classes = run.validation_accuracy is not None or run.training_accuracy is not None
    ratio = limit("lone input" if has_classes and len(run.weights) > 1 else "lone coefficient")
    if len(columns) <= 2 and _loneliness(run, ratios, columns) <= ratio:
        return False  # of more inputs it is enough that they are a code
    classes = columns if linear is None else set(linear[:, columns].argmax(axis=0).tolist())
    return max(columns) - min(columns) < outputs and len(classes) == len(columns)


def _code(run):
    """Return neighboring inputs that are the one-hot code of the classes, and their alignment with it; None without.

    Of as many neighbors as there are classes, the effects on the outputs are compared with the identity, both without
    the means of rows and columns. Of effects that have nothing to do with it, the correlation has a standard deviation
    of 1 / (classes - 1); the alignment is the correlation in these units.
    """
    linear = _linear_map(run)
    if linear is None or min(linear.shape) < LEAST_INPUTS or linear.shape[1] < linear.shape[0]:
        return None
    outputs, inputs = linear.shape
    identity, scores = _centered(np.eye(outputs)), np.zeros(inputs)
    for start in range(inputs - outputs + 1):
        block = _centered(linear[:, start : start + outputs])
        scores[start] = (
            (outputs - 1) * np.sum(block * identity) / max(np.linalg.norm(block), 1e-300) / (outputs - 1) ** 0.5
        )
    start = int(scores.argmax())
    columns = list(range(start, start + outputs))
    return (columns, scores) if scores[start] > limit("one-hot code") else None


def _centered(matrix):
    return matrix - matrix.mean(axis=0) - matrix.mean(axis=1, keepdims=True) + matrix.mean()


def _linear_map(run):
    """Return the product of all weights, (outputs, inputs); None if the layers are not a chain of linear ones."""
    product = None
    for series in run.weights.values():
        pair = run.ends(series)
        if pair is None or pair[1].ndim != 2 or (product is not None and pair[1].shape[1] != product.shape[0]):
            return None
        weight = pair[1].astype(float)
        product = weight if product is None else weight @ product
    return product


def _evidence(series, ratios, said):
    most, column = float(ratios.max()), int(ratios.argmax())
    if said == CODE:
        return Evidence(series, None, most, f"columns from {column} on: {said} by {most:.2g} standard deviations")
    return Evidence(series, None, most, f"column {column}: {said}, {most:.2g} times the median")


def _dominance(run, path):
    """Return how much each input stands out, in units of the median: names of thresholds, ratios, and words."""
    pair, signs = run.ends(run.weights[path]), []
    if pair is not None:
        change = np.linalg.norm((pair[1] - pair[0]).astype(float), axis=0)
        signs.append(("dominant input", _ratios(change), "change of its weights"))
    series = run.tensor_family("gradients_abs").get(path)
    gradients = [] if series is None else run.arrays(series, EARLY)[: EARLY // 2]
    if pair is not None and gradients:  # the gradient of a weight is large if its input is
        inputs = np.mean([_ratios(np.linalg.norm(g.astype(float), axis=0)) for g in gradients], axis=0)
        weights = np.linalg.norm(pair[1].astype(float), axis=0)
        signs.append(("influential input", _ratios(weights * inputs), "weights times gradients"))
        both = signs[0][1] * signs[1][1]  # neither need be conspicuous alone: in a small table, all inputs matter
        signs.append(("input", both, "change of its weights, times weights times gradients"))
    return signs


def _ratios(sizes):
    return sizes / max(float(np.median(sizes)), 1e-300)


def _first_layer(run):
    """Return the path of the first weight matrix if it belongs to a linear layer with several inputs."""
    if not run.weights:
        return None
    path, series = next(iter(run.weights.items()))
    name, _, kind = path.rpartition(".")
    bias = run.tensor_family("weights").get(f"{name}.bias" if name else "bias")
    is_linear = kind == "weight" and bias is not None and bias.shape == series.shape[:1]
    return path if is_linear and len(series.shape) == 2 and series.shape[1] >= LEAST_INPUTS else None


def _result(run):
    """Return the best result if it is good, and whether it is perfect on data that is not trained on."""
    accuracy = run.validation_accuracy
    if accuracy is not None:
        is_good, is_perfect = (accuracy.high >= limit(name) for name in ("nearly perfect", "perfect"))
        is_good &= 1 - accuracy.high <= limit("errors left") * (1 - _majority(run, accuracy))
        return (accuracy.highest(f"{accuracy.high:.1%}"), is_perfect) if is_good else None
    loss, accuracy = run.validation_loss or run.training_loss, run.training_accuracy
    if loss is None or run.training_loss is None:
        return None if accuracy is None or accuracy.high < limit("perfect") else (accuracy.highest(), False)
    is_good = float(loss.late.mean()) < PERFECT_LOSS * run.training_loss.start
    return (loss.last(f"loss {loss.values[-1]:.3g}"), False) if is_good else None


def _majority(run, accuracy):
    """Return the share of the larger of two classes, if by its loss the first answer is the same to all; else 0."""
    p, loss = float(accuracy.values[0]), run.validation_loss
    is_known = loss is not None and run.outputs in (None, 2) and 0.5 < p < 1
    return p if is_known and loss.values[0] >= limit("prior loss") * entropy(p) else 0.0


def _is_tiny(run):
    """Return whether the validation loss falls to almost nothing."""
    loss = run.validation_loss
    return loss is not None and loss.low < limit("tiny loss") * float(loss.values[0])
