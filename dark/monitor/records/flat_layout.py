"""`FlatLayout`: the arrays of all weights in one vector, so that a record takes a few operations for any number."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dark.errors import ShapeError, UsageError
from dark.nodes import Parameter, value_of


class FlatLayout:
    """Where each weight is in the vector of all weights; weights without elements are left out."""

    def __init__(self, weights: Mapping[str, Parameter]) -> None:
        self.weights = {name: p for name, p in weights.items() if np.size(value_of(p))}
        self.shapes = {name: np.shape(value_of(p)) for name, p in self.weights.items()}
        self.sizes = [np.size(value_of(p)) for p in self.weights.values()]
        self.size = sum(self.sizes)
        self._dtypes: list[Any] | None = None  # of the weights at the last record, as far as that is known
        self.starts = np.cumsum([0, *self.sizes[:-1]], dtype=np.intp)

    def values(self) -> np.ndarray:
        """Return copies of the weights in a vector, without `Parameter.value`, which marks them as taken by users."""
        arrays = list(map(value_of, self.weights.values()))
        flat, self._dtypes = self.flat(arrays), [np.asarray(array).dtype for array in arrays]
        return flat

    def flat(self, arrays: Sequence[Any]) -> np.ndarray:
        """Return a vector with copies of arrays, one for each weight."""
        self._dtypes = None
        if list(map(np.shape, arrays)) != list(self.shapes.values()):
            self._refuse(arrays)
        return np.concatenate(arrays, axis=None) if self.weights else np.zeros(0)

    def _refuse(self, arrays):
        """Raise an error about the first array that does not have the shape of its weight."""
        shapes = zip(self.shapes.items(), map(np.shape, arrays))
        name, before, now = next((name, old, new) for (name, old), new in shapes if old != new)
        raise ShapeError(
            f"Monitor: {name} must keep the shape {before}, got {now}.",
            "weights and gradients whose shapes do not change.",
            "make a new Monitor(network) after the change, or register_weights(network.named_parameters()).",
        )

    def own(self, parts: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return parts of vectors by name, each in the dtype of its weight, if that is a float."""
        if self._dtypes is None:
            self._dtypes = [np.asarray(value_of(p)).dtype for p in self.weights.values()]
        dtypes = dict(zip(self.weights, self._dtypes))
        with np.errstate(over="ignore"):  # of float16
            return {
                k: part.astype(d, copy=False) if (d := dtypes[k]).kind == "f" else part for k, part in parts.items()
            }

    def filled(self, arrays: Sequence[Any]) -> list[Any]:
        """Return arrays, one for each weight, with zeros in place of None."""
        return [np.zeros(s, np.bool_) if a is None else a for a, s in zip(arrays, self.shapes.values())]

    def split(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """Return the parts of a vector by name, each in the shape of its weight: views."""
        parts = np.split(flat, self.starts[1:]) if self.weights else []
        return {name: part.reshape(shape) for part, (name, shape) in zip(parts, self.shapes.items())}

    def check(self, vectors: Iterable[np.ndarray | None]) -> None:
        """Raise a `UsageError` if vectors of a state are not of these weights."""
        for vector in vectors:
            if vector is not None and len(vector) != self.size:
                message = f"Monitor: the state must have {self.size} elements, as the weights, got {len(vector)}."
                wanted = "a state of the same network and the same weights."
                raise UsageError(message, wanted, "register the weights as they were when the state was saved.")

    def sums(self, flat: np.ndarray) -> np.ndarray:
        """Return the sum of each part of a vector."""
        return np.add.reduceat(flat, self.starts) if self.weights else np.zeros(0)

    def squared_norms(self, flat: np.ndarray) -> np.ndarray:
        """Return the sum of squares of each part; in float64, unless sums in the dtype of the vector are finite."""
        if flat.dtype == np.float16:
            flat = flat.astype(np.float32)
        squares = self.sums(flat * flat)
        if flat.dtype == np.float64 or np.isfinite(squares).all():
            return squares.astype(np.float64, copy=False)
        return self.squared_norms(flat.astype(np.float64))
