"""Graphs of arrays: pictures, tables, alternative texts and film strips."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.draw import Box, draw, draw_boxes
from dark.draw.arrays.heat_map import cell_color, sign_of
from dark.errors import DrawingError
from tests.draw.files import colors_of, content_of
from tests.draw.student import Node, OneNumber, Parameter

SVG = "{http://www.w3.org/2000/svg}"


def layer(rows=5, name="layer1", backward=True):
    """Return the mean of relu(x @ W + b)."""
    rng = np.random.default_rng(0)
    x = dark.Constant(rng.normal(size=(rows, 4)), name="x")
    weight = dark.Parameter(rng.normal(size=(4, 8)), name=f"{name}.weight")
    bias = dark.Parameter(np.zeros(8), name=f"{name}.bias")
    y = dark.mean(dark.relu(x @ weight + bias))
    if backward:
        y.backward()
    return y


def node_of(svg, i):
    root = ElementTree.fromstring(svg)
    return next(g for g in root.iter(SVG + "g") if (g.get("id") or "").endswith(f"node-{i}"))


def texts_of(svg, i):
    return [text.text for text in node_of(svg, i).findall(SVG + "text")]


def test_a_node_shows_shape_dtype_and_summary_of_value_and_gradient():
    texts = texts_of(draw(layer()).svg, 1)
    assert texts[:2] == ["layer1.weight", "float64 (4, 8)"]
    assert [text.split()[0] for text in texts[2:5]] == ["min", "mean", "max"]
    assert texts[5:7] == [".", "grad (4, 8)"]
    assert [text.split()[0] for text in texts[7:]] == ["min", "mean", "max"]


def test_without_a_gradient_the_summary_takes_one_line():
    for drawing in (draw(layer(), gradients=False), draw(layer(backward=False))):
        assert re.fullmatch(r"min -?[\d.]+, mean -?[\d.]+, max [\d.]+", texts_of(drawing.svg, 1)[2])


def test_every_line_of_a_gradient_has_its_color():
    colors = [text.get("fill") for text in node_of(draw(layer()).svg, 1).findall(SVG + "text")]
    assert colors == ["#1f2933"] * 6 + ["#9a3412"] * 4


def test_a_small_array_shows_its_numbers_and_no_heat_map():
    v = dark.Parameter(np.array([1.0, -2.0, 0.5]), name="v")
    y = (v * v).sum()
    y.backward()
    svg = draw(y).svg
    assert texts_of(svg, 0) == ["v", "float64 (3,)", "[1 -2 0.5]", ".", "grad (3,)", "[2 -4 1]"]
    assert 'class="dark-heat"' not in svg


def test_kinds_of_nodes_with_arrays_differ_in_shape_and_border():
    boxes = [Box(kind, None, np.zeros(9)) for kind in ("parameter", "constant", "result")]
    source = draw_boxes(boxes).source
    assert all(f"shape={shape}" in source for shape in ("Mrecord", "note", "record"))
    assert 'style="filled,dashed"' in source


@given(st.sampled_from(["parameter", "constant", "result"]), st.sampled_from([None, "wrong", "now"]), st.booleans(),
       st.integers(1, 20), st.integers(7, 20), st.booleans(), st.none() | st.just("a | {b}"))  # fmt: skip
def test_a_heat_map_is_inside_its_box_and_below_its_text(kind, mark, gradients, rows, columns, flat, name):
    value = np.arange(rows * columns, dtype=float).reshape((-1,) if flat else (rows, columns)) - 3
    node = node_of(draw_boxes([Box(kind, None, value, value, name, (), mark)], gradients=gradients).svg, 0)
    frame = node.find(f"{SVG}g/{SVG}rect")
    left, top, wide, tall = (float(frame.get(key)) for key in ("x", "y", "width", "height"))
    outline = next(e for e in node if e.tag in (SVG + "polygon", SVG + "path"))
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", outline.get("points") or outline.get("d"))]
    assert min(numbers[::2]) < left and left + wide < max(numbers[::2])
    assert top + tall < max(numbers[1::2])
    summary = next(text for text in node.findall(SVG + "text") if text.text.startswith("min "))
    assert float(summary.get("y")) < top
    assert float(summary.get("x")) == pytest.approx(left + wide / 2, abs=0.02)


def test_a_heat_map_has_a_square_for_each_cell_a_sign_below_0_and_a_cross_for_nan():
    value = np.arange(-4.0, 8.0).reshape(3, 4)
    value[2, 3] = np.nan
    paths = node_of(draw_boxes([Box("constant", None, value)]).svg, 0).findall(f"{SVG}g/{SVG}path")
    squares = "".join(path.get("d") for path in paths if path.get("stroke-width") == "11")
    strokes = "".join(path.get("d") for path in paths if path.get("stroke-width") == "1")
    assert squares.count("h11") == 12
    assert (strokes.count("h"), strokes.count("m")) == (4, 1)


def test_cell_colors_differ_in_lightness():
    def lightness(value):
        color = cell_color(value)[0]
        return sum(part * int(color[k : k + 2], 16) for part, k in ((0.21, 1), (0.72, 3), (0.07, 5)))

    for sign in (1, -1):
        lights = [lightness(sign * k / 6) for k in range(7)]
        assert lights == sorted(lights, reverse=True) and lights[0] - lights[-1] > 180
    assert [sign_of(v) for v in (1.0, -1.0, float("nan"))] == ["", "–", "×"]


def test_the_picture_of_arrays_is_reproducible():
    assert draw(layer()).svg == draw(layer()).svg


def test_a_drawing_is_a_snapshot_of_the_values():
    v = dark.Parameter(np.zeros(3), name="v")
    drawing = draw(v * 2.0)
    v.value += 1
    assert "[0 0 0]" in drawing.svg


def test_the_table_has_shapes_and_summaries_in_columns():
    lines = draw(layer()).text.splitlines()
    column = lines[0].index("value, or")
    assert "float64 (4, 8)" in lines[2]
    numbers = [line[column:].split()[:3] for line in lines[1:6]]
    starts = {tuple(line.index(n, column) for n in row) for line, row in zip(lines[1:6], numbers, strict=True)}
    assert len({start[0] for start in starts}) == 1
    assert lines[7][column:].startswith("0.")


def test_the_table_of_small_and_empty_arrays_and_nan():
    boxes = [Box("constant", None, v) for v in (np.array([[1, 2], [3, 4]]), np.zeros((0, 3)), np.full(7, np.nan))]
    text = draw_boxes([*boxes, Box("constant", None, np.array([np.nan, *range(8)]))]).text
    assert all(part in text for part in ("[1 2] [3 4]", "empty", "7 NaN, no numbers", "0  3.5  7  1 NaN"))


def test_the_alternative_text_has_shapes_and_summaries():
    alt = draw(layer()).alt
    assert "layer1.bias: parameter, value float64 (8,) with min 0, mean 0, max 0, gradient float64 (8,) with" in alt
    assert "from @ of shape (5, 8) and layer1.bias." in alt


def test_gradients_can_be_omitted():
    svg = draw(layer(), gradients=False).svg
    assert ">grad" not in svg and "dark-heat" in svg


def test_captions_name_shapes_and_sums():
    captions = draw(layer()).steps().captions
    assert re.search(r"It sends \(5, 8\) sum 1 .*to relu of shape \(5, 8\)\.$", captions[1])
    assert re.search(r"and \(8,\) sum [\d.]+ \(summed from shape \(5, 8\)\) to layer1\.bias\.$", captions[3])
    assert not any("has received" in caption for caption in captions)


def test_captions_add_the_numbers_of_small_arrays():
    v = dark.Parameter(np.array([1.0, 2.0]), name="v")
    y = (v * v).sum()
    y.backward()
    strip = draw(y).steps()
    assert "It sends [1 2] to v, and [1 2] to v, which now has [1 2] + [1 2] = [2 4]." in strip.captions[-1]
    assert "v (2,) [2 4]" in strip.alts[-1]
    assert texts_of(strip.pictures[-1], 0)[-2:] == ["grad (2,)", "[2 4]"]
    assert texts_of(strip.pictures[0], 0)[-2:] == ["grad –", None]


def test_pictures_of_a_film_strip_differ_only_in_gradients():
    first, *others = draw(layer()).steps().pictures
    assert first.count('class="dark-heat"') == 6

    def outlines(picture):
        without = re.sub(r'<g class="dark-gradient"([^>]*/>|.*?</g></g>)', "", picture)
        return re.findall(r' (?:points|d|x|y|viewBox)="[^"]*"', without)

    assert all(outlines(other) == outlines(first) for other in others)


def test_every_frame_has_the_same_number_of_lines():
    frames = draw(layer()).widget().frames
    for texts in zip(*(frame["grads"] for frame in frames), strict=True):
        assert len({text and text.count("\n") for text in texts}) == 1


def test_a_gradient_array_that_differs_from_the_received_one_is_reported():
    y = layer()
    weight = y.inputs[0].inputs[0].inputs[0].inputs[1]
    weight.grad = weight.grad * 2
    assert re.search(r"layer1\.weight has received \(4, 8\) sum .* in this pass; its grad is", repr(draw(y).steps()))


class WrongShape:
    """An operation that sends a gradient of a wrong shape."""

    @staticmethod
    def differentiate(node):
        return [np.ones((2, 5))]


def test_a_contribution_of_a_wrong_shape_is_reported():
    a = Parameter(np.zeros(3), name="a")
    y = Node(0.0, WrongShape(), (a,), grad=1.0, name="y")
    assert draw(y).steps().captions[-1].endswith("It sends (2, 5) sum 10 to a, whose shape differs.")


def test_a_scalar_contribution_to_an_array_is_repeated():
    a = Parameter(np.zeros(3), grad=np.ones(3), name="a")
    y = Node(0.0, OneNumber(), (a,), grad=1.0, name="y")
    assert draw(y).steps().captions[-1].endswith("It sends [1 1 1] (a scalar, repeated) to a.")


def test_a_large_gradient_that_was_not_kept_is_reported():
    drawing = draw(layer(rows=1000))
    assert "grad not kept" in texts_of(drawing.svg, 2)
    with pytest.raises(DrawingError, match=r"gradient of @ of shape \(1000, 8\) was not kept(.|\n)*4096(.|\n)*name"):
        drawing.steps()


def test_png_and_pdf_contain_the_heat_maps(tmp_path):
    drawing = draw(layer())
    colors = set(re.findall(r'stroke="(#[0-9a-f]{6})" stroke-width="(?:11|6|12|8|9|10)', drawing.svg)) - {"#ffffff"}
    assert len(colors) > 5
    content = content_of(drawing.save(tmp_path / "a.pdf"))
    for color in colors:
        assert " ".join(f"{int(color[k : k + 2], 16) / 255:.3g}" for k in (1, 3, 5)) + " RG" in content
    pixels = colors_of(drawing.save(tmp_path / "a.png"))
    assert {tuple(int(color[k : k + 2], 16) for k in (1, 3, 5)) for color in colors} <= pixels
