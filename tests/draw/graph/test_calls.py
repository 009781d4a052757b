"""What a record of calls has beyond a graph of gradients: several results, labels, detached results, a failed call."""

import re

import numpy as np
import pytest

from dark.draw import GraphNode, GraphRecord, draw
from dark.draw.graph.graph_record import Result
from dark.draw.labels import shape_words


def record():
    return GraphRecord(
        (
            GraphNode("x", role="input", name="x", shape=("batch", 4), dtype="float32"),
            GraphNode("mask", ">", role="detached", shape=(2, 4), dtype="bool", inputs=("x",)),
            GraphNode(
                "two", "topk", inputs=("x",), shape=(2,), dtype="float32",
                results=(Result("values", (2,), "float32"), Result("", (), "int64", np.int64(3))),
            ),
            GraphNode("out", "where", inputs=("mask", "two"), labels=("", "values"), shape=(2,), path=("layer",)),
            GraphNode("end", "linear", inputs=("out",), shape=None, mark="failed", path=("layer",)),
        ),
        {("layer",): "Layer"},
    )  # fmt: skip


@pytest.mark.parametrize("layout", [None, "graphviz"])
def test_a_picture_shows_what_calls_know(layout):
    drawing = draw(record()).with_layout(layout)
    picture = drawing.svg
    for words in ("batch × 4", "values float32 (2,)", "[1] int64 () = 3", "failed here", "without gradient"):
        assert words in picture, words
    assert re.search(r">[\s\xa0]*values<", picture)
    legend = picture[picture.index('class="dark-legend"') :]
    assert re.search(r"stroke-dasharray[^>]*><text[^>]*>without gradient", legend)
    assert "Failed: node 4" in drawing.alt and "results values float32 (2,), [1] int64 () = 3" in drawing.alt


def test_an_edge_is_dashed_where_no_gradient_flows():
    edges = draw(record()).with_layout("graphviz").scene.edges
    dashed = {(edge.source, edge.target) for edge in edges if edge.look.get("style") == "dashed"}
    names = [box.name or box.operation for box in draw(record()).boxes]
    assert {(names[int(a)], names[int(b)]) for a, b in dashed} == {("x", ">"), (">", "where")}


def test_a_shape_is_written_as_numpy_does_or_with_names():
    assert shape_words((2, 3)) == "(2, 3)" and shape_words(("batch", 3)) == "batch × 3" and shape_words(()) == "()"
