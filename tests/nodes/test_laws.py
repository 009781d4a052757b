"""Laws of the backward pass on random graphs: finite differences, an independent framework, one visit each."""

import math
import operator
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from tests.examples import examples
from tests.graphs import BINARY, UNARY, build, programs


@examples(60)
@given(programs(most=200), st.data())
def test_the_gradient_of_every_node_equals_central_differences(case, data):
    values, program = case
    made, total = build(dark, [dark.Parameter(v) for v in values], program)
    total.backward()
    order = dark.topological_order(total)
    some = order if len(order) <= 100 else data.draw(st.lists(st.sampled_from(order), min_size=20, max_size=20))
    for node in some:
        assert (node.grad is None) == (not node.requires_grad)
        if node.grad is not None:
            slopes = [(replay(total, node, h) - replay(total, node, -h)) / (2 * h) for h in (1e-4, 1e-5, 1e-6)]
            assert min(abs(slope - node.grad) for slope in slopes) < 1e-5 * max(1.0, abs(node.grad))


def replay(root, nudged, h):
    """Compute the root again, node by node, with `h` added to the value of one node."""
    value = {}
    for node in dark.topological_order(root):
        x = [value[n] for n in node.inputs]
        value[node] = node.value if node.op is None else node.op._f(*x)
        if node is nudged:
            value[node] += h
    return value[root]


@examples(60)
@given(programs(most=60))
def test_backward_visits_every_node_once(case):
    values, program = case
    _, total = build(dark, [dark.Parameter(v) for v in values], program)
    watched = Counting.of(total)
    watched.backward()
    assert set(Counting.visits.values()) == {1}
    assert len(Counting.visits) == len([n for n in dark.topological_order(watched) if n.op is Counting])


class Counting(dark.Operation):
    """The identity, which counts how often a gradient is asked of each of its nodes."""

    visits = {}

    @staticmethod
    def _f(x):
        return x

    @classmethod
    def differentiate(cls, node, dldy=None, create_graph=False):
        cls.visits[node] = cls.visits.get(node, 0) + 1
        return (dldy,)

    @staticmethod
    def _df(dldy, y, x):
        return (dldy,)

    @classmethod
    def of(cls, root):
        """Rebuild a graph with a counting node after every operation."""
        cls.visits = {}
        copy = {}
        for node in dark.topological_order(root):
            if node.op is None:
                copy[node] = node
            else:
                copy[node] = cls.apply(node.op.apply(*[copy[n] for n in node.inputs]))
        return copy[root]


@examples(60)
@given(programs(most=60))
def test_the_order_of_operands_does_not_change_a_gradient(case):
    values, program = case
    swapped = SimpleNamespace(**{name: getattr(dark, name) for name in (*BINARY, *UNARY)})
    for name in ("add", "mul", "maximum", "minimum"):
        setattr(swapped, name, lambda a, b, f=getattr(dark, name): f(b, a))
    one = [dark.Parameter(v) for v in values]
    other = [dark.Parameter(v) for v in values]
    build(dark, one, program)[1].backward()
    build(swapped, other, program)[1].backward()
    for p, q in zip(one, other):
        assert p.grad == q.grad or math.isclose(p.grad, q.grad, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.oracle
@examples(40)
@given(programs(most=200))
def test_every_gradient_equals_pytorch(case):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    values, program = case
    made, total = build(dark, [dark.Parameter(v) for v in values], program)
    total.backward()
    oracle = SimpleNamespace(
        add=torch.add, sub=torch.sub, mul=torch.mul, div=torch.div, neg=torch.neg, exp=torch.exp,
        tanh=torch.tanh, sqrt=torch.sqrt, log=torch.log, abs=torch.abs, relu=torch.relu,
        maximum=torch.maximum, minimum=torch.minimum,
    )  # fmt: skip
    tensors = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    theirs, their_total = build(oracle, tensors, program, number=lambda t: t.item())
    for t in theirs:
        t.retain_grad()
    their_total.backward()
    assert math.isclose(total.value, their_total.item(), rel_tol=1e-9, abs_tol=1e-12)
    for node, t in zip(made, theirs):
        mine, right = node.grad or 0.0, 0.0 if t.grad is None else t.grad.item()
        assert math.isclose(mine, right, rel_tol=1e-8, abs_tol=1e-10)


def test_all_small_graphs_of_sums_and_products_are_right():
    wrong = 0
    for programs_of_three in all_programs(3):
        x = dark.Parameter(3.0)
        made = [x]
        for function, i, j in programs_of_three:
            made.append(function(made[i], made[j]))
        made[-1].backward()
        slope = (replay(made[-1], x, 1e-5) - replay(made[-1], x, -1e-5)) / 2e-5
        wrong += not math.isclose(x.grad, slope, rel_tol=1e-6)
    assert wrong == 0


def all_programs(length):
    """Yield every program of sums and products of that length in which each result is used."""
    if length == 0:
        yield []
        return
    for shorter in all_programs(length - 1):
        for function in (operator.add, operator.mul):
            for i in range(length):
                for j in range(length):
                    if length - 1 in (i, j):
                        yield [*shorter, (function, i, j)]
