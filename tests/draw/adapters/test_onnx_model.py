"""The graphs of ONNX: models and their files."""

import builtins

import numpy as np
import pytest

from dark.draw import graph_record
from dark.errors import DrawingError, MissingExtraError

W = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.fixture(scope="module")
def model():
    onnx = pytest.importorskip("onnx", reason="the oracle extra (ONNX) is not installed")
    make, kind = onnx.helper, onnx.TensorProto.FLOAT
    weights = {"net.0.weight": W, "net.0.bias": np.ones(4, np.float32), "unused": np.ones(1, np.float32)}
    graph = make.make_graph(
        [
            make.make_node("Gemm", ["x", "net.0.weight", "net.0.bias"], ["y"], transB=1),
            make.make_node("LeakyRelu", ["y"], ["z"], name="/net/net.1/LeakyRelu", alpha=0.5),
            make.make_node("ReduceMean", ["z"], ["mean"], keepdims=0),
        ],
        "network",
        [make.make_tensor_value_info("x", kind, ["batch", 3])],
        [make.make_tensor_value_info("mean", kind, [])],
        [onnx.numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return make.make_model(graph)


def test_a_model_has_weights_operations_modules_and_settings(model):
    record = graph_record(model)
    assert [node.id for node in record.nodes] == [
        "x",
        "net.0.weight",
        "net.0.bias",
        "y",
        "z",
        "mean",
        ("output", "mean"),
    ]
    assert [node.role for node in record.nodes][:3] == ["input", "parameter", "parameter"]
    assert [node.operation for node in record.nodes][3:] == ["Gemm", "LeakyRelu", "ReduceMean", "output"]
    assert [node.path for node in record.nodes][1:] == [("net", "0")] * 3 + [("net", "1"), (), ()]
    np.testing.assert_array_equal(record.nodes[1].value, W)
    assert record.nodes[0].shape == ("batch", 3) and record.nodes[-1].shape == ()
    assert record.nodes[4].extras["settings"] == {"alpha": 0.5}


@pytest.mark.long
def test_a_file_with_an_example_has_all_values(model, tmp_path):
    import onnx

    onnx.save(model, tmp_path / "model.onnx")
    x = np.array([[1, 2, 3]], np.float32)
    values = {node.id: node.value for node in graph_record(tmp_path / "model.onnx", x).nodes}
    np.testing.assert_allclose(values["y"], x @ W.T + 1)
    np.testing.assert_allclose(values["mean"], (x @ W.T + 1).mean())


def test_wrong_numbers_of_inputs_and_files_that_are_not_models_are_refused(model, tmp_path):
    with pytest.raises(DrawingError, match="requires the inputs x, got 2"):
        graph_record(model, W, W)
    with pytest.raises(DrawingError, match=r"none\.onnx' does not exist"):
        graph_record(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("not a model")
    with pytest.raises(DrawingError, match=r"text\.onnx' cannot be read"):
        graph_record(str(tmp_path / "text.onnx"))


def test_the_error_without_the_package_names_what_to_install(monkeypatch):
    original = builtins.__import__

    def without_onnx(name, *args, **kwargs):
        if name == "onnx":
            raise ImportError(name)
        return original(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_onnx)
    with pytest.raises(MissingExtraError, match="pip install onnx"):
        graph_record("model.onnx")
