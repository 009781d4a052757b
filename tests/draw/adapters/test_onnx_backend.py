"""A law, over the models that the package onnx tests with: every edge of a model is an edge of its record."""

import warnings

import numpy as np
import pytest

from dark.draw import graph_record

onnx = pytest.importorskip("onnx", reason="the oracle extra (ONNX) is not installed")
pytestmark = [pytest.mark.oracle, pytest.mark.long]
KINDS = ("simple", "pytorch-converted", "pytorch-operator")


def models_of_files():
    from onnx.backend.test.loader import load_model_tests

    cases = [case for kind in KINDS for case in load_model_tests(kind=kind)]
    return [(case.name, onnx.load(f"{case.model_dir}/model.onnx"), []) for case in cases if case.model_dir]


def models_of_operators():
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    return [(case.name, case.model, case.data_sets) for case in cases]


def edges_of(graph, prefix=""):
    """Yield (name of the input, id of the node) for each edge of a graph and of the bodies in it."""
    for node in graph.node:
        target = prefix + next(name for name in node.output if name)
        if node.op_type == "Constant":
            continue
        yield from ((name, target) for name in node.input if name)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from edges_of(attribute.g, f"{target}/{attribute.name}/")
                yield from ((value.name, target) for value in attribute.g.output)
    if not prefix:
        yield from ((value.name, ("output", value.name)) for value in graph.output)


def names_of(node):
    key = node.id[0] if isinstance(node.id, tuple) and node.role == "constant" else node.id
    name = key[1] if isinstance(key, tuple) else key
    return {name.rsplit("/", 1)[-1], *(part.name for part in node.results)}


def missing_edges(model, record):
    by_id = {node.id: node for node in record.nodes}
    found = {(name, node.id) for node in record.nodes for i in node.inputs for name in names_of(by_id[i])}
    return [edge for edge in edges_of(model.graph) if (edge[0].rsplit("/", 1)[-1], edge[1]) not in found]


@pytest.mark.parametrize("read", [models_of_files, models_of_operators])
def test_every_edge_of_a_model_is_an_edge_of_the_record(read):
    cases = [(name, model) for name, model, _ in read() if not model.functions]
    wrong = {name: found for name, model in cases if (found := missing_edges(model, graph_record(model)))}
    assert not wrong and len(cases) > 100


def test_the_nodes_of_functions_have_the_edges_that_the_package_gives_them():
    from onnx.inliner import inline_local_functions

    for name, model, _ in models_of_operators():
        if model.functions:
            record = graph_record(model)
            operations = [node.operation for node in record.nodes]
            got = [
                (operations[i] or "", node.operation) for node, below in zip(record.nodes, record.links) for i in below
            ]
            inlined = graph_record(inline_local_functions(model))
            same = [node.operation for node in inlined.nodes]
            expected = [
                (same[i] or "", node.operation) for node, below in zip(inlined.nodes, inlined.links) for i in below
            ]
            assert sorted(got) == sorted(expected), name


def test_with_inputs_every_model_is_drawn_with_the_values_that_are_expected():
    wrong, compared = [], 0
    for name, model, data in models_of_operators()[::6]:
        for inputs, outputs in data[:1]:
            record = graph_record(model, *inputs)
            ends = [node for node in record.nodes if node.operation == "output"]
            assert len(ends) == len(outputs), name
            for end, expected in zip(ends, outputs):
                if (
                    isinstance(expected, np.ndarray)
                    and isinstance(end.value, np.ndarray)
                    and expected.dtype.kind in "fiub"
                ):
                    compared += 1
                    near = np.allclose(end.value, expected, rtol=1e-3, atol=1e-5, equal_nan=True)
                    wrong += [name] * (end.value.shape != expected.shape or not near)
    assert compared > 250 and len(wrong) <= 4, wrong  # random numbers, and results of the reference itself
