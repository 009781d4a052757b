"""`Embedding`: a lookup table with one trainable vector for each index."""

from __future__ import annotations

import numpy as np

from dark.checks import describe, integer
from dark.errors import IndexingError, ShapeError, ValueTypeError
from dark.nn import init
from dark.nn.casting import float_dtype
from dark.nn.module import Module
from dark.nodes import Node, Parameter, value_of
from dark.nodes.changes import repeated
from dark.nodes.values import as_array
from dark.operations import take, where
from dark.typing import Array, DType, Seed


class Embedding(Module):
    """Look up a vector for each index.

    Parameters
    ----------
    num_embeddings : int
        The number of vectors; valid indices are 0 to ``num_embeddings - 1``.
    embedding_dim : int
        The length of each vector.
    padding_idx : int, optional
        The index used for padding: its vector is initialized to 0 and receives no gradient.
    dtype, seed
        As for `Linear`.

    Attributes
    ----------
    weight : Parameter, shape (num_embeddings, embedding_dim)
        Initialized from the standard normal distribution.

    Examples
    --------
    >>> words = Embedding(10, 3, padding_idx=0)
    >>> words(np.array([[1, 2], [4, 0]])).value[1, 1], words
    (array([0., 0., 0.]), Embedding(10, 3, padding_idx=0))
    """

    weight: Parameter

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        *,
        dtype: DType = float,
        seed: Seed = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = integer(num_embeddings, "Embedding", "num_embeddings", 0)
        self.embedding_dim = integer(embedding_dim, "Embedding", "embedding_dim", 0)
        self.padding_idx = None if padding_idx is None else self._row(padding_idx)
        table = init.empty((self.num_embeddings, self.embedding_dim), float_dtype(dtype, "Embedding"))
        self.weight = init.fill(table, lambda shape: self._drawn(init.generator(seed), shape))

    def _drawn(self, rng, shape):
        table = rng.normal(size=shape)
        if self.padding_idx is not None:
            table[self.padding_idx] = 0.0
        return table

    @classmethod
    def from_pretrained(cls, embeddings: Array, freeze: bool = True, padding_idx: int | None = None) -> Embedding:
        """Create the layer from existing vectors, an array of shape (num_embeddings, embedding_dim), which is copied.

        With `freeze`, the vectors stay fixed in training. The vector of `padding_idx` keeps its value.
        """
        if np.ndim(embeddings) != 2:
            raise ShapeError(
                f"Embedding: pretrained vectors must form a matrix, got shape {np.shape(embeddings)}.",
                "(num_embeddings, embedding_dim).",
                "embeddings[None], for a single vector.",
            )
        layer = cls(len(embeddings), np.shape(embeddings)[1], padding_idx)
        layer.weight = Parameter(embeddings, requires_grad=not freeze)
        return layer

    def _row(self, k):
        n, k = self.num_embeddings, integer(k, "Embedding", "padding_idx")
        if not -n <= k < n:
            raise IndexingError(
                f"Embedding: padding_idx {k} is out of range for {n} vectors.",
                f"{-n} to {n - 1}.",
                "omit it for no padding.",
            )
        return k % n

    def forward(self, indices: Array | Node | int) -> Node:
        """Look up the vectors: shape (...,) to (..., embedding_dim)."""
        numbers = repeated(self._checked, indices)
        rows = take(self.weight, numbers, 0)
        if self.padding_idx is None:
            return rows
        return where((numbers == self.padding_idx)[..., None], value_of(self.weight)[self.padding_idx], rows)

    def _checked(self, indices):
        numbers = as_array(indices, "Embedding", "indices")
        if numbers.dtype.kind not in "iu":
            raise ValueTypeError(
                f"Embedding: indices must be integers, got {describe(numbers)}.",
                "an array of integers.",
                "indices.astype(int)",
            )
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self.num_embeddings:
            raise IndexingError(
                f"Embedding: indices from {numbers.min()} to {numbers.max()} are out of range for "
                f"{self.num_embeddings} vectors.",
                f"indices from 0 to {self.num_embeddings - 1}.",
                "a larger num_embeddings, or indices that start at 0.",
            )
        return numbers

    def extra_repr(self) -> str:
        """Return the settings as text."""
        padding = f", padding_idx={self.padding_idx}" if self.padding_idx is not None else ""
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
