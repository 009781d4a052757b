"""dark, with its fused operations and its optimizers."""

from itertools import cycle

import numpy as np

import dark
from dark.optim import SGD, Adam

NA: dict = {}


def S1(spec):
    """Build a scalar graph from a program of (operation, i, j) and run the backward pass."""

    def step():
        nodes = [dark.Parameter(v) for v in spec["leaves"]]
        for operation, i, j in spec["prog"]:
            a, b = nodes[i], nodes[j]
            nodes.append(a + b if operation == 0 else a * b if operation == 1 else dark.relu(a))
        nodes[-1].backward()
        return nodes[-1].value

    return step, None


def S2(spec):
    """Train a scalar perceptron on the moons: hinge loss, weight decay, one step over all examples."""
    layers = [
        ([[dark.Parameter(float(v)) for v in column] for column in w.T], [dark.Parameter(float(v)) for v in b])
        for w, b in spec["params"]
    ]
    parameters = [p for columns, b in layers for p in [p for column in columns for p in column] + b]

    def output(row):
        x = [dark.Constant(v) for v in row]
        for k, (columns, biases) in enumerate(layers):
            x = [sum((w * v for w, v in zip(column, x)), bias) for column, bias in zip(columns, biases)]
            x = [dark.relu(v) for v in x] if k + 1 < len(layers) else x
        return x[0]

    def step():
        losses = [dark.relu(1.0 + -y * output(row)) for row, y in zip(spec["X"].tolist(), spec["y"].tolist())]
        loss = sum(losses) * (1.0 / len(losses)) + spec["alpha"] * sum(p * p for p in parameters)
        for p in parameters:
            p.grad = 0.0
        loss.backward()
        for p in parameters:
            p.value = p.value - spec["lr"] * p.grad
        return loss.value

    return step, None


def as_written(loss):
    """Return the function as it is; the rival `recorded` passes `dark.recorded` in its place."""
    return loss


def A1(spec, wrap=as_written):
    """Run a chain of elementwise operations: the mean of u / (1 + u²), with u = tanh(x) y + exp(-z)."""
    parameters = x, y, z = [dark.Parameter(spec[name]) for name in "xyz"]

    @wrap
    def loss_of():
        u = dark.tanh(x) * y + dark.exp(-z)
        return dark.mean(u / (1.0 + u * u))

    def step():
        for p in parameters:
            p.zero_grad()
        loss = loss_of()
        loss.backward()
        return loss.item()

    return step, lambda: [p.grad for p in parameters]


def parameter(array):
    """Return a parameter; a weight matrix, written (in, out) in the workloads, is transposed to (out, in)."""
    return dark.Parameter(np.ascontiguousarray(array.T) if array.ndim == 2 else array)


def perceptron(parameters, x):
    """Return the logits of layers with rectifiers between them; the parameters are w, b, w, b, ..."""
    pairs = list(zip(parameters[::2], parameters[1::2]))
    for w, b in pairs[:-1]:
        x = dark.relu(dark.linear(x, w, b))
    return dark.linear(x, *pairs[-1])


def trained(spec, wrap=as_written):
    """Make the parameters of a perceptron, and the step that trains it on one batch."""
    parameters = [parameter(array) for pair in spec["params"] for array in pair]
    optimizer = Adam(parameters, lr=spec["lr"])

    @wrap
    def loss_of(x, labels):
        return dark.losses.cross_entropy(perceptron(parameters, x), labels)

    def step(x, labels):
        optimizer.zero_grad()
        loss = loss_of(x, labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    return parameters, step


def A2(spec, wrap=as_written):
    """Train a perceptron with Adam, one batch a step."""
    batches, (_, step) = cycle(spec["batches"]), trained(spec, wrap)
    return lambda: step(*next(batches)), None


def E1(spec, wrap=as_written):
    """Train a perceptron to a target accuracy on the test set; return the number of epochs."""

    def whole():
        parameters, step = trained(spec, wrap)
        order, batch = np.random.default_rng(11), spec["batch"]
        for epoch in range(1, spec["max_epochs"] + 1):
            rows = order.permutation(len(spec["X"]))
            for start in range(0, len(rows) - batch + 1, batch):
                chosen = rows[start : start + batch]
                step(spec["X"][chosen], spec["y"][chosen])
            answers = perceptron(parameters, dark.Constant(spec["Xt"])).value.argmax(1)
            if (answers == spec["yt"]).mean() >= spec["target"]:
                return epoch
        return -1

    return whole, None


def A3(spec, wrap=as_written):
    """Train a convolutional net, one batch a step."""
    p = c1, b1, c2, b2, w, b = [parameter(array) for name in ("c1", "c2", "fc") for array in spec[name]]
    optimizer, batches = SGD(p, lr=spec["lr"]), cycle(spec["batches"])

    @wrap
    def loss_of(images, labels):
        x = dark.relu(dark.conv2d(images, c1, b1, padding=1))
        x = dark.max_pool2d(dark.relu(dark.conv2d(x, c2, b2, padding=1)), 2)
        return dark.losses.cross_entropy(dark.linear(dark.reshape(x, (len(images), -1)), w, b), labels)

    def step():
        optimizer.zero_grad()
        loss = loss_of(*next(batches))
        loss.backward()
        optimizer.step()
        return loss.item()

    return step, None


def recurrent(spec, read):
    """Read a sequence, name its class from the last state, and send the gradient back; nothing moves."""
    weights = [dark.Parameter(spec[name]) for name in ("w_ih", "b_ih", "w_hh", "b_hh")]
    head, x = [parameter(array) for array in spec["fc"]], dark.Constant(spec["x"])

    def step():
        for p in weights + head:
            p.zero_grad()
        loss = dark.losses.cross_entropy(dark.linear(read(x, *weights), *head), spec["y"])
        loss.backward()
        return loss.item()

    return step, lambda: [*[p.grad for p in weights], head[0].grad.T, head[1].grad]


def A4r(spec):
    """Run a plain recurrent layer, forward and backward."""
    return recurrent(spec, dark.rnn)


def A4g(spec):
    """Run a gated recurrent unit, forward and backward."""
    return recurrent(spec, dark.gru)


def A5(spec, wrap=as_written):
    """Train a generator and the discriminator that is to tell its work from real examples, one batch a step each.

    A recorded function takes arrays, so the generator's loss computes the images once more.
    """
    generator, discriminator = [[parameter(array) for pair in spec[name] for array in pair] for name in "GD"]
    optimizers = first, second = [Adam(p, lr=spec["lr"], betas=(0.5, 0.999)) for p in (discriminator, generator)]
    batches = cycle(list(zip(spec["real"], spec["noise"])))

    def network(p, x):
        return dark.linear(dark.leaky_relu(dark.linear(x, p[0], p[1]), spec["slope"]), p[2], p[3])

    def surprise(x, is_real):
        logits = network(discriminator, x)
        return dark.losses.binary_cross_entropy_with_logits(logits, np.full(logits.shape, is_real, logits.dtype))

    def images(noise):
        return dark.tanh(network(generator, noise))

    @wrap
    def told_apart(real, fake):
        return surprise(real, 1) + surprise(fake, 0)

    @wrap
    def not_fooled(noise):
        return surprise(images(noise), 1)

    def step():
        real, noise = next(batches)
        fake = images(noise)
        first.zero_grad()
        loss = told_apart(real, fake.value)
        loss.backward()
        first.step()
        for optimizer in optimizers:
            optimizer.zero_grad()
        fooled = surprise(fake, 1) if wrap is as_written else not_fooled(noise)
        fooled.backward()
        second.step()
        return loss.item() + fooled.item()

    return step, None


def A6(spec, wrap=as_written):
    """Run a transformer block with the norm before each part, forward and backward."""
    names = ("qkv", "o", "f1", "f2", "ln1", "ln2")
    p = {name: [parameter(array) for array in spec[name]] for name in names}
    x, target, (b, t, d) = dark.Constant(spec["x"]), dark.Constant(spec["t"]), spec["x"].shape

    def attend(x):
        parts = dark.reshape(dark.linear(x, *p["qkv"]), (b, t, 3, spec["heads"], d // spec["heads"]))
        parts = dark.transpose(parts, (2, 0, 3, 1, 4))  # (3, b, heads, t, d / heads)
        y = dark.attention(parts[0], parts[1], parts[2])
        return dark.linear(dark.reshape(dark.transpose(y, (0, 2, 1, 3)), (b, t, d)), *p["o"])

    @wrap
    def loss_of():
        y = x + attend(dark.layer_norm(x, *p["ln1"]))
        y = y + dark.linear(dark.relu(dark.linear(dark.layer_norm(y, *p["ln2"]), *p["f1"])), *p["f2"])
        e = y - target
        return dark.mean(e * e)

    def step():
        for pair in p.values():
            for parameter in pair:
                parameter.zero_grad()
        loss = loss_of()
        loss.backward()
        return loss.item()

    return step, lambda: [p["qkv"][0].grad.T, p["f1"][0].grad.T]
