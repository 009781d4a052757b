"""ONNX models that are unusual: what a file may hold, what is missing, and what the reference cannot run."""

from itertools import pairwise

import numpy as np
import pytest

import dark
from dark.draw import graph_record
from dark.draw.adapters.onnx_graphs import model as door
from dark.errors import DrawingError
from tests.draw.adapters.onnx_models import FLOAT, INT, make, model_of, onnx, value

X = np.arange(6, dtype=np.float32).reshape(2, 3)
EYE = np.eye(3, dtype=np.float32)


def nodes_of(model, *inputs):
    return {node.name or node.operation: node for node in graph_record(model, *inputs).nodes}


def test_operators_keep_the_names_of_their_library():
    model = model_of([make.make_node("MatMul", ["x", "w"], ["y"])], [value("x")], [value("y")], {"w": EYE})
    assert ">MatMul<" in dark.draw(model).svg


def test_a_cast_says_to_which_dtype():
    model = model_of([make.make_node("Cast", ["x"], ["y"], to=INT)], [value("x")], [value("y", kind=INT)])
    assert nodes_of(model)["Cast"].extras["brief"] == "to=int64"


def test_lengths_that_vary_keep_their_names_up_to_the_output():
    nodes = [make.make_node("Relu", ["x"], ["r"]), make.make_node("MatMul", ["r", "w"], ["y"])]
    model = model_of(nodes, [value("x", ["batch", 3])], [value("y", None)], {"w": EYE})
    assert [node.shape for node in graph_record(model).nodes if node.name != "w"] == [("batch", 3)] * 4
    assert "batch × 3" in dark.draw(model).svg


def test_an_operation_with_several_results_is_one_node_with_their_names():
    split = make.make_node("Split", ["x"], ["a", "b"], axis=0, num_outputs=2)
    model = model_of([split, make.make_node("Neg", ["b"], ["y"])], [value("x")], [value("a", None), value("y", None)])
    found = nodes_of(model, X)
    assert [part.name for part in found["Split"].results] == ["a", "b"] and found["Split"].shape == (1, 3)
    assert found["Neg"].labels == found["a"].labels[:0] + ("b",) and found["a"].labels == ("a",)
    np.testing.assert_array_equal(found["y"].value, -X[1:])


def test_results_whose_names_an_exporter_invented_have_those_of_the_definition():
    weights = {"w": np.ones((1, 8, 3), np.float32), "r": np.ones((1, 8, 2), np.float32)}
    outputs = ["/LSTM_output_0", "/LSTM_output_1"]
    model = model_of(
        [make.make_node("LSTM", ["x", "w", "r"], outputs, hidden_size=2), make.make_node("Neg", outputs[1:], ["y"])],
        [value("x", (4, 1, 3))],
        [value("y", None)],
        weights,
    )
    found = nodes_of(model)
    assert [part.name for part in found["LSTM"].results] == ["Y", "Y_h"] and found["Neg"].labels == ("Y_h",)


def test_an_output_is_a_node_with_its_name_also_where_it_is_used_further():
    nodes = [make.make_node("Relu", ["x"], ["a"]), make.make_node("Neg", ["a"], ["y"])]
    found = nodes_of(model_of(nodes, [value("x")], [value("a"), value("y")]), X)
    assert [found[name].operation for name in ("a", "y")] == ["output", "output"]
    np.testing.assert_array_equal(found["a"].value, X)
    assert "output  a" in dark.draw(model_of(nodes, [value("x")], [value("a"), value("y")])).svg.replace("\xa0", " ")


def test_an_input_without_use_and_a_node_without_use_have_boxes():
    nodes = [make.make_node("Relu", ["x"], ["y"]), make.make_node("Neg", ["x"], ["dead"])]
    found = nodes_of(model_of(nodes, [value("x"), value("mask")], [value("y")]))
    assert found["mask"].role == "input" and found["Neg"].inputs == ("x",)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"value_float": 2.5}, np.float32(2.5)),
        ({"value_int": 3}, np.int64(3)),
        ({"value_ints": [1, 2]}, np.array([1, 2])),
        ({"value_floats": [1.0, 2.0]}, np.array([1, 2], np.float32)),
        ({"value": onnx.numpy_helper.from_array(np.ones(2, np.float32))}, np.ones(2, np.float32)),
        ({"value_string": "word"}, np.array("word")),
    ],
)
def test_a_constant_has_its_value_however_it_is_written(settings, expected):
    nodes = [make.make_node("Constant", [], ["c"], **settings), make.make_node("Identity", ["c"], ["y"])]
    (node,) = [n for n in graph_record(model_of(nodes, [], [value("y", None)])).nodes if n.role == "constant"]
    np.testing.assert_array_equal(node.value, expected)
    assert node.shape == expected.shape


def test_a_scalar_that_several_nodes_use_stands_in_the_box_of_each():
    names = ["x", "a", "b", "c"]
    nodes = [make.make_node("Add", [below, "half"], [name]) for below, name in pairwise(names)]
    drawing = dark.draw(model_of(nodes, [value("x")], [value("c")], {"half": np.float32(0.5)}))
    assert drawing.svg.count("half = 0.5") == 3
    used = [box.inputs for box in drawing.boxes]
    assert all(
        sum(k in inputs for inputs in used) == 1 for k, box in enumerate(drawing.boxes) if box.kind == "constant"
    )


def test_a_sparse_initializer_is_a_parameter_with_its_zeros():
    model = model_of([make.make_node("MatMul", ["x", "w"], ["y"])], [value("x")], [value("y")])
    data = make.make_tensor("w", FLOAT, [2], [1.0, 2.0]), make.make_tensor("places", INT, [2], [0, 5])
    model.graph.sparse_initializer.append(make.make_sparse_tensor(*data, [3, 3]))
    found = nodes_of(model, X)
    np.testing.assert_array_equal(found["w"].value, [[1, 0, 0], [0, 0, 2], [0, 0, 0]])
    np.testing.assert_array_equal(found["y"].value, X @ found["w"].value)


def test_nodes_in_any_order_are_read_and_a_cycle_is_refused():
    nodes = [make.make_node("Neg", ["r"], ["y"]), make.make_node("Relu", ["x"], ["r"])]
    np.testing.assert_array_equal(nodes_of(model_of(nodes, [value("x")], [value("y")]), X)["y"].value, -X)
    nodes[1] = make.make_node("Add", ["x", "y"], ["r"])
    with pytest.raises(DrawingError, match=r"cycle through '[ry]'\.\n  Expected: .*\n  Try: "):
        graph_record(model_of(nodes, [value("x")], [value("y")]))


def test_external_data_that_is_missing_is_named_and_the_rest_is_drawn(tmp_path):
    model = model_of([make.make_node("MatMul", ["x", "w"], ["y"])], [value("x")], [value("y")], {"w": EYE})
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
    np.testing.assert_array_equal(nodes_of(path, X)["y"].value, X)
    (tmp_path / "weights.bin").unlink()
    found = nodes_of(path, X)
    assert (found["w"].value, found["w"].shape) == ("missing: weights.bin", (3, 3))
    assert found["y"].value is None and found["y"].shape == (2, 3) and found["MatMul"].mark is None
    assert "weights.bin" in dark.draw(onnx.load(path, load_external_data=False)).svg


def test_a_node_that_the_reference_cannot_run_is_marked_and_the_rest_has_values():
    nodes = [
        make.make_node("Relu", ["x"], ["a"]),
        make.make_node("Mine", ["a"], ["b"], domain="com.acme", alpha=3),
        make.make_node("Neg", ["b"], ["y"]),
        make.make_node("Neg", ["a"], ["z"]),
    ]
    model = model_of(nodes, [value("x")], [value("y"), value("z")], domains=["com.acme"])
    found = nodes_of(model, X)
    assert found["Mine"].mark == "failed" and found["Mine"].value == "not run: no implementation"
    assert "Mine" in found["Mine"].extras["error"] and found["Mine"].extras["settings"] == {"alpha": 3}
    assert found["y"].value is None and found["y"].shape == (2, 3)
    np.testing.assert_array_equal(found["z"].value, -X)
    assert "not run: no implementation" in dark.draw(model, X).svg


def test_a_sequence_is_described_and_runs():
    nodes = [
        make.make_node("SplitToSequence", ["x"], ["s"], axis=0, keepdims=0),
        make.make_node("ConcatFromSequence", ["s"], ["y"], axis=0),
    ]
    model = model_of(nodes, [value("x")], [value("y", None)])
    assert nodes_of(model)["SplitToSequence"].dtype == "sequence of float32"
    found = nodes_of(model, X)
    assert found["SplitToSequence"].value == "sequence of 2"
    np.testing.assert_array_equal(found["y"].value, X.ravel())


MODEL = model_of(
    [make.make_node("MatMul", ["x", "w"], ["y"])], [value("x", ["batch", 3])], [value("y", None)], {"w": EYE}
)


@pytest.mark.parametrize("given", [X.astype(float), X.astype(int), X.tolist(), {"x": X}])
def test_an_input_is_cast_to_the_dtype_of_the_model(given):
    found = nodes_of(MODEL, given)
    assert found["x"].dtype == "float32"
    np.testing.assert_array_equal(found["y"].value, X)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (X[:, :2], r"the input 'x' must be float32 batch × 3, got float32 \(2, 2\)\.\n  Expected: float32 batch × 3"),
        (X.astype(complex), r"got complex128 \(2, 3\)"),
        (np.array([["a"] * 3]), "must be float32 batch × 3, got (<U1|str)"),
        ({"z": X}, r"the model has no input 'z'\.\n  Expected: the inputs x\."),
        ({}, r"requires the inputs x, got 0\.\n  Expected: 1 array, "),
    ],
)
def test_an_input_that_does_not_fit_is_named(given, words):
    with pytest.raises(DrawingError, match=words):
        graph_record(MODEL, given)


def test_two_inputs_disagree_about_a_named_length():
    nodes = [make.make_node("Add", ["a", "b"], ["y"])]
    model = model_of(nodes, [value("a", ["n", 3]), value("b", ["n", 3])], [value("y", None)])
    with pytest.raises(
        DrawingError,
        match=r"must be float32 n × 3 with n = 2, got float32 \(1, 3\)\.\n  Expected: float32 n × 3 with n = 2",
    ):
        graph_record(model, X, X[:1])


def test_inputs_may_be_named_as_keywords():
    record = door.nodes(MODEL, keywords={"x": X})
    np.testing.assert_array_equal(record.root.value, X)


def test_empty_files_folders_and_models_without_nodes_are_refused(tmp_path):
    (tmp_path / "empty.onnx").write_bytes(b"")
    (tmp_path / "folder.onnx").mkdir()
    for name, words in (("empty", "is empty"), ("folder", "is a folder")):
        with pytest.raises(DrawingError, match=rf"{name}\.onnx' {words}\.\n  Expected: .*\n  Try: "):
            graph_record(tmp_path / f"{name}.onnx")
    with pytest.raises(DrawingError, match="no nodes and no outputs"):
        graph_record(onnx.ModelProto())
    with pytest.raises(DrawingError, match="NodeProto is not an ONNX model"):
        graph_record(make.make_node("Neg", ["x"], ["y"]))


def test_a_graph_and_a_function_are_drawn_as_models():
    function = make.make_function(
        "my", "F", ["a"], ["b"], [make.make_node("Neg", ["a"], ["b"])], [make.make_opsetid("", 18)]
    )
    for thing in (MODEL.graph, function):
        assert graph_record(thing).root.operation == "output"


def test_running_a_model_does_not_change_the_generator_of_numpy():
    nodes = [make.make_node("RandomNormal", [], ["y"], shape=[3], seed=1.0), make.make_node("Add", ["x", "y"], ["z"])]
    model = model_of(nodes, [value("x", (3,))], [value("z", (3,))])
    before = np.random.get_state()[1].copy()
    assert nodes_of(model, np.zeros(3))["z"].value.shape == (3,)
    np.testing.assert_array_equal(np.random.get_state()[1], before)
