"""`draw(network, x, detail="layers")` and `direction="LR"`: a box a layer, and pictures from left to right."""

import re

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import draw
from dark.errors import DarkError


def network():
    return nn.Sequential(nn.Sequential(nn.Linear(4, 8, seed=0), nn.Tanh()), nn.Linear(8, 2, seed=1))


X = np.ones((3, 4))


def test_a_layer_is_one_box_with_class_shapes_and_parameters():
    drawing = draw(network(), X, detail="layers")
    assert [(box.name, box.value, box.operation) for box in drawing.boxes if box.kind == "group"] == [
        ("0.0: Linear", "(3, 4) → (3, 8), 40 parameters", None),
        ("0.1: Tanh", "(3, 8) → (3, 8)", None),
        ("1: Linear", "(3, 8) → (3, 2), 18 parameters", None),
    ]
    assert "40 parameters" in drawing.svg and 'class="dark-heat"' not in drawing.svg


def centers(drawing):
    parts = drawing.scene.parts
    placed = parts.placed(drawing.scene.is_sideways)
    return [(placed.swapped() if drawing.scene.is_sideways else placed).boxes[i] for i in parts.contents]


@pytest.mark.parametrize("detail", [None, "layers"])
def test_a_picture_from_left_to_right_is_wider_than_high_and_its_main_path_straight(detail):
    drawing = draw(network(), X, detail=detail, direction="LR", open=True)
    xs, ys = zip(*centers(drawing))
    assert len({round(y, 3) for y in ys}) == 1 and list(xs) == sorted(xs)
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)', drawing.svg).groups())
    assert width > height
    assert drawing.svg == draw(network(), X, detail=detail, direction="LR", open=True).svg
    assert "rankdir=LR" in drawing.source


def test_scalars_are_drawn_from_left_to_right_too():
    y = dark.Parameter(2.0, name="x") * 3.0
    drawing = draw(y, direction="LR")
    assert [x for x, _ in centers(drawing)] == sorted(x for x, _ in centers(drawing))
    assert 'id="node-0"' in drawing.with_layout("layered").svg


def test_an_unknown_detail_or_direction_is_refused():
    with pytest.raises(DarkError, match=r"detail must be one of None, 'layers', got 'layer'\."):
        draw(network(), X, detail="layer")
    with pytest.raises(DarkError, match=r"direction must be one of None, 'TB', 'LR', got 'RL'\."):
        draw(network(), X, direction="RL")
