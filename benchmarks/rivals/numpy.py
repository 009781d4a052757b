"""No framework: forward and backward passes written directly in NumPy, a lower bound for frameworks on NumPy."""

from itertools import cycle, pairwise

import numpy as np

from benchmarks.rivals.tools import whole_training

NA = dict.fromkeys(("A3", "A4r", "A4g", "A5", "A6", "S1", "S2"), "–")


def A1(spec):
    """Run the elementwise chain and back, with as few passes and new arrays as the formulas allow."""
    x, y, z = (spec[name] for name in "xyz")
    gradients = []

    def step():
        t, e = np.tanh(x), np.exp(-z)
        u = t * y
        u += e
        q = u * u
        q += 1.0
        r = u / q
        loss = float(np.add.reduce(r)) / r.size
        d = 1.0 / r.size / q  # of r along u, were q fixed
        along_q = d * r
        along_q *= u
        along_q *= -2.0
        d += along_q
        e *= d
        dy = d * t
        t *= t
        np.subtract(1.0, t, out=t)
        t *= d
        t *= y
        gradients[:] = t, dy, -e
        return loss

    return step, lambda: gradients


class Perceptron:
    """Layers with rectifiers between, softmax and cross entropy, and Adam, all parameters in one vector."""

    def __init__(self, spec):
        arrays = [array for pair in spec["params"] for array in pair]
        ends = np.cumsum([0, *(a.size for a in arrays)])
        self.vector, self.gradient = np.concatenate([a.ravel() for a in arrays]), np.zeros(ends[-1], np.float32)
        views = [
            [vector[i:j].reshape(a.shape) for (i, j), a in zip(pairwise(ends), arrays)]
            for vector in (self.vector, self.gradient)
        ]
        self.layers, self.slopes = (list(zip(part[::2], part[1::2])) for part in views)
        self.m, self.v, self.room = (np.zeros_like(self.vector) for _ in range(3))
        self.lr, self.t = spec["lr"], 0

    def logits(self, x):
        """Return the last layer's outputs, and what each layer was given."""
        given = []
        for k, (w, b) in enumerate(self.layers):
            if k:
                x = np.maximum(x, np.zeros_like(x))
            given.append(x)
            x = x @ w
            x += b
        return x, given

    def step(self, x, labels):
        """Train on one batch; return the loss."""
        x, given = self.logits(x)
        n, rows = len(x), np.arange(len(x))
        x -= x.max(axis=1, keepdims=True)
        at_labels = x[rows, labels]
        np.exp(x, out=x)
        sums = x.sum(axis=1)
        loss = float((np.log(sums) - at_labels).sum()) / n
        x /= (sums * n)[:, None]
        x[rows, labels] -= 1 / n
        ones = np.ones(n, np.float32)
        for k in range(len(given) - 1, -1, -1):
            np.dot(given[k].T, x, out=self.slopes[k][0])
            np.dot(ones, x, out=self.slopes[k][1])
            if k:
                x = x @ self.layers[k][0].T
                x *= given[k] > 0
        self.move()
        return loss

    def move(self):
        """Do a step of Adam."""
        self.t += 1
        g, m, v, a = self.gradient, self.m, self.v, self.room
        root = (1 - 0.999**self.t) ** 0.5
        m *= 0.9
        m += np.multiply(g, 0.1, out=a)
        v *= 0.999
        v += np.multiply(np.multiply(g, g, out=a), 0.001, out=a)
        np.sqrt(v, out=a)
        a += 1e-8 * root
        np.divide(m, a, out=a)
        a *= self.lr * root / (1 - 0.9**self.t)
        self.vector -= a


def A2(spec):
    """Train a perceptron with Adam, one batch a step."""
    batches, perceptron = cycle(spec["batches"]), Perceptron(spec)
    return lambda: perceptron.step(*next(batches)), None


def E1(spec):
    """Train a perceptron to a target accuracy on the test set; return the number of epochs."""

    def make():
        perceptron = Perceptron(spec)
        return perceptron.step, lambda x: perceptron.logits(x)[0]

    return whole_training(spec, make), None
