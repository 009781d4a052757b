"""Convolution, transposed convolution and the gradient of the filters: each is a derivative of the others.

All three follow from one function of images x, filters w and outputs y, ``sum(y * conv2d(x, w))``, which is
linear in each of them: its gradient with respect to one is an operation of the other two.
"""

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.images.im2col import batch_last, correlate, correlate_filters, correlate_transposed
from dark.operations.numeric import sum_rows

PLAIN = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1}


def _evaluate(op, *x, **settings):
    """Evaluate an operation inside a gradient rule: values give a value, nodes a node."""
    return (op.apply if any(isinstance(v, Node) for v in x) else op._f)(*x, **settings)


def bias_gradient(dldy):
    """Sum the gradient over all axes but the channels."""
    if isinstance(dldy, Node):
        return np.sum(dldy, axis=(0, 2, 3))
    c = dldy.shape[1]
    rows = batch_last(dldy).reshape(c, dldy.size // max(c, 1))
    return sum_rows(rows.T)


def transposed_size(lengths, size, stride, padding, dilation):
    """Return the size of the smallest images whose convolution has outputs of these lengths."""
    along = zip(lengths, size, stride, padding, dilation)
    return tuple([(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, k, s, p, d in along])


class Conv2d(Operation, trusted=True, elementwise=False):
    """2-D cross-correlation."""

    _f = staticmethod(lambda x, w, b=None, **settings: correlate(x, w, b, **settings))

    @staticmethod
    def _input(dldy, y, x, w, b=None, **settings):
        sizes = [settings[name] for name in ("stride", "padding", "dilation")]
        least = transposed_size(dldy.shape[2:], w.shape[2:], *sizes)
        rest = tuple([n - m for n, m in zip(x.shape[2:], least)])
        return _evaluate(ConvTranspose2d, dldy, w, output_padding=rest, **settings)

    @staticmethod
    def _weight(dldy, y, x, w, b=None, **settings):
        return _evaluate(Conv2dWeight, x, dldy, kernel_size=w.shape[2:], **settings)

    @staticmethod
    def _bias(dldy, y, x, w, b, **settings):
        return bias_gradient(dldy)

    _df = (_input, _weight, _bias)

    axes = 2
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


class ConvTranspose2d(Operation, trusted=True, elementwise=False):
    """2-D transposed convolution: the adjoint of `Conv2d` with respect to the images."""

    @staticmethod
    def _f(x, w, b=None, *, stride, padding, output_padding, dilation, groups):
        least = transposed_size(x.shape[2:], w.shape[2:], stride, padding, dilation)
        shape = tuple([n + more for n, more in zip(least, output_padding)])
        y = correlate_transposed(x, w, shape, stride=stride, padding=padding, dilation=dilation, groups=groups)
        if b is None:
            return y
        b = b[:, None, None]
        return np.add(y, b, out=y) if y.dtype == np.result_type(y, b) else y + b

    @staticmethod
    def _output_map(dldy, y, x, w, b=None, *, output_padding, **settings):
        return _evaluate(Conv2d, dldy, w, **settings)[:, :, : x.shape[2], : x.shape[3]]

    @staticmethod
    def _weight(dldy, y, x, w, b=None, *, output_padding, **settings):
        return _evaluate(Conv2dWeight, dldy, x, kernel_size=w.shape[2:], **settings)

    @staticmethod
    def _bias(dldy, y, x, w, b, **settings):
        return bias_gradient(dldy)

    _df = (_output_map, _weight, _bias)

    function_name, axes = "conv_transpose2d", 2
    expects, advice = "x of shape (n, c, h, w), w of shape (c, o / groups, kh, kw), b of shape (o,)", Conv2d.advice
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


class Conv2dWeight(Operation, trusted=True, elementwise=False):
    """Gradient of the filters: the adjoint of `Conv2d` with respect to them."""

    _f = staticmethod(lambda x, y, kernel_size, **settings: correlate_filters(x, y, kernel_size, **settings))

    @staticmethod
    def _input(dldw, w, x, y, kernel_size, **settings):
        return Conv2d._input(y, None, x, dldw, **settings)

    @staticmethod
    def _output_map(dldw, w, x, y, kernel_size, **settings):
        return _evaluate(Conv2d, x, dldw, **settings)[:, :, : y.shape[2], : y.shape[3]]

    _df = (_input, _output_map)

    function_name = "conv2d_weight"
    expects, advice = "x of shape (n, c, h, w) and y of shape (n, o, ., .), as conv2d gives it", Conv2d.advice
    samples: tuple = (
        (((2, 1, 3, 3), (2, 2, 2, 2)), {"kernel_size": (2, 2), **PLAIN}),
        (
            ((1, 2, 3, 4), (1, 2, 2, 3)),
            {"kernel_size": (3, 2), **PLAIN, "stride": (2, 2), "padding": (1, 1), "groups": 2},
        ),
        (((1, 1, 3, 3), (1, 2, 1, 3)), {"kernel_size": (2, 1), **PLAIN, "dilation": (2, 1)}),
    )
