"""Label leakage by a token: results that are too good, and a table of embeddings in which a token of each class counts.

A token that stands for the label makes all others superfluous: as many rows of the table as there are classes move far
more than all others, and away from each other.
"""

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.thresholds import limit


def token_leak(run: NotedRun, evidence: Evidence) -> Finding | None:
    """Find a table of embeddings in which as many tokens as there are classes stand out; the result is perfect."""
    found = _table(run)
    classes = run.outputs
    if found is None or classes is None:
        return None
    path, first, last = found
    if len(first) < 2 * classes + 2:
        return None
    signs = [(last - first).astype(float), *_scores(run, last)]  # of tokens: how far they moved, and what they say
    tokens = _top(signs[0], classes)
    if any(set(_top(sign, classes)) != set(tokens) for sign in signs):
        return None
    ratio = max(_ratio(sign, tokens) for sign in signs)
    if ratio <= limit("lone token") or not _differ(signs[-1][tokens]):
        return None
    shown = ", ".join(map(str, sorted(tokens)))
    said = f"tokens {shown} stand out {ratio:.2g}-fold from all others"
    return Finding(
        "leak",
        f"the result is suspiciously good ({evidence.text}), and of the tokens of {path}, {shown} stand out, as many "
        "as there are classes: it looks as if the label were among the tokens.",
        (evidence, Evidence(f"weights/{path}", None, ratio, said)),
        (f"replace token {min(tokens)} by another and train again: does the result fall?",
         "ask when each token is known: before the label? If so, all is well",
         "see that no example is in both the training set and the validation set"), (path,),
        "medium" if ratio > 2 * limit("lone token") else "low",
    )  # fmt: skip


def _top(rows, count):
    """Return the tokens with the largest rows."""
    return np.argsort(-np.linalg.norm(rows, axis=1))[:count].tolist()


def _ratio(rows, tokens):
    """Return the least of some rows over the largest of all others."""
    sizes = np.linalg.norm(rows, axis=1)
    return float(sizes[tokens].min() / max(float(np.delete(sizes, tokens).max()), 1e-300))


def _scores(run, table):
    """Return, as a list, what each token adds to the scores of the classes, if the layers are a chain."""
    product = table.astype(float)
    for series in list(run.weights.values())[1:]:
        pair = run.ends(series)
        if pair is None or pair[1].ndim != 2 or pair[1].shape[1] != product.shape[1]:
            return []
        product = product @ pair[1].astype(float).T
    centered = product - product.mean(axis=0)
    return [centered - centered.mean(axis=1, keepdims=True)]


def _table(run):
    """Return the path of the first weight if it is a table, with its first and last noted value."""
    path, series = next(iter(run.weights.items()), ("", None))
    has_bias = path.removesuffix("weight") + "bias" in run.tensor_family("weights")
    pair = None if series is None or has_bias or len(series.shape) != 2 else run.ends(series)
    return None if pair is None else (path, *pair)


def _differ(rows):
    """Return whether no two rows point into the same direction: each token stands for a class of its own."""
    units = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    cosines = units @ units.T - 2 * np.eye(len(rows))
    return float(cosines.max()) < limit("own class")
