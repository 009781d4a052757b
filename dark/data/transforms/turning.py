"""Turning, shifting, stretching and shearing: affine maps around the middle of the picture."""

import numpy as np

from dark.data.transforms.moves import around_middle, turned
from dark.data.transforms.moving import Moving
from dark.data.transforms.ranges import interpolation_named, number_range


class RandomAffine(Moving):
    """Turn, shift, stretch and shear by random amounts, around the middle.

    Parameters
    ----------
    degrees : float or (float, float)
        Range of the turn, counter-clockwise as seen; one number d is (-d, d). A pair of equal numbers is that turn.
    translate : (float, float), optional
        The largest shift as a part of width and of height, 0 to 1.
    scale : (float, float), optional
        Range of the factor, above 0.
    shear : float or (float, float), optional
        Range of the shear along x, in degrees, between -90 and 90.
    interpolation : {"bilinear", "nearest"}, default "bilinear"
        How the image is read between pixels. A mask is always read at the nearest, its values being names.
    fill : float, default 0
        What comes into the image from outside; into the mask comes 0.

    Notes
    -----
    A point p goes to m + t + s R H (p - m), with the middle m, the shift t, the factor s, the turn R and the shear
    H. An image of integers is rounded after reading between pixels.

    Examples
    --------
    >>> RandomAffine((90, 90))(np.arange(4.0).reshape(1, 2, 2))
    array([[[1., 3.],
            [0., 2.]]])
    """

    def __init__(self, degrees, translate=None, scale=None, *, shear=None, interpolation="bilinear", fill=0):
        self.degrees = number_range(degrees, "RandomAffine", "degrees")
        self.translate = number_range(translate or (0, 0), "RandomAffine", "translate", 0, 1, ordered=False)
        self.scale = number_range(scale or (1, 1), "RandomAffine", "scale", 1e-6)
        self.shear = number_range(shear or 0, "RandomAffine", "shear", -89.9, 89.9)
        self.interpolation, self.fill = interpolation_named(interpolation, "RandomAffine"), fill

    def draw(self, height, width, generator):
        """Draw the map."""
        angle, scale, shear = (generator.uniform(*pair) for pair in (self.degrees, self.scale, self.shear))
        limits = np.asarray(self.translate) * (width, height)
        shift = generator.uniform(-limits, limits)
        matrix = scale * turned(angle) @ np.array([[1.0, np.tan(np.deg2rad(shear))], [0.0, 1.0]])
        return around_middle(matrix, height, width, shift)


class RandomRotation(Moving):
    """Turn by a random angle around the middle.

    Parameters
    ----------
    degrees : float or (float, float)
        Range of the angle, counter-clockwise as seen; one number d is (-d, d). A pair of equal numbers is that
        angle.
    interpolation : {"bilinear", "nearest"}, default "bilinear"
        As in `RandomAffine`.
    fill : float, default 0
        What comes in from outside. `largest_rectangle` says what is free of it.

    Examples
    --------
    >>> sample = {"image": np.eye(3)[None], "points": np.array([[0.0, 0.0]])}
    >>> RandomRotation((90, 90))(sample)["points"]
    array([[0., 2.]])
    """

    def __init__(self, degrees, interpolation="bilinear", fill=0):
        self.degrees = number_range(degrees, "RandomRotation", "degrees")
        self.interpolation, self.fill = interpolation_named(interpolation, "RandomRotation"), fill

    def draw(self, height, width, generator):
        """Draw the turn."""
        return around_middle(turned(generator.uniform(*self.degrees)), height, width)
