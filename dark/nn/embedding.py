"""`Embedding`: a row of weights for each word, or whatever else is counted from 0."""

import numpy as np

from dark.errors import IndexingError, ShapeError, ValueTypeError
from dark.nn import init
from dark.nn.float_dtype import float_type, size
from dark.nn.module import Module
from dark.nodes import Parameter, value_of
from dark.nodes.values import describe
from dark.operations import take, where


class Embedding(Module):
    """Look up a row of weights for each index.

    Parameters
    ----------
    num_embeddings : int
        How many rows there are; indices go from 0 to one less.
    embedding_dim : int
        The length of a row.
    padding_idx : int, optional
        The index that fills short sentences up: its row is 0 at first, and takes no gradient.
    dtype : type of float, default float64
        See `Linear`.
    seed : int or numpy.random.Generator, optional
        From where the weights are drawn, from the bell curve; see `dark.nn.init`.

    Attributes
    ----------
    weight : Parameter, shape (num_embeddings, embedding_dim)

    Raises
    ------
    IndexingError
        If an index, or `padding_idx`, is outside.
    ValueTypeError
        In the call, if the indices are no whole numbers.

    Examples
    --------
    >>> words = Embedding(10, 3, padding_idx=0)
    >>> words(np.array([[1, 2], [4, 0]])).value[1, 1], words
    (array([0., 0., 0.]), Embedding(10, 3, padding_idx=0))
    """

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, *, dtype=float, seed=None):
        super().__init__()
        self.num_embeddings = size(num_embeddings, "Embedding", "num_embeddings")
        self.embedding_dim = size(embedding_dim, "Embedding", "embedding_dim")
        self.padding_idx = None if padding_idx is None else self._row(padding_idx)
        numbers = init.generator(seed).normal(size=(self.num_embeddings, self.embedding_dim))
        if self.padding_idx is not None:
            numbers[self.padding_idx] = 0.0
        self.weight = Parameter(numbers.astype(float_type(dtype, "Embedding")))

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None):
        """Make the layer of rows that are there already.

        Parameters
        ----------
        embeddings : array, shape (num_embeddings, embedding_dim)
            Copied.
        freeze : bool, default True
            Whether they stay as they are in training.
        padding_idx : int, optional
            As above; the row keeps its numbers.

        Raises
        ------
        ShapeError
            If it is no matrix.
        """
        if np.ndim(embeddings) != 2:
            raise ShapeError(
                f"Embedding: rows of shape {np.shape(embeddings)}.", "(num_embeddings, embedding_dim).", "rows[None]"
            )
        layer = cls(*np.shape(embeddings), padding_idx)
        layer.weight = Parameter(embeddings, requires_grad=not freeze)
        return layer

    def _row(self, k):
        n = self.num_embeddings
        if not -n <= k < n:
            raise IndexingError(
                f"Embedding: padding_idx is {k}, with {n} rows.", f"from {-n} to {n - 1}.", "leave it out."
            )
        return k % n

    def forward(self, indices):
        """Look up: shape s to (*s, embedding_dim)."""
        indices = np.asarray(value_of(indices))
        if indices.dtype.kind not in "iu":
            raise ValueTypeError(
                f"Embedding: {describe(indices)} as indices.", "an array of integers.", "indices.astype(int)"
            )
        if indices.size and not 0 <= indices.min() <= indices.max() < self.num_embeddings:
            raise IndexingError(
                f"Embedding: indices from {indices.min()} to {indices.max()}, with {self.num_embeddings} rows.",
                f"from 0 to {self.num_embeddings - 1}.",
                "count the words from 0, and make num_embeddings as large as there are.",
            )
        rows = take(self.weight, indices, 0)
        if self.padding_idx is None:
            return rows
        return where((indices == self.padding_idx)[..., None], self.weight.value[self.padding_idx], rows)

    def extra_repr(self):
        """Return the sizes."""
        padding = f", padding_idx={self.padding_idx}" if self.padding_idx is not None else ""
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
