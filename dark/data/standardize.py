"""Every feature to mean 0 and standard deviation 1, by what the training part says."""

import numpy as np

from dark.data.dataset import Dataset, read
from dark.data.dataset_checks import whole
from dark.errors import ShapeError, UsageError, ValueTypeError


class Standardize:
    """Subtract each feature's mean and divide by its standard deviation.

    Fit it on the training part only: numbers of the test part in the mean are a leak, and the score a lie.

    Parameters
    ----------
    ddof : int, default 0
        The squares are divided by n - ddof. 0, as in scikit-learn, makes the training part's own variance 1.
    axis : int or tuple of int, default 0
        The axes to take means over; 0, the rows, is always one. (0, 2, 3) standardises images by channel.

    Attributes
    ----------
    mean, scale : array, or None before `fit`
        Of the shape of a row, with length 1 where `axis` says. Where a feature is the same in all rows, the scale
        is 1: it becomes 0, and an other value in the test part its plain difference.

    Notes
    -----
    Computed in float64. An array of float32 stays float32, integers become float64. As a transform of a loader it
    changes the item, or of a tuple its first part.

    Examples
    --------
    >>> train, test = np.array([[1.0, 7.0], [3.0, 7.0]]), np.array([[4.0, 8.0]])
    >>> scale = Standardize().fit(train)
    >>> scale(train), scale(test)
    (array([[-1.,  0.],
           [ 1.,  0.]]), array([[2., 1.]]))
    >>> scale.inverse(scale(test))
    array([[4., 8.]])
    """

    def __init__(self, *, ddof=0, axis=0):
        self.ddof, self.axis = whole(ddof, "Standardize", "ddof"), (axis,) if isinstance(axis, int) else tuple(axis)
        self.mean = self.scale = None
        if 0 not in self.axis:
            raise UsageError(
                f"Standardize: axis is {axis}.", "0, the rows, and perhaps others.", "axis=(0, 2, 3) for channels."
            )

    def fit(self, x):
        """Learn mean and scale.

        Parameters
        ----------
        x : array, shape (n, …), or Dataset
            The training part. Of a dataset, its items, or the first part of each where they are tuples.

        Returns
        -------
        Standardize
            Itself.

        Raises
        ------
        ShapeError
            If there are fewer than ddof + 1 rows.
        UsageError
            If a number is not finite; it is named.
        ValueTypeError
            If x holds no numbers.
        """
        x = _numbers(_rows(x))
        if max(self.axis) >= x.ndim or not x.size or x.size // max(1, self._kept(x)) <= self.ddof:
            raise ShapeError(
                f"Standardize: cannot fit on shape {x.shape} over axis {self.axis} with ddof {self.ddof}.",
                f"more than {self.ddof} rows, and the axes that are named.",
                "print(x.shape); rows come first.",
            )
        if not np.isfinite(x).all():
            place = tuple(int(n) for n in np.argwhere(~np.isfinite(x))[0])
            raise UsageError(
                f"Standardize: x[{', '.join(map(str, place))}] is {x[place]}.",
                "finite numbers.",
                "leave such rows out, or fill them, before fitting.",
            )
        x = x.astype(float)
        low, high = (bound(x, axis=self.axis, keepdims=True)[0] for bound in (np.min, np.max))
        same = low == high  # exactly: the computed deviation of 0.1, 0.1, 0.1 is not 0
        self.mean = np.where(same, low, x.mean(axis=self.axis, keepdims=True)[0])
        self.scale = np.where(same, 1.0, x.std(axis=self.axis, keepdims=True, ddof=self.ddof)[0])
        return self

    def transform(self, x):
        """Standardise an array of rows, or one row.

        Parameters
        ----------
        x : array, shape (…, \\*row)
            Rows of the shape that `fit` has seen.

        Returns
        -------
        array
            Of the same shape.

        Raises
        ------
        UsageError
            Before `fit`.
        ShapeError
            If the rows have another shape.
        """
        x = self._checked(x)
        return ((x - self.mean) / self.scale).astype(_kept_type(x))

    def inverse(self, x):
        """Undo `transform`; the same arguments and errors."""
        x = self._checked(x)
        return (x * self.scale + self.mean).astype(_kept_type(x))

    def __call__(self, item, generator=None):
        """Transform an array, or the first part of a tuple; the generator is not used."""
        if isinstance(item, tuple):
            return (self.transform(item[0]), *item[1:])
        return self.transform(item)

    def __repr__(self):
        return f"Standardize({'not fitted' if self.mean is None else f'fitted on rows of shape {self.mean.shape}'})"

    def _kept(self, x):
        return int(np.prod([length for axis, length in enumerate(x.shape) if axis not in self.axis]))

    def _checked(self, x):
        if self.mean is None:
            raise UsageError(
                "Standardize: not fitted yet.", "fit(x) on the training part before.", "Standardize().fit(train)(test)"
            )
        x, k = _numbers(np.asarray(x)), self.mean.ndim
        row = x.shape[x.ndim - k :] if x.ndim >= k else None
        pairs = enumerate(zip(self.mean.shape, row or ()), 1)
        if row is None or not all(m == n or (m == 1 and axis in self.axis) for axis, (m, n) in pairs):
            raise ShapeError(
                f"Standardize: rows of shape {x.shape}, fitted on rows of shape {self.mean.shape}.",
                f"the last axes to be {self.mean.shape}.",
                "the same features in the same order as in the training part.",
            )
        return x


def _kept_type(x):
    return x.dtype if x.dtype.kind == "f" else float


def _rows(x):
    """Return the rows of an array, or all inputs of a dataset."""
    if isinstance(x, np.ndarray) or not isinstance(x, Dataset) or isinstance(x, (list, tuple)):
        return np.asarray(x)
    batch = read(x, np.arange(len(x)))
    return np.asarray(batch[0] if isinstance(batch, tuple) else batch)


def _numbers(x):
    if x.dtype.kind not in "biuf":
        raise ValueTypeError(
            f"Standardize: an array of type {x.dtype}.", "numbers.", "data.inputs, or np.asarray(x, dtype=float)."
        )
    return x
