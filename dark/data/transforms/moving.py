"""What all transforms do that move an image, its mask and its points together."""

from abc import ABC, abstractmethod

import numpy as np

from dark.data.seeding import generator_of
from dark.data.transforms.sample import Sample, closed, opened


class Moving(ABC):
    """A transform that draws a move, and moves all that belongs to an image by it.

    It is called as ``transform(sample, generator)``; the sample is what `dark.data.transforms.sample` says: an
    image, a tuple with an image first, or a dict with `image`, `mask`, `points`. Without a generator it draws from
    a fresh one, and cannot be repeated; `DataLoader(transform=…)` gives each item a generator of its own. In a
    batch every image is moved by a draw of its own. Nothing is written into what was given. A point that leaves the
    picture keeps its place outside.
    """

    fill = 0
    interpolation = "bilinear"

    @abstractmethod
    def draw(self, height, width, generator):
        """Draw the move of an image of that size: an object with `pixels` and `points`."""

    def __call__(self, sample, generator=None):
        """Draw a move for each image, and move what belongs to it."""
        generator = generator_of(generator)
        parts = opened(sample, type(self).__name__)
        if parts.image.ndim == 3:
            return closed(sample, self._moved(parts, generator))
        several = [
            self._moved(Sample(*(None if part is None else part[n] for part in vars(parts).values())), generator)
            for n in range(len(parts.image))
        ]
        stacked = [[getattr(one, name) for one in several] for name in ("image", "mask", "points")]
        return closed(sample, Sample(*(None if part[0] is None else np.stack(part) for part in stacked)))

    def _moved(self, parts, generator):
        move = self.draw(*parts.image.shape[-2:], generator)
        nearest = self.interpolation == "nearest"
        return Sample(
            move.pixels(parts.image, self.fill, nearest),
            None if parts.mask is None else move.pixels(parts.mask, 0, True),
            None if parts.points is None else move.points(parts.points),
        )
