"""Networks of public packages: what is drawn is what an independent traversal finds, and no box of the picture lies."""

import pytest

import dark
from dark.draw.graph.numbered_calls import plain_path
from tests.draw.adapters.public_models.models import MODELS
from tests.draw.adapters.public_models.traversal import (
    Counted,
    Watched,
    in_step,
    operations_below,
    sources_of,
    tensors_in,
    with_gradients,
)  # fmt: skip
from tests.draw.graph.honest import assert_honest
from tests.draw.layered.texts import assert_names_differ, assert_texts_fit, assert_titles_fit

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = [pytest.mark.oracle, pytest.mark.long, pytest.mark.filterwarnings("ignore")]
# Operations of autograd within one box: parts of functions such as linear, attention, norm and reshape.
WITHIN = {"T", "Clone", "View", "Addmm", "Mm", "UnsafeView", "ReshapeAlias", "Expand", "Bmm", "Transpose", "Unsqueeze",
          "LinalgVectorNorm", "ClampMin", "Squeeze", "Select", "ScaledDotProductFlashAttentionForCpu", "SafeSoftmax",
          "Permute", "Mul", "Mean", "Add"}  # fmt: skip
# Operations with a function of their own, which a record counts as the dispatcher does.
COUNTED = {"convolution": ("conv1d", "conv2d"), "embedding": ("embedding",), "native_layer_norm": ("layer_norm",),
           "native_batch_norm": ("batch_norm",), "gelu": ("gelu",), "cat": ("cat", "concat")}  # fmt: skip


class Drawn:
    """A network, what a call of it does, and its drawing."""

    def __init__(self, name):
        torch.manual_seed(0)
        self.network, args, keywords = MODELS[name]()
        watched = Watched(self.network.eval().requires_grad_())
        args, keywords = with_gradients(args), with_gradients(keywords)
        self.counted = Counted(watched.stack)
        with torch.random.fork_rng(), self.counted:
            self.network(*args, **keywords)
        watched.taken()
        with torch.random.fork_rng():  # a mode of the dispatcher changes what autograd records
            self.own = self.network(*args, **keywords)
        self.calls = watched.taken()
        self.drawing = dark.draw(self.network, *args, arguments=keywords)
        self.record, self.copied, self.copied_calls = self.drawing.record, watched.result, watched.taken()


@pytest.fixture(scope="module", params=MODELS)
def drawn(request):
    return Drawn(request.param)


def below(record, k, seen):
    """Add the nodes that a node is computed from to those that are seen."""
    waiting = [k]
    while waiting:
        k = waiting.pop()
        if k not in seen:
            seen.add(k)
            waiting += record.links[k]
    return seen


def test_every_edge_of_autograd_is_an_edge_or_within_a_box(drawn):
    record = drawn.record
    own, copied = ([tensor.grad_fn for tensor in tensors_in(part)] for part in (drawn.own, drawn.copied))
    partner = in_step(own, copied)
    place = {node.extras["node"]: k for k, node in enumerate(record.nodes) if node.extras.get("node") is not None}
    names = {parameter: name for name, parameter in drawn.network.named_parameters()}
    leaves = {node.name: k for k, node in enumerate(record.nodes) if not node.operation}
    assert all(partner[root] in place for root in own if root is not None)
    checked = 0
    for operation in operations_below(own):
        k = place.get(partner[operation])
        for source in sources_of(operation, lambda each: partner[each] in place) if k is not None else ():
            there = place.get(partner[source])
            if there is None and source.variable in names:
                there = leaves[names[source.variable]]
                assert record.nodes[there].shape == tuple(source.variable.shape)
            assert there is None or there in record.links[k], (operation, source)
            checked += 1
    hidden = {each.name() for each in partner if partner[each] not in place and not hasattr(each, "variable")}
    assert {name.partition("Backward")[0] for name in hidden} <= WITHIN
    assert checked > 10


def test_parameters_and_calls_of_modules_appear_with_their_shapes(drawn):
    nodes = drawn.record.nodes
    assert drawn.copied_calls == drawn.calls
    used = {operation.variable for operation in operations_below([t.grad_fn for t in tensors_in(drawn.own)])
            if hasattr(operation, "variable")}  # fmt: skip
    shapes = {node.name: node.shape for node in nodes if node.role == "parameter"}
    for name, parameter in drawn.network.named_parameters():
        assert parameter not in used or shapes[name] == tuple(parameter.shape), name
    inside = {}
    for node in nodes:
        for k in range(1, len(node.path) + 1) if node.operation else ():
            known = inside.setdefault(".".join(plain_path(node.path[:k])), set())
            known.update({node.shape, *(result.shape for result in node.results)})
    for name, shape in drawn.calls:
        if name and drawn.counted.modules[name]:
            assert name in inside and (shape is None or shape in inside[name]), (name, shape)
    ran = "".join([f" {name}." for name in drawn.counted.modules])  # a list of modules is not called itself
    assert [name for name in inside if f" {name}." not in ran] == []


def test_operations_are_as_many_as_run(drawn):
    """Those in a function of PyTorch that is one box, such as attention, are not seen."""
    names = [node.operation for node in drawn.record.nodes]
    for operation, functions in COUNTED.items():
        assert sum(map(names.count, functions)) <= drawn.counted.operations[operation], operation
        if operation not in ("cat",):
            assert sum(map(names.count, functions)) == drawn.counted.operations[operation], operation


def test_no_box_of_the_picture_lies(drawn):
    drawing, record = drawn.drawing, drawn.record
    for open in (None, True, 1):
        assert_honest(record, open)
    if drawing.note:
        assert f"{len(record)} nodes" in drawing.note and f"{len(drawing.boxes)} boxes" in drawing.note
    parts = drawing.scene.parts
    assert_texts_fit(drawing.svg)
    assert_titles_fit(parts)
    assert_names_differ(parts)
    placed = parts.placed()
    ends = {(source, target) for source, target, _ in placed.edges if target is not None}
    assert ends == {(k, i) for i, inputs in parts.links.items() for k in inputs}
