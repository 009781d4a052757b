"""The confusion sheet: how often each class was taken for which, as numbers in a table of greys."""

import numpy as np

from dark.draw.labels import plain
from dark.draw.training.figure_picture import FigurePicture, empty_figure
from dark.errors import DrawingError

MOST_CLASSES = 40
MOST_NAMED = 3  # confusions in the alternative text
CELL = 0.42  # inches


def confusion(labels, answers, names=None, *, title=None):
    """Draw the counts of answers: a row for each class, a column for each answer.

    Parameters
    ----------
    labels : array, shape (n,)
        The right classes: whole numbers or texts.
    answers : array, shape (n,)
        The classes that were answered, such as ``logits.argmax(axis=1)``.
    names : sequence of str, optional
        What class 0, 1, … is called; the sheet then shows all of them.
    title : str, optional
        Stands above the picture.

    Returns
    -------
    FigurePicture
        Each cell holds its count, and is the darker, the larger its share of the row. Right answers stand on the
        diagonal, in frames. The alternative text names the worst confusions.

    Raises
    ------
    DrawingError
        If labels and answers are not two equally long rows of classes, there are more than 40 classes, or
        a class has no name.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> confusion([0, 0, 1, 1, 1], [0, 0, 1, 1, 0], names=("cat", "dog"))
    Confusion sheet of 5 answers in 2 classes, 4 right (80.0 %). Most often taken for another: dog for cat (1 of 3).
    """
    labels, answers = _row(labels, "labels"), _row(answers, "answers")
    if len(labels) != len(answers) or not len(labels):
        raise DrawingError(
            f"confusion: {len(labels)} labels and {len(answers)} answers.",
            "one answer for each label, and at least one.",
            "confusion([0, 1, 1], [0, 1, 0])",
        )
    classes = _classes(labels, answers, names)
    counts = counted(labels, answers, classes)
    names = [str(name) for name in (classes if names is None else names)]
    figure = empty_figure(*(1.9 + CELL * len(names),) * 2)
    _draw(figure.add_subplot(xlabel="answer", ylabel="class", title=title or ""), counts, names)
    return FigurePicture(figure, _alt(counts, names, title), title or "Confusion sheet")


def counted(labels, answers, classes):
    """Count how often each class was answered by which.

    Parameters
    ----------
    labels, answers : array, shape (n,)
    classes : array, shape (k,)
        All that occur, in order.

    Returns
    -------
    array of int, shape (k, k)
        Row: the right class; column: the answer.

    Examples
    --------
    >>> counted(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([0, 1]))
    array([[1, 1],
           [0, 1]])
    """
    k = len(classes)
    pairs = np.searchsorted(classes, labels) * k + np.searchsorted(classes, answers)
    return np.bincount(pairs, minlength=k * k).reshape(k, k)


def worst(counts):
    """List the most frequent confusions, each as (class, answer), at most three.

    Examples
    --------
    >>> worst(np.array([[5, 0, 1], [3, 2, 0], [0, 0, 4]]))
    [(1, 0), (0, 2)]
    """
    wrong = np.where(np.eye(len(counts), dtype=bool), 0, counts)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_NAMED]
    return [(int(i // len(counts)), int(i % len(counts))) for i in order if wrong.flat[i]]


def _row(classes, what):
    """Return classes as an array of whole numbers or texts, one axis."""
    row = np.asarray(getattr(classes, "value", classes))
    if row.ndim == 1 and row.dtype.kind == "f" and np.all(row == np.round(row)):
        row = row.astype(int)
    if row.ndim == 1 and row.dtype.kind in "biuU":
        return row
    raise DrawingError(
        f"confusion: {what} are of shape {row.shape} and type {row.dtype}, which are no classes.",
        "a row of whole numbers or texts.",
        "logits.argmax(axis=1), for the scores of a network",
    )


def _classes(labels, answers, names):
    found = np.unique(np.concatenate([labels, answers]))
    if names is not None:
        outside = [str(c) for c in found if found.dtype.kind == "U" or not 0 <= c < len(names)]
        if outside:
            raise DrawingError(
                f"confusion: {len(names)} names, and none of them for class {', '.join(outside[:5])}.",
                "classes that are numbers from 0, and a name for each.",
                'names=("cat", "dog") for the classes 0 and 1',
            )
        found = np.arange(len(names))
    if len(found) > MOST_CLASSES:
        raise DrawingError(
            f"confusion: {len(found)} classes.",
            f"at most {MOST_CLASSES}, so that the numbers can be read.",
            "the classes that are confused most, chosen by a mask: keep = np.isin(labels, chosen)",
        )
    return found


def _draw(axes, counts, names):
    from matplotlib.patches import Rectangle

    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    axes.imshow(share, cmap="Greys", vmin=0, vmax=1.15)
    for (row, column), count in np.ndenumerate(counts):
        ink = "white" if share[row, column] > 0.5 else "#1f2933"
        axes.text(column, row, str(count), ha="center", va="center", color=ink, fontsize=9)
        if row == column:
            frame = {"fill": False, "edgecolor": "#0b4f8a", "linewidth": 1.6}
            axes.add_patch(Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, **frame))
    turn = {"rotation": 45, "ha": "right"} if max(map(len, names)) > 3 else {}
    turn["parse_math"] = False
    axes.set_xticks(range(len(names)), [plain(name) for name in names], **turn)
    axes.set_yticks(range(len(names)), [plain(name) for name in names], parse_math=False)


def _alt(counts, names, title):
    total, right = counts.sum(), np.trace(counts)
    head = f"{title}. " if title else ""
    text = f"{head}Confusion sheet of {total} answers in {len(names)} classes, {right} right ({right / total:.1%})."
    text = text.replace("%", " %")
    pairs = [f"{names[i]} for {names[j]} ({counts[i, j]} of {counts[i].sum()})" for i, j in worst(counts)]
    return f"{text} Most often taken for another: {', '.join(pairs)}." if pairs else text
