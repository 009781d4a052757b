"""What is inside of an ONNX model: branches, loops and functions are frames, with edges from what is around them."""

import numpy as np
import pytest

import dark
from dark.draw import graph_record
from tests.draw.adapters.onnx_models import BOOL, INT, make, model_of, onnx, value

X = np.ones((2, 3), np.float32)


def branches():
    then = [make.make_node("MatMul", ["x", "w"], ["t"]), make.make_node("Relu", ["t"], ["u"])]
    condition = [
        make.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
        make.make_node("Greater", ["sum", "zero"], ["large"]),
        make.make_node(
            "If", ["large"], ["y"],
            then_branch=make.make_graph(then, "then", [], [value("u")]),
            else_branch=make.make_graph([make.make_node("Neg", ["x"], ["e"])], "else", [], [value("e")]),
        ),
    ]  # fmt: skip
    weights = {"w": np.eye(3, dtype=np.float32), "zero": np.float32(0)}
    return model_of(condition, [value("x")], [value("y")], weights)


def loop(body, **fields):
    node = make.make_node("Loop", ["n", "", "x"], ["y"], body=body)
    return model_of([node], [value("x"), value("n", (), INT)], [value("y")], **fields)


def body_of(nodes, result="v2"):
    nodes = [*nodes, make.make_node("Identity", ["cond"], ["cond2"])]
    ends = [value("i", (), INT), value("cond", (), BOOL), value("v")], [value("cond2", (), BOOL), value(result)]
    return make.make_graph(nodes, "body", *ends)


def test_both_branches_of_a_condition_are_frames_with_edges_from_around_them():
    record = graph_record(branches())
    paths = {node.operation: node.path for node in record.nodes}
    assert paths["MatMul"] == paths["Relu"] == ("If", "then_branch") and paths["Neg"] == ("If", "else_branch")
    assert paths["If"] == ("If",)
    names = [node.name or node.operation for node in record.nodes]
    kinds = {(node.operation, names[k]) for node, below in zip(record.nodes, record.links) for k in below}
    assert {("MatMul", "x"), ("MatMul", "w"), ("Neg", "x"), ("If", "Greater"), ("If", "Relu"), ("If", "Neg")} <= kinds
    end = next(node for node in record.nodes if node.operation == "If")
    assert end.labels == ("", "then", "else")
    assert "then_branch" in dark.draw(branches(), open=True).svg


@pytest.mark.parametrize("sign", [1, -1])
def test_the_branch_that_runs_has_values_and_the_other_has_none(sign):
    record = graph_record(branches(), sign * X)
    values = {node.operation: node.value for node in record.nodes if node.operation}
    np.testing.assert_array_equal(values["output"], X)
    assert (values["Neg"] is None) == (sign > 0) and (values["Relu"] is None) == (sign < 0)


def test_the_body_of_a_loop_starts_from_the_inputs_of_the_loop_and_its_results_go_back_to_it():
    model = loop(body_of([make.make_node("Add", ["v", "x"], ["v2"])]))
    record = graph_record(model, X, np.array(3))
    named = {node.name: node for node in record.nodes if node.name}
    assert named["v"].operation == "carry" and named["v"].inputs == ("x",) and named["v"].path == ("Loop",)
    assert named["i"].operation == "iteration"
    end = next(node for node in record.nodes if node.operation == "Loop")
    assert end.inputs[:2] == ("n", "x") and end.labels == ("", "", "next cond2", "next v2")
    np.testing.assert_array_equal(record.root.value, 4 * X)


def test_a_condition_in_a_loop_is_a_frame_in_its_frame():
    inner = make.make_node(
        "If", ["cond"], ["v2"],
        then_branch=make.make_graph([make.make_node("Add", ["v", "big"], ["q"])], "t", [], [value("q")]),
        else_branch=make.make_graph([make.make_node("Identity", ["v"], ["q"])], "e", [], [value("q")]),
    )  # fmt: skip
    model = loop(body_of([inner]))
    model.graph.node.insert(0, make.make_node("Relu", ["x"], ["big"]))
    record = graph_record(model)
    add = next(node for node in record.nodes if node.operation == "Add")
    assert add.path == ("Loop", "If", "then_branch") and "big" in add.inputs
    assert len({node.id for node in record.nodes}) == len(record)


def test_the_branches_may_use_the_same_names_and_hide_those_around_them():
    def branch(name, number):
        weight = onnx.numpy_helper.from_array(np.full((2, 3), number, np.float32), "w")
        return make.make_graph([make.make_node("Add", ["x", "w"], ["r"])], name, [], [value("r")], [weight])

    nodes = [
        make.make_node("If", ["flag"], ["y"], then_branch=branch("then", 1), else_branch=branch("else", 2)),
        make.make_node("Add", ["y", "w"], ["z"]),
    ]
    inputs = [value("x"), value("flag", (), BOOL)]
    model = model_of(nodes, inputs, [value("z"), value("z")], {"w": np.zeros((2, 3), np.float32)})
    for flag, number in ((True, 1), (False, 2)):
        np.testing.assert_array_equal(graph_record(model, X, flag).root.value, X + number)


def test_a_scan_hands_slices_and_a_carry_to_its_body():
    body = make.make_graph(
        [make.make_node("Add", ["c", "s"], ["d"]), make.make_node("Identity", ["d"], ["each"])],
        "body", [value("c", (3,)), value("s", (3,))], [value("d", (3,)), value("each", (3,))],
    )  # fmt: skip
    node = make.make_node("Scan", ["start", "x"], ["total", "sums"], body=body, num_scan_inputs=1)
    model = model_of([node], [value("x"), value("start", (3,))], [value("total", (3,)), value("sums")])
    record = graph_record(model, X, np.zeros(3))
    named = {node.name: node for node in record.nodes if node.name and node.path}
    assert (named["c"].operation, named["c"].inputs) == ("carry", ("start",))
    assert (named["s"].operation, named["s"].inputs) == ("slice", ("x",))
    end = next(node for node in record.nodes if node.operation == "Scan")
    assert end.labels[2:] == ("next d", "of each step") and [part.name for part in end.results] == ["total", "sums"]
    np.testing.assert_array_equal(record.root.value, [[1, 1, 1], [2, 2, 2]])


def test_a_function_of_the_model_is_a_frame_for_each_call_with_its_attributes():
    power = make.make_node("LeakyRelu", ["e"], ["b"])
    reference = power.attribute.add()
    reference.name, reference.ref_attr_name, reference.type = "alpha", "slope", onnx.AttributeProto.FLOAT
    imports = [make.make_opsetid("", 18)]
    function = make.make_function(
        "my", "Bent", ["a"], ["b"], [make.make_node("Neg", ["a"], ["e"]), power], imports, ["slope"]
    )
    calls = [
        make.make_node("Bent", ["x"], ["h"], domain="my", slope=0.5),
        make.make_node("Bent", ["h"], ["y"], domain="my", slope=0.25),
    ]
    model = model_of(calls, [value("x")], [value("y")], domains=["my"], functions=[function])
    record = graph_record(model, X)
    assert [(node.operation, node.path) for node in record.nodes[1:-1]] == [
        ("Neg", ("Bent",)), ("LeakyRelu", ("Bent",)), ("Neg", ("Bent_2",)), ("LeakyRelu", ("Bent_2",)),
    ]  # fmt: skip
    assert [node.extras["settings"]["alpha"] for node in record.nodes if node.operation == "LeakyRelu"] == [0.5, 0.25]
    np.testing.assert_array_equal(record.root.value, 0.5 * X)
