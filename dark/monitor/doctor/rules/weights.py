"""Weights that do not learn: units that are equal from the beginning, frozen parameters, weights that decay to zero."""

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun, read
from dark.monitor.doctor.thresholds import confidence, limit


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
        ("random initial weights instead of a constant, such as the layers of dark.nn have",), tuple(found), "high",
    )  # fmt: skip


def _rows_are_equal(weight):
    rows = weight.reshape(len(weight), -1).astype(float)
    return bool(np.ptp(rows, axis=0).max(initial=0) <= limit("equal units") * np.abs(rows).max(initial=0))


def frozen_parameters(run: NotedRun) -> Finding | None:
    """Find parameters that keep their bits, for another reason than gradients of 0, or that they require none."""
    frozen = {path: reason for path in _parameters(run) if (reason := _reason(run, path))}
    if not frozen:
        return None
    paths = list(frozen)
    shown = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    verb = "never changes" if len(paths) == 1 else "never change"
    summary = "no parameter changes." if len(frozen) == len(_parameters(run)) else f"{shown}: {verb}."
    evidence = tuple(Evidence(f"weights/{p}", None, 0.0, f"the same in all notes; {frozen[p]}") for p in paths[:3])
    if any(reason.startswith("no gradient") for reason in frozen.values()):
        advice = ("look for detach(), no_grad() and .value between these parameters and the loss",
                  "see whether requires_grad is False; if that is intended, all is well")  # fmt: skip
    else:
        advice = ("see whether the optimizer got these parameters: Optimizer(network.parameters())",
                  "see whether their learning rate is 0, and optimizer.step() is called")  # fmt: skip
    level = "medium" if any(reason.startswith("no gradient") for reason in frozen.values()) else "high"
    return Finding("frozen parameters", summary, evidence, advice, tuple(paths), level)


def _parameters(run):
    """Return the paths of all parameters, but for those that are not trained on purpose."""
    known = {**run.tensor_family("weights"), **run.family("update_ratio")}
    return [path for path in known if path not in run.kept]


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


def shrinking_weights(run: NotedRun) -> Finding | None:
    """Find networks whose weight matrices have all lost most of their norm; or much of it, while little is learned."""
    loss = run.training_loss
    is_stuck = loss is not None and len(loss) >= 2 * limit("notes") and loss.gain < limit("gain under decay")
    most = limit("shrunk while stuck" if is_stuck else "shrunk")
    norms = {path: pair for path, pair in _norms(run).items() if pair[0] > 0}
    if not norms or any(after > most * before for before, after in norms.values()):
        return None
    path, (before, after) = min(norms.items(), key=lambda item: item[1][1] / item[1][0])
    name = f"weights/{path}" if run.weights else f"weight_norm/{path}"
    steps = run.weights[path].steps if run.weights else run.curve(name).steps
    summary = f"all weights decay towards zero; those of {path} from a norm of {before:.3g} to {after:.2g}."
    evidence = tuple(Evidence(name, int(steps[k]), norm, f"norm {norm:.3g}") for k, norm in ((0, before), (-1, after)))
    advice = ("a smaller weight decay, by a factor of 100", "a smaller weight of penalties in the loss")
    return Finding("shrinking weights", summary, evidence, advice, tuple(norms), confidence(after / before, "shrunk"))


def _norms(run):
    """Return the first and the last norm of each weight matrix, by the arrays if they are noted."""
    if not run.weights:
        curves = run.of_matrices("weight_norm")
        return {path: (float(c.values[0]), float(c.values[-1])) for path, c in curves.items() if len(c) > 1}
    pairs = {path: run.ends(series) for path, series in run.weights.items()}
    return {path: tuple(float(np.linalg.norm(w)) for w in pair) for path, pair in pairs.items() if pair is not None}
