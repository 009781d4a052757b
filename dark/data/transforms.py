"""Transforms of items: several as one, and standardizing features by the training set's mean and deviation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import callable_with, integer, integers
from dark.data.dataset import Dataset, read
from dark.data.dataset_checks import as_array, as_list
from dark.data.seeding import as_generator
from dark.errors import ShapeError, UsageError, ValueTypeError

if TYPE_CHECKING:
    from dark.typing import Seed
if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from dark.typing import Seed


class Compose:
    """Compose several transforms; each is applied to the result of the previous one.

    Each is called as ``step(item, generator)`` and returns the transformed item. A deterministic step accepts the
    generator, too, and ignores it. `DataLoader(transform=…)` passes the generator: one per item, a function of seed,
    epoch and index, from which the steps draw in turn. Called without one, a fresh generator is used.

    >>> halve_and_add_noise = Compose([lambda x, generator: x / 2, lambda x, generator: x + generator.normal()])
    >>> round(halve_and_add_noise(4.0, np.random.default_rng(0)), 3)
    2.126
    """

    def __init__(self, transforms: Iterable[Callable[[Any, Any], Any]]) -> None:
        self.transforms: list[Callable[[Any, Any], Any]] = as_list(transforms, "Compose", "transforms")
        if not self.transforms:
            problem = "Compose: the list of transforms must not be empty."
            raise UsageError(problem, "at least one.", "omit transform from the DataLoader.")
        for n, step in enumerate(self.transforms):
            callable_with(step, "Compose", f"step {n}", ("item", "generator"))

    def __call__(self, item: Any, generator: Seed = None) -> Any:
        """Apply all steps in order; they draw from the same generator."""
        generator = as_generator(generator)
        for n, step in enumerate(self.transforms):
            try:
                item = step(item, generator)
            except Exception as error:
                error.add_note(f"in step {n} of Compose, {_name(step)}")
                raise
        return item

    def __repr__(self) -> str:
        return f"Compose({', '.join(map(_name, self.transforms))})"


def _name(step):
    return getattr(step, "__name__", type(step).__name__)


class Standardize:
    """Subtract each feature's mean and divide by its standard deviation.

    Fit it on the training set only: statistics that include the test set leak information into training, and the test
    score is then too optimistic. The variance is the sum of squares divided by n - `ddof`. `axis` names the axes to
    average over, among them 0, the rows: (0, 2, 3) standardizes images per channel. After `fit`, `mean` and `scale`
    have the shape of a row, with length 1 along the other axes in `axis`. The scale of a constant feature is 1, so that
    the feature becomes 0.

    Statistics are computed in float64. Floats keep their dtype, integers become float64. As a transform of a loader it
    changes the item, or the first part of a tuple.

    >>> train, test = np.array([[1.0, 7.0], [3.0, 7.0]]), np.array([[4.0, 8.0]])
    >>> scale = Standardize().fit(train)
    >>> scale(train), scale(test)
    (array([[-1.,  0.],
           [ 1.,  0.]]), array([[2., 1.]]))
    >>> scale.inverse(scale(test))
    array([[4., 8.]])
    """

    def __init__(self, *, ddof: int = 0, axis: int | tuple[int, ...] = 0) -> None:
        self.ddof: int = integer(ddof, "Standardize", "ddof", 0)
        self.axis: tuple[int, ...] = integers(axis, "Standardize", "axis")
        self.mean: np.ndarray | None = None
        self.scale: np.ndarray | None = None
        if 0 not in self.axis:
            problem = f"Standardize: axis must contain 0, the rows, got {axis}."
            raise UsageError(problem, "0 (the rows), optionally with others.", "axis=(0, 2, 3) for channels.")

    def fit(self, x: ArrayLike | Dataset) -> Standardize:
        """Compute mean and scale of an array (n, …), or of a dataset; return the transform.

        Of items that are tuples, the first part counts. There must be more than ddof rows, all of them finite.
        """
        rows: np.ndarray = _check_numeric(_inputs(x))
        features = int(np.prod([length for axis, length in enumerate(rows.shape) if axis not in self.axis]))
        if max(self.axis) >= rows.ndim or not rows.size or rows.size // max(1, features) <= self.ddof:
            raise ShapeError(
                f"Standardize: cannot fit on shape {rows.shape} over axis {self.axis} with ddof {self.ddof}.",
                f"more than {self.ddof} rows, and all of these axes.",
                "print(x.shape); rows come first.",
            )
        if not np.isfinite(rows).all():
            index = tuple(int(n) for n in np.argwhere(~np.isfinite(rows))[0])
            problem = f"Standardize: data must be finite, but x[{', '.join(map(str, index))}] is {rows[index]}."
            raise UsageError(problem, "finite numbers.", "drop or fill such rows before fitting.")
        rows = rows.astype(float)
        low, high = (bound(rows, axis=self.axis, keepdims=True)[0] for bound in (np.min, np.max))
        is_constant = low == high  # exactly: the computed standard deviation of 0.1, 0.1, 0.1 is not 0
        self.mean = np.where(is_constant, low, rows.mean(axis=self.axis, keepdims=True)[0])
        self.scale = np.where(is_constant, 1.0, rows.std(axis=self.axis, keepdims=True, ddof=self.ddof)[0])
        return self

    def transform(self, x: ArrayLike) -> np.ndarray:
        """Standardize an array of rows of the shape seen by `fit`, or one row; the shape stays."""
        rows, mean, scale = self._checked(x)
        return ((rows - mean) / scale).astype(_float_type(rows))

    def inverse(self, x: ArrayLike) -> np.ndarray:
        """Invert `transform`."""
        rows, mean, scale = self._checked(x)
        return (rows * scale + mean).astype(_float_type(rows))

    def __call__(self, item: Any, generator: Seed = None) -> Any:
        """Transform an array, or the first part of a tuple; the generator is not used."""
        if isinstance(item, tuple):
            return (self.transform(item[0]), *item[1:])
        return self.transform(item)

    def __repr__(self) -> str:
        return f"Standardize({'not fitted' if self.mean is None else f'fitted on rows of shape {self.mean.shape}'})"

    def _checked(self, x):
        """Return x as an array, the mean and the scale."""
        if self.mean is None:
            problem = "Standardize: not fitted yet."
            raise UsageError(problem, "fit(x) on the training set first.", "Standardize().fit(train)(test)")
        x, k = _check_numeric(as_array(x, "Standardize", "x")), self.mean.ndim
        row = x.shape[x.ndim - k :] if x.ndim >= k else None
        pairs = enumerate(zip(self.mean.shape, row or ()), 1)
        if row is None or not all(m == n or (m == 1 and axis in self.axis) for axis, (m, n) in pairs):
            raise ShapeError(
                f"Standardize: rows must have the fitted shape {self.mean.shape}, got shape {x.shape}.",
                f"trailing axes of shape {self.mean.shape}.",
                "the same features in the same order as in the training set.",
            )
        return x, self.mean, self.scale


def _float_type(x):
    return x.dtype if x.dtype.kind == "f" else float


def _inputs(x):
    """Return an array of rows, or all inputs of a dataset."""
    if isinstance(x, np.ndarray) or not isinstance(x, Dataset) or isinstance(x, (list, tuple)):
        return as_array(x, "Standardize", "x")
    batch = read(x, np.arange(len(x)))
    return np.asarray(batch[0] if isinstance(batch, tuple) else batch)


def _check_numeric(x):
    if x.dtype.kind not in "biuf":
        problem = f"Standardize: expected a numeric array, got dtype {x.dtype}."
        raise ValueTypeError(problem, "a numeric array.", "data.inputs, or np.asarray(x, dtype=float).")
    return x
