"""One of two arrays that are broadcast: which cells are repeated, and the words for it."""

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Operand:
    """One of the two arrays, beside the shape of the result.

    Parameters
    ----------
    name : str
    shape : tuple of int
    result : tuple of int
        The shape it is repeated to.
    """

    name: str
    shape: tuple[int, ...]
    result: tuple[int, ...]

    @property
    def padded(self):
        """The shape with axes of length 1 in front, as many as the result has."""
        return (1,) * (len(self.result) - len(self.shape)) + self.shape

    @property
    def repeated(self):
        """The axes of the result along which the array is repeated."""
        return tuple(k for k, (own, all_) in enumerate(zip(self.padded, self.result)) if own != all_)

    @property
    def count(self):
        """How many cells of the result one number becomes."""
        return prod(self.result[k] for k in self.repeated)

    def label(self, place):
        """Name the cell that stands at a place of the result, by its places on the axes longer than 1."""
        return self.name + "".join(str(k) for k, n in zip(place, self.padded) if n > 1)

    def is_own(self, place):
        """Say whether a cell of the result is one of the array's own, not a repeated one."""
        return all(place[k] == 0 for k in self.repeated)

    @property
    def forward(self):
        """Two lines: the array, and what happens to it on the way forward."""
        read = f", read as {self.padded}" if len(self.shape) < len(self.result) else ""
        return f"{self.name} {self.shape}{read}", self._said("repeated {} times {}", "not repeated")

    @property
    def backward(self):
        """Two lines: the gradient, and what happens to it on the way back."""
        return f"{self.name}.grad {self.shape}", self._said(
            ("each " if prod(self.shape) > 1 else "") + "the sum of {}, {}", "the gradient as it comes"
        )

    def _said(self, words, otherwise):
        axes = " and ".join(map(str, self.repeated))
        along = f"along {'axis' if len(self.repeated) == 1 else 'axes'} {axes}"
        return words.format(self.count, along) if self.repeated else otherwise
