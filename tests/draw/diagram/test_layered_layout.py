"""The layout in layers: nothing overlaps, edges end on borders, inputs arrive from left to right."""

import builtins
from functools import reduce
from itertools import combinations
from math import fsum, isclose
from operator import add
from unittest.mock import patch

import pytest
from hypothesis import given

import dark
from dark.draw import Box, boxes_of, draw_boxes, hierarchy
from dark.draw.diagram.diagram import Diagram, DiagramEdge, DiagramNode, diagram_of
from dark.draw.diagram.layout import layered_positions
from dark.draw.diagram.positions import field_places
from tests.draw.student import random_boxes, shared


def overlap(a, b):
    (left, top, right, bottom), (x, y, until_x, until_y) = a.edges, b.edges
    return min(right, until_x) - max(left, x) > 0.01 and min(bottom, until_y) - max(top, y) > 0.01


def edges_of(boxes):
    diagram = diagram_of(boxes)
    number = {node.name: k for k, node in enumerate(diagram.nodes)}
    positions = layered_positions(diagram)
    return positions, [(number[e.source], number[e.target], r) for e, r in zip(diagram.edges, positions.edges)]


@given(random_boxes())
def test_nodes_do_not_overlap_and_are_inside(boxes):
    positions = layered_positions(diagram_of(boxes, title="A title"))
    assert not any(overlap(a, b) for a, b in combinations(positions.nodes, 2))
    for left, top, right, bottom in (place.edges for place in positions.nodes):
        assert left > -0.01 and top > 40 and right < positions.size[0] + 0.01 and bottom < positions.size[1] + 0.01


@given(random_boxes())
def test_edges_go_down_from_border_to_border(boxes):
    positions, edges = edges_of(boxes)
    for source, target, route in edges:
        (x, y), (tip_x, tip_y) = route.points[0], route.head
        left, _, right, bottom = positions.nodes[source].edges
        assert left <= x <= right and y <= bottom + 0.01
        left, top, right, middle = *positions.nodes[target].edges[:3], positions.nodes[target].y
        assert left <= tip_x <= right and top - 1 <= tip_y <= middle
        assert len(route.points) % 3 == 1 and route.points[-1][1] < tip_y


@given(random_boxes())
def test_inputs_arrive_from_left_to_right(boxes):
    _, edges = edges_of(boxes)
    for k in range(len(boxes)):
        tips = [route.head[0] for _, target, route in edges if target == k]
        assert tips == sorted(tips)


def test_the_left_input_is_on_the_left():
    x, y = Box("parameter", None, 1.0, None, "x"), Box("parameter", None, 2.0, None, "y")
    for inputs in ((0, 1), (1, 0)):
        nodes = layered_positions(diagram_of((x, y, Box("result", "-", -1.0, inputs=inputs)))).nodes
        assert nodes[inputs[0]].x < nodes[inputs[1]].x


def test_the_main_path_is_straight():
    positions, edges = edges_of(boxes_of(dark.exp(dark.tanh(dark.Parameter(1.0, name="x")))))
    assert len({round(place.x, 6) for place in positions.nodes}) == 1
    assert all(isclose(x, route.head[0]) for _, _, route in edges for x, _ in route.points)


def test_rows_of_a_diagram_are_kept():
    nodes = tuple([DiagramNode(name, ((name,),), {"shape": "record"}) for name in "abcde"])
    edges = DiagramEdge("a", "b"), DiagramEdge("a", "c"), DiagramEdge("c", "e")
    diagram = Diagram(nodes, edges, look={"ordering": ""}, rows=(("a",), ("b", "c"), ("d",), ("e",)))
    a, b, c, d, e = layered_positions(diagram).nodes
    assert b.x < c.x and b.y == c.y and a.y < b.y < d.y < e.y
    assert (a.x, d.x, e.x) == pytest.approx((b.x, b.x, b.x), abs=0.01)


def test_an_arrow_to_a_base_class_has_its_head_at_its_start():
    svg = hierarchy().with_layout("layered").svg
    assert svg.count('<polygon fill="none"') == 2
    assert svg.count("is a</text>") == 2


def test_a_picture_is_the_same_each_time():
    boxes = boxes_of(shared())
    assert draw_boxes(boxes).with_layout("layered").svg == draw_boxes(boxes).with_layout("layered").svg


def test_a_place_is_the_same_for_each_way_in_which_python_adds_floats():
    def rounded_once(numbers, start=0):  # nearly so since Python 3.12
        numbers = list(numbers)
        return fsum([start, *numbers]) if any(isinstance(n, float) for n in numbers) else reduce(add, numbers, start)

    x = dark.Parameter(10, name="x")
    result = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
    result.backward()
    diagram, places = diagram_of(boxes_of(result)), []
    for own in (rounded_once, lambda numbers, start=0: reduce(add, numbers, start)):
        with patch.object(builtins, "sum", own):
            positions = layered_positions(diagram)
            places.append([field_places(n, at, diagram) for n, at in zip(diagram.nodes, positions.nodes)] + [positions])
    assert places[0] == places[1]
