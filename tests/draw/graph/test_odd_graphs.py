"""Unusual graphs: any name, many nodes, one node used often, any value, classes of a student."""

from xml.etree import ElementTree

import numpy as np
import pytest

import dark
from dark.draw import draw
from dark.draw.diagram import graphviz_layout as layout
from dark.errors import DrawingError
from tests.draw.student import Add, Node, Parameter

SVG = "{http://www.w3.org/2000/svg}"
NAMES = [
    'a"b', "two\nlines", "😀", "<b>html</b> & &amp;", "x" * 5000, "   ", "\t", "grad x", "grad –", ".", "a.b",
    "\\N", "{|}", "\u202e right", "e\u0301", "\0", "日本語", "%s", 3, True, ("a", 1), np.str_("np"),
]  # fmt: skip


def graphs(name):
    """Return a graph of scalars and a graph of arrays in which all nodes have the same name."""
    a, v = dark.Parameter(2.0), dark.Parameter(np.arange(9.0))
    y, z = a * a, (v * v).sum()
    for node in (a, v, y, z):
        node.name = name
    for node in (y, z):
        node.backward()
    return y, z


def gradient_lines(svg):
    return [t.text for t in ElementTree.fromstring(svg).iter(SVG + "text") if t.get("fill") == "#9a3412"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_has_picture_film_strip_and_table(name):
    for node in graphs(name):
        drawing = draw(node, title=str(name))
        begins = [text for text in gradient_lines(drawing.svg) if text.startswith("grad")]
        assert len(begins) == len(drawing.boxes)
        assert gradient_lines(draw(node, gradients=False).svg) == []
        assert len(drawing.text.splitlines()) == len(drawing.boxes) + 1
        assert "<script" not in drawing.steps().html and drawing.widget().frames


@pytest.mark.skipif(layout.which("dot") is None, reason="needs the program `dot`")
@pytest.mark.parametrize("name", ["grad x", 'a"b', "   ", "日本語"])
def test_any_name_can_be_saved_as_png(name, tmp_path):
    for node in graphs(name):
        for gradients in (True, False):
            assert draw(node, gradients=gradients).save(tmp_path / "a.png").is_file()


def test_columns_are_aligned_in_any_script():
    y = dark.Parameter(2.0, name="日本") * dark.Parameter(3.0, name="loss")
    first, second = draw(y).text.splitlines()[1:3]
    assert first.index("parameter") + 2 == second.index("parameter")


@pytest.mark.long
def test_a_graph_of_ten_thousand_nodes_of_arrays_is_folded():
    y = dark.Parameter(np.ones(9), name="w")
    for k in range(5000):
        y = dark.tanh(y + float(k))
    y.sum().backward()
    drawing = draw(y)
    assert len(drawing.boxes) < 20 and drawing.note.startswith("15001 nodes, folded into")
    assert ElementTree.fromstring(drawing.svg) is not None


def test_a_frequent_input_has_one_edge_with_its_count():
    a = dark.Parameter(2.0, name="a")
    y = dark.stack([a] * 100).sum()
    y.backward()
    drawing = draw(y)
    assert drawing.svg.count('class="edge"') == 2 and "100 times</text>" in drawing.svg
    assert "from a (100 times)." in drawing.alt
    assert drawing.text.splitlines()[2].endswith("0 (100 times)")
    strip = drawing.steps()
    assert strip.captions[-1].endswith("and 93 more contributions.")
    assert strip.frames[-1].grads[0] == "100"
    assert 'class="edge dark-sends"' in strip.pictures[-1]
    assert drawing.widget().frames[-1]["edges"] == ("edge-1-0",)


@pytest.mark.long
def test_a_node_used_by_a_hundred_results_is_drawn():
    y = a = dark.Parameter(1.0, name="a")
    for _ in range(100):
        y = y * a
    y.backward()
    drawing = draw(y)
    assert drawing.boxes[0].grad == 101
    assert drawing.svg.count('class="edge"') == 199 and drawing.svg.count(">2 times<") == 1  # y * a of a and a
    assert len(drawing.widget().frames) == 101


def test_the_table_lists_the_first_of_many_inputs():
    y = Node(1.0, Add(), [Parameter(float(k)) for k in range(40)])
    assert draw(y).text.splitlines()[-1].endswith("0 1 2 3 4 5 6 7 8 9 10 11 … 28 more")


@pytest.mark.parametrize("make", [lambda x: (x * 3).detach(), lambda x: dark.no_grad()(lambda: x * 3)()])
def test_a_detached_result_is_a_constant_without_steps(make):
    for x in (dark.Parameter(2.0), dark.Parameter(np.ones((3, 4)))):
        y = make(x)
        assert [box.kind for box in draw(y).boxes] == ["constant"] and "–" in draw(y).text
        with pytest.raises(
            DrawingError, match=r"root constant(.|\n)*compute the node from a Parameter, outside no_grad"
        ):
            draw(y).steps()


def test_pictures_and_film_strips_are_the_same_in_no_grad():
    y = dark.Parameter(2.0, name="a") ** 2
    y.backward()
    outside = draw(y).svg, draw(y).steps().captions
    with dark.no_grad():
        assert (draw(y).svg, draw(y).steps().captions) == outside


VALUES = [
    np.float32(2), np.int64(3), np.bool_(True), np.complex64(1j), np.array(1 + 2j), np.array(3.0), True, 10**400, "",
    None, [1, 2], np.datetime64("2020-01-01"), np.array("2020", dtype="M8[D]"), np.timedelta64(3, "s"),
    np.float64("nan"), np.array(["a", "b"]), np.array([1, None]), np.zeros(9, dtype=[("a", int), ("b", float)]),
    np.zeros((2, 0)),
    np.ma.array([1.0, 2.0], mask=[0, 1]), np.ma.masked, np.arange(9) * 1j, np.arange(9, dtype="u8") + 2**63,
    np.arange(9).astype("M8[D]"), np.ones((1,) * 10),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{type(value).__name__} {value!r}"[:40])
def test_any_value_has_picture_table_and_film_strip(value):
    below = Parameter(1.0, grad=1.0, name="a")
    drawing = draw(Node(value, Add(), (below,), grad=1.0, name="y"))
    assert drawing.svg and drawing.text and len(drawing.steps()) == 2
    if value is not None:
        assert draw(Node(value, Add(), (below,), grad=value)).steps().pictures


class Prickly(Node):
    """A node of a student for which ==, bool, len and repr raise."""

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None
    __bool__ = __len__ = __iter__ = __repr__ = lambda self: 1 / 0


def test_only_the_fields_of_a_students_node_are_used():
    a = Prickly(2.0, grad=1.0)
    drawing = draw(Prickly(4.0, Add(), (a, a), grad=1.0))
    assert [box.inputs for box in drawing.boxes] == [(), (0, 0)]
    assert len(drawing.steps()) == 2 and drawing.widget()
