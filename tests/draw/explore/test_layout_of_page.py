"""The page lays out a graph exactly as Python does."""

import json
import math
import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.draw import scalars
from dark.draw import graph_record
from dark.draw.arrays.heat_map import cell_color, sign_of
from dark.draw.explore import explorer_page
from dark.draw.explore.graph_data import graph_data
from dark.draw.graph.module_folding import box_of_record, title_of_module
from dark.draw.layered.contents import parts_of
from dark.pages import bundle
from tests.draw.explore.graphs import recurrent_loss, residual_loss, unrolled

NODE = shutil.which("node")
LAID_OUT = f"""
import {{ Graph }} from "{explorer_page.FOLDER / "graph.js"}";
import {{ flattened, Layouts }} from "{explorer_page.FOLDER / "layout" / "frames.js"}";
import {{ readFileSync }} from "node:fs";
const graph = new Graph(JSON.parse(readFileSync(process.argv[2])));
const layouts = new Layouts(graph);
graph.modules.forEach((_, f) => layouts.set(f, true));
const {{ boxes, edges, size }} = flattened(graph, layouts);
const centerOf = ({{ x, y, width, height }}) => [x + width / 2, y + height / 2];
const centers = [...boxes].filter(([, box]) => !box.isLeaf).map(([i, box]) => [i, centerOf(box)]);
const routes = edges.map(({{ u, target, points }}) => [u, target ?? -1, points]);
console.log(JSON.stringify({{ centers, size, edges: routes, lanes: edges.filter(({{ isLong }}) => isLong).length }}));
"""


@pytest.mark.skipif(NODE is None, reason="no node on the path (Debian: apt-get install nodejs)")
@pytest.mark.parametrize(
    ("root", "has_lanes"),
    [(residual_loss(), False), (scalars(150), False), (recurrent_loss(120), False), (unrolled(150), True)],
    ids=["modules", "scalars", "calls", "unrolled"],
)
def test_python_and_the_page_lay_out_a_graph_alike(root, has_lanes, tmp_path: Path):
    record = graph_record(root)
    (tmp_path / "graph.json").write_text(
        json.dumps(graph_data(record, title="graph", gradients=True, open=None, most_bytes=1e6))
    )
    (tmp_path / "lay_out.mjs").write_text(LAID_OUT)
    command = [NODE, tmp_path / "lay_out.mjs", tmp_path / "graph.json"]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    paths = {node.path[:k] for node in record.nodes for k in range(1, len(node.path) + 1)}
    boxes = tuple(box_of_record(node, inputs) for node, inputs in zip(record.nodes, record.links))
    placed = parts_of(boxes, {path: title_of_module(path, record.modules, {}) for path in paths}).placed()
    assert found["size"] == pytest.approx(placed.size)
    assert bool(found["lanes"]) == has_lanes
    centers = dict(found["centers"])
    assert centers.keys() == placed.boxes.keys()
    for i, center in placed.boxes.items():
        assert centers[i] == pytest.approx(center, abs=1e-6)
    edges = sorted(
        [u, -1 if target is None else target, [list(p) for p in points]] for u, target, points in placed.edges
    )
    assert len(edges) == len(found["edges"])
    for mine, theirs in zip(edges, sorted(found["edges"]), strict=True):
        assert mine[:2] == theirs[:2]
        for a, b in zip(mine[2], theirs[2], strict=True):
            assert a == pytest.approx(b, abs=1e-6)


COLORS = f"""
import {{ colorAroundZero }} from "{bundle.PARTS / "colors.js"}";
import {{ cellSign, cellValue }} from "{explorer_page.FOLDER / "painting" / "thumbnails.js"}";
const levels = [...Array(201).keys(), 253, 254, 255];
console.log(JSON.stringify(levels.map((level) => [colorAroundZero(cellValue(level)), cellSign(cellValue(level))])));
"""


@pytest.mark.skipif(NODE is None, reason="no node on the path (Debian: apt-get install nodejs)")
def test_heat_maps_have_the_colors_and_signs_of_the_pictures(tmp_path: Path):
    (tmp_path / "colors.mjs").write_text(COLORS)
    done = subprocess.run([NODE, tmp_path / "colors.mjs"], capture_output=True, check=True)
    values = [level / 100 - 1 for level in range(201)] + [-math.inf, math.inf, math.nan]
    for value, (color, sign) in zip(values, json.loads(done.stdout), strict=True):
        value = round(value, 2)
        assert ("#" + "".join(f"{part:02x}" for part in color), sign) == (cell_color(value)[0], sign_of(value + 0.0))
