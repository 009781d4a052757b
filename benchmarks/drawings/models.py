"""The models to draw: a residual network of PyTorch, and an expression of micrograd."""

import torch
from torch import nn


class Block(nn.Module):
    """Two convolutions, and a connection around them."""

    def __init__(self, width):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width)
        self.conv2, self.norm2 = nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width)

    def forward(self, x):
        """Return the activations after the connection."""
        y = torch.relu(self.norm1(self.conv1(x)))
        return torch.relu(x + self.norm2(self.conv2(y)))


def residual_network(blocks=6, scale=1.0):
    """Return the network; its weights are drawn from a fixed seed and multiplied by `scale`."""
    torch.manual_seed(0)
    layers = nn.Sequential(*[Block(8) for _ in range(blocks)])
    network = nn.Sequential()
    network.add_module("stem", nn.Conv2d(3, 8, 3, padding=1))
    network.add_module("layers", layers)
    network.add_module("pool", nn.AdaptiveAvgPool2d(1))
    network.add_module("flatten", nn.Flatten())
    network.add_module("head", nn.Linear(8, 10))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter *= scale
    return network


def images():
    """Return two images."""
    return torch.linspace(-1, 1, 2 * 3 * 16 * 16).reshape(2, 3, 16, 16)


def loss_of(network, weight=None):
    """Return a loss of the network; after a backward pass of `weight` times it, if that is given."""
    loss = network(images()).square().mean()
    if weight is not None:
        (weight * loss).backward(retain_graph=True)
    return loss


def neuron(scale=1.0, weight=None):
    """Return the result of a neuron of micrograd."""
    from micrograd.engine import Value

    x, w, b = Value(2.0 * scale), Value(-3.0 * scale), Value(6.88)
    y = (x * w + b).relu() + x
    if weight is not None:
        (y * weight).backward()
    return y
