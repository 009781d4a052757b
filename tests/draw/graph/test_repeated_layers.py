"""Layers of networks of PyTorch that repeat: they are folded, no box leads nowhere, and calls are numbered."""

import pytest

from dark.draw import draw
from dark.draw.graph.module_folding import fold_modules
from tests.draw.graph.honest import assert_honest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def layers(kind, count):
    layer = getattr(torch.nn, f"Transformer{kind}Layer")(16, nhead=4, dim_feedforward=32, batch_first=True)
    return getattr(torch.nn, f"Transformer{kind}")(layer, num_layers=count)


class Residual(torch.nn.Module):
    """Layers whose results are added to what they were given."""

    def __init__(self, count=20):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(count))

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return x


@pytest.mark.parametrize("kind", ["Encoder", "Decoder", "residual"])
def test_the_loss_of_a_network_of_pytorch_has_no_box_that_leads_nowhere(kind):
    x = torch.ones(2, 8) if kind == "residual" else torch.ones(2, 5, 16)
    network = Residual() if kind == "residual" else layers(kind, 6)
    loss = (network(x, x) if kind == "Decoder" else network(x)).square().mean()
    drawing = draw(loss, model=network)
    assert_honest(drawing.record, None)
    used = {k for box in drawing.boxes for k in box.inputs}
    assert set(range(len(drawing.boxes) - 1)) == used
    assert len(drawing.boxes) < 90 < len(drawing.record) and any("×" in title for title in drawing.titles.values())
    assert drawing.note.startswith(f"{len(drawing.record)} nodes in {len(drawing.boxes)} boxes")


def test_chains_between_blocks_are_folded_with_them():
    network = Residual(20)
    boxes = draw(network(torch.ones(2, 8)).mean(), model=network).boxes
    assert [box.name for box in boxes if box.kind == "result" and box.name] == ["×19", "×19"]  # relu and +
    assert len(boxes) <= 11


@pytest.mark.parametrize("period", [1, 2, 3])
def test_blocks_of_several_layers_are_folded(period):
    kinds = [torch.nn.Linear, torch.nn.Tanh, torch.nn.LayerNorm][:period]
    network = torch.nn.Sequential(*[kind(*[8] * (2 - k)) for _ in range(30) for k, kind in zip((0, 2, 1), kinds)])
    drawing = draw(network, torch.ones(2, 8))
    titles = set(drawing.titles.values())
    for k, kind in enumerate(kinds):
        middle = "" if period == 1 else f", {k + period}"
        assert f"{k}{middle} … {29 * period + k}: {kind.__name__} ×30" in titles
    assert len(drawing.boxes) <= 9
    assert_honest(drawing.record, None)


class CalledAgain(torch.nn.Module):
    """Convolutions with one pooling layer between each and the next."""

    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(torch.nn.Conv2d(k, k + 1, 3, padding=1) for k in (1, 2, 3))
        self.pool = torch.nn.MaxPool2d(2)

    def forward(self, x):
        for block in self.blocks:
            x = self.pool(block(x))
        return x


def test_a_module_that_is_called_again_is_numbered_and_no_other_is_split():
    record = draw(CalledAgain(), torch.ones(1, 1, 8, 8)).record
    folded = fold_modules(record, open=False, layers=True)
    names = [box.name for box in folded.boxes if box.kind == "group"]
    assert [name for name in names if name.startswith("pool")] == [
        "pool: MaxPool2d (1)", "pool: MaxPool2d (2)", "pool: MaxPool2d (3)",
    ]  # fmt: skip
    assert len(names) == len(set(names)) and not [name for name in names if "(4)" in name]


def test_a_layer_is_one_box_with_its_shapes_and_its_parameters():
    network = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh())
    record = draw(network, torch.ones(4, 2)).record
    boxes = fold_modules(record, layers=True).boxes
    assert [(box.kind, box.name, box.operation, box.value) for box in boxes] == [
        ("input", "input", None, "float32 (4, 2)"),
        ("group", "0: Linear", None, "(4, 2) → (4, 3), 9 parameters"),
        ("group", "1: Tanh", None, "(4, 3) → (4, 3)"),
    ]
