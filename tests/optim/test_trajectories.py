"""Every optimizer follows PyTorch's: random options, groups, skipped parameters, states loaded from PyTorch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from tests.examples import examples
from tests.optim.settings import SETTINGS, every, give, parameters, rates, values, walk

pytestmark = pytest.mark.oracle
torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
seeds = st.integers(0, 1000)


def tensors(members):
    return [
        torch.nn.Parameter(torch.tensor(p.value, dtype=torch.float64 if p.dtype == float else None)) for p in members
    ]


def assert_same(own, theirs, rtol=1e-10):
    for p, q in zip(own, theirs):
        np.testing.assert_allclose(p.value, q.detach().numpy(), rtol=rtol, atol=rtol)


@examples(120)
@given(drawn=every, seed=seeds)
def test_sixty_steps_are_pytorchs(drawn, seed):
    name, options = drawn
    own = parameters(seed)
    theirs = tensors(own)
    pair = getattr(dark.optim, name)(own, **options), getattr(torch.optim, name)(theirs, **options)
    walk(pair, (own, theirs), seed=seed)
    assert_same(own, theirs)


@examples(40)
@given(drawn=every, seed=seeds)
def test_float32_stays_float32_as_in_pytorch(drawn, seed):
    name, options = drawn
    own = parameters(seed, np.float32, shapes=[(3, 2), (4,)])
    theirs = tensors(own)
    options = {**options, "eps": 1e-3} if name != "SGD" else options  # where the root nears 0, rounding decides
    pair = getattr(dark.optim, name)(own, **options), getattr(torch.optim, name)(theirs, **options)
    walk(pair, (own, theirs), seed=seed)
    assert all(p.dtype == np.float32 for p in own)
    assert_same(own, theirs, rtol=2e-3)


@given(seed=seeds, momentum=st.floats(0.01, 1), decay=st.floats(0, 1))
def test_nesterov_momentum_is_pytorchs(seed, momentum, decay):
    own = parameters(seed)
    theirs = tensors(own)
    options = {"lr": 0.01, "momentum": momentum, "weight_decay": decay, "nesterov": True}
    walk((dark.optim.SGD(own, **options), torch.optim.SGD(theirs, **options)), (own, theirs), seed=seed)
    assert_same(own, theirs)


@given(drawn=every, seed=seeds, lr=rates, cut=st.integers(1, 3))
def test_groups_follow_their_own_options(drawn, seed, lr, cut):
    name, options = drawn
    own = parameters(seed)
    theirs = tensors(own)
    pair = [
        getattr(optim, name)([{"params": m[:cut], "lr": lr, "weight_decay": 0.2}, {"params": m[cut:]}], **options)
        for optim, m in ((dark.optim, own), (torch.optim, theirs))
    ]
    walk(pair, (own, theirs), seed=seed)
    assert_same(own, theirs)


@given(drawn=every, seed=seeds)
def test_options_set_between_steps_are_respected(drawn, seed):
    name, options = drawn
    own = parameters(seed)
    theirs = tensors(own)
    pair = getattr(dark.optim, name)(own, **options), getattr(torch.optim, name)(theirs, **options)
    walk(pair, (own, theirs), seed=seed, steps=20)
    for optimizer in pair:
        optimizer.param_groups[0].update(lr=0.03, weight_decay=0.05)
    walk(pair, (own, theirs), seed=seed + 1, steps=20)
    for optimizer, m in zip(pair, (own, theirs)):
        m += parameters(seed + 1, shapes=[(5,)]) if m is own else tensors(parameters(seed + 1, shapes=[(5,)]))
        optimizer.add_param_group({"params": m[-1:], "lr": 0.02})
    walk(pair, (own, theirs), seed=seed + 2, steps=20)
    assert_same(own, theirs)


def as_arrays(saved):
    state = {i: {k: v.numpy() for k, v in s.items() if v is not None} for i, s in saved["state"].items()}
    return {"state": state, "param_groups": saved["param_groups"]}


def as_tensors(saved):
    return {
        "state": {i: {k: torch.as_tensor(v) for k, v in s.items()} for i, s in saved["state"].items()},
        "param_groups": saved["param_groups"],
    }


@examples(80)
@given(drawn=every, seed=seeds, is_plain=st.booleans())
def test_a_state_from_pytorch_is_resumed(drawn, seed, is_plain):
    name, options = drawn
    theirs = tensors(parameters(seed))
    walking = getattr(torch.optim, name)(theirs, **options)
    walk([walking], (theirs,), seed=seed, steps=30)
    own = [dark.Parameter(q.detach().numpy()) for q in theirs]
    optimizer = getattr(dark.optim, name)(own)
    optimizer.load_state_dict(as_arrays(walking.state_dict()) if is_plain else walking.state_dict())
    walk((optimizer, walking), (own, theirs), seed=seed + 1, steps=30)
    assert_same(own, theirs)


@examples(80)
@given(drawn=every, seed=seeds)
def test_pytorch_resumes_from_a_state_of_dark(drawn, seed):
    name, options = drawn
    own = parameters(seed)
    walking = getattr(dark.optim, name)(own, **options)
    walk([walking], (own,), seed=seed, steps=30, skip=0)
    theirs = tensors(own)
    optimizer = getattr(torch.optim, name)(theirs)
    optimizer.load_state_dict(as_tensors(walking.state_dict()))
    walk((walking, optimizer), (own, theirs), seed=seed + 1, steps=30)
    assert_same(own, theirs)


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_large_parameters_follow_pytorchs_as_small_ones_do(name):
    rng = np.random.default_rng(0)
    own = [dark.Parameter(rng.normal(size=n).astype(np.float32)) for n in (10, 150_000, 7, 65_536, 65_530, 9)]
    theirs = tensors(own)
    pair = getattr(dark.optim, name)(own, lr=0.01), getattr(torch.optim, name)(theirs, lr=0.01)
    walk(pair, (own, theirs), steps=4)
    assert_same(own, theirs, rtol=1e-3)


def test_defaults_and_the_order_of_arguments_are_pytorchs():
    q = torch.nn.Parameter(torch.zeros(2))
    for name in SETTINGS:
        own, theirs = getattr(dark.optim, name)([dark.Parameter(1)]), getattr(torch.optim, name)([q])
        assert {k: theirs.defaults[k] for k in own.defaults} == own.defaults
    order = dark.optim.Adam([dark.Parameter(1)], 0.1, (0.5, 0.6), 1e-3, 0.2, True)
    assert list(order.defaults.values())[:5] == [0.1, (0.5, 0.6), 1e-3, 0.2, True]


@given(drawn=every, seed=seeds)
def test_a_stop_and_a_saved_state_change_no_bit(drawn, seed):
    name, options = drawn
    kind = getattr(dark.optim, name)
    through, halves = parameters(seed), parameters(seed)
    first = kind(through, **options), kind(halves, **options)
    walk(first, (through, halves), seed=seed, steps=25)
    saved = first[1].state_dict()
    first[1].step()  # a later step leaves the saved state alone
    resumed = [dark.Parameter(p.value) for p in through]
    second = kind(resumed)
    second.load_state_dict(saved)
    walk((first[0], second), (through, resumed), seed=seed + 1, steps=25)
    assert values(through).tobytes() == values(resumed).tobytes()


def test_the_momenta_of_nadam_are_multiplied_for_each_parameter():
    own = parameters(shapes=[(2,), (3,), ()])
    theirs = tensors(own)
    pair = dark.optim.NAdam(own, lr=0.1), torch.optim.NAdam(theirs, lr=0.1)
    for beta, used in ((0.9, [0, 1, 2]), (0.5, [0]), (0.7, [1, 2]), (0.6, [0, 1, 2])):
        for optimizer, members in zip(pair, (own, theirs)):
            optimizer.param_groups[0]["betas"] = beta, 0.9
            for k, p in enumerate(members):
                give(p, np.full(own[k].shape, 0.5) if k in used else None)
            optimizer.step()
    assert_same(own, theirs)
    products = [state["mu_product"] for state in pair[0].state.values()]
    assert products == [state["mu_product"].item() for state in pair[1].state.values()]
    assert products[0] != products[1] == products[2]
