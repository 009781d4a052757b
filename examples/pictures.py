"""Shared by the adversarial examples: figures with an alternative text, and sheets of small gray images."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from dark.draw import FigurePicture

DARK, GRAY = "#0b4f8a", "#8a94a0"  # they differ in brightness, too


def panels(count, width=3.4, height=3.6):
    """Return a figure, and its axes in a row."""
    figure = Figure(figsize=(width * count, height), layout="constrained")
    return figure, list(figure.subplots(1, count, squeeze=False)[0])


def sheet(images, rows, columns=None, *, title, alt, cell=0.5, groups=(), below=False):
    """Draw a table of gray images.

    Parameters
    ----------
    images : array, shape (rows, columns, height, width)
        Values from -1, white, to 1, black: ink on paper.
    rows : sequence of str
        The labels at the left.
    columns : sequence of str, optional
        The labels at the top.
    title, alt : str
        The title, and the alternative text.
    cell : float
        The width of an image in inches.
    groups : sequence of int
        The columns before which a gap separates groups.
    below : bool
        Whether the labels of the columns belong to the last row, and are written below it.
    """
    images = np.asarray(images)
    count, across, height, width = images.shape
    gap = max(1, width // 8)
    before = np.searchsorted(np.asarray(groups, int), np.arange(across), side="right")  # gaps between groups
    lefts = np.arange(across) * (width + gap) + 2 * gap * before
    tops = np.arange(count) * (height + gap)
    page = np.full((tops[-1] + height, lefts[-1] + width), np.nan)
    for (r, c), _ in np.ndenumerate(images[:, :, 0, 0]):
        page[tops[r] : tops[r] + height, lefts[c] : lefts[c] + width] = images[r, c]
    scale = cell / width
    margin = 0.2 + 0.085 * max(map(len, rows))
    figure = Figure(figsize=(page.shape[1] * scale + margin, page.shape[0] * scale + 0.75), layout="constrained")
    axes = figure.add_subplot(title=title)
    axes.imshow(page, cmap="gray_r", vmin=-1, vmax=1, interpolation="nearest")
    axes.set_yticks(tops + height / 2 - 0.5, rows)
    axes.set_xticks(lefts + width / 2 - 0.5 if columns else [], columns or [])
    if not below:
        axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=9)
    axes.spines[:].set_visible(False)
    axes.set(xlim=(-1, page.shape[1]), ylim=(page.shape[0], -1))  # with room for the frames
    frame = {"fill": False, "edgecolor": GRAY, "linewidth": 0.5}
    for top in tops:
        for left in lefts:
            axes.add_patch(Rectangle((left - 0.5, top - 0.5), width, height, **frame))
    return FigurePicture(figure, alt, title)
