"""Ten networks of PyTorch in small sizes, and the time and the size of their pictures by dark, torchviz and torchview.

All three draw the same network for the same input in one process, in turn; the time is the best of some rounds, from
the network to SVG, and the size that of the SVG in points.
"""

import re
import time

import dark


def models():
    """Return for each name a function that returns a network and its input."""
    import torch
    from torch import nn

    def conv(a, b, **options):
        return nn.Sequential(nn.Conv2d(a, b, 3, padding=1, **options), nn.BatchNorm2d(b), nn.ReLU())

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down = nn.ModuleList([nn.Sequential(conv(a, b), conv(b, b)) for a, b in ((1, 4), (4, 8), (8, 16))])
            self.up = nn.ModuleList([nn.ConvTranspose2d(a, a // 2, 2, 2) for a in (16, 8)])
            self.merge = nn.ModuleList([nn.Sequential(conv(a, a // 2), conv(a // 2, a // 2)) for a in (16, 8)])
            self.pool, self.head = nn.MaxPool2d(2), nn.Conv2d(4, 1, 1)

        def forward(self, x):
            kept = []
            for block in self.down[:-1]:
                kept.append(block(x))
                x = self.pool(kept[-1])
            x = self.down[-1](x)
            for up, merge in zip(self.up, self.merge):
                x = merge(torch.cat([up(x), kept.pop()], dim=1))
            return self.head(x)

    class Residual(nn.Module):
        def __init__(self, a, b, stride):
            super().__init__()
            self.first, self.second = (
                conv(a, b, stride=stride),
                nn.Sequential(nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b)),
            )
            self.shortcut = nn.Identity() if a == b and stride == 1 else nn.Conv2d(a, b, 1, stride)

        def forward(self, x):
            return torch.relu(self.second(self.first(x)) + self.shortcut(x))

    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.cell, self.head = (
                nn.Embedding(20, 8),
                nn.LSTM(8, 16, 2, batch_first=True),
                nn.Linear(16, 20),
            )

        def forward(self, ids):
            return self.head(self.cell(self.embed(ids))[0])

    class Variational(nn.Module):
        def __init__(self):
            super().__init__()
            self.encode, self.decode = nn.Linear(64, 16), nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 64))
            self.mean, self.spread = nn.Linear(16, 4), nn.Linear(16, 4)

        def forward(self, x):
            hidden = torch.relu(self.encode(x))
            mean, spread = self.mean(hidden), self.spread(hidden)
            return torch.sigmoid(self.decode(mean + torch.exp(spread / 2) * torch.randn_like(spread))), mean, spread

    class Siamese(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))

        def forward(self, a, b):
            return (self.body(a) - self.body(b)).square().sum(dim=1)

    class Routed(nn.Module):
        def __init__(self):
            super().__init__()
            self.gate, self.experts = nn.Linear(8, 4), nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])

        def forward(self, x):
            chosen = self.gate(x).argmax(dim=1)
            return torch.stack([expert(x) for expert in self.experts], dim=1)[torch.arange(len(x)), chosen]

    def layer(kind):
        return getattr(nn, f"Transformer{kind}Layer")(16, nhead=4, dim_feedforward=32, batch_first=True)

    image, tokens = torch.ones(2, 3, 16, 16), torch.ones(2, 10, 16)
    steps = ((8, 8, 1), (8, 8, 1), (8, 16, 2), (16, 16, 1), (16, 32, 2), (32, 32, 1))
    residual = [
        conv(3, 8),
        *[Residual(*step) for step in steps],
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(32, 10),
    ]
    pairs = [module for _ in range(100) for module in (nn.Linear(8, 8), nn.Tanh())]
    rows = torch.ones(2, 8)
    return {
        "multilayer perceptron": lambda: (nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)), (rows,)),
        "200 layers": lambda: (nn.Sequential(*pairs), (rows,)),
        "U-Net": lambda: (UNet(), (torch.ones(2, 1, 16, 16),)),
        "residual network": lambda: (nn.Sequential(*residual), (image,)),
        "transformer ×6": lambda: (nn.TransformerEncoder(layer("Encoder"), 6), (tokens,)),
        "encoder and decoder": lambda: (nn.Transformer(16, 4, 2, 2, 32, batch_first=True), (tokens, tokens)),
        "LSTM": lambda: (Recurrent(), (torch.zeros(2, 5, dtype=torch.long),)),
        "variational autoencoder": lambda: (Variational(), (torch.ones(2, 64),)),
        "siamese network": lambda: (Siamese(), (torch.ones(2, 8), torch.ones(2, 8))),
        "chosen experts": lambda: (Routed(), (torch.ones(3, 8),)),
    }


def draw_with_dark(network, inputs):
    return dark.draw(network, *inputs).svg


def draw_layers(network, inputs):
    return dark.draw(network, *inputs, detail="layers").svg


def draw_with_torchviz(network, inputs):
    from torchviz import make_dot

    result = network(*inputs)
    result = sum(part.sum() for part in result) if isinstance(result, tuple) else result
    return make_dot(result, params=dict(network.named_parameters())).pipe(format="svg").decode()


def draw_with_torchview(network, inputs):
    from torchview import draw_graph

    return draw_graph(network, input_data=inputs, depth=10).visual_graph.pipe(format="svg").decode()


PROGRAMS = {
    "dark": draw_with_dark,
    "dark, layers": draw_layers,
    "torchviz": draw_with_torchviz,
    "torchview": draw_with_torchview,
}


def size_of(svg):
    """Return width and height of an SVG in points, in words."""
    width, height = (float(re.search(rf'<svg[^>]*? {side}="([\d.]+)', svg)[1]) for side in ("width", "height"))
    return f"{width:.0f} × {height:.0f}"


def rows(programs, rounds):
    """Yield for each network its name, and for each program the best time in seconds and the size, or the error."""
    import torch

    for name, make in models().items():
        torch.manual_seed(0)
        network, inputs = make()
        network.eval()
        found = {program: (float("inf"), "") for program in programs}
        for _ in range(rounds):
            for program in programs:
                begin = time.perf_counter()
                try:
                    what = size_of(PROGRAMS[program](network, inputs))
                except Exception as error:
                    what = type(error).__name__
                found[program] = min(found[program], (time.perf_counter() - begin, what))
        yield name, list(found.values())
