"""The data of a page: values as they are, arrays within their budget, modules, groups, captions."""

import base64
import json

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import Box, GraphNode, GraphRecord, draw, draw_boxes
from dark.draw.arrays.array_summary import summary_of
from dark.draw.explore.explorer_page import MOST_NODES_IN_PAGE, colors, page_data
from dark.draw.explore.graph_data import cells_of, number_of
from dark.draw.explore.stored_arrays import ArrayStore, numbers_of
from dark.draw.picture.explored import data_of
from dark.errors import DrawingError, UsageError, ValueTypeError
from tests.draw.explore.graphs import residual_loss
from tests.draw.student import shared


def data(root, **more):
    """Return the data of a page as it is read again from JSON."""
    return json.loads(json.dumps(data_of(draw(root, **more)), allow_nan=False))


def elements(array):
    """Return the elements of an array of a page."""
    return np.frombuffer(base64.b64decode(array["data"]), "<" + array["kind"]).reshape(array["shape"])


def test_numbers_names_operations_and_edges_are_there():
    x = dark.Parameter(3.0, name="x")
    y = dark.log(x * x)
    y.backward()
    found = data(y, title="squares")["nodes"]
    assert [(n["operation"], n["role"], n["inputs"]) for n in found] == [
        ("", "parameter", []), ("*", "result", [0, 0]), ("log", "result", [1]),
    ]  # fmt: skip
    assert found[0]["name"] == "x" and found[0]["value"] == 3 and found[0]["grad"] == pytest.approx(2 / 3)
    assert data(y, title="squares")["title"] == "squares"


def test_numbers_that_are_not_finite_are_texts():
    assert data(dark.log(dark.Parameter(-1.0)) + dark.Parameter(np.inf))["nodes"][-1]["value"] == "NaN"
    assert [number_of(x) for x in (1.0, np.inf, -np.inf)] == [1.0, "Infinity", "-Infinity"]


def test_small_arrays_are_whole_and_keep_their_values():
    w = dark.Parameter(np.arange(6.0).reshape(2, 3) / 7, name="w")
    loss = (w * 2.0).sum()
    loss.backward()
    found = data(loss)
    value, grad = (found["arrays"][found["nodes"][0][f"{field}Array"]] for field in ("value", "grad"))
    np.testing.assert_allclose(elements(value), w.value, rtol=1e-7)
    np.testing.assert_array_equal(elements(grad), np.full((2, 3), 2.0))
    assert "thinned" not in value and found["leftOut"] == []


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.full(3, 1e-45), "f8"), (np.full(3, 1e300), "f8"), (np.array([2**40, 1, 1]), "f8"),
        (np.array([True, False]), "f4"), (np.zeros(0), "f4"),
    ],
)  # fmt: skip
def test_what_float32_does_not_hold_is_float64(array, kind):
    store = ArrayStore(1e6)
    store.add(array)
    ((found,), _) = store.data()
    assert found["kind"] == kind
    np.testing.assert_array_equal(elements(found), array)


def test_complex_arrays_are_magnitudes_and_masked_elements_nan():
    np.testing.assert_allclose(numbers_of(np.array([3 + 4j])), [5])
    assert np.isnan(numbers_of(np.ma.array([1.0, 2.0], mask=[0, 1]))).tolist() == [False, True]
    assert numbers_of(np.array(["a"])) is None and numbers_of(3.0) is None


def test_arrays_beyond_the_budget_are_thinned_and_the_page_says_so():
    store = ArrayStore(100_000)
    large = np.arange(1_000_000.0).reshape(1000, 1000)
    large[0, 1] = np.nan
    for array in (large, np.ones(10)):
        store.add(array)
    (first, second), left_out = store.data()
    assert np.prod(first["shape"]) * 4 * 4 / 3 < 100_000 and first["whole"] == [1000, 1000]
    np.testing.assert_array_equal(elements(first), large[:: first["strides"][0], :: first["strides"][1]])
    assert first["statistics"]["high"] == 999_999 and first["statistics"]["nan"] == 1 and second["shape"] == [10]
    assert left_out[0].startswith("1 of 2 arrays have more than 18,740 elements: every k-th of these is shown")


def test_modules_are_nested_and_as_open_as_in_the_picture():
    found = data(residual_loss())
    paths = {module["path"]: module["open"] for module in found["modules"]}
    assert paths == {"": True, "1": True, "2": False, "3": False}  # of three equal blocks, the picture opens the first
    assert data(residual_loss(), open=False)["modules"][1]["open"] is False
    items = [item for module in found["modules"] for item in module["items"]]
    assert sorted(item for item in items if item < 0) == [-3, -2, -1]
    drawn = {i for i, node in enumerate(found["nodes"]) if "holder" not in node}
    assert {item for item in items if item >= 0} == drawn
    leaf = next(node for node in found["nodes"] if node.get("name") == "0.weight")
    assert found["nodes"][leaf["holder"]]["operation"] == "linear" and leaf["path"] == "0"


def test_a_large_graph_without_modules_has_groups():
    x = dark.Parameter(1.0, name="x")
    y = x
    for _ in range(400):
        y = dark.tanh(y)
    found = data(y)
    assert len(found["modules"]) > 4 and len(found["nodes"]) == 401
    assert found["modules"][1]["title"].startswith("depth ") and not found["modules"][1]["open"]


def test_the_backward_pass_of_a_small_graph_is_told_in_sentences():
    x = dark.Parameter(2.0, name="x")
    root = x * x + x
    root.backward()
    steps = data(root)["steps"]
    assert [step["caption"] for step in steps] == [frame.caption for frame in draw(root).steps().frames]
    assert steps[0]["grads"][str(len(data(root)["nodes"]) - 1)] == "1"
    assert data(dark.exp(dark.Parameter(1.0)))["steps"] == []


def test_boxes_and_the_part_near_the_root_can_be_explored():
    boxes = [Box("parameter", None, np.ones((9, 9)), None, "w"), Box("result", "exp", 1.0, 2.0, inputs=(0,))]
    found = data_of(draw_boxes(boxes))
    assert [node["role"] for node in found["nodes"]] == ["parameter", "result"]
    assert found["nodes"][0]["valueStatistics"]["mean"] == 1 and found["nodes"][0]["shape"] == [9, 9]
    x = dark.Parameter(2.0, name="x")
    near = data_of(draw(dark.exp(dark.exp(dark.exp(x))), depth=1))
    assert [node["role"] for node in near["nodes"]] == ["input", "result", "result"]


def test_gradients_can_be_left_out():
    found = data(residual_loss(), gradients=False)
    assert not any("grad" in node or "gradArray" in node for node in found["nodes"])


def test_a_record_without_values_has_shapes():
    nodes = [GraphNode("x", role="input", shape=(2, 3), dtype="float32")]
    costs = {"seconds_forward": 0.002, "bytes_kept": 1024}
    nodes += [GraphNode("y", "relu", shape=(2, 3), inputs=("x",), extras=costs)]
    found = page_data(GraphRecord(nodes), "onnx")["nodes"]
    assert found[0]["shape"] == [2, 3] and "valueArray" not in found[0]
    assert found[1]["extras"] == {"time forward": "2 ms", "bytes kept": "1,024"}


def test_the_cells_of_a_heat_map_are_bytes():
    array = np.array([[1.0, -1.0, 0.0, np.nan, np.inf, 0.5, -np.inf]])
    levels = np.frombuffer(base64.b64decode(cells_of(summary_of(array))), np.uint8)
    assert levels.tolist() == [200, 0, 100, 255, 254, 150, 253]


def test_both_themes_have_the_same_colors():
    found = colors()
    assert found["light"].keys() == found["dark"].keys() >= {"parameter", "input", "group", "frame", "edge"}


def test_a_picture_without_a_graph_is_refused():
    with pytest.raises(DrawingError, match=r"does not show a computational graph(.|\n)*draw\(network, x\)"):
        draw(nn.Sequential(nn.ReLU())).page()


def test_a_graph_that_is_too_large_is_refused():
    nodes = tuple(GraphNode(k, "exp", inputs=(k - 1,) if k else ()) for k in range(MOST_NODES_IN_PAGE + 1))
    with pytest.raises(DrawingError, match=r"50001 nodes(.|\n)*at most 50000"):
        page_data(GraphRecord(nodes), "chain")


def test_the_limit_is_a_positive_number():
    with pytest.raises(UsageError, match="limit_mb"):
        draw(shared()).page(limit_mb=0)
    with pytest.raises(ValueTypeError, match="limit_mb"):
        draw(shared()).explore(limit_mb="20")


@pytest.mark.oracle
def test_the_graph_of_a_network_of_pytorch_can_be_explored():
    torch = pytest.importorskip("torch")
    network = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    loss = network(torch.ones(5, 3)).square().sum()
    loss.backward()
    found = data(loss, model=network)
    weight = next(node for node in found["nodes"] if node.get("name") == "0.weight")
    grad = elements(found["arrays"][weight["gradArray"]])
    np.testing.assert_allclose(grad, network[0].weight.grad.numpy(), rtol=1e-6)
