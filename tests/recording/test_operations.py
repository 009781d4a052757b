"""Every operation of the registry, replayed: the same bits, at block borders, for zeros with signs and for NaN."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import dark
from dark.nodes.leaves import constant
from dark.operations import all_operations
from dark.recording.source import BLOCK
from tests.operations.cases import each_case
from tests.recording.twins import bits

SIZES = (1, 7, 8, 1001, BLOCK - 1, BLOCK + 1, 3 * BLOCK // 2 + 1, 2 * BLOCK - 8, 2 * BLOCK + 9, 5 * BLOCK + 7)
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 1e30, -1e-40]
UNARY = sorted(
    op.label() for op in all_operations()
    if op.elementwise and op.trusted and not op.samples and op.vjps and len(op.vjps) == 1 and hasattr(dark, op.label())
)  # fmt: skip
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum", "hypot", "logaddexp", "pow")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def gradients_of(loss, parameters):
    """Return the loss and all gradients as bytes."""
    for p in parameters:
        p.grad = None
    node = loss()
    node.backward()
    return bits(node._value), [bits(p.grad) for p in parameters], node.op.label()


def check(loss, parameters):
    """Compare a loss with its replay."""
    with np.errstate(all="ignore"):
        f = dark.recorded(loss)
        for _ in range(2):
            f()
        expected = gradients_of(loss, parameters)
        found = gradients_of(f, parameters)
        again = gradients_of(f, parameters)
    assert found[:2] == expected[:2]
    assert again[:2] == expected[:2]
    return found[2] == "recorded"


@each_case
def test_an_operation_has_the_same_bits(case):
    for dtype in (np.float32, np.float64):
        values = case.draw(dtype)
        parameters = [dark.Parameter(v) for v in values]
        shape = case.apply(*values).shape
        weights = np.random.default_rng(0).normal(size=shape).astype(dtype) if shape else 0.7
        check(lambda: dark.sum(case.apply(*parameters) * weights), parameters)


def special(size, dtype, seed):
    """Return random values; at both ends, where blocks and registers end, special ones."""
    x = np.random.default_rng(seed).normal(size=size).astype(dtype) * 2
    for at in (0, size // 2, max(0, size - len(SPECIAL))):
        part = x[at : at + len(SPECIAL)]
        part[...] = np.array(SPECIAL, dtype)[: len(part)]
    return x


def elementwise(name, size, dtype):
    p, q = (dark.Parameter(special(size, dtype, seed)) for seed in (1, 2))
    f = getattr(dark, name)
    y = (lambda: f(p)) if name in UNARY else lambda: f(p, q)
    assert check(lambda: dark.mean(y() * q + q / (1.0 + p * p)), [p, q])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_special_values_at_block_borders(name, dtype):
    for size in (7, 3 * BLOCK // 2 + 1):
        elementwise(name, size, dtype)


@pytest.mark.long
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_special_values_at_all_block_borders(name, dtype):
    for size in SIZES:
        elementwise(name, size, dtype)


@pytest.mark.parametrize("shape", [(3, BLOCK), (BLOCK + 1, 2), (2, 3, BLOCK // 2 + 1)])
@pytest.mark.parametrize("reduce", [dark.sum, dark.mean])
def test_sums_of_arrays_with_several_axes(shape, reduce):
    p = dark.Parameter(np.random.default_rng(0).normal(size=shape).astype("f4"))
    bias = dark.Parameter(np.random.default_rng(1).normal(size=shape[-1:]).astype("f4"))
    assert check(lambda: reduce(dark.tanh(p * 2.0 + bias) * p) * reduce(dark.exp(-p * p)), [p, bias])
    turned = dark.Parameter(np.random.default_rng(0).normal(size=shape).astype("f4"))
    assert check(lambda: reduce(dark.tanh(turned.T) * turned.T), [turned])


STEPS = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=40)
OPERATIONS = (
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / (1.0 + b * b),
    lambda a, b: dark.tanh(a), lambda a, b: dark.relu(a), lambda a, b: dark.sigmoid(a), lambda a, b: dark.exp(-a * a),
    lambda a, b: dark.maximum(a, b), lambda a, b: dark.sum(a) * 0.01, lambda a, b: dark.mean(a) + b,
    lambda a, b: dark.reshape(a, a.shape), lambda a, b: dark.abs(a), lambda a, b: 0.5 - a, lambda a, b: a**2,
    lambda a, b: dark.where(np.ones(1, bool), a, b),
)  # fmt: skip


@settings(deadline=None)
@given(STEPS, st.sampled_from([(), (1,), (5,), (4, 5), (3 * BLOCK // 2 + 3,)]), st.sampled_from(["f4", "f8"]))
@example([(5, 0, 0), (5, 0, 0)], (3 * BLOCK // 2 + 3,), "f4")  # two constants in one loop over blocks
@example([(5, 0, 0), (10, 0, 0)], (3 * BLOCK // 2 + 3,), "f4")  # a long constant in it
def test_random_programs(steps, shape, dtype):
    rng = np.random.default_rng(len(steps))
    leaves = [dark.Parameter(rng.normal(size=shape).astype(dtype) if shape else float(rng.normal())) for _ in range(3)]
    data = [rng.normal(size=shape).astype(dtype) if shape else float(rng.normal()) for _ in range(4)]

    def loss(x):
        made = [*leaves, x]
        for k, i, j in steps:
            made.append(OPERATIONS[k](made[i % len(made)], made[j % len(made)]))
        return sum(dark.mean(y) for y in made[3:]) + dark.sum(leaves[0])

    f = dark.recorded(loss)
    with np.errstate(all="ignore"):
        for x in data:
            expected = gradients_of(lambda x=x: loss(dark.Constant(x)), leaves)
            found = gradients_of(lambda x=x: f(x), leaves)
            assert found[:2] == expected[:2]
    assert found[2] == "recorded"


@pytest.mark.long
@settings(deadline=None, max_examples=2000)
@given(STEPS, st.sampled_from([(), (3,), (2, 3)]), st.sampled_from(["f4", "f8"]))
def test_two_thousand_random_programs(steps, shape, dtype):
    test_random_programs.hypothesis.inner_test(steps, shape, dtype)


OF_MATRICES = (
    lambda a, b: a.T, lambda a, b: a @ b, lambda a, b: a.T @ b, lambda a, b: a + b.T, lambda a, b: a * b[0],
    lambda a, b: a - dark.sum(b, axis=1), lambda a, b: dark.softmax(a, axis=0), lambda a, b: dark.relu(a),
    lambda a, b: dark.layer_norm(a, b[0], b[1]), lambda a, b: dark.linear(a, b, a[0]), lambda a, b: a[::-1] * 0.5,
    lambda a, b: dark.concatenate([a[:3], b[3:]]), lambda a, b: dark.tanh(a.T), lambda a, b: a * b,
    lambda a, b: dark.stack([a, b], axis=2)[:, :, 1], lambda a, b: dark.mean(a, axis=0) + b,
    lambda a, b: dark.reshape(dark.reshape(a, 36), (6, 6)), lambda a, b: dark.einsum("ij,kj->ki", a, b),
    lambda a, b: dark.losses.cross_entropy(a, np.arange(6), reduction="none") * b,
    lambda a, b: dark.broadcast_to(a[2], (6, 6)), lambda a, b: dark.maximum(a.T, b), lambda a, b: dark.tanh(a) + a.T,
)  # fmt: skip
MATRIX_STEPS = st.lists(st.tuples(st.integers(0, 21), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=12)


@settings(deadline=None)
@given(MATRIX_STEPS, st.sampled_from(["f4", "f8"]))
def test_random_programs_of_matrices(steps, dtype):
    rng = np.random.default_rng(len(steps))
    leaves = [dark.Parameter(rng.normal(size=(6, 6)).astype(dtype)) for _ in range(3)]

    def loss(x):
        made = [*leaves, x]
        for k, i, j in steps:
            made.append(OF_MATRICES[k](dark.tanh(made[i % len(made)]), made[j % len(made)]))
        return sum(dark.mean(y * (k + 1.0)) for k, y in enumerate(made)) + dark.sum(leaves[0])

    f = dark.recorded(loss)
    with np.errstate(all="ignore"):
        for _ in range(4):
            x = rng.normal(size=(6, 6)).astype(dtype)
            expected, found = (gradients_of(g, leaves) for g in (lambda: loss(dark.Constant(x)), lambda: f(x)))
            assert found[:2] == expected[:2]
    assert found[2] == "recorded", f.refused


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_special_values_in_a_replay_whose_recording_had_none(name, dtype):
    f, size = getattr(dark, name), 64
    usual = [np.random.default_rng(k).uniform(0.2, 0.8, size).astype(dtype) for k in (1, 2)]
    pairs = np.array(SPECIAL, dtype)
    unusual = [np.repeat(pairs, len(pairs)), np.tile(pairs, len(pairs))]
    parameters = [dark.Parameter(v) for v in usual]

    def loss():
        y = f(*parameters[: 1 if name in UNARY else 2])
        return dark.sum(y * np.linspace(0.5, 2, size).astype(dtype))

    with np.errstate(all="ignore"):
        replayed = dark.recorded(loss)
        replayed(), replayed()
        for p, v in zip(parameters, unusual):
            p.value = v
        expected, found = gradients_of(loss, parameters), gradients_of(replayed, parameters)
    assert found[:2] == expected[:2] and found[2] == "recorded"


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_special_numbers_in_a_replay_whose_recording_had_none(name):
    f = getattr(dark, name)
    parameters = [dark.Parameter(0.3), dark.Parameter(0.4)]
    loss = lambda: f(*parameters[: 1 if name in UNARY else 2]) * 0.7
    with np.errstate(all="ignore"):
        replayed = dark.recorded(loss)
        replayed(), replayed()
        for a in SPECIAL:
            for b in SPECIAL:
                parameters[0].value, parameters[1].value = a, b
                assert gradients_of(replayed, parameters)[:2] == gradients_of(loss, parameters)[:2], (a, b)


@pytest.mark.parametrize("size", [30, 300])
def test_the_memory_order_of_arguments_and_parameters_counts(size):
    x = np.random.default_rng(0).normal(size=(size, size)).astype("f4") * 1e3
    w, p = dark.Parameter(np.float32(1.0)), dark.Parameter(x)

    def loss(x):
        return dark.sum(dark.tanh(x * w) * x) + dark.sum(p * w)

    f = dark.recorded(loss)
    f(x), f(x)
    for argument, value in ((x.T, x), (x[::-1], x), (np.asfortranarray(x), x), (np.asfortranarray(x), x.T), (x, x)):
        p.value = value
        for _ in range(3):
            expected = gradients_of(lambda: loss(constant(argument)), [w, p])
            found = gradients_of(lambda: f(argument), [w, p])
            assert found[:2] == expected[:2]
