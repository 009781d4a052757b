"""The tree of a network: what is in its boxes, its table and its text; whatever holds modules can be drawn."""

import re

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import module_tree
from dark.draw.training.module_tree import boxes_of
from dark.draw.training.module_tree_data import parts_of
from dark.errors import DrawingError


class Own:
    """A student's own layer: it knows nothing of ours, and its `named_parameters` takes no setting."""

    def __init__(self):
        self.weight = dark.Parameter(np.ones((1, 2)))
        self.parts = {}

    def named_children(self):
        return self.parts.items()

    def named_parameters(self):
        below = [(f"{name}.{own}", p) for name, part in self.parts.items() for own, p in part.named_parameters()]
        return [("weight", self.weight), *below]


@pytest.fixture
def network():
    body = nn.Sequential(nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2))
    return nn.Sequential({"body": body, "head": nn.Linear(32, 10)})


def test_the_counts_are_those_of_the_network(network):
    root = parts_of(network)
    assert root.numbers == network.count_parameters()
    assert root.size == len(list(network.modules()))


def test_every_module_has_a_row_and_a_box_with_name_class_shapes_and_count(network):
    drawing = module_tree(network)
    rows = {row[0].strip(): row[1:] for row in drawing.table().rows}
    assert rows["network"] == ("Sequential", "", "2474")
    assert rows["head"] == ("Linear", "weight (10, 32), bias (10,)", "330")
    assert rows["2"] == ("ReLU", "", "")
    for words in ("body.0: Linear", "weight (32, 64)", "bias (32,)", "2,080 numbers", "p=0.2"):
        assert f">{words}</text>" in drawing.svg


def test_the_picture_can_be_read_aloud(network):
    alt = module_tree(network, title="Digits").alt
    assert alt.startswith("Digits. Tree of Sequential: 7 modules, 2474 numbers to train. body: Sequential. body.0: Lin")
    assert "body.3: Dropout, p=0.2. head: Linear, weight (10, 32), bias (10,)." in alt


def test_parts_differ_in_shape_not_only_in_colour(network):
    source = module_tree(network).source
    shapes = re.findall(r"shape=(\w+)", source)
    assert [shapes.count(shape) for shape in ("folder", "Mrecord", "record")] == [2, 3, 2]


def test_the_same_network_gives_the_same_picture(network, tmp_path):
    files = [module_tree(network).save(tmp_path / f"{name}.svg") for name in "ab"]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_what_is_shared_is_said_and_counted_once():
    first = nn.Linear(3, 3)
    tied = nn.Linear(3, 3)
    tied.weight = first.weight
    drawing = module_tree(nn.Sequential(first, first, tied))
    assert "3 modules, 15 numbers" in drawing.alt
    assert "1: Linear, the same as 0." in drawing.alt
    assert "weight (3, 3), the same as 0.weight" in drawing.text


def test_what_is_frozen_is_said():
    assert "weight (1, 2), frozen" in module_tree(nn.Linear(2, 1).requires_grad_(False)).text


def test_students_own_modules_are_drawn():
    outer = Own()
    outer.parts["inner"] = Own()
    assert module_tree(outer).text.splitlines()[1:] == [
        "network  Own    weight (1, 2)  4",
        "  inner  Own    weight (1, 2)  2",
    ]


def test_an_object_among_our_modules_has_no_address_in_the_picture():
    class Layer:
        def __call__(self, x):
            return x

    texts = [module_tree(nn.Sequential(Layer(), nn.ReLU())).alt for _ in range(2)]
    assert texts[0] == texts[1]
    assert "0: Function, Layer." in texts[0]


def test_a_module_that_holds_itself_is_drawn_once():
    class Ring(Own):
        def named_parameters(self, recurse=True):
            return [("weight", self.weight)]

    ring = Ring()
    ring.parts["self"] = ring
    assert "self: Ring, the same as network." in module_tree(ring).alt


def test_depth_folds_what_lies_below(network):
    drawing = module_tree(network, depth=1)
    assert [row[0].strip() for row in drawing.table().rows] == ["network", "body", "head"]
    assert "4 modules below" in drawing.text
    assert "goes deeper" in drawing.note


def test_a_crowd_of_siblings_is_one_box():
    drawing = module_tree(nn.ModuleList([nn.Linear(1, 1) for _ in range(500)]))
    assert len(drawing.table().rows) == 25
    assert drawing.table().rows[-1] == ("  ", "… 477 more", "", "954")
    assert "501 modules, 1000 numbers" in drawing.alt


def test_a_deep_network_is_cut_so_that_it_can_be_read():
    network = nn.ReLU()
    for _ in range(4):
        network = nn.ModuleList([network, *[nn.ModuleList([nn.ReLU() for _ in range(10)]) for _ in range(10)]])
    root = parts_of(network)
    shown = module_tree(network).table().rows
    assert len(shown) < 121 < len(boxes_of(root, root.size))


def test_pytorchs_modules_are_drawn():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
    ours = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    assert module_tree(theirs).text == module_tree(ours).text


@pytest.mark.parametrize(
    ("module", "settings", "message"),
    [
        (3.0, {}, r"3\.0 is no module\.\n  Expected: an object with named_children"),
        (nn.ReLU, {"depth": 0}, r"depth is 0\.\n  Expected: a whole number, 1 or more"),
        (nn.ReLU, {"depth": True}, r"depth is True"),
    ],
)
def test_what_is_no_module_or_no_depth_is_refused(module, settings, message):
    with pytest.raises(DrawingError, match=message):
        module_tree(module() if isinstance(module, type) else module, **settings)
