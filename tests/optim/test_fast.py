"""The plain step, parameter by parameter, and the fast one, on vectors, compute the same bits."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError
from dark.optim import fast
from tests.optim.settings import every, parameters, rates, values, walk

seeds = st.integers(0, 1000)
shapes = st.lists(st.lists(st.integers(0, 3), max_size=3).map(tuple), min_size=1, max_size=6)
dtypes = st.sampled_from([np.float64, np.float32, np.float16])
nesterov = st.fixed_dictionaries({"lr": rates, "momentum": st.floats(0.01, 0.99), "nesterov": st.just(True)})
drawn_options = every | st.tuples(st.just("SGD"), nesterov)


class SignSGD(dark.optim.Optimizer):
    """An optimizer of a user, with a state, a number for each parameter, and options of its own."""

    state_names = ("count",)
    initial_numbers = {"rate": 1.0}

    def __init__(self, params, lr=0.1):
        super().__init__(params, {"lr": lr, "weight_decay": 0.01, "maximize": True})

    def initial_state(self, group):
        return {"count": 1.0}

    def advance(self, group, step, numbers):
        numbers["rate"] *= 0.9
        return numbers

    def make_update(self, group, step, rate=1.0):
        def update(w, g, a, count):
            count += 1
            np.multiply(np.sign(g), group["lr"] * rate / step, out=a)
            w -= a / count

        return update


def make(name, members, options, cut):
    """Make an optimizer of one or two groups; a dtype beside the members' makes two vectors of a group."""
    kind = SignSGD if name == "SignSGD" else getattr(dark.optim, name)
    groups = [{"params": members[:cut]}, {"params": members[cut:], "lr": 0.02}]
    return kind([group for group in groups if group["params"]], **options)


def state_bytes(optimizer, members):
    """Return the state of every parameter with the bytes of its arrays."""
    states = [optimizer.state.get(p, {}) for p in members]
    return [
        {name: (v.dtype, v.shape, v.tobytes()) if isinstance(v, np.ndarray) else v for name, v in state.items()}
        for state in states
    ]


def assert_equal_both_ways(run):
    """Run a function with the plain step and with the fast one; it returns an optimizer and parameters."""
    results = []
    for is_fast in (False, True):
        with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
            patch.setattr(fast, "ENABLED", is_fast)
            optimizer, members = run()
            assert bool(optimizer._vectors.states()) <= is_fast
            kinds = [(type(p.value), p.dtype, p.value.tobytes() if p.ndim else float(p.value).hex()) for p in members]
            results.append((kinds, state_bytes(optimizer, members)))
    assert results[0] == results[1]


@given(drawn=drawn_options | st.just(("SignSGD", {})), drawn_shapes=shapes, dtype=dtypes, cut=st.integers(0, 6),
       seed=seeds, steps=st.integers(1, 8), skip=st.sampled_from([0, 0.3, 0.8]))  # fmt: skip
def test_the_plain_step_and_the_fast_one_are_equal_bit_for_bit(drawn, drawn_shapes, dtype, cut, seed, steps, skip):
    name, options = drawn

    def run():
        members = parameters(seed, dtype, drawn_shapes) + parameters(seed + 1)
        members += [dark.Parameter(np.float32(0.5)), dark.Parameter(np.ones(2), requires_grad=False)]
        optimizer = make(name, members, options, cut)
        walk([optimizer], (members,), seed=seed, steps=steps, skip=skip)
        return optimizer, members

    assert_equal_both_ways(run)


@given(drawn=drawn_options, seed=seeds)
def test_they_stay_equal_when_options_groups_dtypes_and_values_change(drawn, seed):
    name, options = drawn

    def run():
        members = parameters(seed)
        optimizer = make(name, members, options, 4)
        walk([optimizer], (members,), seed=seed, steps=3)
        optimizer.param_groups[0].update(lr=np.float64(0.03), weight_decay=np.float32(0.05))
        members[0].value = members[0].value.astype(np.float32)
        members[1].value = members[1].value * 2
        walk([optimizer], (members,), seed=seed + 1, steps=3)
        members += parameters(seed + 2, np.float32)
        optimizer.add_param_group({"params": members[4:], "lr": 0.02})
        walk([optimizer], (members,), seed=seed + 2, steps=3)
        resumed = [dark.Parameter(p.value) for p in members]
        again = make(name, resumed, {}, 4)
        again.load_state_dict(optimizer.state_dict())
        twins, twin = copy.deepcopy((resumed, again))
        walk([again, twin], (resumed, twins), seed=seed + 3, steps=3)
        assert values(resumed).tobytes() == values(twins).tobytes()
        return again, resumed

    assert_equal_both_ways(run)


@given(seed=seeds, search=st.sampled_from([None, "strong_wolfe"]))
def test_lbfgs_takes_the_same_steps_both_ways(seed, search):
    def run():
        members = parameters(seed)
        members[1].requires_grad = False
        optimizer = dark.optim.LBFGS(members, lr=0.5, max_iter=5, line_search_fn=search)

        def closure():
            optimizer.zero_grad()
            loss = sum(((p - k) ** 2).sum() if p.ndim else (p - k) ** 2 for k, p in enumerate(members))
            loss.backward()
            return loss

        optimizer.step(closure)
        optimizer.step(closure)
        optimizer.zero_grad()
        return optimizer, [dark.Parameter(p.value) for p in members]

    assert_equal_both_ways(run)


@pytest.mark.parametrize("is_fast", [False, True])
def test_an_update_of_a_subclass_replaces_the_rule_either_way(is_fast, monkeypatch):
    class Halving(dark.optim.SGD):
        def make_update(self, group, step):
            return lambda w, g, a: np.multiply(w, 0.5, out=w)

    monkeypatch.setattr(fast, "ENABLED", is_fast)
    x = dark.Parameter(8.0)
    x.grad = 100.0
    Halving([x], lr=0.1).step()
    assert x.value == 4.0


@pytest.mark.parametrize("is_fast", [False, True])
def test_a_step_that_is_refused_changes_no_parameter_either_way(is_fast, monkeypatch):
    monkeypatch.setattr(fast, "ENABLED", is_fast)
    a, b = dark.Parameter(np.ones(2)), dark.Parameter(np.ones(3), name="b")
    optimizer = dark.optim.Adam([a, b])
    walk([optimizer], ([a, b],), steps=1, skip=0)
    before = a.value.copy()
    b.value, a.grad, b.grad = np.ones((2, 2)), np.ones(2), np.ones((2, 2))
    with pytest.raises(
        ShapeError, match=r"exp_avg of Parameter 'b'.* must have the shape of its value, \(2, 2\), got \(3,\)"
    ):
        optimizer.step()
    assert a.value.tolist() == before.tolist() and optimizer.state[a]["step"] == 1
