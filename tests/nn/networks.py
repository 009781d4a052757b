"""Networks for the tests: random trees of modules, and modules as students write them."""

import numpy as np
from hypothesis import strategies as st

import dark
from dark import nn


class Scale(nn.Module):
    """A scalar parameter, a buffer that counts calls, a buffer that is not persistent."""

    def __init__(self):
        super().__init__()
        self.factor = dark.Parameter(2.0)
        self.register_buffer("calls", 0)
        self.register_buffer("scratch", np.zeros(2), persistent=False)

    def forward(self, x):
        self.calls = self.calls + 1
        return self.factor * x


class OwnLinear(nn.Module):
    """A custom layer that derives from Module."""

    def __init__(self, n, m):
        super().__init__()
        self.w = dark.Parameter(np.arange(n * m, dtype=float).reshape(n, m) / 10)

    def forward(self, x):
        return x @ self.w


class PlainLinear:
    """A custom layer that derives from nothing."""

    def __init__(self, n, m):
        self.w = dark.Parameter(np.ones((n, m)))

    def __call__(self, x):
        return x @ self.w


class OwnBase:
    """A custom layer with its own parameters(), train() and eval()."""

    def __init__(self):
        self.hidden = [dark.Parameter(3.0)]
        self.mode = "train"

    def parameters(self):
        return self.hidden

    def train(self):
        self.mode = "train"

    def eval(self):
        self.mode = "eval"

    def __call__(self, x):
        return self.hidden[0] * x


class Net(nn.Module):
    """Two layers and a shared one."""

    def __init__(self, seed=None):
        super().__init__()
        rng = np.random.default_rng(seed)
        self.first = nn.Linear(2, 3, seed=rng)
        self.second = nn.Linear(3, 3, bias=False, seed=rng)
        self.again = self.second
        self.norm = nn.BatchNorm1d(3)
        self.scale = Scale()

    def forward(self, x):
        return self.scale(self.norm(self.again(self.second(dark.relu(self.first(x))))))


MAKERS = st.sampled_from(
    [
        lambda seed: nn.Linear(3, 3, seed=seed), lambda seed: nn.Linear(3, 3, bias=False, seed=seed),
        lambda seed: nn.Linear(3, 3, dtype="f", seed=seed), lambda seed: nn.Embedding(2, 3, seed=seed),
        lambda seed: nn.Dropout(0.5, seed=seed), lambda _: nn.BatchNorm1d(3), lambda _: nn.LayerNorm(3),
        lambda _: nn.ReLU(), lambda _: Scale(),
    ]
)  # fmt: skip
LEAVES = st.builds(lambda make, seed: make(seed), MAKERS, st.integers(0, 99))


def trees(children):
    """Draw nested modules; one of them may be shared."""
    rows = st.lists(children, max_size=3)
    return st.one_of(
        rows.map(lambda parts: nn.Sequential(*parts)),
        rows.map(lambda parts: nn.ModuleList([*parts, *parts[:1]])),
        rows.map(lambda parts: nn.ModuleDict({f"part{k}": part for k, part in enumerate(parts)})),
    )


networks = st.recursive(LEAVES, trees, max_leaves=6)
