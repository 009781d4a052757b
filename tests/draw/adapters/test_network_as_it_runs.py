"""The picture of a network of PyTorch is the network as it runs: calls, with all that autograd does not record."""

import numpy as np
import pytest

import dark
from dark.draw import graph_record

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle
nn = torch.nn


def rows(record):
    """Return each node in words: its name or operation, and the words of its inputs."""
    words = {n.id: n.name or n.operation or str(n.read("value")) for n in record.nodes}
    return [(words[n.id], *(words[i] for i in n.inputs)) for n in record.nodes if n.operation]


def node(record, operation):
    (found,) = [n for n in record.nodes if n.operation == operation]
    return found


def inputs(record):
    return {n.name: n.shape for n in record.nodes if n.role == "input"}


def made(forward, **modules):
    """Return a network with some modules and a function as its `forward`."""
    network = type("Network", (nn.Module,), {"forward": forward})()
    for name, module in modules.items():
        network.register_buffer(name, module) if isinstance(module, torch.Tensor) else setattr(network, name, module)
    return network


def test_a_slice_of_an_integer_input_is_a_slice():
    record = graph_record(
        made(lambda self, ids: self.emb(ids[:, 0]) + self.emb(ids[:, 1]), emb=nn.Embedding(9, 2)),
        torch.randint(0, 9, (3, 5)),
    )
    assert inputs(record) == {"ids": (3, 5)}
    slices = [n for n in record.nodes if n.operation == "getitem"]
    assert [n.extras["settings"]["index"] for n in slices] == [":, 0", ":, 1"]
    assert [(n.shape, n.role) for n in slices] == [((3,), "detached")] * 2
    assert rows(record)[1] == ("embedding", "getitem", "emb.weight")


def test_autograds_graph_does_not_take_a_slice_for_the_input_either():
    network = made(lambda self, ids: self.emb(ids[:, 0]) + self.emb(ids[:, 1]), emb=nn.Embedding(9, 2))
    record = graph_record(network, torch.randint(0, 9, (3, 5)), grad_fn=True)
    assert all(n.shape == (3, 5) for n in record.nodes if n.role == "input")


def test_what_runs_without_gradient_is_drawn_apart():
    def frozen(self, x):
        with torch.no_grad():
            features = self.body(x)
        return self.head(features)

    network = made(frozen, body=nn.Linear(3, 4), head=nn.Linear(4, 2))
    record = graph_record(network, torch.ones(2, 3))
    body, head = [n for n in record.nodes if n.operation == "linear"]
    assert rows(record) == [
        ("linear", "x", "body.weight", "body.bias"),
        ("linear", "linear", "head.weight", "head.bias"),
    ]
    assert (body.role, body.path, head.role, head.path) == ("detached", ("body",), "result", ("head",))
    assert "without gradient" in dark.draw(network, torch.ones(2, 3)).svg


def test_argmax_masks_buffers_and_numbers_have_their_places_and_values():
    def forward(self, x, mask, y):
        codes = self.table(self.layer(x).argmax(1))
        kept = codes.masked_fill(mask, -1.0) * (y > 0) + self.offset
        return torch.stack([(kept + 1.5) / 3 - 2, torch.ones(2, 3), torch.where(mask, kept, 0.0)])

    network = made(forward, layer=nn.Linear(3, 4), table=nn.Embedding(4, 3), offset=torch.full((3,), 7.0))
    record = graph_record(network, torch.ones(2, 3), torch.ones(2, 3) > 0, torch.ones(2, 3))
    assert rows(record) == [
        ("linear", "x", "layer.weight", "layer.bias"), ("argmax", "linear"), ("embedding", "argmax", "table.weight"),
        ("masked_fill", "embedding", "mask", "-1.0"), ("gt", "y", "0"), ("mul", "masked_fill", "gt"),
        ("add", "mul", "offset"), ("add", "add", "1.5"), ("div", "add", "3"), ("sub", "div", "2"),
        ("where", "mask", "add", "0.0"), ("stack", "sub", "ones", "where"),
    ]  # fmt: skip
    assert {n.operation for n in record.nodes if n.role == "detached"} == {"argmax", "gt"}
    offset = next(n for n in record.nodes if n.name == "offset")
    assert offset.role == "constant" and np.array_equal(offset.value, [7.0] * 3)


def test_numbers_on_the_left_are_on_the_left():
    record = graph_record(lambda x: (2 - x) / (1 / x) + 3**x, torch.ones(2))
    assert rows(record) == [
        ("sub", "2", "x"), ("div", "1", "x"), ("div", "sub", "div"), ("pow", "3", "x"), ("add", "div", "pow"),
    ]  # fmt: skip


def test_results_of_no_use_other_outputs_and_unused_inputs_are_there():
    def forward(self, x, unused):
        self.b(x)
        return self.a(x), x.argmax(1), {"n": 3, "mean": x.mean()}

    record = graph_record(made(forward, a=nn.Linear(3, 3), b=nn.Linear(3, 3)), torch.ones(2, 3), torch.zeros(1))
    assert inputs(record) == {"x": (2, 3), "unused": (1,)}
    assert [n.path for n in record.nodes if n.operation == "linear"] == [("b",), ("a",)]
    assert rows(record)[-1] == ("tuple", "linear", "argmax", "mean")
    assert record.root.labels == ("[0]", "[1]", "[2].mean")


def test_a_result_that_is_used_further_stays_the_last_node():
    def forward(self, x):
        y = self.a(x)
        y.argmax(1)
        return y

    record = graph_record(made(forward, a=nn.Linear(3, 3)), torch.ones(2, 3))
    assert rows(record)[-1] == ("output", "linear") and record.root.operation == "output"


def test_modules_in_place_have_their_frame():
    record = graph_record(nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True)), torch.ones(2, 3))
    assert node(record, "relu").path == ("1",) and record.modules["1",] == "ReLU"
    # Each call knows its own operation of autograd, also where a later one changes its result.
    assert [node(record, each).extras["node"].name()[:4] for each in ("linear", "relu")] == ["Addm", "Relu"]


def test_an_operation_with_several_results_is_one_node():
    def forward(self, x):
        values, indices = x.topk(2)
        hidden, (h, c) = self.lstm(values)
        return hidden.sum() + self.emb(indices).sum() + h.mean()

    record = graph_record(made(forward, lstm=nn.LSTM(2, 3), emb=nn.Embedding(5, 2)), torch.rand(4, 5))
    topk = node(record, "topk")
    assert [(r.name, r.shape, r.dtype) for r in topk.results] == [
        ("values", (4, 2), "float32"), ("indices", (4, 2), "int64"),
    ]  # fmt: skip
    assert node(record, "embedding").labels == ("indices", "") and len(node(record, "lstm").results) == 3
    text = dark.draw(nn.LSTM(2, 3), torch.ones(4, 2)).text
    assert text.count("lstm") == 1


def test_functions_have_the_names_that_the_user_called():
    network = nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.MaxPool2d(2), nn.BatchNorm2d(2), nn.Flatten(), nn.GELU(), nn.Dropout()
    )
    record = graph_record(network, torch.ones(2, 1, 8, 8))
    assert [n.operation for n in record.nodes if n.operation] == [
        "conv2d", "max_pool2d", "batch_norm", "flatten", "gelu", "dropout",
    ]  # fmt: skip
    assert node(record, "max_pool2d").extras["settings"]["kernel_size"] == (2, 2)
    by_autograd = graph_record(network, torch.ones(2, 1, 8, 8), grad_fn=True)
    assert "max_pool2d_with_indices" in {n.operation for n in by_autograd.nodes}
    buffers = {n.name for n in record.nodes if n.role == "constant"}
    assert buffers == {"2.running_mean", "2.running_var"}


def test_calls_of_one_module_are_numbered_as_they_were_called():
    def forward(self, x):
        for _ in range(3):
            x = self.block(x)
        return x

    inner = made(lambda self, x: self.layer(self.layer(x)), layer=nn.Linear(2, 2))
    record = graph_record(made(forward, block=inner), torch.ones(1, 2))
    paths = [n.path for n in record.nodes if n.operation == "linear"]
    assert paths == [(f"block ({block})", f"layer ({layer})") for block in (1, 2, 3) for layer in (1, 2)]


def test_a_change_in_place_is_followed_through_the_memory_that_tensors_share():
    def change(x):
        y = x.clone()
        first, second = y[0], y[1]
        first.mul_(2)
        y[:, 0] = 5.0
        return first.sum(), second.exp(), y.log()

    record = graph_record(change, torch.ones(2, 3))
    got = rows(record)
    assert ("mul_", "getitem", "2") in got and ("setitem", "mul_") in got
    assert ("sum", "setitem") in got and ("exp", "setitem") in got and ("log", "setitem") in got

    def columns(x):
        y = x.clone()
        left, right = y[:, 0], y[:, 1]
        left.zero_()
        return right.exp()

    assert rows(graph_record(columns, torch.ones(2, 3)))[-1] == ("exp", "getitem")


class Cube(torch.autograd.Function):
    """A function with a backward pass of its own and two results."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x**3 * w, x + 1

    @staticmethod
    def backward(ctx, g, h):
        x, w = ctx.saved_tensors
        return 3 * g * x**2 * w + h, (g * x**3).sum(0)


def test_a_function_with_its_own_backward_pass_is_a_node_after_the_calls_in_it():
    def forward(self, x):
        cubes, more = Cube.apply(self.layer(x), self.layer.bias)
        return cubes.sum() + more.sum()

    record = graph_record(made(forward, layer=nn.Linear(3, 3)), torch.ones(2, 3))
    cube = node(record, "cube")
    below = [n for n in record.nodes if n.id in cube.inputs]
    assert {"linear", "mul"} <= {n.operation for n in below} and "layer.bias" in {n.name for n in below}
    assert node(record, "pow").role == "detached" and cube.role == "result" and len(cube.results) == 2


def test_the_whole_model_of_a_transformer_has_no_detached_part_and_one_box_a_call():
    network = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 3)
    record = graph_record(network, torch.ones(2, 4, 8))
    used = {i for n in record.nodes for i in n.inputs}
    assert [n.operation for n in record.nodes[:-1] if n.id not in used] == []
    called = [n.operation for n in record.nodes if n.path[:2] == ("layers", "1") and n.operation]
    assert called.count("multi_head_attention_forward") == 1 and called.count("linear") == 2 and "t" not in called
    assert "relu" in called and "detached" not in {n.role for n in record.nodes}


def test_a_module_that_is_called_several_times_counts_as_often_when_modules_are_opened():
    def forward(self, x):
        return x + self.act(self.last(self.act(self.first(x))))

    def block():
        return made(forward, first=nn.Linear(2, 2), last=nn.Linear(2, 2), act=nn.ReLU(inplace=True))

    class Blocks(nn.Module):
        def __init__(self):
            super().__init__()
            self.names = "abcdefghijklm"
            for name in self.names:
                setattr(self, name, block())

        def forward(self, x):
            for name in self.names:
                x = getattr(self, name)(x)
            return x

    drawing = dark.draw(Blocks(), torch.ones(1, 2))
    assert len([box for box in drawing.boxes if box.kind == "group"]) == 13 and len(drawing.boxes) < 20
