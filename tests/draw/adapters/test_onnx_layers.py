"""The files of PyTorch's older exporter: equal layers fold, with their constants and their copies of weights."""

import numpy as np
import pytest

import dark
from dark.draw import graph_record
from tests.draw.adapters.onnx_models import make, model_of, onnx, value

EYE = np.eye(3, dtype=np.float32)


def layer(k, copied):
    """The nodes of a block as PyTorch's older exporter writes them."""
    path, below = f"/layers.{k}/linear", f"h{k}"
    weight = f"onnx::MatMul_{k}"
    copy = [make.make_node("Identity", ["onnx::MatMul_0"], [weight], name=f"Identity_{k}")] if copied and k else []
    return [
        *copy,
        make.make_node("MatMul", [below, weight], [f"product{k}"], name=f"{path}/MatMul"),
        make.make_node(
            "Constant", [], [f"{path}/Constant_output_0"], name=f"{path}/Constant",
            value=onnx.numpy_helper.from_array(np.array([1.0, 2.0, 3.0], np.float32)),
        ),
        make.make_node("Add", [f"product{k}", f"{path}/Constant_output_0"], [f"sum{k}"], name=f"{path}/Add"),
        make.make_node("Relu", [f"sum{k}"], [f"h{k + 1}"], name=f"/layers.{k}/act/Relu"),
    ]  # fmt: skip


@pytest.mark.parametrize("copied", [False, True])
def test_equal_layers_of_an_older_exporter_fold_with_their_constants_and_copies_of_weights(copied):
    nodes = [node for k in range(6) for node in layer(k, copied)]
    nodes.sort(key=lambda node: node.op_type != "Identity")  # they come first in such a file
    weights = {f"onnx::MatMul_{k}": EYE for k in range(1 if copied else 6)}
    model = model_of(nodes, [value("h0")], [value("h6")], weights)
    drawing = dark.draw(model)
    assert any("×5" in title or "×6" in title for title in drawing.titles.values())
    used = {k for box in drawing.boxes for k in box.inputs}
    assert used == set(range(len(drawing.boxes) - 1)) and len(drawing.boxes) <= 14
    record = graph_record(model)
    assert all(node.path[:1] == ("layers",) for node in record.nodes if node.operation not in ("", "output"))
