"""JAX: which functions are its own, arguments that do not vary, the names of weights, settings, bodies and results."""

import functools

import numpy as np
import pytest

import dark
from dark.draw import graph_record
from dark.draw.adapters.jax_graphs import jaxpr as door
from dark.draw.adapters.jax_graphs.functions import uses_jax
from dark.draw.adapters.registry import is_of_jax
from dark.errors import DrawingError

jax = pytest.importorskip("jax", reason="the oracle extra (JAX) is not installed")
jnp = pytest.importorskip("jax.numpy", reason="the oracle extra (JAX) is not installed")
pytestmark = [pytest.mark.oracle, pytest.mark.long]
X = np.arange(3, dtype=np.float32)
SCALE = jnp.asarray(X + 1)


def scaled(x):
    return (x * SCALE).sum()


def uses_it_below(x):
    return scaled(x) * 2


def imports_it(x):
    import jax.numpy as numbers

    return numbers.sum(x)


class Network:
    def __init__(self):
        self.w, self.layers = jnp.ones((3, 2)), [{"bias": jnp.zeros(2)}]

    def __call__(self, x):
        return self.encode(x).sum()

    def encode(self, x):
        return x @ self.w + self.layers[0]["bias"]


@functools.partial(jax.tree_util.register_dataclass, data_fields=["kernel", "count"], meta_fields=["name"])
class Dense:
    """A tree of arrays that can be called, as modules of equinox and flax are."""

    def __init__(self, kernel=None, count=None, name="dense"):
        self.kernel, self.count, self.name = kernel, count, name

    def __call__(self, x):
        return (x @ self.kernel).sum()

    def twice(self, x):
        return self(x) * 2


THEIRS = {
    "lambda": lambda x: jnp.sum(x**2),
    "calls another": uses_it_below,
    "imports it": imports_it,
    "of JAX itself": jnp.sum,
    "partial": functools.partial(lambda x, k: jnp.sum(x) * k, k=2),
    "object": Network(),
    "method": Network().encode,
    "vmap": jax.vmap(lambda x: x**2),
    "closure": (lambda arrays: lambda x: x * arrays[0])([jnp.ones(3)]),
}
NOT_THEIRS = {
    "numpy": lambda x: np.sum(x),
    "dark": lambda x: dark.sum(x),
    "class": Network,
    "text": "jax",
    "network of dark": dark.nn.Linear(3, 2),
}


@pytest.mark.parametrize("name", THEIRS)
def test_a_function_that_uses_jax_is_drawn_with_arrays_of_numpy(name):
    assert is_of_jax(THEIRS[name], X)
    np.testing.assert_allclose(graph_record(THEIRS[name], X).root.value, THEIRS[name](X), rtol=1e-6)


@pytest.mark.parametrize("name", NOT_THEIRS)
def test_what_does_not_use_jax_is_left_to_others(name):
    assert not is_of_jax(NOT_THEIRS[name], X) and not is_of_jax(THEIRS["lambda"])


def test_the_search_for_jax_ends_in_objects_that_hold_themselves():
    thing = Network()
    thing.w, thing.layers, thing.me = None, [], thing
    type(thing)  # its methods name nothing of JAX
    assert not uses_jax(thing)


def g(x, mode, steps=2):
    for _ in range(steps):
        x = jnp.tanh(x) if mode == "tanh" else -x
    return x.sum()


@pytest.mark.parametrize(
    "function", [g, jax.jit(g, static_argnums=(1, 2)), jax.jit(g, static_argnames=("mode", "steps"))]
)
def test_texts_and_numbers_that_cannot_vary_are_handed_over_as_they_are(function):
    record = graph_record(function, X, "tanh", 3)
    assert [node.operation for node in record.nodes] == ["", "tanh", "tanh", "tanh", "reduce_sum"]
    np.testing.assert_allclose(record.root.value, g(X, "tanh", 3), rtol=1e-6)
    by_name = door.nodes(function, X, keywords={"mode": "tanh", "steps": 1})
    assert [node.operation for node in by_name] == ["", "tanh", "reduce_sum"]


def test_numbers_that_may_vary_are_inputs():
    record = graph_record(lambda x, k: jnp.sum(x) * k, X, 2.0)
    assert [node.name for node in record.nodes if node.role == "input"] == ["x", "k"]
    assert record.nodes[1].value == 2.0 and record.nodes[1].grad == X.sum()


def test_an_input_without_use_has_a_box_and_indices_in_a_container_are_no_parameters():
    record = graph_record(lambda batch, mask: batch["x"].sum(), {"x": SCALE, "ids": np.arange(3)}, X)
    roles = {node.name: node.role for node in record.nodes if node.name}
    assert roles == {"ids": "input", "x": "parameter", "mask": "input"}


@pytest.mark.parametrize(
    ("function", "operation", "words"),
    [
        (lambda x: x**3, "integer_pow", "y=3"),
        (lambda x: x[None].sum(axis=(0, 1)), "reduce_sum", "axes=(0, 1)"),
        (lambda x: x @ x, "dot_general", "contract=(0,) · (0,)"),
        (lambda x: jnp.einsum("bi,bi->b", x[None], x[None]), "dot_general", "batch=(0,) · (0,)"),
        (lambda x: x.astype(jnp.bfloat16), "convert_element_type", "new_dtype=bfloat16"),
        (lambda x: jnp.cumsum(x), "cumsum", "axis=0"),
    ],
)
def test_the_settings_of_a_primitive_are_in_its_box_and_all_of_them_in_the_record(function, operation, words):
    node = next(node for node in graph_record(function, SCALE).nodes if node.operation == operation)
    assert words in node.extras["brief"] and node.extras["settings"]
    assert words in dark.draw(function, SCALE).svg.replace("\xa0", " ")


def test_the_exponent_tells_two_pictures_apart():
    assert dark.draw(lambda x: x**2, jnp.ones(3)).svg != dark.draw(lambda x: x**3, jnp.ones(3)).svg


def scanned(w, xs):
    def step(h, x):
        h = jnp.tanh(h + w * x)
        return h, h.sum()

    return jax.lax.scan(step, jnp.zeros(3), xs)


def test_a_scan_is_one_box_with_its_results_and_a_frame_with_its_body():
    record = graph_record(scanned, X, np.ones((4, 3)))
    (scan,) = [node for node in record.nodes if node.operation == "scan"]
    assert [(part.name, part.shape) for part in scan.results] == [("carry", (3,)), ("stacked", (4,))]
    inside = {node.operation: node for node in record.nodes if node.path == ("scan",)}
    assert {"carry", "slice", "tanh", "add"} <= set(inside) and inside["slice"].shape == (3,)
    multiply = inside["mul"]
    assert record.nodes[0].id in multiply.inputs and record.nodes[0].name == "w"
    assert scan.labels[-2:] == ("next", "of each step") and scan.inputs[-2] == inside["tanh"].id
    ends = [node for node in record.nodes if node.operation == "output"]
    assert [(end.name, end.labels) for end in ends] == [("[0]", ("carry",)), ("[1]", ("stacked",))]
    for end, expected in zip(ends, scanned(X, np.ones((4, 3)))):
        np.testing.assert_allclose(end.value, expected, rtol=1e-6)


def test_condition_and_body_of_a_while_loop_are_frames():
    record = graph_record(lambda x: jax.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x)), X)
    paths = {node.operation: node.path for node in record.nodes}
    assert paths["lt"] == ("while", "condition") and paths["mul"] == ("while", "body") and paths["while"] == ("while",)
    (loop,) = [node for node in record.nodes if node.operation == "while"]
    assert loop.labels[-3:] == ("while", "next", "next") and len(loop.results) == 2
    np.testing.assert_array_equal(record.root.value, X * 8)


def test_both_branches_of_a_condition_are_frames_with_edges_from_its_operands():
    record = graph_record(lambda x: jax.lax.cond(x.sum() > 0, jnp.sin, lambda v: -v, x), X)
    nodes = {node.operation: node for node in record.nodes}
    assert nodes["sin"].path == ("cond", "if_true") and nodes["neg"].path == ("cond", "if_false")
    assert nodes["sin"].inputs == nodes["neg"].inputs == (record.nodes[0].id,)
    assert nodes["cond"].inputs[-2:] == (nodes["sin"].id, nodes["neg"].id)
    switch = graph_record(lambda i, x: jax.lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], x), 1, X)
    assert [node.path[1] for node in switch.nodes if len(node.path) > 1] == ["branch_0", "branch_1", "branch_2"]


def test_the_weights_of_an_object_have_the_names_of_its_attributes():
    named = {node.name: node for node in graph_record(Network(), X).nodes if node.name}
    assert {"w", "layers.0.bias"} <= set(named) and named["w"].role == "parameter"


@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit])
def test_the_arrays_of_a_tree_that_can_be_called_are_parameters_with_gradients(wrap):
    kernel = jnp.ones((3, 2))
    record = graph_record(wrap(Dense(kernel, jnp.asarray(0))), X)
    named = {node.name: node for node in record.nodes if node.name}
    assert (named["kernel"].role, named["count"].role) == ("parameter", "input")
    np.testing.assert_array_equal(named["kernel"].grad, np.repeat(X[:, None], 2, 1))


def test_the_arrays_of_a_method_and_those_around_a_function_are_named():
    record = graph_record(Dense(jnp.ones((3, 2))).twice, X)
    assert {node.name for node in record.nodes if node.name} == {"kernel", "x"} and record.root.value == 12
    (scale,) = [node for node in graph_record(scaled, X).nodes if node.name == "SCALE"]
    assert scale.role == "constant"


@pytest.mark.parametrize(
    ("thing", "inputs", "words"),
    [
        (lambda a, b: jnp.dot(a, b), (jnp.ones(3), jnp.ones(4)), "cannot trace <lambda> .*TypeError"),
        (jax.jit(lambda x: x), (), "cannot trace <lambda> .*missing 1 required"),
        (lambda x: "text", (jnp.ones(3),), "cannot trace <lambda>"),
        (jnp.ones(3), (), "ArrayImpl of JAX does not know how it was computed"),
        (jax.jit(jnp.sin).lower(jnp.ones(3)), (), "Lowered of JAX does not know how it was computed"),
    ],
)
def test_what_jax_cannot_trace_is_refused_in_three_parts(thing, inputs, words):
    with pytest.raises(DrawingError, match=rf"(?s){words}.*\n  Expected: .*\n  Try: "):
        dark.draw(thing, *inputs)


def test_a_traced_function_is_read_like_its_jaxpr():
    assert [node.operation for node in graph_record(jax.jit(jnp.sin).trace(X)).nodes] == ["", "sin"]


def test_a_jaxpr_with_named_lengths_keeps_them():
    (batch,) = jax.export.symbolic_shape("batch") if hasattr(jax, "export") else pytest.skip("an older JAX")
    closed = jax.make_jaxpr(lambda x: x * 2)(jax.ShapeDtypeStruct((batch, 3), jnp.float32))
    assert [node.shape for node in graph_record(closed).nodes if node.role != "constant"] == [("batch", 3)] * 2
