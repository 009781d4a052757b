"""HIPS autograd: gradients of functions of plain arrays, without nodes or layers."""

from itertools import cycle

import autograd.numpy as np
import numpy
from autograd import value_and_grad
from autograd.misc import flatten
from autograd.scipy.signal import convolve

from benchmarks.rivals.tools import Adam, hinge_loss, numbers, whole_training

NA: dict = {}
NAMES = ("qkv", "o", "f1", "f2", "ln1", "ln2")


def rectified(x):
    """Return max(x, 0)."""
    return np.maximum(x, 0.0)


def linear(x, w, b):
    """Return the products of the rows with the weights, and the bias."""
    return np.dot(x, w) + b


def cross_entropy(logits, labels):
    """Return the mean surprise at the labels."""
    z = logits - np.max(logits, axis=1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[numpy.arange(len(labels)), labels])


def measured(loss, *arguments):
    """Return the step of a workload in which nothing moves, and its gradients."""
    both, kept = value_and_grad(loss), {}

    def step():
        value, kept["gradients"] = both(*arguments)
        return float(value)

    return step, lambda: kept["gradients"]


def S1(spec):
    """Build a scalar graph and run the backward pass."""

    def root(leaves):
        nodes = [leaves[k] for k in range(len(spec["leaves"]))]
        for operation, i, j in spec["prog"]:
            a, b = nodes[i], nodes[j]
            nodes.append(a + b if operation == 0 else a * b if operation == 1 else rectified(a))
        return nodes[-1]

    return measured(root, spec["leaves"])[0], None


def S2(spec):
    """Train a scalar perceptron on the moons."""
    state = numbers(spec)
    both = value_and_grad(lambda p: hinge_loss(spec, [p[k] for k in range(len(state))], rectified))

    def step():
        loss, gradients = both(state)
        state[:] = [p - spec["lr"] * g for p, g in zip(state, gradients)]
        return float(loss)

    return step, None


def A1(spec):
    """Run a chain of elementwise operations."""

    def chain(arrays):
        x, y, z = arrays
        u = np.tanh(x) * y + np.exp(-z)
        return np.mean(u / (1.0 + u * u))

    return measured(chain, tuple(spec[name] for name in "xyz"))


def perceptron(p, x):
    """Return the logits of layers with rectifiers between them."""
    for k in range(0, len(p) - 2, 2):
        x = rectified(linear(x, p[k], p[k + 1]))
    return linear(x, p[-2], p[-1])


def flat(pairs):
    """Return the arrays as one vector, float32, and the function that makes arrays of a vector."""
    vector, unflatten = flatten([a for pair in pairs for a in pair])
    return vector.astype("f"), unflatten


def trained(spec):
    """Make two functions: one that trains a perceptron on a batch, and one that predicts with it."""
    vector, unflatten = flat(spec["params"])
    move = Adam([vector], spec["lr"])
    both = value_and_grad(lambda v, x, labels: cross_entropy(perceptron(unflatten(v), x), labels))

    def step(x, labels):
        loss, gradient = both(vector, x, labels)
        move([gradient])
        return float(loss)

    return step, lambda x: perceptron(unflatten(vector), x)


def A2(spec):
    """Train a perceptron with Adam, one batch a step."""
    batches, (step, _) = cycle(spec["batches"]), trained(spec)
    return lambda: step(*next(batches)), None


def E1(spec):
    """Train a perceptron to its target; return the number of epochs."""
    return whole_training(spec, lambda: trained(spec)), None


def A3(spec):
    """Train a convolutional net, one batch a step."""
    state, batches = [a for name in ("c1", "c2", "fc") for a in spec[name]], cycle(spec["batches"])

    def maps(x, w, b):
        x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), "constant")
        flipped = w[:, :, ::-1, ::-1]  # what networks call a convolution turns the kernel round
        return convolve(x, flipped, axes=([2, 3], [2, 3]), dot_axes=([1], [1]), mode="valid") + b[:, None, None]

    def loss(p, images, labels):
        x = rectified(maps(rectified(maps(images, p[0], p[1])), p[2], p[3]))
        n, channels, height, width = x.shape
        x = np.max(np.max(x.reshape(n, channels, height // 2, 2, width // 2, 2), axis=5), axis=3)
        return cross_entropy(linear(x.reshape(n, -1), p[4], p[5]), labels)

    both = value_and_grad(loss)

    def step():
        value, gradients = both(state, *next(batches))
        state[:] = [p - spec["lr"] * g for p, g in zip(state, gradients)]
        return float(value)

    return step, None


def recurrent(spec, cell):
    """Read a sequence with a loop over its steps, and name its class from the last state."""
    p = [*(spec[name] for name in ("w_ih", "b_ih", "w_hh", "b_hh")), *spec["fc"]]
    start = numpy.zeros((spec["x"].shape[1], len(spec["w_hh"])), "f")

    def loss(p):
        inputs, h = linear(spec["x"], p[0], p[1]), start
        for k in range(len(spec["x"])):
            h = cell(inputs[k], linear(h, p[2], p[3]), h)
        return cross_entropy(linear(h, p[4], p[5]), spec["y"])

    return measured(loss, p)


def A4r(spec):
    """Run a plain recurrent layer."""
    return recurrent(spec, lambda a, b, h: np.tanh(a + b))


def A4g(spec):
    """Run a gated recurrent unit."""
    n = len(spec["w_hh"])

    def cell(a, b, h):
        gates = 0.5 * np.tanh(0.5 * (a[:, : 2 * n] + b[:, : 2 * n])) + 0.5
        new = np.tanh(a[:, 2 * n :] + gates[:, :n] * b[:, 2 * n :])
        return new + gates[:, n:] * (h - new)

    return recurrent(spec, cell)


def A5(spec):
    """Train a generator and the discriminator of its work, one batch a step each."""
    (g, arrays_g), (d, arrays_d) = flat(spec["G"]), flat(spec["D"])
    move_g, move_d = (Adam([v], spec["lr"], (0.5, 0.999)) for v in (g, d))
    batches = cycle(list(zip(spec["real"], spec["noise"])))

    def network(p, x):
        x = linear(x, p[0], p[1])
        return linear(np.maximum(x, spec["slope"] * x), p[2], p[3])

    def surprise(d, x, is_real):
        return np.mean(np.logaddexp(numpy.float32(0), (1 - 2 * is_real) * network(arrays_d(d), x)))

    def made(g, noise):
        return np.tanh(network(arrays_g(g), noise))

    first = value_and_grad(lambda d, real, fake: surprise(d, real, 1) + surprise(d, fake, 0))
    second = value_and_grad(lambda g, noise: surprise(d, made(g, noise), 1))

    def step():
        real, noise = next(batches)
        loss, gradient = first(d, real, made(g, noise))
        move_d([gradient])
        fooled, gradient = second(g, noise)
        move_g([gradient])
        return float(loss) + float(fooled)

    return step, None


def A6(spec):
    """Run a transformer block with the norm before each part."""
    x, target, heads, (b, t, d) = spec["x"], spec["t"], spec["heads"], spec["x"].shape
    scale = numpy.float32((d // heads) ** -0.5)

    def norm(x, gain, shift):
        x = x - np.mean(x, axis=-1, keepdims=True)
        return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-5) * gain + shift

    def attend(x, qkv, out):
        parts = np.transpose(linear(x, *qkv).reshape(b, t, 3, heads, d // heads), (2, 0, 3, 1, 4))
        scores = np.matmul(parts[0], np.swapaxes(parts[1], -1, -2)) * scale
        shares = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
        shares = shares / np.sum(shares, axis=-1, keepdims=True)
        y = np.transpose(np.matmul(shares, parts[2]), (0, 2, 1, 3)).reshape(b, t, d)
        return linear(y, *out)

    def loss(p):
        y = x + attend(norm(x, *p["ln1"]), p["qkv"], p["o"])
        y = y + linear(rectified(linear(norm(y, *p["ln2"]), *p["f1"])), *p["f2"])
        return np.mean((y - target) ** 2)

    step, gradients = measured(loss, {name: spec[name] for name in NAMES})
    return step, lambda: [gradients()[name][0] for name in ("qkv", "f1")]
