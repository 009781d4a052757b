"""The common parts of the recurrent layers `rnn`, `gru` and `lstm`, each one node for a whole sequence.

The gradients of the weights are one matrix product over all steps, after the last of them. With gates, the values of
a step are a matrix with one column per example, so that each gate is contiguous. On nodes, the plain composition is
differentiated.

In shapes, t is the number of steps, b of examples, i of inputs, n of states, g of gates times states.
"""

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node
from dark.nodes.values import shape_of
from dark.operations.higher_order import composed_gradients

EXPECTS = "x (t, b, i), states (b, n), wi (i, g), bi (g,), wh (n, g), bh (g,), with g = {} n and t at least 1"
ADVICE = "print the shapes; the steps are the first axis of x, and PyTorch's weights are transposed."


def check_shapes(who, gates, x, states, weights):
    """Check the shapes of a recurrent layer, and return the arrays in their common floating-point dtype."""
    shapes = [shape_of(v) for v in (x, *states, *weights)]
    wi, bi, wh, bh = shapes[-4:]
    n, width = wh[:1], tuple([gates * k for k in wh[:1]])
    fits = len(shapes[0]) == 3 and shapes[0][0] and all(s == shapes[0][1:2] + n for s in shapes[1:-4])
    if not fits or wi != shapes[0][2:] + width or wh != n + width or not bi == bh == width:
        expects = EXPECTS.format(gates).replace("1 n", "n")
        raise ShapeError(f"{who}: shapes {', '.join(map(str, shapes))} do not match.", expects, ADVICE)
    dtype = np.result_type(x, *states, *weights)
    return [np.asarray(v, dtype if dtype.kind == "f" else float) for v in (x, *states, *weights)]


def zero_state(x, wh):
    """Return the default initial state, (b, n)."""
    return np.zeros(shape_of(x)[1:2] + shape_of(wh)[:1], getattr(wh, "dtype", float))


def project_input(x, w, b, reverse):
    """Multiply the inputs of all steps, (t, b, i), by the weights (i, g), and add the bias: shape (t, g, b)."""
    a = np.matmul(w.T, (x[::-1] if reverse else x).transpose(0, 2, 1))
    a += b[:, None]
    return a


def allocate_states(h, steps):
    """Return an array for the states, (t + 1, n, b), that begins with `h`, (b, n)."""
    states = np.empty((steps + 1, *h.shape[::-1]), h.dtype)
    states[0] = h.T
    return states


def as_output(states, each, reverse):
    """Return the last of the states (t + 1, n, b) as (b, n); with `each` all but the initial one, in step order."""
    if not each:
        return np.array(states[-1].T, order="C")
    return np.array((states[:0:-1] if reverse else states[1:]).transpose(0, 2, 1), order="C")


def split_gradient(dldy, each, reverse):
    """Return the gradient of the last state, (n, b), and of the earlier states: (t, n, b), or None."""
    if not each:
        return np.array(dldy.T, order="C"), None
    sent = np.array((dldy[::-1] if reverse else dldy).transpose(0, 2, 1), order="C")
    return sent[-1].copy(), sent


def tanh_factors(gates, n, dtype):
    """Return one factor per row of the gates: 1/2 before the tanh that becomes a sigmoid, else 1.

    ``sigmoid(x) = (1 + tanh(x / 2)) / 2``: so one tanh is applied to all gates.
    """
    return np.repeat(np.array([0.5 if is_sigmoid else 1.0 for is_sigmoid in gates], dtype), n)


def to_sigmoid(y):
    """Turn tanh(x / 2) into sigmoid(x), in place."""
    y *= 0.5
    y += 0.5


def recurrent_gradients(op, node, dldy, y, x):
    """Compute the gradients of all inputs of a recurrent layer.

    The operation has `_plain`, the composition, and `_backward(dldy, x, saved, settings)`, which runs backward
    through the steps and returns, with one row per example and step: the gradients of the input and hidden
    projections, (t b, g); the states, (t b, n); and the gradients of the initial states, (b, n).
    """
    if isinstance(y, Node):
        return composed_gradients(op._plain, node, dldy)
    settings = node.settings or {}
    a, b, states, *dldh = op._backward(dldy, x, node.saved, settings)
    x, wi, ones = x[0], x[-4], np.ones(len(a), a.dtype)
    order = slice(None, None, -1 if settings.get("reverse") else None)
    rules = [
        lambda: np.matmul(a, wi.T).reshape(x.shape)[order],
        *[lambda g=g: g for g in dldh],
        lambda: np.matmul(as_matrix(x[order]).T, a),
        lambda: np.matmul(ones, a),
        lambda: np.matmul(states.T, b),
        lambda: np.matmul(ones, b),
    ]
    return [rule() if n.requires_grad else None for rule, n in zip(rules, node.inputs)]


def as_matrix(rows):
    """Merge steps and examples, (t, b, g), to rows: shape (t b, g)."""
    t, b, g = rows.shape
    return rows.reshape(t * b, g)


def columns_as_rows(columns):
    """Merge steps and examples, (t, g, b), to rows: shape (t b, g)."""
    t, g, b = columns.shape
    return columns.transpose(1, 0, 2).reshape(g, t * b).T
