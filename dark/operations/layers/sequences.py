"""What the recurrent layers share, each of which walks over a whole sequence in one node: `rnn`, `gru`, `lstm`.

What the steps send to the weights waits until the last of them, and is then one product for all. With gates
the numbers of a step are kept as a matrix with a column for each example: the gates lie one below another, each
in one piece. Beside the rules stands the composition that one would write, which serves nodes.

In shapes t counts steps, b examples, i inputs, n states, g the gates times the states.
"""

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, value_of
from dark.nodes.values import shape_of
from dark.operations.higher_order import composed_gradients

EXPECTS = "x (t, b, i), states (b, n), wi (i, g), bi (g,), wh (n, g), bh (g,), with g = {} n and t at least 1"
ADVICE = "print the shapes; the steps are the first axis of x, and PyTorch's weights go in transposed."


def fit(who, gates, x, states, weights):
    """Refuse arrays that are no recurrent layer; return them in one type of floats."""
    shapes = [shape_of(v) for v in (x, *states, *weights)]
    wi, bi, wh, bh = shapes[-4:]
    n, width = wh[:1], tuple([gates * k for k in wh[:1]])
    fits = len(shapes[0]) == 3 and shapes[0][0] and all(s == shapes[0][1:2] + n for s in shapes[1:-4])
    if not fits or wi != shapes[0][2:] + width or wh != n + width or not bi == bh == width:
        expects = EXPECTS.format(gates).replace("1 n", "n")
        raise ShapeError(f"{who}: shapes {', '.join(map(str, shapes))} do not match.", expects, ADVICE)
    dtype = np.result_type(x, *states, *weights)
    return [np.asarray(v, dtype if dtype.kind == "f" else float) for v in (x, *states, *weights)]


def zeros(x, wh):
    """Make the state before the first step, (b, n), where none is given."""
    return np.zeros(shape_of(x)[1:2] + shape_of(wh)[:1], getattr(value_of(wh), "dtype", float))


def entering(x, w, b, reverse):
    """Multiply what enters at each step, (t, b, i), by weights (i, g), and add biases: shape (t, g, b)."""
    a = np.matmul(w.T, (x[::-1] if reverse else x).transpose(0, 2, 1))
    a += b[:, None]
    return a


def begun(h, steps):
    """Make room for the states, (t + 1, n, b), the first of which is `h`, (b, n)."""
    states = np.empty((steps + 1, *h.shape[::-1]), h.dtype)
    states[0] = h.T
    return states


def as_rows(states, each, reverse):
    """Return the last of the states (t + 1, n, b) as (b, n), or `each` but the first, in the order of the steps."""
    if not each:
        return np.array(states[-1].T, order="C")
    return np.array((states[:0:-1] if reverse else states[1:]).transpose(0, 2, 1), order="C")


def as_columns(dldy, each, reverse):
    """Return what is sent back to the last state, (n, b), and to those before it: (t, n, b), or None."""
    if not each:
        return np.array(dldy.T, order="C"), None
    sent = np.array((dldy[::-1] if reverse else dldy).transpose(0, 2, 1), order="C")
    return sent[-1].copy(), sent


def halves(gates, n, dtype):
    """Return one factor for each gate's number: 1/2 before the tanh that is to be a sigmoid, else 1.

    A sigmoid is ``(1 + tanh(x / 2)) / 2``: so one tanh serves all gates.
    """
    return np.repeat(np.array([0.5 if is_sigmoid else 1.0 for is_sigmoid in gates], dtype), n)


def to_sigmoid(y):
    """Make the sigmoid of a tanh of half its argument, in its place."""
    y *= 0.5
    y += 0.5


def gradients_of(op, node, dldy, y, x):
    """Send a gradient back to all inputs of a recurrent layer.

    The operation has `_plain`, the composition, and `_back(dldy, x, saved, settings)`, which walks back through
    the steps and returns matrices with a row for each example of each step: what arrived where x enters, and
    where the states do, (t b, g); the states themselves, (t b, n); and what arrived at the first, (b, n).
    """
    if isinstance(y, Node):
        return composed_gradients(op._plain, node, dldy)
    settings = node.settings or {}
    a, b, states, *dldh = op._back(dldy, x, node.saved, settings)
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
    """Put the rows of all steps, (t, b, g), below each other: shape (t b, g)."""
    t, b, g = rows.shape
    return rows.reshape(t * b, g)


def flat(columns):
    """Put the columns of all steps, (t, g, b), below each other as rows: shape (t b, g)."""
    t, g, b = columns.shape
    return columns.transpose(1, 0, 2).reshape(g, t * b).T
