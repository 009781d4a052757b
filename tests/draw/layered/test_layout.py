"""The layout in layers: ranks, order, positions, and the proportions of whole pictures."""

import random
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from dark.draw import Box, draw, draw_boxes
from dark.draw.layered.contents import parts_of
from dark.draw.layered.coordinates import place_row
from dark.draw.layered.level import GAP_X, Edge, lay_out
from dark.draw.layered.ranks import order_ranks, ranks_of
from dark.draw.text_width import text_width


class Residual(nn.Module):
    """Two layers with a connection around them."""

    def __init__(self, width):
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        return x + self.second(dark.tanh(self.first(x)))


def sequential(kind, count=10):
    """Return a loss computed by a network in which all modules follow each other."""
    layers = {
        "linear": [nn.Linear(4, 4) for _ in range(count)],
        "wide": [nn.Linear(4 + k, 5 + k) for k in range(count)],
        "tanh": [layer for k in range(count) for layer in (nn.Linear(4 + k, 5 + k), nn.Tanh())],
        "residual": [nn.Sequential(nn.Linear(4 + k, 5 + k), Residual(5 + k)) for k in range(count)],
        "convolution": [nn.Conv2d(1 + k, 2 + k, 3, padding=1) for k in range(count)],
    }[kind]
    shape = (2, 1, 5, 5) if kind == "convolution" else (2, 4)
    loss = (nn.Sequential(*layers)(np.ones(shape)) ** 2).mean()
    loss.backward()
    return loss


@pytest.mark.parametrize("kind", ["linear", "wide", "tanh", "residual", "convolution"])
@pytest.mark.parametrize("open", [None, True, False])
def test_a_sequential_network_is_at_most_twice_as_wide_as_its_widest_block(kind, open):
    parts = draw(sequential(kind), open=open).scene.parts
    widest = max(content.size[0] for content in parts.contents.values())
    assert parts.placed().size[0] <= 2 * widest


@pytest.mark.parametrize("kind", ["wide", "tanh", "residual", "convolution"])
def test_thirty_boxes_are_readable_in_a_column_of_1000_pixels(kind):
    svg = draw(sequential(kind)).svg
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
    assert min(sizes) * min(1.0, 1000 / width) >= 9


def test_a_graph_of_thirty_boxes_without_modules_is_readable_too():
    rng = random.Random(0)
    boxes = [Box("parameter", None, 1.0, 1.0, f"x{k}") for k in range(3)]
    while len(boxes) < 30:
        boxes.append(
            Box("result", "+", 1.0, 1.0, None, tuple(rng.choices(range(max(0, len(boxes) - 6), len(boxes)), k=2)))
        )
    width = parts_of(tuple(boxes), {}).placed().size[0]
    assert 10.0 * min(1.0, 1000 / width) >= 9


@pytest.mark.parametrize("kind", ["linear", "tanh", "convolution"])
def test_the_main_path_runs_straight_down(kind):
    placed = draw(sequential(kind), open=True).scene.parts.placed()
    assert len({round(x, 3) for x, _ in placed.boxes.values()}) == 1
    for _, _, route in placed.edges:
        assert len({round(x, 3) for x, _ in route}) == 1


def test_parameters_and_constants_stand_in_the_box_of_their_operation():
    drawing = draw(sequential("tanh"), open=True)
    contents = drawing.scene.parts.contents
    held = [drawing.boxes[leaf.index] for content in contents.values() for leaf in content.leaves]
    assert sorted(box.name for box in held if box.kind == "parameter") == sorted(
        f"{2 * k}.{name}" for k in range(10) for name in ("weight", "bias")
    )
    assert {drawing.boxes[i].kind for i in contents} == {"input", "result"}


def test_a_parameter_that_two_operations_use_stands_alone():
    w = dark.Parameter(np.ones((2, 2)), name="w")
    drawing = draw(((w * 2.0) @ w).sum(), open=True)
    assert "w" in {drawing.boxes[i].name for i in drawing.scene.parts.contents}


@st.composite
def graphs(draw):
    """Generate sizes and edges of an acyclic graph."""
    count = draw(st.integers(1, 14))
    sizes = [(draw(st.sampled_from([20.0, 60.0, 200.0])), draw(st.sampled_from([10.0, 50.0]))) for _ in range(count)]
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda pair: pair[0] < pair[1])
    edges = draw(st.lists(pairs, max_size=25, unique=True)) if count > 1 else []
    return sizes, edges


@given(graphs())
def test_boxes_do_not_overlap_and_edges_lead_down(graph):
    sizes, pairs = graph
    level = lay_out(sizes, [Edge(u, v, is_free=True) for u, v in pairs])
    places = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for (x, y), (w, h) in zip(level.centers, sizes)]
    for i, a in enumerate(places):
        assert a[0] >= -1e-6 and a[1] >= -1e-6 and a[2] <= level.size[0] + 1e-6 and a[3] <= level.size[1] + 1e-6
        for b in places[:i]:
            assert a[2] + GAP_X / 2 <= b[0] + 1e-6 or b[2] + GAP_X / 2 <= a[0] + 1e-6 or a[3] < b[1] or b[3] < a[1]
    for (u, v), route in zip(pairs, level.routes):
        assert all(b[1] >= a[1] - 1e-9 for a, b in pairwise(route))
        assert route[0][1] == pytest.approx(places[u][3]) and route[-1][1] == pytest.approx(places[v][1])
        assert places[v][0] <= route[-1][0] <= places[v][2]


@given(graphs())
def test_an_input_is_above_what_uses_it(graph):
    sizes, pairs = graph
    ranks = ranks_of(len(sizes), pairs)
    assert all(ranks[u] < ranks[v] for u, v in pairs)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=8), st.data())
def test_a_row_keeps_its_order_and_its_gaps(wanted, data):
    weights = [data.draw(st.sampled_from([0.1, 1.0, 1e6])) for _ in wanted]
    gaps = [data.draw(st.floats(0, 50)) for _ in wanted[1:]]
    places = place_row(wanted, weights, gaps)
    assert all(b - a >= gap - 1e-6 for a, b, gap in zip(places, places[1:], gaps))
    if all(b - a >= gap for a, b, gap in zip(wanted, wanted[1:], gaps)):
        assert places == pytest.approx(wanted)


def test_crossings_that_can_be_avoided_are():
    rows = order_ranks([[0, 1, 2], [3, 4, 5]], [(0, 5), (1, 4), (2, 3)])
    assert rows == [[0, 1, 2], [5, 4, 3]]


def test_the_same_graph_gives_the_same_picture():
    loss = sequential("residual")
    assert draw(loss).svg == draw(loss).svg


def test_the_legend_names_the_kinds_in_the_picture_and_no_others():
    svg = draw(sequential("residual", 2), open=1).svg
    legend = svg[svg.index('class="dark-legend"') :]
    assert re.findall(r">([a-z ]+)</text>", legend) == [
        "parameter",
        "constant",
        "input",
        "result",
        "closed module",
        "open module",
    ]
    plain = draw_boxes([Box("result", "+", 1.0, name=f"n{k}", inputs=(k - 1,) * (k > 0)) for k in range(70)]).svg
    assert re.findall(r">([a-z ]+)</text>", plain[plain.index('class="dark-legend"') :]) == ["result"]


def test_a_wide_character_takes_the_width_of_two():
    assert text_width("図", 10.0) > 1.5 * text_width("x", 10.0) and text_width("e\u0301", 10.0) == text_width("e", 10.0)


def test_markup_in_names_is_escaped():
    boxes = [Box("result", "<b>", 1.0, name="a & b", inputs=(k - 1,) * (k > 0)) for k in range(70)]
    svg = draw_boxes(boxes, title="<i>").svg
    assert "&lt;b&gt;" in svg and "a &amp; b" in svg and "<i>" not in svg and "<b>" not in svg


def test_every_box_has_a_tooltip_and_an_id():
    drawing = draw(sequential("tanh", 3))
    assert [f'id="node-{i}"' in drawing.svg for i in range(len(drawing.boxes))] == [True] * len(drawing.boxes)
    assert drawing.svg.count("<title>") == len(drawing.boxes) + 1


def test_an_array_that_a_network_uses_twice_is_one_input_with_its_name():
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    drawing = draw(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, seed=0), x)
    assert [box.name for box in drawing.boxes if box.kind == "input"] == ["src"]


def test_a_view_of_a_parameter_is_next_to_the_operation_that_uses_it():
    assert ranks_of(6, [(0, 1), (1, 2), (2, 5), (3, 4), (4, 5)]) == [0, 1, 2, 1, 2, 3]


def test_the_legend_calls_modules_modules_and_other_groups_folded_nodes():
    network = nn.Sequential(nn.Sequential(nn.Linear(2, 2, seed=0), nn.ReLU()), nn.Linear(2, 1, seed=1))
    assert ">closed module<" in draw(network, np.ones((3, 2)), open=0).svg
    y = dark.Parameter(1.0)
    for _ in range(400):
        y = dark.exp(y * 0.1)
    assert ">folded nodes<" in draw(y).svg


def test_the_title_of_a_frame_is_above_the_edges_that_cross_it():
    network = nn.Sequential(nn.Sequential(nn.Linear(2, 2, seed=0), nn.ReLU()), nn.Linear(2, 1, seed=1))
    picture = draw(network, np.ones((3, 2))).svg
    assert picture.index(">0: Sequential<") > picture.rindex('class="edge"')


def legend_words(drawing):
    picture = drawing.svg
    return re.findall(r">([a-z ]+)</text>", picture[picture.index('class="dark-legend"') :])


@pytest.mark.parametrize("layout", ["graphviz", "layered"])
def test_a_scalar_graph_a_network_and_a_tree_have_one_legend(layout):
    scalar = draw(dark.Parameter(2.0, name="x") * 3.0).with_layout(layout)
    assert legend_words(scalar) == ["parameter", "constant", "result"]
    assert 'class="dark-legend"' in draw(_passed()).with_layout(layout).steps().svg
    network = nn.Sequential(nn.Linear(2, 2, seed=0), nn.ReLU())
    assert legend_words(draw(network, np.ones((3, 2))).with_layout(layout)) == ["parameter", "input", "result"]
    assert legend_words(draw(network)) == ["with submodules", "with parameters", "without parameters"]


def _passed():
    y = dark.Parameter(2.0, name="x") * 3.0
    y.backward()
    return y


def test_a_legend_wider_than_its_picture_widens_it():
    picture = draw(_passed()).svg
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', picture)[1])
    shift = float(re.search(r"translate\(([\d.]+)", picture)[1])
    right = re.search(r'<text x="([\d.-]+)"[^>]*>result<', picture)
    assert right and 0 < shift + float(right[1]) + text_width("result", 11.0) < width


def test_a_sample_of_the_legend_looks_like_its_boxes():
    picture = draw(dark.Parameter(2.0, name="x") * 3.0).svg
    legend = picture[picture.index('class="dark-legend"') :]
    for look in ('stroke-width="2.8"', 'stroke-dasharray="5,2"', 'stroke-width="1.3"'):
        assert look in legend
