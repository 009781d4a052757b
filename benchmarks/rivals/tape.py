"""The workloads in terms of primitives, for frameworks that differ only in the names of these."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import cycle

import numpy as np

from benchmarks.rivals.tools import hinge_loss, numbers, whole_training
from benchmarks.workloads import run


@dataclass(frozen=True)
class Tape:
    """The primitives of a framework whose operations record nodes for `backward`.

    Nodes must also support addition, multiplication, slicing and reshaping, and have `data` and `backward`.

    Attributes
    ----------
    parameter, constant : callable
        Make a node from an array.
    gradient, clear : callable
        Return the gradient of a parameter as an array; clear the gradients of a list of parameters.
    adam : callable
        Takes parameters, learning rate and betas; returns a function that updates the parameters.
    linear, convolve : callable
        Take x, weights and bias; filters are 3x3 and keep height and width.
    pool : callable
        2x2 max pooling.
    cross_entropy, bce : callable
        Mean losses of logits: with labels; with target 1 or 0 for all.
    relu, tanh, exp, sigmoid, leaky_relu, mean : callable
        The functions of these names.
    NA : dict
        Unsupported workloads and the reason.
    """

    parameter: Callable
    constant: Callable
    gradient: Callable
    clear: Callable
    adam: Callable
    linear: Callable
    convolve: Callable
    pool: Callable
    cross_entropy: Callable
    bce: Callable
    relu: Callable
    tanh: Callable
    exp: Callable
    sigmoid: Callable
    leaky_relu: Callable
    mean: Callable
    NA: dict = field(default_factory=dict)

    def parameters(self, arrays):
        """Make parameters from copies of arrays."""
        return [self.parameter(np.array(a)) for a in arrays]

    def number(self, value):
        """Make a scalar parameter."""
        return self.parameter(np.array(value))

    def back(self, parameters, loss):
        """Clear the gradients, run the backward pass, and return the loss as a float."""
        self.clear(parameters)
        loss.backward()
        return float(loss.data)

    def descend(self, parameters, lr):
        """Update the parameters by gradient descent."""
        for p in parameters:
            p.data -= lr * self.gradient(p)

    def measured(self, parameters, forward):
        """Return the step of a workload without updates, and its gradients."""
        return lambda: self.back(parameters, forward()), lambda: [self.gradient(p) for p in parameters]

    def perceptron(self, p, x):
        """Return the logits of a perceptron with relu activations."""
        for k in range(0, len(p) - 2, 2):
            x = self.relu(self.linear(x, p[k], p[k + 1]))
        return self.linear(x, p[-2], p[-1])

    def S1(self, spec):
        """Build a scalar graph and run the backward pass."""
        program = spec["leaves"], spec["prog"]
        return lambda: float(run(self.number, self.relu, program)[1].data), None

    def S2(self, spec):
        """Train a scalar perceptron on the moons."""
        parameters = [self.number(v) for v in numbers(spec)]

        def step():
            loss = self.back(parameters, hinge_loss(spec, parameters, self.relu))
            self.descend(parameters, spec["lr"])
            return loss

        return step, None

    def A1(self, spec):
        """Run a chain of elementwise operations."""
        parameters = x, y, z = self.parameters([spec[name] for name in "xyz"])
        one = spec["x"].dtype.type(1)  # a Python float would make DeZero continue in float64

        def forward():
            u = self.tanh(x) * y + self.exp(-z)
            return self.mean(u / (u * u + one))

        return self.measured(parameters, forward)

    def trained(self, spec):
        """Return the step that trains a perceptron on one batch, and its prediction function."""
        parameters = self.parameters([a for pair in spec["params"] for a in pair])
        update = self.adam(parameters, spec["lr"], (0.9, 0.999))

        def step(x, labels):
            loss = self.back(parameters, self.cross_entropy(self.perceptron(parameters, self.constant(x)), labels))
            update()
            return loss

        return step, lambda x: self.perceptron(parameters, self.constant(x)).data

    def A2(self, spec):
        """Train a perceptron with Adam, one batch a step."""
        batches, (step, _) = cycle(spec["batches"]), self.trained(spec)
        return lambda: step(*next(batches)), None

    def E1(self, spec):
        """Train a perceptron to its target; return the number of epochs."""
        return whole_training(spec, lambda: self.trained(spec)), None

    def A3(self, spec):
        """Train a convolutional net, one batch a step."""
        p, batches = self.parameters([a for name in ("c1", "c2", "fc") for a in spec[name]]), cycle(spec["batches"])

        def step():
            images, labels = next(batches)
            x = self.relu(self.convolve(self.constant(images), p[0], p[1]))
            x = self.pool(self.relu(self.convolve(x, p[2], p[3])))
            x = self.linear(x.reshape(len(images), -1), p[4], p[5])
            loss = self.back(p, self.cross_entropy(x, labels))
            self.descend(p, spec["lr"])
            return loss

        return step, None

    def recurrent(self, spec, cell):
        """Run a cell over a sequence in a loop, and classify it by the last hidden state."""
        p = self.parameters([*(spec[name] for name in ("w_ih", "b_ih", "w_hh", "b_hh")), *spec["fc"]])
        steps, start = spec["x"], np.zeros((spec["x"].shape[1], len(spec["w_hh"])), "f")

        def forward():
            h = self.constant(start)
            for x in steps:
                h = cell(self.linear(self.constant(x), p[0], p[1]), self.linear(h, p[2], p[3]), h)
            return self.cross_entropy(self.linear(h, p[4], p[5]), spec["y"])

        return self.measured(p, forward)

    def A4r(self, spec):
        """Run a plain recurrent layer."""
        return self.recurrent(spec, lambda a, b, h: self.tanh(a + b))

    def A4g(self, spec):
        """Run a gated recurrent unit."""
        n = len(spec["w_hh"])

        def cell(a, b, h):
            gates = self.sigmoid(a[:, : 2 * n] + b[:, : 2 * n])
            new = self.tanh(a[:, 2 * n :] + gates[:, :n] * b[:, 2 * n :])
            return new + gates[:, n:] * (h - new)

        return self.recurrent(spec, cell)

    def A5(self, spec):
        """Train a generator and the discriminator of its work, one batch a step each."""
        generator, discriminator = (self.parameters([a for pair in spec[name] for a in pair]) for name in "GD")
        updates = [self.adam(p, spec["lr"], (0.5, 0.999)) for p in (discriminator, generator)]
        batches = cycle(list(zip(spec["real"], spec["noise"])))

        def network(p, x):
            return self.linear(self.leaky_relu(self.linear(x, p[0], p[1]), spec["slope"]), p[2], p[3])

        def adversarial_loss(x, is_real):
            return self.bce(network(discriminator, x), is_real)

        def step():
            real, noise = next(batches)
            fake = self.tanh(network(generator, self.constant(noise)))
            loss = adversarial_loss(self.constant(real), 1) + adversarial_loss(self.constant(fake.data), 0)
            first = self.back(discriminator, loss)
            updates[0]()
            second = self.back(generator + discriminator, adversarial_loss(fake, 1))
            updates[1]()
            return first + second

        return step, None
