"""A law, over the models that the package onnx tests with: every edge of a model is an edge of its record."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from dark.draw import GraphRecord, graph_record
from tests.draw.adapters.onnx_models import make, model_of, onnx, value

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


def edges_of(graph, prefix="", around=()):
    """Yield (id of the node of the input, id of the node) for each edge of a graph and of the bodies in it."""
    known = dict(around) | {value.name: prefix + value.name for value in (*graph.input, *graph.initializer)}
    for node in graph.node:
        names = [name for name in node.output if name]
        known |= dict.fromkeys(names, prefix + names[0])
    for node in graph.node:
        target = prefix + next(name for name in node.output if name)
        yield from ((known[name], target) for name in node.input if name)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                inside = f"{target}/{attribute.name}/"
                yield from edges_of(attribute.g, inside, known)
                ends = {name: inside + each.output[0] for each in attribute.g.node for name in each.output if name}
                ends |= {value.name: inside + value.name for value in attribute.g.input}
                yield from ((ends.get(end.name, known.get(end.name)), target) for end in attribute.g.output)
    if not prefix:
        yield from ((known[value.name], ("output", value.name)) for value in graph.output)


def missing_edges(model, record):
    """Return the edges of a model that a record lacks; a scalar has a node for each use, whose id begins with its."""
    scalars = {node.id for node in record.nodes if node.role == "constant"}
    found = {
        (i[0] if i in scalars and isinstance(i, tuple) else i, node.id) for node in record.nodes for i in node.inputs
    }
    return [edge for edge in edges_of(model.graph) if edge not in found]


@pytest.mark.parametrize("read", [models_of_files, models_of_operators])
def test_every_edge_of_a_model_is_an_edge_of_the_record(read):
    cases = [(name, model) for name, model, _ in read() if not model.functions]
    wrong = {name: found for name, model in cases if (found := missing_edges(model, graph_record(model)))}
    assert not wrong and len(cases) > 100


def test_the_law_finds_an_edge_that_is_left_out():
    model = model_of(
        [make.make_node("Add", ["x", "w"], ["y"])], [value("x")], [value("y")], {"w": np.ones((2, 3), "f")}
    )
    record = graph_record(model)
    less = [replace(node, inputs=node.inputs[:1]) for node in record.nodes]
    assert missing_edges(model, record) == [] and missing_edges(model, GraphRecord(less)) == [("w", "y")]


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
