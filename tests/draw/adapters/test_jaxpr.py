"""The graphs of JAX: jaxprs, and functions with example arguments."""

import numpy as np
import pytest

import dark
from dark.draw import graph_record

jax = pytest.importorskip("jax", reason="the oracle extra (JAX) is not installed")
jnp = pytest.importorskip("jax.numpy", reason="the oracle extra (JAX) is not installed")
pytestmark = [pytest.mark.oracle, pytest.mark.long]


def loss(params, x):
    with jax.named_scope("layer1"):
        h = jax.nn.relu(x @ params["layer1"]["w"] + params["layer1"]["b"])
    total, _ = jax.lax.scan(lambda c, a: (c + a, a), 0.0, jax.jit(jnp.sin)(h).ravel())
    return jax.lax.cond(total > 0, lambda v: v, lambda v: -v, total) + jax.nn.logsumexp(h)


def example():
    rng = np.random.default_rng(0)
    w, x = (jnp.asarray(rng.normal(size=shape), dtype=jnp.float32) for shape in ((3, 2), (4, 3)))
    return {"layer1": {"w": w, "b": jnp.zeros(2)}}, x


def test_a_function_with_arguments_has_values_and_gradients():
    params, x = example()
    record = graph_record(loss, params, x)
    named = {node.name: node for node in record.nodes if node.name}
    expected = jax.grad(loss)(params, x)["layer1"]
    for name in ("w", "b"):
        node = named[f"layer1.{name}"]
        assert node.role == "parameter" and node.path == ("layer1",)
        np.testing.assert_allclose(node.grad, expected[name], rtol=1e-5)
    assert named["x"].role == "input"
    np.testing.assert_allclose(record.root.value, loss(params, x), rtol=1e-6)
    relu = next(node for node in record.nodes if node.operation == "relu")
    assert relu.path == ("layer1",) and relu.shape == (4, 2) and "test_jaxpr.py" in relu.extras["source"]
    h = jax.nn.relu(x @ params["layer1"]["w"])
    np.testing.assert_allclose(relu.value, h, rtol=1e-6)
    after_relu = jax.grad(lambda h: jnp.abs(jnp.sin(h).sum()) + jax.nn.logsumexp(h))(h)
    np.testing.assert_allclose(relu.grad, after_relu, rtol=1e-5)


def test_a_jaxpr_has_the_structure_alone():
    closed = jax.make_jaxpr(loss)(*example())
    record, with_values = graph_record(closed), graph_record(loss, *example())
    assert [node.operation for node in record.nodes] == [node.operation for node in with_values.nodes]
    assert record.nodes[0].name == "layer1.b" and record.root.value is None
    assert len(graph_record(closed.jaxpr)) == len(record)


def test_a_function_that_is_compiled_and_captures_an_array():
    c = jnp.arange(3.0)
    record = graph_record(jax.jit(lambda x: (x * c).sum()), np.ones(3, np.float32))
    assert [node.operation or node.role for node in record.nodes][-2:] == ["mul", "reduce_sum"]
    assert {node.role for node in record.nodes if not node.operation} == {"input", "constant"}
    np.testing.assert_array_equal(next(node for node in record.nodes if node.role == "input").grad, c)


def test_operations_without_use_are_left_out():
    def f(x):
        jnp.exp(x)
        return x * 2

    assert "exp" not in {node.operation for node in graph_record(f, jnp.ones(2)).nodes}


@jax.custom_vjp
def square(x):
    return x**2


square.defvjp(lambda x: (x**2, x), lambda x, g: (3 * x * g,))  # not its derivative, to tell them apart
FUNCTIONS = {
    "while": lambda x: jax.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x))[1],
    "vmap": jax.vmap(lambda a: jnp.sin(a)),
    "gradient": jax.grad(lambda x: (x**3).sum()),
    "random": lambda x: (jax.random.normal(jax.random.key(0), (4,)) * x).sum(),
    "complex": lambda x: jnp.abs(jnp.fft.fft(x)).sum(),
    "remat": jax.checkpoint(lambda x: jnp.sin(x).sum()),
    "identity": lambda x: x,
    "a derivative of its own": lambda x: square(x).sum(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_any_function_is_read_and_drawn_with_its_values_and_gradients(name):
    function, x = FUNCTIONS[name], jnp.arange(4.0)
    record = graph_record(function, x)
    expected = function(x)
    np.testing.assert_allclose(record.root.value, expected, rtol=1e-5)
    if expected.shape == ():
        given = next(node for node in record.nodes if node.role == "input")
        np.testing.assert_allclose(given.grad, jax.grad(function)(x), rtol=1e-4, atol=1e-5)
    assert "<svg" in dark.draw(function, x).svg and "<svg" in dark.draw(jax.make_jaxpr(function)(x)).svg


def test_a_loop_that_jax_does_not_differentiate_has_values_without_gradients():
    def power(x):
        return jax.lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 1.5), (0, x))[1]

    root = graph_record(power, jnp.ones(())).root
    assert root.operation == "while" and root.value == 1.5**5 and root.grad is None
