"""Lanes beside a level: spans in one lane do not overlap, ranks are narrow, and large levels stay linear."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dark.draw.layered.lanes import WIDEST, lanes_of, narrowed, places_of_lanes
from dark.draw.layered.level import GAP_X, Edge, lay_out


@st.composite
def ranked_edges(draw):
    """Return the ranks of vertices, and edges that lead to a higher rank."""
    ranks = draw(st.lists(st.integers(0, 30), min_size=2, max_size=40))
    pairs = draw(st.lists(st.tuples(*[st.integers(0, len(ranks) - 1)] * 2), max_size=120))
    return ranks, [(u, v, 0.0) for u, v in pairs if ranks[u] < ranks[v]]


@given(ranked_edges())
def test_two_spans_in_one_lane_do_not_overlap(found):
    ranks, ends = found
    lanes = lanes_of(ends, ranks, (), True)
    assert lanes.keys() == {k for k, (u, v, _) in enumerate(ends) if ranks[v] - ranks[u] > 3}
    spans: dict = {}
    for k, lane in lanes.items():
        u, v, _ = ends[k]
        start, end = spans.setdefault(lane, {}).get(u, (ranks[u], ranks[v]))
        spans[lane][u] = start, max(end, ranks[v])
    for inside in spans.values():
        for (_, end), (start, _) in pairwise(sorted(inside.values())):
            assert end <= start


@given(ranked_edges())
def test_edges_from_one_place_share_a_lane_and_lanes_are_beside_the_boxes(found):
    ranks, ends = found
    lanes = lanes_of(ends, ranks, (), True)
    by_source: dict = {}
    for k, lane in lanes.items():
        by_source.setdefault(ends[k][0], set()).add(lane)
    assert all(len(found) == 1 for found in by_source.values())
    places = places_of_lanes(lanes, -50.0, 70.0)
    assert all((place < -50 and lanes[k][0] < 0) or (place > 70 and lanes[k][0] > 0) for k, place in places.items())


@given(ranked_edges(), st.sampled_from([10.0, 400.0, 6000.0]))
def test_narrow_ranks_keep_the_order_of_edges(found, width):
    ranks, ends = found
    pairs = [(u, v) for u, v, _ in ends]
    narrow = narrowed(ranks, [width] * len(ranks), GAP_X, pairs)
    assert all(narrow[u] < narrow[v] for u, v in pairs)
    for rank in set(narrow):
        count = narrow.count(rank)
        assert count == 1 or count * (width + GAP_X) <= WIDEST + width + GAP_X


def test_a_few_long_edges_have_bend_points_and_no_lanes():
    ranks = list(range(40))
    ends = [(0, 39, 0.0), (5, 30, 0.0), *[(k, k + 1, 0.0) for k in range(39)]]
    assert lanes_of(ends, ranks, (), False) == {}
    assert narrowed(ranks, [100.0] * 40, GAP_X, [(u, v) for u, v, _ in ends]) is ranks


def points_of(steps):
    """Return how many points the edges of a recurrent level of so many steps have."""
    sizes, edges, first, last = [], [], set(), set()
    for k in range(steps):  # an entry, what is computed from it, the step, and an exit
        sizes += [(0.0, 0.0), (60.0, 40.0), (60.0, 40.0), (0.0, 0.0)]
        entry, inner, step, leave = range(4 * k, 4 * k + 4)
        first.add(entry)
        last.add(leave)
        edges += [Edge(entry, inner), Edge(inner, step), Edge(step, leave)]
        edges += [Edge(4 * k - 2, step)] if k else []
    level = lay_out(sizes, edges, first, last)
    assert level.size[0] < 2_000
    return sum(map(len, level.routes))


def test_the_points_of_edges_grow_with_the_steps_and_not_with_their_square():
    assert points_of(400) < 5 * points_of(100)
