"""Recurrent layers and attention by their formulas, one example at a time; and PyTorch's functions."""

import numpy as np


def sigmoid(x):
    """Compute the logistic function."""
    return 1 / (1 + np.exp(-x))


def walk(step, x, states, each, reverse):
    """Run the steps of each example separately; return the first of its states, and the last cell state."""
    t, b, n = len(x), x.shape[1], states[0].shape[1]
    every, final = np.zeros((t, b, n), x.dtype), [s.copy() for s in states]
    for row in range(b):
        for k in reversed(range(t)) if reverse else range(t):
            for s, new in zip(final, step(x[k, row], *[s[row] for s in final])):
                s[row] = new
            every[k, row] = final[0][row]
    y = every if each else final[0]
    return y if len(final) == 1 else np.concatenate([y if each else y[None], final[1][None]])


def rnn(x, h, wi, bi, wh, bh, nonlinearity="tanh", reverse=False, each=False):
    """Run an Elman RNN."""
    activation = {"tanh": np.tanh, "relu": lambda a: np.maximum(a, 0)}[nonlinearity]
    return walk(lambda x, h: [activation(x @ wi + bi + h @ wh + bh)], x, [h], each, reverse)


def gru(x, h, wi, bi, wh, bh, reverse=False, each=False):
    """Run a GRU."""

    def step(x, h):
        (ar, az, an), (br, bz, bn) = np.split(x @ wi + bi, 3), np.split(h @ wh + bh, 3)
        z = sigmoid(az + bz)
        return [(1 - z) * np.tanh(an + sigmoid(ar + br) * bn) + z * h]

    return walk(step, x, [h], each, reverse)


def lstm(x, h, c, wi, bi, wh, bh, reverse=False, each=False):
    """Run an LSTM."""

    def step(x, h, c):
        into, forget, new, out = np.split(x @ wi + bi + h @ wh + bh, 4)
        c = sigmoid(forget) * c + sigmoid(into) * np.tanh(new)
        return [sigmoid(out) * np.tanh(c), c]

    return walk(step, x, [h, c], each, reverse)


def attention(q, k, v, mask=None, factors=None):
    """Compute attention for each query separately."""
    leads = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    q, k, v = [np.broadcast_to(a, leads + a.shape[-2:]) for a in (q, k, v)]
    y = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    mask = np.broadcast_to(True if mask is None else mask, (*q.shape[:-1], k.shape[-2]))
    for place in np.ndindex(q.shape[:-1]):
        scores, m = k[place[:-1]] @ q[place] / np.sqrt(q.shape[-1]), mask[place]
        shares = np.exp(scores) * (m if m.dtype == bool else np.exp(m))
        shares = shares / max(shares.sum(), 1e-300) * (1 if factors is None else factors)
        y[place] = shares @ v[place[:-1]]
    return y


def functions(torch):
    """Return PyTorch's functions, with the arguments of dark."""

    def layer(name):
        def function(x, *inputs, nonlinearity="tanh", reverse=False, each=False):
            *states, wi, bi, wh, bh = inputs
            whole = getattr(torch, f"rnn_{nonlinearity}" if name == "rnn" else name)
            states = [s[None] for s in states]
            options = (True, 1, 0.0, True, False, False)  # biases, layers, dropout, training, directions, batch_first
            first = x.flip(0) if reverse else x
            y, *last = whole(first, states if len(states) > 1 else states[0], [wi.T, wh.T, bi, bh], *options)
            y = (y.flip(0) if reverse else y) if each else last[0][0]
            return y if name != "lstm" else torch.cat([y if each else y[None], last[1]])

        return function

    def attention(q, k, v, mask=None, factors=None):
        mask = mask if mask is None else torch.as_tensor(mask)
        mask = mask if mask is None or mask.dtype == torch.bool else mask.to(q.dtype)
        if factors is not None:
            return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) * torch.as_tensor(factors, dtype=q.dtype) @ v
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):  # it alone has second derivatives
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask)

    return {"Rnn": layer("rnn"), "Gru": layer("gru"), "Lstm": layer("lstm"), "Attention": attention}


FORMULAS = {"Rnn": rnn, "Gru": gru, "Lstm": lstm, "Attention": attention}
