"""Transforms of an image's numbers, which leave mask and points where they are: normalising, noise."""

from dataclasses import replace
from numbers import Real

import numpy as np

from dark.data.doors import numbers_of
from dark.data.seeding import generator_of
from dark.data.transforms.sample import closed, opened
from dark.errors import ShapeError, UsageError


class Normalize:
    """Subtract a mean from each channel and divide by a standard deviation.

    Parameters
    ----------
    mean, std : float or array, shape (channels,)
        One for all channels or one for each; `std` above 0. They must come from the training part.

    Raises
    ------
    UsageError
        If a number is not finite or a `std` is not above 0.
    ShapeError
        If they are no flat lists; when called, if the image has another number of channels.

    Notes
    -----
    Takes the samples that the other transforms of images take, also a batch. The result has the type of the image,
    float64 for an image of integers.

    Examples
    --------
    >>> Normalize(mean=2.0, std=2.0)(np.array([[[2.0, 6.0]]]))
    array([[[0., 2.]]])
    """

    def __init__(self, mean, std):
        self.mean, self.std = numbers_of(mean, "Normalize", "mean"), numbers_of(std, "Normalize", "std")
        if max(self.mean.ndim, self.std.ndim) > 1:
            raise ShapeError(
                f"Normalize: mean and std of shapes {self.mean.shape} and {self.std.shape}.",
                "a number, or one for each channel.",
                "images.mean(axis=(0, 2, 3))",
            )
        if not (np.isfinite(self.mean).all() and np.isfinite(self.std).all() and (self.std > 0).all()):
            raise UsageError(
                f"Normalize: mean {self.mean} and std {self.std}.",
                "finite numbers, and a std above 0.",
                "std 1 for a channel that is the same everywhere.",
            )

    def __call__(self, sample, generator=None):
        """Normalise the image of a sample."""
        parts = opened(sample, "Normalize")
        image, channels = parts.image, parts.image.shape[-3]
        for value in (self.mean, self.std):
            if value.ndim and len(value) not in (1, channels):
                raise ShapeError(
                    f"Normalize: an image of {channels} channels, mean and std of {len(value)}.",
                    "one number for each channel.",
                    "look at image.shape; the channels stand before height and width.",
                )
        mean, std = (value.reshape(-1, 1, 1) for value in (self.mean, self.std))
        dtype = image.dtype if image.dtype.kind == "f" else float
        return closed(sample, replace(parts, image=((image - mean) / std).astype(dtype)))


class GaussianNoise:
    """Add normal noise to each number of the image.

    Parameters
    ----------
    sigma : float, default 0.1
        Its standard deviation, 0 or more.
    mean : float, default 0

    Notes
    -----
    The result has the type of the image, float64 for an image of integers. It is not clipped.

    Examples
    --------
    >>> GaussianNoise(0.5)(np.zeros((1, 1, 2)), np.random.default_rng(0)).round(2)
    array([[[ 0.06, -0.07]]])
    """

    def __init__(self, sigma=0.1, mean=0.0):
        if not isinstance(sigma, Real) or not 0 <= sigma < np.inf:
            raise UsageError(f"GaussianNoise: sigma is {sigma!r}.", "a number, 0 or more.", "sigma=0.1")
        self.sigma, self.mean = sigma, mean

    def __call__(self, sample, generator=None):
        """Add noise to the image of a sample."""
        parts = opened(sample, "GaussianNoise")
        noise = generator_of(generator).normal(self.mean, self.sigma, parts.image.shape)
        dtype = parts.image.dtype if parts.image.dtype.kind == "f" else float
        return closed(sample, replace(parts, image=(parts.image + noise).astype(dtype)))
