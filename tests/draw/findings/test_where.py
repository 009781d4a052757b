"""Where a NaN begins, gradients vanish or explode, memory is kept, and time is spent."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import GraphNode, GraphRecord, where
from dark.draw.color_themes import shade
from dark.errors import DrawingError, UsageError, ValueTypeError


def deep(layers=12, activation=nn.Sigmoid, scale=1.0):
    model = nn.Sequential(*[m for k in range(layers) for m in (nn.Linear(8, 8, seed=k), activation())])
    for parameter in model.parameters():
        parameter.value = parameter.value * scale
    return model


X = np.random.default_rng(0).normal(size=(4, 8))


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_the_first_operation_that_makes_a_nan_is_found():
    x = dark.Parameter(np.array([-1.0, 4.0]), name="x")
    loss = (dark.log(x) * 2.0 + dark.sqrt(x)).sum()
    found = where(loss, nan=True)
    assert [found.facts[f.place].operation for f in found.findings] == ["log", "sqrt"]
    assert found.first.operation == "log" and all(f.begins for f in found.findings)
    assert found.findings[0].words == "1 of 2 elements are NaN; its inputs are finite"
    assert found.summary.startswith("NaN: begins at log, sqrt")
    with pytest.raises(dark.errors.AnomalyError, match="log"), dark.anomaly():
        dark.log(x)


def test_a_nan_in_the_data_and_one_from_infinite_inputs_are_told_apart():
    x = dark.Parameter(np.array([np.nan, 1.0]), name="x")
    found = where((x * 2.0).sum(), nan=True)
    assert found.first.name == "x" and "in the data" in found.findings[0].words
    y = dark.Parameter(np.array([1e308, 1.0]), name="y")
    with np.errstate(over="ignore", invalid="ignore"):
        loss = (y * 10.0 - y * 10.0).sum()
    assert where(loss, nan=True).first.operation == "-"
    assert "its inputs are infinite" in where(loss, nan=True).findings[0].words
    assert where(loss, inf=True).first.operation == "*" and len(where(loss, inf=True).findings) == 2


def test_a_nan_that_begins_in_the_backward_pass_is_found_before_backward_is_called():
    x = dark.Parameter(np.array([0.0, 4.0]), name="x")
    loss = (dark.sqrt(x) * np.array([0.0, 1.0])).sum()
    found = where(loss, nan=True)
    assert found.first.name == "x" and found.findings[0].kind == "gradient"
    assert "derivative of sqrt" in found.findings[0].words and x.grad is None
    with np.errstate(all="ignore"):
        loss.backward()
    assert np.isnan(x.grad[0])


def test_a_finite_graph_has_no_nan():
    found = where(dark.Parameter(2.0) * 3.0, nan=True)
    assert found.first is None and found.text == "No NaN in 3 nodes." and "No NaN" in found.alt


def test_vanishing_gradients_are_those_below_the_threshold_and_agree_with_backward():
    model = deep()
    loss = (model(X) ** 2).mean()
    found = where(loss, model=model, vanishing=1e-6)
    loss.backward()
    low = {name for name, p in model.named_parameters() if np.sqrt(np.mean(p.grad**2)) < 1e-6}
    names = {found.facts[f.place].node.name for f in found.findings} - {None}
    assert low and names == low
    begins = [f for f in found.findings if f.begins]
    assert len(begins) == 1 and found.first.operation in ("linear", "sigmoid")
    rows = {row[0]: row[3] for row in found.modules.rows}
    assert rows["0"] == "vanishing" and rows["22"] == ""
    assert "vanishing" in found.text


def test_exploding_gradients_are_found_and_a_gradient_of_zero_vanishes():
    model = deep(activation=nn.Identity, scale=20.0)
    found = where((model(X) ** 2).mean(), model=model, exploding=1e6)
    assert found.findings and found.modules.rows[-1][3] in ("", "exploding")
    assert not where((model(X) ** 2).mean(), model=model, exploding=1e300).findings
    x = dark.Parameter(np.array([-1.0, -2.0]), name="x")
    dead = where(dark.relu(x).sum(), vanishing=1e-9)
    assert [f.words for f in dead.findings] == ["gradient is 0"]


def test_both_thresholds_can_be_given():
    x = dark.Parameter(1.0, name="x")
    found = where(((x * 1e-4) * 1e4) * 1e-3, vanishing=1e-5, exploding=5.0)
    signs = {found.facts[f.place].title: f.sign for f in found.findings}
    assert signs == {"*": "above 5"} and found.summary.startswith("Gradient below 1e-05 or above 5: begins at *")


def test_looking_changes_nothing():
    def gradients(look):
        model = deep(3)
        loss = (model(X) ** 2).mean()
        if look:
            for question in ({"nan": True}, {"vanishing": 0.1}, {"time": True}, {"memory": True}):
                where(loss, model=model, **question)
            assert all(p.grad is None for p in model.parameters()) and loss.grad is None
        loss.backward()
        return [p.grad for p in model.parameters()]

    for a, b in zip(gradients(True), gradients(False)):
        np.testing.assert_array_equal(a, b)


def test_memory_is_what_the_graph_keeps_each_block_once():
    x = np.ones((300, 10))[:100]
    w = dark.Parameter(np.ones((10, 5)), name="w")
    y = dark.exp(x @ w)
    report = where(y.reshape(-1).sum(), memory=True)
    by_title = {report.facts[k].title: size for k, size in report.costs["kept"].items()}
    assert by_title["exp"] == by_title["@"] == 100 * 5 * 8 and by_title["reshape"] == 0
    assert by_title["constant"] == x.nbytes and "w" not in by_title
    assert report.total == 2 * 4000 + 8000 and "Kept 16 kB" in report.text and "constant" in report.summary


def test_time_of_a_slow_operation_is_found_forward_and_backward():
    class Slow(dark.Operation):
        @staticmethod
        def _f(x):
            np.linalg.eigvalsh(np.ones((120, 120)))
            return x * 1.0

        @staticmethod
        def _df(dldy, y, x):
            np.linalg.eigvalsh(np.ones((120, 120)))
            return (dldy * 1.0,)

    x = dark.Parameter(np.ones(3), name="x")
    report = where(dark.exp(Slow.apply(x * 2.0)).sum(), time=True)
    assert report.first.operation == "slow" and report.costs.keys() == {"forward", "backward"}
    assert report.table().rows[0][1] == "slow" and "slow" in report.alt
    assert set(report.costs["forward"]) == set(report.costs["backward"])


def test_the_flame_graph_has_modules_and_operations_with_their_shares():
    model = nn.Sequential(nn.Sequential(nn.Linear(8, 8, seed=0), nn.ReLU()), nn.Linear(8, 2, seed=1))
    report = where((model(X) ** 2).mean(), model=model, time=True)
    root = ElementTree.fromstring(report.svg)
    tips = [e.text for e in root.iter("{http://www.w3.org/2000/svg}title")]
    assert any(tip.startswith("forward: ") and tip.endswith("100 %") for tip in tips)
    forward, backward = report.bars
    assert forward.cost == pytest.approx(sum(report.costs["forward"].values()))
    assert forward.inside[0].name == "0" and backward.inside[-1].name == "0"
    assert forward.cost == pytest.approx(sum(bar.cost for bar in forward.inside))


def test_an_adapter_may_give_times_and_bytes():
    nodes = [
        GraphNode(0, role="input"),
        GraphNode(1, "relu", inputs=(0,), extras={"seconds_forward": 2.0, "bytes_kept": 7}),
    ]
    record = GraphRecord(nodes)
    assert where(record, time=True).total == 2.0 and where(record, memory=True).total == 7
    assert "2 s" in where(record, time=True).text and "7 B" in where(record, memory=True).text


def test_large_graphs_show_where_it_begins(tmp_path):
    y = dark.Parameter(1.0, name="x")
    for _ in range(150):
        y = y * 0.5
    found = where(y, vanishing=1e-3)
    assert len(found.findings) > 100 and found.svg.count("<rect") < 40
    assert found.save(tmp_path / "found.svg").read_text() == found.svg + "\n"
    assert found.save(tmp_path / "found.txt").read_text() == found.text + "\n"


def test_a_wrong_question_is_refused():
    x = dark.Parameter(1.0) * 2.0
    with pytest.raises(UsageError, match="exactly one question must be asked, got none"):
        where(x)
    with pytest.raises(UsageError, match="exactly one question must be asked, got nan and time"):
        where(x, nan=True, time=True)
    with pytest.raises(ValueTypeError, match="nan must be a bool, got 1"):
        where(x, nan=1)
    with pytest.raises(UsageError, match="vanishing must be 0 or more, got -1"):
        where(x, vanishing=-1)
    with pytest.raises(DrawingError, match="does not hold the times of its operations"):
        where(GraphRecord([GraphNode(0, value=1.0)]), time=True)


@pytest.mark.oracle
def test_a_graph_of_pytorch_answers_as_far_as_it_knows():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    x = torch.tensor([-1.0, 4.0], requires_grad=True)
    loss = (torch.log(x).exp() * 2).sum()
    found = where(loss, nan=True)
    assert found.first.operation in ("log", "exp") and "not known" in found.summary
    model = torch.nn.Sequential(*[m for _ in range(8) for m in (torch.nn.Linear(4, 4), torch.nn.Sigmoid())])
    loss = model(torch.ones(3, 4)).sum()
    assert where(loss, memory=True).first.operation in ("addmm", "sigmoid")
    with pytest.raises(DrawingError, match=r"(?s)does not hold the gradients.*loss\.backward\(\) first"):
        where(loss, vanishing=1e-6)
    loss.backward()
    found = where(loss, model=model, vanishing=1e-5)
    low = {name for name, p in model.named_parameters() if p.grad.square().mean().sqrt() < 1e-5}
    assert {found.facts[f.place].node.name for f in found.findings} == low
    begins = {found.facts[f.place].node.path for f in found.findings if f.begins}
    assert begins == {max((tuple(name.split(".")[:1]) for name in low), key=lambda path: int(path[0]))}
    with pytest.raises(DrawingError, match=r"(?s)times of its operations.*retain_graph=True"):
        where(loss, time=True)


@pytest.mark.oracle
def test_the_times_of_a_network_of_pytorch_are_measured_and_its_gradients_stay():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Sigmoid(), torch.nn.Linear(4, 1))
    x = torch.ones(3, 4)
    model(x).sum().backward()
    before = [p.grad.clone() for p in model.parameters()]
    report = where(model, x, time=True)
    for part in ("forward", "backward"):  # a call of `linear` is one operation, with the transposition in it
        assert [report.facts[k].node.operation for k in sorted(report.costs[part])] == ["linear", "sigmoid", "linear"]
    assert report.total > 0 and report.graph().boxes and ("1",) in {each.node.path for each in report.facts}
    loss = model(x).square().mean()
    for _ in range(2):  # the graph is kept
        assert where(loss, model=model, time=True).costs.keys() == {"backward"}
    loss.backward()
    assert not all(torch.equal(p.grad, grad) for p, grad in zip(model.parameters(), before))


def test_costs_are_colors_bars_and_numbers_of_the_boxes():
    nodes = [GraphNode("x", role="input", shape=(2,), value=np.ones(2)), GraphNode("w", name="a.0.w", role="parameter")]
    for k, (path, seconds) in enumerate([(("a", "0"), 3.0), (("a", "0"), 0.0), (("b",), 1.0)]):
        below = ("x", "w") if not k else (k - 1,)
        nodes.append(GraphNode(k, "exp", inputs=below, path=path, extras={"seconds_forward": seconds}))
    report = where(GraphRecord(nodes, {("b",): "Exp"}), time=True)
    drawing = report.graph()
    assert [box.cost for box in drawing.boxes] == [
        None,
        None,
        (1.0, "3 s (75 %)"),
        (0.0, "0 µs (0 %)"),
        (1 / 3, "1 s (25 %)"),
    ]
    assert "b: Exp" in drawing.svg and "from cheap to costly" in drawing.svg and shade(1.0)[0] in drawing.svg
    assert drawing.title == "Time of one step" and "each with its cost" in drawing.alt and "75 %" in drawing.text
    widths = re.findall(r'width="([^"]*)" height="7"', drawing.svg)
    assert len(widths) == 6 and widths[0] == widths[1] and widths[3] == "0"  # a frame, and what fills it
    closed = report.graph(open=False)
    assert [box.cost[0] for box in closed.boxes if box.kind == "group"] == [1.0]
    with pytest.raises(ValueTypeError, match="open"):
        report.graph(open=3.5)


def test_the_memory_of_a_network_is_drawn():
    model = deep(3)
    report = where((model(X) ** 2).mean(), memory=True, model=model)
    drawing = report.graph(open=0)
    assert {"0, 2 … 4: Linear ×3", "1, 3 … 5: Sigmoid ×3"} <= set(drawing.titles.values())
    assert sum(box.cost is not None for box in drawing.boxes) >= 5 and "weight  float64 (8, 8)" in drawing.svg
    assert ">grad" not in drawing.svg
    whole = report.graph(open=True)
    assert sum(box.cost is not None for box in whole.boxes) >= 8


def test_the_costs_of_blocks_that_repeat_are_added():
    model = deep(4)
    report = where((model(X) ** 2).mean(), memory=True, model=model)
    costs = [row[3] for row in report.graph(open=0).table().rows if "sigmoid" in row[1]]
    apart = [row[3] for row in report.graph(open=True).table().rows if "sigmoid" in row[1]]
    assert costs == ["1.02 kB (40 %)"] and apart == ["256 B (10 %)"] * 4
