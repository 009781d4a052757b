"""PyTorch eager on the CPU, with the defaults of `torch.nn` and `torch.optim`: the reference."""

from itertools import cycle

import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.rivals.tools import hinge_loss, numbers, whole_training
from benchmarks.workloads import run

NA: dict = {}


def tensor(array):
    """Return a tensor on a copy of the array."""
    return torch.from_numpy(array.copy())


def number(value):
    """Return a scalar tensor that requires grad."""
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


def turned(array):
    """Return the transpose of a matrix, written (in, out) by all others and (out, in) by PyTorch; a bias as it is."""
    return array.T if array.ndim == 2 else array


def filled(layer, pair):
    """Give a layer its weights and its bias."""
    weight, bias = map(tensor, pair)
    with torch.no_grad():
        layer.weight.copy_(turned(weight))
        layer.bias.copy_(bias)
    return layer


def linear(pair):
    """Make a linear layer with these weights."""
    return filled(nn.Linear(*pair[0].shape), pair)


def measured(parameters, forward, show):
    """Return the step of a workload in which nothing moves, and the gradients of the parameters shown."""

    def step():
        for p in parameters:
            p.grad = None
        loss = forward()
        loss.backward()
        return loss.item()

    return step, lambda: [turned(p.grad.numpy()) for p in show]


def S1(spec):
    """Build a scalar graph and run the backward pass."""
    program = spec["leaves"], spec["prog"]
    return lambda: run(number, torch.relu, program)[1].item(), None


def S2(spec):
    """Train a scalar perceptron on the moons."""
    parameters = [number(v) for v in numbers(spec)]

    def step():
        for p in parameters:
            p.grad = None
        loss = hinge_loss(spec, parameters, torch.relu)
        loss.backward()
        with torch.no_grad():
            for p in parameters:
                p -= spec["lr"] * p.grad
        return loss.item()

    return step, None


def A1(spec):
    """Run a chain of elementwise operations."""
    parameters = x, y, z = [tensor(spec[name]).requires_grad_() for name in "xyz"]

    def forward():
        u = torch.tanh(x) * y + torch.exp(-z)
        return (u / (1.0 + u * u)).mean()

    return measured(parameters, forward, parameters)


def trained(net, optimizer):
    """Make the step that trains a network on one batch."""

    def step(x, labels):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(torch.from_numpy(x)), torch.from_numpy(labels))
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def perceptron(spec):
    """Make a perceptron, and the step that trains it with Adam."""
    layers = [layer for pair in spec["params"] for layer in (linear(pair), nn.ReLU())]
    net = nn.Sequential(*layers[:-1])
    return net, trained(net, torch.optim.Adam(net.parameters(), lr=spec["lr"]))


def A2(spec):
    """Train a perceptron with Adam, one batch a step."""
    batches, (_, step) = cycle(spec["batches"]), perceptron(spec)
    return lambda: step(*next(batches)), None


def E1(spec):
    """Train a perceptron to its target; return the number of epochs."""

    def make():
        net, step = perceptron(spec)
        return step, torch.no_grad()(lambda x: net(torch.from_numpy(x)).numpy())

    return whole_training(spec, make), None


def A3(spec):
    """Train a convolutional net, one batch a step."""
    maps = [filled(nn.Conv2d(pair[0].shape[1], len(pair[0]), 3, padding=1), pair) for pair in (spec["c1"], spec["c2"])]
    net = nn.Sequential(maps[0], nn.ReLU(), maps[1], nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), linear(spec["fc"]))
    step, batches = trained(net, torch.optim.SGD(net.parameters(), lr=spec["lr"])), cycle(spec["batches"])
    return lambda: step(*next(batches)), None


def recurrent(spec, kind):
    """Read a sequence, name its class from the last state, and send the gradient back."""
    layer, head = kind(spec["x"].shape[2], len(spec["w_hh"])), linear(spec["fc"])
    with torch.no_grad():
        for name, p in zip(("w_ih", "w_hh", "b_ih", "b_hh"), layer.parameters()):
            p.copy_(turned(tensor(spec[name])))
    x, y = tensor(spec["x"]), tensor(spec["y"])
    w_ih, w_hh, b_ih, b_hh = layer.parameters()
    parameters = [w_ih, b_ih, w_hh, b_hh, *head.parameters()]
    return measured(parameters, lambda: F.cross_entropy(head(layer(x)[1][0]), y), parameters)


def A4r(spec):
    """Run a plain recurrent layer."""
    return recurrent(spec, nn.RNN)


def A4g(spec):
    """Run a gated recurrent unit."""
    return recurrent(spec, nn.GRU)


def A5(spec):
    """Train a generator and the discriminator of its work, one batch a step each."""
    slope, bce = nn.LeakyReLU(spec["slope"]), F.binary_cross_entropy_with_logits
    generator = nn.Sequential(linear(spec["G"][0]), slope, linear(spec["G"][1]), nn.Tanh())
    discriminator = nn.Sequential(linear(spec["D"][0]), slope, linear(spec["D"][1]))
    second, first = (
        torch.optim.Adam(net.parameters(), lr=spec["lr"], betas=(0.5, 0.999)) for net in (generator, discriminator)
    )
    batches = cycle([(tensor(real), tensor(noise)) for real, noise in zip(spec["real"], spec["noise"])])
    ones = torch.ones(len(spec["real"][0]), 1)
    zeros = torch.zeros_like(ones)

    def step():
        real, noise = next(batches)
        fake = generator(noise)
        first.zero_grad()
        loss = bce(discriminator(real), ones) + bce(discriminator(fake.detach()), zeros)
        loss.backward()
        first.step()
        second.zero_grad()
        fooled = bce(discriminator(fake), ones)
        fooled.backward()
        second.step()
        return loss.item() + fooled.item()

    return step, None


class Block(nn.Module):
    """A transformer block with the norm before each part."""

    def __init__(self, spec):
        super().__init__()
        self.qkv, self.o, self.f1, self.f2 = (linear(spec[name]) for name in ("qkv", "o", "f1", "f2"))
        self.ln1, self.ln2 = (filled(nn.LayerNorm(len(spec[name][0])), spec[name]) for name in ("ln1", "ln2"))
        self.heads = spec["heads"]

    def forward(self, x):
        """Return x after attention and the layers, (batch, time, features)."""
        b, t, d = x.shape
        q, k, v = (part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(self.ln1(x)).split(d, dim=2))
        x = x + self.o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, d))
        return x + self.f2(F.relu(self.f1(self.ln2(x))))


def A6(spec):
    """Run a transformer block, forward and backward."""
    block, x, target = Block(spec), tensor(spec["x"]), tensor(spec["t"])
    show = [block.qkv.weight, block.f1.weight]
    return measured(list(block.parameters()), lambda: F.mse_loss(block(x), target), show)
