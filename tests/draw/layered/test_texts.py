"""The texts of pictures: within their boxes and frames in the widest font, and no two names alike in a frame."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import Box, draw, draw_boxes
from tests.draw.layered.texts import assert_names_differ, assert_texts_fit, assert_titles_fit


def long_names():
    """Return a network of dark whose modules and parameters have long names."""
    network = nn.Module()
    network.transformer_encoder_of_the_left_hand_side = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, seed=0)
    network.a_head_with_a_name_that_is_long_enough_to_be_cut = nn.Sequential(nn.Linear(4, 3, seed=0), nn.Softmax(-1))
    network.forward = lambda x: network.a_head_with_a_name_that_is_long_enough_to_be_cut(
        network.transformer_encoder_of_the_left_hand_side(x)
    )
    return network


def scalar():
    x = dark.Parameter(2.0, name="a parameter with a name of several words")
    y = x * -3.14159265e-12 + dark.exp(x)
    y.backward()
    return y


def words(title):
    boxes = [Box("parameter", None, 1.0, 2.0, title), Box("result", title.replace(" ", "_"), 1e-300, 5.0, title, (0,))]
    return draw_boxes([*boxes, *[Box("result", "+", 1.0, inputs=(k, k)) for k in range(1, 70)]])


PICTURES = {
    "scalar": lambda: draw(scalar()),
    "strip": lambda: draw(scalar()).steps(),
    "network": lambda: draw(long_names(), np.ones((2, 3, 4))),
    "open": lambda: draw(long_names(), np.ones((2, 3, 4)), open=True, title="wider than the picture " * 5),
    "closed": lambda: draw(long_names(), np.ones((2, 3, 4)), open=0),
    "tree": lambda: draw(long_names()),
    "wide letters": lambda: words("WWWW mmmm WWWW MMMM"),
    "narrow letters": lambda: words("iiii llll iiii llll jjjj"),
    "other scripts": lambda: words("層の重み Вес слоя"),
    "many": lambda: draw(nn.Sequential(*[nn.Linear(4, 4, seed=k) for k in range(20)]), np.ones((2, 4))),
}  # fmt: skip


@pytest.mark.parametrize("name", PICTURES)
def test_no_text_crosses_a_border(name):
    assert assert_texts_fit(PICTURES[name]().svg) > 2


@pytest.mark.parametrize("name", ["network", "open", "closed", "many"])
def test_the_title_of_a_frame_fits_into_it(name):
    assert_titles_fit(PICTURES[name]().scene.parts)


@pytest.mark.parametrize("name", ["network", "open", "closed"])
def test_no_two_names_in_a_frame_are_equal(name):
    assert_names_differ(PICTURES[name]().scene.parts)


def test_a_name_is_relative_to_its_frame():
    network = nn.Sequential(nn.Sequential(nn.Linear(2, 2, seed=0), nn.ReLU()), nn.Linear(2, 1, seed=1))
    picture = draw(network, np.ones((3, 2))).svg
    assert ">0: Sequential<" in picture and ">0: Linear<" in picture and ">weight<" in picture
    assert ">0.0.weight<" not in picture and "0.0.weight" in repr(draw(network, np.ones((3, 2))).table())
