"""One of two arrays that are broadcast: which of its cells are repeated, and how captions describe it."""

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Operand:
    """One of the two arrays, and the shape of the result, to which it is broadcast."""

    name: str
    shape: tuple[int, ...]
    result: tuple[int, ...]

    @property
    def padded(self) -> tuple[int, ...]:
        """The shape with axes of length 1 prepended, up to the number of axes of the result."""
        return (1,) * (len(self.result) - len(self.shape)) + self.shape

    @property
    def repeated(self) -> tuple[int, ...]:
        """The axes of the result along which the array is repeated."""
        return tuple(k for k, (own, all_) in enumerate(zip(self.padded, self.result)) if own != all_)

    @property
    def count(self) -> int:
        """The number of cells of the result that share one element of the array."""
        return prod(self.result[k] for k in self.repeated)

    def label(self, index: tuple[int, ...]) -> str:
        """Return the label of a cell of the result: the name, and the index along axes longer than 1."""
        return self.name + "".join(str(k) for k, n in zip(index, self.padded) if n > 1)

    def is_own(self, index: tuple[int, ...]) -> bool:
        """Return whether a cell of the result is stored in the array, not repeated."""
        return all(index[k] == 0 for k in self.repeated)

    @property
    def forward(self) -> tuple[str, str]:
        """Two lines: the array, and what happens to it in the forward pass."""
        read = f", read as {self.padded}" if len(self.shape) < len(self.result) else ""
        return f"{self.name} {self.shape}{read}", self._described("repeated {} times {}", "not repeated")

    @property
    def backward(self) -> tuple[str, str]:
        """Two lines: the gradient, and what happens to it in the backward pass."""
        return f"{self.name}.grad {self.shape}", self._described(
            ("each " if prod(self.shape) > 1 else "") + "the sum of {}, {}", "the gradient unchanged"
        )

    def _described(self, words, otherwise):
        axes = " and ".join(map(str, self.repeated))
        along = f"along {'axis' if len(self.repeated) == 1 else 'axes'} {axes}"
        return words.format(self.count, along) if self.repeated else otherwise
