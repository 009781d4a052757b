"""Small ONNX models for tests."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the oracle extra (ONNX) is not installed")
make, FLOAT = onnx.helper, onnx.TensorProto.FLOAT
INT, BOOL = onnx.TensorProto.INT64, onnx.TensorProto.BOOL


def value(name, shape=(2, 3), kind=FLOAT):
    return make.make_tensor_value_info(name, kind, shape)


def model_of(nodes, inputs, outputs, weights=(), domains=(), **fields):
    tensors = [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in dict(weights).items()]
    graph = make.make_graph(nodes, "network", inputs, outputs, tensors)
    imports = [make.make_opsetid("", 18), *(make.make_opsetid(domain, 1) for domain in domains)]
    return make.make_model(graph, ir_version=9, opset_imports=imports, **fields)
