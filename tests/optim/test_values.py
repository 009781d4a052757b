"""Values are views of one vector, and may still be set, shared, copied, frozen, and of any dtype."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import GradientError, ShapeError
from dark.optim import SGD, Adam, fast
from tests.optim.settings import every, parameters, values, walk

seeds = st.integers(0, 1000)


def alone(name, options, members):
    """Make an optimizer for each parameter, so that no two share a vector."""
    return [getattr(dark.optim, name)([p], **options) for p in members]


@given(drawn=every, seed=seeds)
def test_parameters_in_one_optimizer_take_the_steps_of_separate_ones(drawn, seed):
    name, options = drawn
    together, apart = parameters(seed), parameters(seed)
    optimizers = [getattr(dark.optim, name)(together, **options), *alone(name, options, apart)]
    walk(optimizers, (together, apart), seed=seed, steps=20)
    assert values(together).tobytes() == values(apart).tobytes()


@given(drawn=every, seed=seeds, chunk=st.sampled_from([8, 24, 64]))
def test_the_size_of_a_chunk_changes_no_bit(drawn, seed, chunk):
    name, options = drawn
    plain, chunked = parameters(seed), parameters(seed)
    with pytest.MonkeyPatch.context() as patch:
        first = getattr(dark.optim, name)(plain, **options)
        walk([first], (plain,), seed=seed, steps=10)
        patch.setattr(fast, "CHUNK_BYTES", chunk)
        second = getattr(dark.optim, name)(chunked, **options)
        walk([second], (chunked,), seed=seed, steps=10)
    assert values(plain).tobytes() == values(chunked).tobytes()


CHANGES = {
    "set": lambda p, x: setattr(p, "value", x),
    "set, transposed": lambda p, x: setattr(p, "value", np.asfortranarray(x) if p.ndim else x),
    "set to a part of a larger array": lambda p, x: setattr(p, "value", np.stack([x, x], -1)[..., 0] if p.ndim else x),
    "added to in place": lambda p, x: setattr(p, "value", _added(p.value, x - p.value)),
    "set where the node keeps it": lambda p, x: setattr(p, "_value", np.asfortranarray(x) if p.ndim else x),
    "written into": lambda p, x: p.value.__setitem__(..., x) if p.ndim else setattr(p, "value", x),
    "set twice to one array": lambda p, x: (setattr(p, "value", x), setattr(p, "value", x)),
}


def _added(value, step):
    value += step
    return value


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@given(drawn=every, seed=seeds)
def test_a_value_assigned_between_steps_is_respected(change, drawn, seed):
    name, options = drawn
    own, plain = parameters(seed), parameters(seed)
    optimizers = [getattr(dark.optim, name)(own, **options), *alone(name, options, plain)]
    walk(optimizers, (own, plain), seed=seed, steps=3)
    for k, p in enumerate(parameters(seed + 1)):
        change(own[k], p.value)
        plain[k].value = p.value
    walk(optimizers, (own, plain), seed=seed + 2, steps=3)
    np.testing.assert_allclose(values(own), values(plain), rtol=1e-12)


@given(first=every, second=every, seed=seeds)
def test_two_optimizers_of_the_same_parameters_take_turns(first, second, seed):
    own, plain = parameters(seed), parameters(seed)
    pair = [getattr(dark.optim, name)(own, **options) for name, options in (first, second)]
    apart = [optimizer for name, options in (first, second) for optimizer in alone(name, options, plain)]
    walk(pair + apart, (own, plain), seed=seed, steps=10)
    np.testing.assert_allclose(values(own), values(plain), rtol=1e-12)


def test_a_step_moves_the_values_in_place_and_each_is_a_view_of_one_vector():
    a, b = dark.Parameter(np.ones((2, 3))), dark.Parameter(np.ones(4))
    optimizer = Adam([a, b])
    walk([optimizer], ([a, b],), steps=1)
    kept = a.value
    walk([optimizer], ([a, b],), steps=1, skip=0)
    assert kept is a.value and a.value.base is b.value.base


@pytest.mark.parametrize("copy_of", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_of_a_parameter_are_not_updated(copy_of):
    members = [dark.Parameter(np.ones(3)), dark.Parameter(np.ones(2))]
    optimizer = Adam(members)
    walk([optimizer], (members,), steps=3, skip=0)
    twin, before = copy_of(members[0]), members[0].value.copy()
    assert not np.shares_memory(twin.value, members[0].value)
    assert len(pickle.dumps(members[0].value)) < 300
    walk([optimizer], (members,), steps=3, skip=0)
    assert (twin.value == before).all() and not (members[0].value == before).all()
    twin.value[...] = 7
    assert not (members[0].value == 7).any()


@pytest.mark.parametrize("copy_of", [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))])
@given(drawn=every, seed=seeds)
def test_a_deep_copy_of_parameters_and_optimizer_takes_the_same_steps(copy_of, drawn, seed):
    name, options = drawn
    members = parameters(seed)
    optimizer = getattr(dark.optim, name)(members, **options)
    walk([optimizer], (members,), seed=seed, steps=3)
    twins, twin = copy_of((members, optimizer))
    before = values(members)
    walk([twin], (twins,), seed=seed + 1, steps=3)
    assert (values(members) == before).all()
    walk([optimizer], (members,), seed=seed + 1, steps=3)
    assert values(members).tobytes() == values(twins).tobytes()


def test_numbers_stay_python_floats_and_types_stay_what_they_are():
    members = [dark.Parameter(1), dark.Parameter(np.float32(1)), dark.Parameter(np.ones(2, np.float32))]
    members += [dark.Parameter(np.ones(2)), dark.Parameter(2.0), dark.Parameter(np.ones(2, np.float16))]
    optimizer = Adam(members, lr=0.125, eps=1e-3)
    for p in members:
        p.grad = 1.0 if not p.ndim else np.ones(2)
    optimizer.step()
    assert [type(p.value) for p in members[:2]] == [float, np.float32] and type(members[4].value) is float
    assert [p.dtype.name for p in members] == ["float64", "float32", "float32", "float64", "float64", "float16"]
    assert [float(np.mean(p.value)) for p in members] == pytest.approx([0.875] * 4 + [1.875, 0.875], abs=1e-3)


def test_a_parameter_may_change_its_dtype_and_keeps_its_state():
    a, b = dark.Parameter(np.ones(2)), dark.Parameter(np.ones(3, np.float32))
    optimizer = SGD([a, b], lr=0.5, momentum=0.5)
    for value in (1.0, 0.0):
        a.grad = b.grad = None
        a.grad = np.full(2, value)
        optimizer.step()
        a.value = a.value.astype(np.float32)
    assert a.dtype == np.float32 and a.value.tolist() == [0.25, 0.25]
    assert optimizer.state[a]["momentum_buffer"].dtype == np.float32


def test_a_parameter_with_state_must_keep_its_shape():
    a = dark.Parameter(np.ones(2), name="a")
    optimizer = Adam([a])
    a.grad = np.ones(2)
    a.value = np.ones(3)
    a.grad = np.ones(3)
    optimizer.step()  # nothing was remembered yet
    a.value, a.grad = np.ones((2, 2)), np.ones((2, 2))
    for _ in range(2):
        with pytest.raises(
            ShapeError, match=r"exp_avg of Parameter 'a'.* must have the shape of its value, \(2, 2\), got \(3,\)"
        ):
            optimizer.step()
    a.value, a.grad = np.ones(3), np.ones(3)
    optimizer.step()
    assert optimizer.state[a]["step"] == 2


def test_a_gradient_of_another_shape_moves_nothing():
    a, b, c = dark.Parameter(np.ones(2)), dark.Parameter(np.ones((2, 3)), name="b"), dark.Parameter(1)
    optimizer = Adam([a, b, c])
    a.grad, b.grad, c.grad = np.ones(2), np.ones((2, 3)), 1.0
    b.value = np.ones((3, 2))
    with pytest.raises(ShapeError, match=r"Parameter 'b'.* must have the shape of its value, \(3, 2\), got \(2, 3\)"):
        optimizer.step()
    assert (a.value == 1).all() and (b.value == 1).all() and c.value == 1 and not optimizer.state


def test_one_number_may_be_the_gradient_of_a_whole_array():
    members = [dark.Parameter(np.ones((2, 2))) for _ in range(3)]
    members[0].grad, members[1].grad, members[2].grad = 1, np.float32(1), dark.Constant(1)
    SGD(members, lr=0.5).step()
    assert values(members).tolist() == [0.5] * 12


def test_a_graph_from_before_the_step_is_refused():
    for value in (3.0, np.ones(2)):
        x = dark.Parameter(value)
        optimizer = SGD([x])
        loss = (x**2).sum() if x.ndim else x**2
        loss.backward()
        optimizer.step()
        with pytest.raises(GradientError, match="was changed after"):
            loss.backward()


def test_frozen_parameters_and_those_without_gradient_stay():
    moved, frozen, without = (dark.Parameter(np.ones(2)) for _ in range(3))
    optimizer = Adam([frozen, moved, without], weight_decay=0.1)
    for p in (moved, frozen):
        p.grad = np.ones(2)
    frozen.requires_grad = False
    optimizer.step()
    assert (frozen.value == 1).all() and (without.value == 1).all() and (moved.value < 1).all()
    assert set(optimizer.state) == {moved}
    frozen.requires_grad = True
    optimizer.step()
    assert [optimizer.state[p]["step"] for p in (moved, frozen)] == [2, 1]


def test_a_gradient_may_be_a_node():
    x, w = dark.Parameter(3.0), dark.Parameter(np.array([1.0, 2.0]))
    (x**3 + (w**2).sum()).backward(create_graph=True)
    SGD([x, w], lr=0.1).step()
    assert x.value == pytest.approx(0.3) and w.value.tolist() == pytest.approx([0.8, 1.6])


def test_gradients_of_other_dtypes_and_memory_orders_are_converted():
    w, s = dark.Parameter(np.zeros((2, 3), np.float32)), dark.Parameter(np.zeros((3, 2)))
    w.grad, s.grad = np.arange(6).reshape(2, 3), np.arange(6.0).reshape(2, 3).T
    SGD([w, s], lr=1.0).step()
    assert w.value.tolist() == [[0, -1, -2], [-3, -4, -5]] and s.value.tolist() == [[0, -3], [-1, -4], [-2, -5]]


def test_empty_parameters_are_allowed():
    members = [dark.Parameter(np.zeros((0, 3))), dark.Parameter(np.ones(2))]
    walk([Adam(members)], (members,), steps=2, skip=0)
    assert members[0].shape == (0, 3)
