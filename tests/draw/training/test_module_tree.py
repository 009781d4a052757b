"""Module trees: boxes, table and alternative text, of networks of any library."""

import re

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import module_tree
from dark.draw.training.module_tree import entries_of
from dark.draw.training.module_tree_data import module_data_of
from dark.errors import DrawingError, UsageError, ValueTypeError

OUTLINE = r'<g id="node-\d+" class="node"><(?:polygon|path) [^>]* (?:points|d)="([^"]*)"'


class StudentModule:
    """A module of a student, whose `named_parameters` has no argument."""

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


def test_counts_agree_with_the_network(network):
    root = module_data_of(network)
    assert root.count == network.count_parameters()
    assert root.size == len(list(network.modules()))


def test_every_module_has_a_row_and_a_box_with_name_class_shapes_and_count(network):
    drawing = module_tree(network)
    rows = {row[0].strip(): row[1:] for row in drawing.table().rows}
    assert rows["network"] == ("Sequential", "", "2474")
    assert rows["head"] == ("Linear", "weight (10, 32), bias (10,)", "330")
    assert rows["2"] == ("ReLU", "", "")
    for words in ("body.0: Linear", "weight (32, 64)", "bias (32,)", "2,080 parameters", "p=0.2"):
        assert f">{words}</text>" in drawing.svg


def test_the_picture_has_an_alternative_text(network):
    alt = module_tree(network, title="Digits").alt
    assert alt.startswith("Digits. Tree of Sequential: 7 modules, 2474 parameters. body: Sequential. body.0: Lin")
    assert "body.3: Dropout, p=0.2. head: Linear, weight (10, 32), bias (10,)." in alt


def test_modules_differ_in_shape_not_only_in_color(network):
    source = module_tree(network).source
    shapes = re.findall(r"shape=(\w+)", source)
    assert [shapes.count(shape) for shape in ("folder", "Mrecord", "record")] == [2, 3, 2]


def test_the_picture_needs_no_layout_engine_and_no_boxes_overlap(network, monkeypatch):
    monkeypatch.setattr("dark.draw.diagram.graphviz_layout.positions_from_graphviz", None)
    picture = module_tree(network, title="Digits").svg
    assert picture.count('class="node"') == 7 and ">Digits</text>" in picture
    corners = [list(map(float, re.findall(r"[\d.]+", found))) for found in re.findall(OUTLINE, picture)]
    areas = [(min(found[::2]), min(found[1::2]), max(found[::2]), max(found[1::2])) for found in corners]
    assert len(areas) == 7
    for k, (left, top, right, bottom) in enumerate(areas):
        for other_left, other_top, other_right, other_bottom in areas[:k]:
            assert left >= other_right or other_left >= right or top >= other_bottom or other_top >= bottom


def test_a_single_module_is_a_picture():
    picture = module_tree(nn.ReLU()).svg
    assert picture.count("<polygon") == 3  # ground, box, sample of the legend
    assert ">network: ReLU</text>" in picture


def test_the_picture_is_reproducible(network, tmp_path):
    files = [module_tree(network).save(tmp_path / f"{name}.svg") for name in "ab"]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_shared_modules_and_parameters_are_named_and_counted_once():
    first = nn.Linear(3, 3)
    tied = nn.Linear(3, 3)
    tied.weight = first.weight
    drawing = module_tree(nn.Sequential(first, first, tied))
    assert "3 modules, 15 parameters" in drawing.alt
    assert "1: Linear, the same as 0." in drawing.alt
    assert "weight (3, 3), the same as 0.weight" in drawing.text


def test_frozen_parameters_are_named():
    assert "weight (1, 2), frozen" in module_tree(nn.Linear(2, 1).requires_grad_(False)).text


def test_modules_of_a_student_are_drawn():
    outer = StudentModule()
    outer.parts["inner"] = StudentModule()
    assert module_tree(outer).text.splitlines()[1:] == [
        "network  StudentModule  weight (1, 2)  4",
        "  inner  StudentModule  weight (1, 2)  2",
    ]


def test_the_repr_of_a_function_has_no_address():
    class Layer:
        def __call__(self, x):
            return x

    texts = [module_tree(nn.Sequential(Layer(), nn.ReLU())).alt for _ in range(2)]
    assert texts[0] == texts[1]
    assert "0: Function, Layer." in texts[0]


def test_a_module_that_contains_itself_is_drawn_once():
    class Ring(StudentModule):
        def named_parameters(self, recurse=True):
            return [("weight", self.weight)]

    ring = Ring()
    ring.parts["self"] = ring
    assert "self: Ring, the same as network." in module_tree(ring).alt


def test_depth_folds_deeper_modules(network):
    drawing = module_tree(network, depth=1)
    assert [row[0].strip() for row in drawing.table().rows] == ["network", "body", "head"]
    assert "4 submodules" in drawing.text
    assert "shows more levels" in drawing.note


def test_many_siblings_are_one_box():
    drawing = module_tree(nn.ModuleList([nn.Linear(1, 1) for _ in range(500)]))
    assert len(drawing.table().rows) == 25
    assert drawing.table().rows[-1] == ("  ", "… 477 more", "", "954")
    assert "501 modules, 1000 parameters" in drawing.alt


def test_the_default_depth_keeps_the_picture_small():
    network = nn.ReLU()
    for _ in range(4):
        network = nn.ModuleList([network, *[nn.ModuleList([nn.ReLU() for _ in range(10)]) for _ in range(10)]])
    root = module_data_of(network)
    shown = module_tree(network).table().rows
    assert len(shown) < 121 < len(entries_of(root, root.size))


@pytest.mark.long
def test_pytorchs_modules_are_drawn():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
    own = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    assert module_tree(theirs).text == module_tree(own).text


@pytest.mark.parametrize(
    ("module", "settings", "message"),
    [
        (3.0, {}, r"3\.0 is not a module\.\n  Expected: an object with named_children"),
        (nn.ReLU, {"depth": 0}, r"depth must be 1 or more, got 0\.\n  Expected: an integer, 1 or more"),
        (nn.ReLU, {"depth": True}, r"depth must be an integer, got True"),
    ],
)
def test_an_invalid_module_or_depth_raises(module, settings, message):
    with pytest.raises((DrawingError, UsageError, ValueTypeError), match=message):
        module_tree(module() if isinstance(module, type) else module, **settings)
