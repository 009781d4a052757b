"""Random graphs of arrays, composed of every operation: gradients against PyTorch and finite differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from tests.examples import examples
from tests.operations.cases import OPERATIONS
from tests.operations.graphs import SHAPES, compose
from tests.operations.numerics import assert_close, slopes
from tests.operations.oracle import torch_function

FREE = [name for name, op in OPERATIONS.items() if not hasattr(op, "prepared")]  # the others take few matrices only
choice = st.integers(0, 10**6)
graphs = st.builds(
    compose,
    st.lists(st.tuples(st.sampled_from(FREE), choice, choice, choice), min_size=1, max_size=15),
    st.lists(st.sampled_from(SHAPES), min_size=1, max_size=4),
    st.integers(0, 100),
)


def graph_with(name, seed):
    """Compose a graph in which an operation is used in the middle of others."""
    rng = np.random.default_rng([seed, *map(ord, name)])
    names = [*rng.choice(FREE, 3), name, *rng.choice(FREE, 2)]
    shapes = [SHAPES[k] for k in rng.integers(len(SHAPES), size=3)]
    return compose([(str(n), *map(int, rng.integers(10**6, size=3))) for n in names], shapes, seed)


def run_ours(graph, **options):
    leaves = [dark.Parameter(v) for v in graph.leaves]
    y = graph.run(leaves)
    y.backward(**options)
    return y, leaves


def compare_with_differences(graph):
    y, leaves = run_ours(graph)
    measured = slopes(lambda x: float(graph.run([v if np.ndim(v) else float(v) for v in x]).value), graph.leaves, 1e-6)
    for leaf, right in zip(leaves, measured):
        assert_close(np.zeros(leaf.shape) if leaf.grad is None else leaf.grad, right, 2e-6)


def compare_with_pytorch(graph):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    y, leaves = run_ours(graph, create_graph=True)
    reference = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in graph.leaves]

    def apply(op, x, settings):
        tensors = [v if torch.is_tensor(v) else torch.as_tensor(v, dtype=torch.float64) for v in x]
        return torch_function(torch, op)(*tensors, **settings)

    z = graph.run(reference, apply)
    assert_close(y.value, z.item(), 1e-12)
    first = torch.autograd.grad(z, reference, create_graph=True)
    grads = [leaf.grad for leaf in leaves]
    for g, right in zip(grads, first):
        assert_close(getattr(g, "value", g), right.detach().numpy(), 1e-9)
    for leaf in leaves:
        leaf.grad = None
    again = dark.Constant(0.0)
    for g in grads:
        again = again + dark.sum(g * g)
    if again.requires_grad:
        again.backward()
    second = sum((g * g).sum() for g in first)
    rights = [None] * len(reference)
    if second.requires_grad:
        rights = torch.autograd.grad(second, reference, allow_unused=True)
    for leaf, right in zip(leaves, rights):
        actual = np.zeros(leaf.shape) if leaf.grad is None else leaf.grad
        right = np.zeros(leaf.shape) if right is None else right.numpy(force=True)
        assert_close(actual, np.where(np.isnan(right), actual, right), 1e-7)  # it has no second derivative of sinc at 0


@examples(50)
@given(graphs)
def test_gradients_of_random_graphs_equal_finite_differences(graph):
    compare_with_differences(graph)


@pytest.mark.parametrize("name", FREE)
def test_gradients_of_every_operation_inside_graphs_equal_finite_differences(name):
    made = [graph_with(name, seed) for seed in range(5)]
    assert any(op is OPERATIONS[name] for graph in made for op, _, _ in graph.steps), "no graph has it"
    for graph in made:
        compare_with_differences(graph)


@pytest.mark.oracle
@examples(100)
@given(graphs)
def test_second_derivatives_of_random_graphs_are_pytorchs(graph):
    if all(op is not dark.Cbrt for op, _, _ in graph.steps):  # which PyTorch has not
        compare_with_pytorch(graph)


@pytest.mark.oracle
@pytest.mark.parametrize("name", [name for name in FREE if name != "Cbrt"])
def test_second_derivatives_of_every_operation_inside_graphs_are_pytorchs(name):
    for seed in range(5):
        graph = graph_with(name, seed)
        if all(op is not dark.Cbrt for op, _, _ in graph.steps):
            compare_with_pytorch(graph)
