"""Comparing two graphs: what is matched, and which differences are found where."""

import copy
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dark
from dark import nn
from dark.draw import GraphNode, GraphRecord, compare, graph_record
from dark.draw.findings.alignment import align
from dark.draw.findings.facts import facts_of
from dark.errors import DarkError, ValueTypeError
from dark.optim import SGD

few = settings(max_examples=30, deadline=None)


def network(seed=0):
    return nn.Sequential(nn.Linear(3, 4, seed=seed), nn.ReLU(), nn.Linear(4, 2, seed=seed + 1))


X = np.random.default_rng(0).normal(size=(5, 3))


def loss_of(model):
    loss = (model(X) ** 2).mean()
    loss.backward()
    return loss


def titles(pairs):
    return [(pair.first or pair.second).title for pair in pairs]


def test_a_graph_agrees_with_itself_and_with_an_equal_one():
    model = network()
    comparison = compare(loss_of(model), loss_of(network()), models=(model, None))
    assert comparison.equal and comparison.same_values and comparison.first is None
    assert "They agree." in comparison.text and "They agree." in comparison.alt
    assert [pair.places[0] for pair in comparison.pairs] == [pair.places[1] for pair in comparison.pairs]


def test_a_changed_parameter_is_where_the_difference_begins():
    model, other = network(), network()
    other[0].weight.value = other[0].weight.value + 0.1
    comparison = compare(loss_of(model), loss_of(other), models=(model, other))
    assert comparison.first.first.title == "0.weight" and comparison.first.begins == ("value",)
    assert titles(pair for pair in comparison.pairs if "value" in pair.kinds)[:2] == ["0.weight", "linear"]
    assert not comparison.same_values
    assert "First: 0.weight in 0: value off by 0.1" in comparison.alt


def test_a_wrong_derivative_is_where_the_gradients_begin_to_differ():
    class WrongTanh(dark.Operation):
        @staticmethod
        def _f(x):
            return np.tanh(x)

        @staticmethod
        def _df(dldy, y, x):
            return (dldy * (1 + y**2),)

    WrongTanh.__name__ = "Tanh"

    def graph(tanh):
        x = dark.Parameter(0.5, name="x")
        y = dark.exp(tanh(x * 2.0))
        y.backward()
        return y

    comparison = compare(graph(dark.tanh), graph(WrongTanh.apply), names=("right", "mine"))
    assert [pair.kinds for pair in comparison.pairs if pair.kinds] == [("gradient",), ("gradient",)]
    assert comparison.first.first.operation == "mul" and comparison.first.begins == ("gradient",)


def test_operations_that_one_graph_lacks_are_marked_and_the_rest_is_matched():
    x = dark.Parameter(2.0, name="x")
    comparison = compare(dark.exp(x * x), dark.exp(dark.neg(x * x)), names=("a", "b"))
    alone = [pair for pair in comparison.pairs if None in pair.places]
    assert titles(alone) == ["neg"] and alone[0].differences == (("structure", "only in b"),)
    assert [pair.kinds for pair in comparison.pairs][-1] == ("value",)


def linear(w, b, gap=0.0, swapped=False, relu=dark.relu, name=True):
    """Return a loss of a linear layer and a relu, as dark writes it, and with a sum of a product."""
    x = np.array([[1.0, 2.0], [3.0, -1.0]])
    first, second = (
        [dark.Parameter(np.array(each), name=f"{k}.p" if name and side == 0 else None) for k, each in enumerate((w, b))]
        for side in (0, 1)
    )
    one = dark.linear(x, *first)
    factors = (second[0], x) if swapped else (x, dark.transpose(second[0]))
    other = dark.add(dark.matmul(*factors), second[1] + gap if gap else second[1])
    losses = [dark.sum(dark.relu(one)), dark.sum(relu(other))]
    for loss in losses:
        loss.backward()
    return losses


W, B = [[1.0, 0.5], [-2.0, 3.0]], [0.5, 0.25]


def test_one_computation_written_with_other_operations_is_one_pair_without_a_difference():
    comparison = compare(*linear(W, B), names=("a", "b"))
    assert comparison.same_values and not comparison.equal and comparison.first is None
    assert not any(pair.differences for pair in comparison.pairs)
    assert comparison.summary.endswith("They agree, and write 1 result with other operations.")
    assert re.search(r"=  linear .* transpose, @, \+ \(2, 2\)", repr(comparison.table()))
    sizes = [len(graph_record(loss).nodes) for loss in linear(W, B)]
    assert comparison.summary.startswith(f"a has {sizes[0]} nodes, b {sizes[1]} nodes")
    assert "transpose, @, +" in comparison.svg and 'class="structure"' not in comparison.svg


@pytest.mark.parametrize(
    "changed", [{"gap": 0.1}, {"swapped": True}, {"relu": lambda x: dark.abs(x)}, {"relu": lambda x: x * 2.0}]
)
def test_what_computes_other_numbers_is_not_taken_for_another_spelling(changed):
    comparison = compare(*linear(W, B, **changed))
    assert not comparison.same_values and any(pair.differences for pair in comparison.pairs)


def test_another_operation_with_the_same_numbers_here_is_a_difference_of_structure():
    x = dark.Parameter(2.0, name="x")
    for other in (dark.exp(dark.abs(x * x)), dark.exp(dark.relu(x * x)), dark.exp(x * x + dark.Parameter(0.0))):
        comparison = compare(dark.exp(x * x), other)
        assert comparison.same_values and [kind for pair in comparison.pairs for kind in pair.kinds], other
    assert compare(dark.exp(dark.relu(x)), dark.exp(dark.abs(x))).first.kinds == ("structure",)
    assert compare(x + 0.0, x - 0.0).first.kinds == ("structure",)


def test_a_result_that_is_used_elsewhere_too_is_not_hidden_in_another():
    x, w = dark.Parameter(2.0, name="x"), dark.Parameter(3.0, name="w")
    comparison = compare(dark.sub(x, w) * 2.0, dark.add(x, dark.neg(w)) * 2.0)
    assert [part.title for pair in comparison.pairs for part in pair.parts[1]] == ["neg"]
    minus = dark.neg(w)
    comparison = compare(dark.sub(x, w) * w, dark.add(x, minus) * dark.neg(minus))
    assert "neg" in [(pair.first or pair.second).title for pair in comparison.pairs if pair.differences]


def test_parameters_without_names_are_matched_by_value_and_gradient():
    twins = linear([[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0])
    assert compare(*twins).same_values and not any(pair.differences for pair in compare(*twins).pairs)

    def graph(order, scale=1.0):
        p = [dark.Parameter(np.zeros(2)) for _ in range(2)]
        y = dark.sum(dark.add(*[p[k] * (k + 1.0) for k in order])) * scale
        y.backward()
        return y

    comparison = compare(graph((0, 1)), graph((1, 0)))
    grads = [(pair.first.grad, pair.second.grad) for pair in comparison.pairs if pair.first.title == "parameter"]
    assert all(np.array_equal(a, b) for a, b in grads)
    assert "gradient" in {kind for pair in compare(graph((0, 1)), graph((0, 1), 2.0)).pairs for kind in pair.kinds}


def test_swapped_inputs_other_operations_and_shapes_are_structure():
    x, y = dark.Parameter(2.0, name="x"), dark.Parameter(3.0, name="y")
    assert compare(x * y + x, x * y + y).pairs[-1].kinds[0] == "structure"
    assert "+ and -" in compare(x + y, x - y).text
    a = GraphRecord(
        [GraphNode(0, name="x", shape=(2, 3), role="input"), GraphNode(1, "relu", shape=(2, 3), inputs=(0,))]
    )
    b = GraphRecord(
        [GraphNode(0, name="x", shape=(3, 2), role="input"), GraphNode(1, "relu", shape=(3, 2), inputs=(0,))]
    )
    assert "shape (2, 3) and (3, 2)" in compare(a, b).text


def test_the_tolerance_is_relative_to_the_largest_element():
    x = np.array([1e6, 1.0])
    a, b = dark.Constant(x, name="x"), dark.Constant(x + [0, 0.5], name="x")
    assert compare(a * 1.0, b * 1.0).equal
    assert not compare(a * 1.0, b * 1.0, rtol=1e-8).equal
    assert compare(a * 1.0, b * 1.0, rtol=0, atol=0.6).equal


def test_nan_equals_nan_and_differs_from_numbers():
    a, b = dark.Constant(np.array([np.nan, 1.0])), dark.Constant(np.array([2.0, 1.0]))
    assert compare(a * 1.0, a * 1.0).equal
    assert "NaN or infinite in one of them" in compare(a * 1.0, b * 1.0).text


def test_before_and_after_a_training_step():
    model = network()
    loss = loss_of(model)
    before = graph_record(loss, model=model).snapshot()
    SGD(model.parameters(), lr=0.1).step()
    for parameter in model.parameters():
        parameter.grad = None
    comparison = compare(before, loss_of(model), models=(None, model), names=("before", "after"))
    changed = {pair.first.title for pair in comparison.pairs if "value" in pair.begins}
    assert changed == {name for name, _ in model.named_parameters()}


@few
@given(drop=st.sets(st.integers(0, 19)), seed=st.integers(0, 99))
def test_the_alignment_finds_what_two_chains_have_in_common(drop, seed):
    rng = np.random.default_rng(seed)
    names = [f"op{k}" for k in range(20)]
    kept = [name for k, name in enumerate(names) if k not in drop] or names[:1]

    def chain(operations):
        nodes = [GraphNode(0, name="x", role="input", value=float(rng.integers(9)))]
        nodes += [GraphNode(k, name, inputs=(k - 1,)) for k, name in enumerate(operations, 1)]
        return facts_of(GraphRecord(nodes))

    first, second = chain(names), chain(kept)
    pairs = align(first, second)
    assert len(pairs) == len(kept) + 1
    wrong = [i for i, j in pairs.items() if first[i].operation != second[j].operation]
    assert not wrong or wrong == [20]  # the roots belong together


def test_the_picture_holds_every_difference_with_color_sign_and_words():
    model, other = network(), network()
    other[2].bias.value = other[2].bias.value + 1
    comparison = compare(loss_of(model), loss_of(other), models=(model, other), names=("mine", "theirs"))
    root = ElementTree.fromstring(comparison.svg)
    texts = ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")]
    assert "mine" in texts and "theirs" in texts and "≠∇  begins here" in texts
    fills = [e.get("fill") for e in root.iter() if e.tag.endswith("}rect")]
    assert fills.count("#fdecea") == 2 * sum("value" in pair.kinds for pair in comparison.pairs)
    assert "light-dark(#fdecea," in comparison.svg and root.get("aria-label") == comparison.alt
    assert comparison._repr_mimebundle_()["text/plain"] == comparison.text == repr(comparison)


def test_long_equal_parts_are_folded(tmp_path):
    x = dark.Parameter(1.0, name="x")
    y = x
    for _ in range(200):
        y = y * 1.001
    comparison = compare(y, y + 1.0)
    assert comparison.svg.count("<rect") < 60 and "nodes</text>" in comparison.svg
    assert comparison.save(tmp_path / "all.txt").read_text().count("\n") > 400
    assert comparison.save(tmp_path / "a.svg").read_text() == comparison.svg + "\n"
    assert comparison.save(tmp_path / "a.pdf").read_bytes()[:5] == b"%PDF-"


@pytest.mark.long
def test_large_graphs_are_aligned_in_seconds():
    def chain(factor):
        y = dark.Parameter(1.0, name="x")
        for k in range(1500):
            y = dark.tanh(y) if k == 700 and factor else y * 1.001
        return y

    comparison = compare(chain(True), chain(False))
    assert "tanh and *" in comparison.text or "only in" in comparison.text


def test_wrong_arguments_are_refused():
    x = dark.Parameter(1.0)
    with pytest.raises(ValueTypeError, match="models must be a tuple of two, got Linear"):
        compare(x, x, models=nn.Linear(1, 1))
    with pytest.raises(ValueTypeError, match="names must be a tuple of two, got str"):
        compare(x, x, names="ab")
    with pytest.raises(DarkError, match="rtol must be 0 or more, got -1"):
        compare(x, x, rtol=-1)
    with pytest.raises(DarkError, match="float is not a node of a graph"):
        compare(x, 3.0)


@pytest.mark.oracle
def test_a_network_of_dark_agrees_with_the_same_in_pytorch():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    model = network()
    theirs = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)).double()
    theirs.load_state_dict({name: torch.tensor(p.value) for name, p in model.named_parameters()})
    loss = (theirs(torch.tensor(X)) ** 2).mean()
    loss.backward(retain_graph=True)
    comparison = compare(loss_of(model), loss, models=(model, theirs), names=("dark", "PyTorch"))
    assert comparison.same_values and not comparison.equal
    matched = {pair.first.title: pair.second.title for pair in comparison.pairs if None not in pair.places}
    assert matched["linear"] == "addmm" and matched["0.weight"] == "0.weight" and matched["relu"] == "relu"
    assert not any(pair.differences for pair in comparison.pairs)
    assert [part.title for pair in comparison.pairs for part in pair.parts[1]] == ["t", "t"]
    ours = dark.losses.cross_entropy(model(X), np.array([0, 1, 1, 0, 0]))
    loss = torch.nn.functional.cross_entropy(theirs(torch.tensor(X)), torch.tensor([0, 1, 1, 0, 0]))
    for end in (ours, loss):
        end.backward()
    assert "They agree, and write 3 results" in compare(ours, loss, models=(model, theirs)).summary
    with torch.no_grad():
        theirs[2].bias[0] += 1
    loss = (theirs(torch.tensor(X)) ** 2).mean()
    comparison = compare(loss_of(copy.deepcopy(model)), loss, models=(model, theirs))
    assert "2.bias" in titles(pair for pair in comparison.pairs if "value" in pair.begins) or not comparison.same_values


def test_two_networks_are_compared_with_what_both_are_called_with():
    torch = pytest.importorskip("torch")
    networks = [torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1)) for _ in range(2)]
    networks[1].load_state_dict(networks[0].state_dict())
    x = torch.ones(2, 3)
    assert compare(*networks, x).equal
    with torch.no_grad():
        networks[1][2].weight[0, 0] += 1
    comparison = compare(*networks, x)
    assert not comparison.equal and comparison.first.first.node.name == "2.weight"
    with pytest.raises(
        DarkError, match=r"Sequential is a network, which requires an input\.(?s:.)*compare\(network, other, x\)"
    ):
        compare(*networks)
