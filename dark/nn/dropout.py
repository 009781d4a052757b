"""`Dropout`: numbers left out at random in training, so that no other number relies on them."""

import numpy as np

from dark.nn import init
from dark.nn.float_dtype import share
from dark.nn.module import Module
from dark.nodes import value_of
from dark.operations import mul


def factors(shape, p, generator, dtype):
    """Draw what numbers are multiplied by: 0 with the chance `p`, else what makes up for those that are left out.

    Examples
    --------
    >>> factors((4,), 0.5, np.random.default_rng(0), np.dtype(float))
    array([2., 2., 2., 0.])
    """
    stays = generator.random(shape, dtype=np.float32) >= p
    return np.multiply(stays, 1 / (1 - p) if p < 1 else 0.0, dtype=dtype if dtype.kind == "f" else float)


class Dropout(Module):
    """In training set each number to 0 with a chance, and make the others larger; else do nothing.

    Parameters
    ----------
    p : float from 0 to 1, default 0.5
        The chance.
    seed : int or numpy.random.Generator, optional
        From where the chances are drawn: a generator of this layer's own, unless one is given to share.

    Attributes
    ----------
    generator : numpy.random.Generator
        Its state goes on from call to call; `dark.nn.random_state` reads it and puts it back.

    Raises
    ------
    UsageError
        If `p` is no chance.

    Notes
    -----
    What stays is divided by ``1 - p``, so that the mean stays what it is. The places are drawn in float32
    whatever the type of the input: a seed means the same places in every type.

    References
    ----------
    N. Srivastava, G. Hinton, A. Krizhevsky, I. Sutskever, R. Salakhutdinov, "Dropout: a simple way to prevent
    neural networks from overfitting", 2014.

    Examples
    --------
    >>> layer = Dropout(0.5, seed=0)
    >>> layer(np.ones(6)).value, layer.eval()(np.ones(3))
    (array([2., 2., 2., 0., 0., 0.]), array([1., 1., 1.]))
    """

    def __init__(self, p=0.5, *, seed=None):
        super().__init__()
        self.p = share(p, "Dropout", "p")
        self.generator = init.generator(seed)

    def forward(self, x):
        """Leave numbers out, in training; the shape stays."""
        if not self.training or self.p == 0:
            return x
        value = value_of(x)
        y = factors(np.shape(value), self.p, self.generator, getattr(value, "dtype", np.dtype(float)))
        return mul(x, y if np.shape(value) else float(y))

    def extra_repr(self):
        """Return the chance."""
        return f"p={self.p}"
