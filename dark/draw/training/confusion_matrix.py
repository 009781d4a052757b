"""`confusion`: the confusion matrix of a classifier as a picture."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from dark.draw.labels import one_line
from dark.draw.training.figure_picture import FigurePicture, empty_figure
from dark.errors import DrawingError
from dark.nodes import Node

Classes: TypeAlias = ArrayLike | Node
MOST_CLASSES = 40
MOST_NAMED = 3  # confusions in the alternative text
CELL = 0.42  # inches


def confusion(
    labels: Classes, predictions: Classes, names: Sequence[str] | None = None, *, title: str | None = None
) -> FigurePicture:
    """Draw a confusion matrix: a row for each true class, a column for each predicted class.

    Parameters
    ----------
    labels : array, shape (n,)
        The true classes: integers or strings.
    predictions : array, shape (n,)
        The predicted classes, such as ``logits.argmax(axis=1)``.
    names : sequence of str, optional
        The names of the classes 0, 1, …; the picture then shows all of them.
    title : str, optional

    Returns
    -------
    FigurePicture
        Each cell holds its count, and is the darker, the larger its fraction of the row. Correct predictions are
        on the diagonal, in frames. The alternative text lists the most frequent confusions.

    Examples
    --------
    >>> confusion([0, 0, 1, 1, 1], [0, 0, 1, 1, 0], names=("cat", "dog"))
    Confusion matrix of 5 predictions in 2 classes, 4 correct (80.0%). Most frequent errors: dog predicted as cat \
(1 of 3).
    """
    true, predicted = _classes_in(labels, "labels"), _classes_in(predictions, "predictions")
    if len(true) != len(predicted) or not len(true):
        raise DrawingError(
            f"confusion: labels and predictions must have one length, 1 or more, got {len(true)} and {len(predicted)}.",
            "one prediction for each label, and at least one.",
            "confusion([0, 1, 1], [0, 1, 0])",
        )
    classes = _classes(true, predicted, names)
    counts = confusion_counts(true, predicted, classes)
    names = [str(name) for name in (classes if names is None else names)]
    figure = empty_figure(*(1.9 + CELL * len(names),) * 2)
    _draw(figure.add_subplot(xlabel="predicted class", ylabel="true class", title=title or ""), counts, names)
    return FigurePicture(figure, _alt(counts, names, title), title or "Confusion matrix")


def confusion_counts(labels: np.ndarray, predictions: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the counts, shape (k, k), of each true class (row) and predicted class (column); `classes` are sorted."""
    k = len(classes)
    pairs = np.searchsorted(classes, labels) * k + np.searchsorted(classes, predictions)
    return np.bincount(pairs, minlength=k * k).reshape(k, k)


def most_confused(counts):
    """Return the most frequent confusions, each as (true class, predicted class), at most three."""
    wrong = np.where(np.eye(len(counts), dtype=bool), 0, counts)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_NAMED]
    return [(int(i // len(counts)), int(i % len(counts))) for i in order if wrong.flat[i]]


def _classes_in(classes, what):
    """Return classes as a 1-d array of integers or strings."""
    array = np.asarray(getattr(classes, "value", classes))
    if array.ndim == 1 and array.dtype.kind == "f" and np.all(array == np.round(array)):
        array = array.astype(int)
    if array.ndim == 1 and array.dtype.kind in "biuU":
        return array
    raise DrawingError(
        f"confusion: {what} have shape {array.shape} and dtype {array.dtype}, so they are not classes.",
        "a 1-d array of integers or strings.",
        "logits.argmax(axis=1), for the scores of a network",
    )


def _classes(labels, predictions, names):
    found = np.unique(np.concatenate([labels, predictions]))
    if names is not None:
        outside = [str(c) for c in found if found.dtype.kind == "U" or not 0 <= c < len(names)]
        if outside:
            raise DrawingError(
                f"confusion: none of the {len(names)} names is for class {', '.join(outside[:5])}.",
                "integer classes from 0, and a name for each.",
                'names=("cat", "dog") for the classes 0 and 1',
            )
        found = np.arange(len(names))
    if len(found) > MOST_CLASSES:
        raise DrawingError(
            f"confusion: {len(found)} classes are too many to draw.",
            f"at most {MOST_CLASSES}, so that the numbers are readable.",
            "select classes: keep = np.isin(labels, selected)",
        )
    return found


def _draw(axes, counts, names):
    from matplotlib.patches import Rectangle

    fractions = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    axes.imshow(fractions, cmap="Greys", vmin=0, vmax=1.15)
    for (row, column), count in np.ndenumerate(counts):
        color = "white" if fractions[row, column] > 0.5 else "#1f2933"
        axes.text(column, row, str(count), ha="center", va="center", color=color, fontsize=9)
        if row == column:
            corner = (column - 0.47, row - 0.47)
            axes.add_patch(Rectangle(corner, 0.94, 0.94, fill=False, edgecolor="#0b4f8a", linewidth=1.6))
    rotation = {"rotation": 45, "ha": "right"} if max(map(len, names)) > 3 else {}
    axes.set_xticks(range(len(names)), [one_line(name) for name in names], parse_math=False, **rotation)
    axes.set_yticks(range(len(names)), [one_line(name) for name in names], parse_math=False)


def _alt(counts, names, title):
    total, correct = counts.sum(), np.trace(counts)
    head = f"{title}. " if title else ""
    text = f"{head}Confusion matrix of {total} prediction{'s' * int(total != 1)} in {len(names)} classes,"
    text += f" {correct} correct ({correct / total:.1%})."
    worst = most_confused(counts)
    pairs = [f"{names[i]} predicted as {names[j]} ({counts[i, j]} of {counts[i].sum()})" for i, j in worst]
    return f"{text} Most frequent errors: {', '.join(pairs)}." if pairs else text
