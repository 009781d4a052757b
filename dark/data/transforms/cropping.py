"""Flips, borders and windows: moves that keep every pixel as it is."""

import numpy as np

from dark.data.transforms.moves import Mirror, Stay, Window
from dark.data.transforms.moving import Moving
from dark.data.transforms.ranges import chance, four_sides, two_sides
from dark.errors import ShapeError


class RandomHorizontalFlip(Moving):
    """Exchange left and right, with a probability.

    Parameters
    ----------
    p : float, default 0.5
        From 0 to 1.

    Examples
    --------
    >>> sample = {"image": np.array([[[1, 2, 3]]]), "points": np.array([[0, 0]])}
    >>> RandomHorizontalFlip(p=1)(sample)
    {'image': array([[[3, 2, 1]]]), 'points': array([[2., 0.]])}
    """

    def __init__(self, p=0.5):
        self.p = chance(p, "RandomHorizontalFlip")

    def draw(self, height, width, generator):
        """Draw whether to flip."""
        return Mirror(-1, width) if generator.random() < self.p else Stay()


class RandomVerticalFlip(Moving):
    """Exchange top and bottom, with a probability.

    Parameters
    ----------
    p : float, default 0.5
        From 0 to 1.

    Examples
    --------
    >>> RandomVerticalFlip(p=1)(np.array([[[1], [2]]]))
    array([[[2],
            [1]]])
    """

    def __init__(self, p=0.5):
        self.p = chance(p, "RandomVerticalFlip")

    def draw(self, height, width, generator):
        """Draw whether to flip."""
        return Mirror(-2, height) if generator.random() < self.p else Stay()


class Pad(Moving):
    """Add a border.

    Parameters
    ----------
    padding : int, pair or four of int
        Pixels on every side; or (left and right, top and bottom); or (left, top, right, bottom).
    fill : float, default 0
        What the border of the image holds; that of the mask holds 0.

    Examples
    --------
    >>> Pad((1, 0), fill=9)(np.array([[[1, 2]]]))
    array([[[9, 1, 2, 9]]])
    """

    def __init__(self, padding, fill=0):
        self.padding, self.fill = four_sides(padding, "Pad"), fill

    def draw(self, height, width, generator=None):
        """Say what the window is that shows the border too."""
        left, top, right, bottom = self.padding
        return Window(-top, -left, height + top + bottom, width + left + right)


class CenterCrop(Moving):
    """Cut out the middle.

    Parameters
    ----------
    size : int or (int, int)
        Height and width; one number for both.
    fill : float, default 0
        What the window of the image holds beyond the image; that of the mask holds 0.

    Examples
    --------
    >>> CenterCrop((1, 2))(np.arange(12).reshape(1, 3, 4))
    array([[[5, 6]]])
    """

    def __init__(self, size, fill=0):
        self.size, self.fill = two_sides(size, "CenterCrop"), fill

    def draw(self, height, width, generator=None):
        """Say where the window is."""
        return Window((height - self.size[0]) // 2, (width - self.size[1]) // 2, *self.size)


class RandomCrop(Moving):
    """Cut out a window at a random place.

    Parameters
    ----------
    size : int or (int, int)
        Height and width of the window; one number for both.
    padding : int, pair or four of int, default 0
        A border to add before, as in `Pad`.
    fill : float, default 0
        What that border of the image holds; that of the mask holds 0.

    Raises
    ------
    ShapeError
        When called, if the image with its border is smaller than the window.

    Examples
    --------
    >>> RandomCrop(2)(np.zeros((3, 8, 8)), np.random.default_rng(0)).shape
    (3, 2, 2)
    """

    def __init__(self, size, padding=0, fill=0):
        self.size, self.padding, self.fill = two_sides(size, "RandomCrop"), four_sides(padding, "RandomCrop"), fill

    def draw(self, height, width, generator):
        """Draw where the window is."""
        left, top, right, bottom = self.padding
        free = height + top + bottom - self.size[0], width + left + right - self.size[1]
        if min(free) < 0:
            raise ShapeError(
                f"RandomCrop: a window of {self.size} in an image of {(height, width)} with padding {self.padding}.",
                "a window that is not larger than the image with its border.",
                "a smaller size, or padding.",
            )
        down, across = generator.integers(0, np.asarray(free) + 1).tolist()
        return Window(down - top, across - left, *self.size)
