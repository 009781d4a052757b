"""`Dropout`: random elements are zeroed in training, so that units do not rely on each other."""

from __future__ import annotations

import numpy as np

from dark.checks import boolean, number
from dark.nn import init
from dark.nn.module import Module
from dark.nodes import Node
from dark.nodes.changes import repeated
from dark.nodes.values import shape_of
from dark.operations import mul
from dark.typing import ArrayLike, Seed


def dropout_mask(shape, p, generator, dtype):
    """Draw a dropout mask: 0 with probability `p`, else ``1 / (1 - p)``.

    >>> dropout_mask((4,), 0.5, np.random.default_rng(0), np.dtype(float))
    array([2., 2., 2., 0.])
    """
    keep = generator.random(shape, dtype=np.float32) >= p
    return np.multiply(keep, 1 / (1 - p) if p < 1 else 0.0, dtype=dtype if dtype.kind == "f" else float)


class Dropout(Module):
    """In training, zero each element with probability `p` and scale the rest; identity in evaluation mode.

    The remaining elements are multiplied by ``1 / (1 - p)``, which preserves the expected value. The mask is
    drawn in float32 for every dtype of the input: a seed gives the same mask in all of them.

    Parameters
    ----------
    p : float from 0 to 1, default 0.5
        The probability that an element is zeroed.
    inplace : bool, default False
        Accepted as in PyTorch; the result is a new node in any case.
    seed : int or numpy.random.Generator, optional
        Seed of this layer's own generator, or a generator to share.

    Attributes
    ----------
    generator : numpy.random.Generator
        Its state advances with each call; `dark.handlers.Checkpoint` keeps it, and `dark.nn.random_state` and
        `dark.nn.load_random_state` save and restore it for other files.

    Reference: N. Srivastava, G. Hinton, A. Krizhevsky, I. Sutskever, R. Salakhutdinov, "Dropout: a simple way to
    prevent neural networks from overfitting", 2014.

    Examples
    --------
    >>> layer = Dropout(0.5, seed=0)
    >>> layer(np.ones(6)).value, layer.eval()(np.ones(3))
    (array([2., 2., 2., 0., 0., 0.]), array([1., 1., 1.]))
    """

    def __init__(self, p: float = 0.5, inplace: bool = False, *, seed: Seed = None) -> None:
        super().__init__()
        boolean(inplace, "Dropout", "inplace")
        self.p = number(p, "Dropout", "p", least=0, most=1)
        self.generator = init.generator(seed)

    def forward(self, x: ArrayLike) -> Node | ArrayLike:
        """Apply dropout; the shape is preserved."""
        if not self.training or self.p == 0:
            return x
        shape = shape_of(x)
        mask = repeated(dropout_mask, shape, self.p, self.generator, getattr(x, "dtype", np.dtype(float)))
        return mul(x, mask if shape else float(mask))

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"p={self.p}"
