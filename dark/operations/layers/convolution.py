"""Convolution, its adjoint and the gradient of its filters: three operations that are each other's derivatives.

All three come from one sum over images x, filters w and maps y, ``sum(y * conv2d(x, w))``, which is
linear in each of them: leave one out, and what stands before it is an operation of the other two.
"""

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.layers.im2col import correlate, innermost, match, spread
from dark.operations.numeric import sum_rows

PLAIN = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1}


def using(op, *x, **settings):
    """Let a rule use an operation on what it has in hand: values give a value, nodes a node."""
    return (op.apply if any(isinstance(v, Node) for v in x) else op._f)(*x, **settings)


def summed(dldy):
    """Return the gradient of a bias: the sum over everything but the channels."""
    if isinstance(dldy, Node):
        return np.sum(dldy, axis=(0, 2, 3))
    rows = innermost(dldy).reshape(dldy.shape[1], -1)
    return sum_rows(rows.T)


def covered(lengths, size, stride, padding, dilation):
    """Return the shape of the smallest images that windows cover which leave maps of some lengths."""
    along = zip(lengths, size, stride, padding, dilation)
    return tuple([(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, k, s, p, d in along])


class Conv2d(Operation, trusted=True, elementwise=False):
    """Each filter's weighted sum of what a window sees, moved over images."""

    expects = "x of shape (n, c, h, w), w of shape (o, c / groups, kh, kw), b of shape (o,)"
    advice = "print the three shapes."
    samples: tuple = (
        (((2, 1, 3, 3), (2, 1, 2, 2), (2,)), PLAIN),
        (((1, 2, 3, 2), (1, 2, 2, 1)), PLAIN),
        (((1, 1, 3, 4), (2, 1, 3, 2), (2,)), {**PLAIN, "stride": (2, 1), "padding": (1, 2)}),
        (((1, 2, 4, 3), (2, 1, 2, 2)), {**PLAIN, "dilation": (2, 1), "stride": (1, 2), "padding": (1, 0), "groups": 2}),
        (((0, 1, 2, 2), (1, 1, 2, 2), (1,)), PLAIN),
        (((1, 1, 5, 1), (1, 1, 1, 1)), {**PLAIN, "stride": (3, 2)}),
    )

    @staticmethod
    def _f(x, w, b=None, **settings):
        return correlate(x, w, b, **settings)

    def _images(dldy, y, x, w, b=None, **settings):
        sizes = [settings[name] for name in ("stride", "padding", "dilation")]
        least = covered(dldy.shape[2:], w.shape[2:], *sizes)
        rest = tuple([n - m for n, m in zip(x.shape[2:], least)])
        return using(ConvTranspose2d, dldy, w, output_padding=rest, **settings)

    def _filters(dldy, y, x, w, b=None, **settings):
        return using(Conv2dWeight, x, dldy, kernel_size=w.shape[2:], **settings)

    def _bias(dldy, y, x, w, b, **settings):
        return summed(dldy)

    _df = (_images, _filters, _bias)


class ConvTranspose2d(Operation, trusted=True, elementwise=False):
    """Each filter laid down on images, as often as maps say: the adjoint of `Conv2d` in its images."""

    called = "conv_transpose2d"
    expects = "x of shape (n, c, h, w), w of shape (c, o / groups, kh, kw), b of shape (o,)"
    advice = Conv2d.advice
    samples: tuple = tuple(
        (shapes, {"output_padding": (0, 0), **settings})
        for shapes, settings in (
            (((2, 2, 2, 2), (2, 1, 2, 2), (1,)), PLAIN),
            (
                ((1, 1, 2, 3), (1, 2, 3, 2), (2,)),
                {**PLAIN, "stride": (2, 3), "padding": (1, 0), "output_padding": (1, 2)},
            ),
            (((1, 2, 2, 2), (2, 1, 2, 3)), {**PLAIN, "dilation": (3, 2), "padding": (1, 1), "groups": 2}),
            (((1, 1, 2, 1), (1, 1, 1, 2)), {**PLAIN, "stride": (3, 1), "dilation": (1, 3), "output_padding": (0, 2)}),
            (((0, 1, 2, 2), (1, 1, 2, 2)), PLAIN),
        )
    )

    @staticmethod
    def _f(x, w, b=None, *, stride, padding, output_padding, dilation, groups):
        least = covered(x.shape[2:], w.shape[2:], stride, padding, dilation)
        shape = tuple([n + more for n, more in zip(least, output_padding)])
        y = spread(x, w, shape, stride=stride, padding=padding, dilation=dilation, groups=groups)
        if b is None:
            return y
        b = b[:, None, None]
        return np.add(y, b, out=y) if y.dtype == np.result_type(y, b) else y + b

    def _maps(dldy, y, x, w, b=None, *, output_padding, **settings):
        return using(Conv2d, dldy, w, **settings)[:, :, : x.shape[2], : x.shape[3]]

    def _filters(dldy, y, x, w, b=None, *, output_padding, **settings):
        return using(Conv2dWeight, dldy, x, kernel_size=w.shape[2:], **settings)

    def _bias(dldy, y, x, w, b, **settings):
        return summed(dldy)

    _df = (_maps, _filters, _bias)


class Conv2dWeight(Operation, trusted=True, elementwise=False):
    """What each place of a filter saw, times the maps: the adjoint of `Conv2d` in its filters."""

    called = "conv2d_weight"
    expects = "x of shape (n, c, h, w) and y of shape (n, o, ., .), as conv2d gives it"
    advice = Conv2d.advice
    samples: tuple = (
        (((2, 1, 3, 3), (2, 2, 2, 2)), {"kernel_size": (2, 2), **PLAIN}),
        (
            ((1, 2, 3, 4), (1, 2, 2, 3)),
            {"kernel_size": (3, 2), **PLAIN, "stride": (2, 2), "padding": (1, 1), "groups": 2},
        ),
        (((1, 1, 3, 3), (1, 2, 1, 3)), {"kernel_size": (2, 1), **PLAIN, "dilation": (2, 1)}),
    )

    @staticmethod
    def _f(x, y, kernel_size, **settings):
        return match(x, y, kernel_size, **settings)

    def _images(dldw, w, x, y, kernel_size, **settings):
        return Conv2d._images(y, None, x, dldw, **settings)

    def _maps(dldw, w, x, y, kernel_size, **settings):
        return using(Conv2d, x, dldw, **settings)[:, :, : y.shape[2], : y.shape[3]]

    _df = (_images, _maps)
