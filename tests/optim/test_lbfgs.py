"""LBFGS: PyTorch's steps and evaluations, states that are exchanged, closures, and the line search alone."""

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from dark.engine import Engine
from dark.errors import DarkError, ShapeError
from dark.optim import LBFGS
from dark.optim.line_search import Trial, strong_wolfe
from dark.trainers import create_supervised_trainer
from tests.examples import examples

rng = np.random.default_rng(0)
INPUTS, TARGETS = rng.normal(size=(40, 3)), rng.normal(size=40)
START = [np.array([0.5, -0.3, 0.8]), np.array(0.4), np.array([[0.2, -0.1], [0.3, 0.1]])]
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "lr": st.sampled_from([0.3, 1]), "max_iter": st.integers(1, 8), "max_eval": st.integers(1, 12),
        "tolerance_grad": st.sampled_from([0, 1e-7, 1e-2]), "tolerance_change": st.sampled_from([1e-9, 1e-4]),
        "history_size": st.integers(1, 5), "line_search_fn": st.sampled_from([None, "strong_wolfe"]),
    },
)  # fmt: skip


def loss_of(module, members, inputs, targets):
    """Compute a convex loss, so that rounding does not decide between several minima."""
    weight, bias, matrix = members
    errors = inputs @ weight + bias - targets
    return (errors**2).mean() + module.exp(bias) + ((matrix - 1) ** 4).sum() + 0.05 * (matrix**2).sum()


def in_dark(dtype=float, **options):
    """Return parameters, an optimizer and its closure."""
    members = [dark.Parameter(x.astype(dtype)) for x in START]
    optimizer = LBFGS(members, **options)
    inputs, targets = INPUTS.astype(dtype), TARGETS.astype(dtype)

    def closure():
        optimizer.zero_grad()
        loss = loss_of(np, members, inputs, targets)
        loss.backward()
        return loss

    return members, optimizer, closure


def in_pytorch(dtype=float, **options):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    members = [torch.nn.Parameter(torch.tensor(x.astype(dtype))) for x in START]
    optimizer = torch.optim.LBFGS(members, **options)
    inputs, targets = torch.tensor(INPUTS.astype(dtype)), torch.tensor(TARGETS.astype(dtype))

    def closure():
        optimizer.zero_grad()
        loss = loss_of(torch, members, inputs, targets)
        loss.backward()
        return loss

    return members, optimizer, closure


def assert_same(own, right, rtol):
    for p, q in zip(own, right):
        np.testing.assert_allclose(p.value, q.detach().numpy(), rtol=rtol, atol=rtol)


@pytest.mark.oracle
@examples(16)
@given(options=OPTIONS)
def test_fifty_steps_are_pytorchs(options):
    (own, optimizer, closure), (right, walking, other) = in_dark(**options), in_pytorch(**options)
    for _ in range(50):
        assert optimizer.step(closure).item() == pytest.approx(walking.step(other).item(), rel=1e-9)
    assert_same(own, right, 1e-6)  # at the minimum, rounding decides between the last steps


@pytest.mark.oracle
@examples(40)
@given(options=OPTIONS)
def test_the_first_steps_and_evaluations_are_pytorchs(options):
    (own, optimizer, closure), (right, walking, other) = in_dark(**options), in_pytorch(**options)
    for _ in range(2):
        optimizer.step(closure)
        walking.step(other)
    assert_same(own, right, 1e-8)
    mine, saved = optimizer.state_dict()["state"][0], walking.state_dict()["state"][0]
    assert (mine["func_evals"], mine["n_iter"]) == (saved["func_evals"], saved["n_iter"])


@given(
    seed=st.integers(0, 10_000), step=st.sampled_from([0.01, 1.0, 30.0]), most=st.integers(0, 8),
)  # fmt: skip
def test_a_line_search_counts_its_evaluations(seed, step, most):
    sizes, rates = np.random.default_rng(seed).uniform(0.1, 3, size=(2, 4))

    def evaluate(t):
        asked.append(t)
        loss, slope = (sizes * np.sin(rates * t)).sum(), (sizes * rates * np.cos(rates * t)).sum()
        return Trial(t, 0.02 * t**2 - loss, np.array([0.04 * t - slope]), 0.04 * t - slope)

    asked = []
    start = evaluate(0.0)
    _, evaluations = strong_wolfe(evaluate, start, step, 1.0, 1e-9, most)
    assert evaluations == len(asked) - 1 <= most + 1


@pytest.mark.oracle
@pytest.mark.parametrize("options", [{"lr": 0.1}, {"line_search_fn": "strong_wolfe"}], ids=["fixed", "search"])
def test_float32_stays_float32_as_in_pytorch(options):
    (own, optimizer, closure), (right, walking, other) = (
        in_dark(np.float32, **options),
        in_pytorch(np.float32, **options),
    )
    for _ in range(50):
        optimizer.step(closure)
        walking.step(other)
    assert [p.dtype for p in own] == [np.float32] * 3
    assert_same(own, right, 1e-2)  # in float32, the loss is flat around its minimum
    assert closure().item() == pytest.approx(other().item(), rel=1e-5)


def plain(saved, kind):
    """Return a state with the arrays or tensors of another library."""
    if isinstance(saved, dict):
        return {name: plain(v, kind) for name, v in saved.items()}
    if isinstance(saved, list):
        return [plain(v, kind) for v in saved]
    return kind(saved) if isinstance(saved, np.ndarray) else saved


@pytest.mark.oracle
@pytest.mark.parametrize("search", [None, "strong_wolfe"])
@pytest.mark.parametrize("cut", [0, 1, 3])
def test_states_are_exchanged_with_pytorch(search, cut):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    options = {"max_iter": 3, "lr": 0.3, "line_search_fn": search}
    (own, optimizer, closure), (right, walking, other) = in_dark(**options), in_pytorch(**options)
    for _ in range(cut):
        optimizer.step(closure)
        walking.step(other)
    mine, saved = optimizer.state_dict(), walking.state_dict()
    optimizer.load_state_dict(saved)
    walking.load_state_dict(plain(mine, torch.tensor))
    for _ in range(3):
        optimizer.step(closure)
        walking.step(other)
    assert_same(own, right, 1e-8)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("through", [json, dark])
def test_a_stop_and_a_saved_state_change_no_bit(dtype, through, tmp_path):
    members, optimizer, closure = in_dark(dtype, max_iter=2, lr=0.2)
    for _ in range(25):
        optimizer.step(closure)
    saved = optimizer.state_dict()
    if through is dark:
        dark.save(saved, tmp_path / "lbfgs.safetensors")
        saved = dark.load(tmp_path / "lbfgs.safetensors")
    else:
        saved = json.loads(json.dumps(saved, default=np.ndarray.tolist))
    resumed, second, again = in_dark(dtype)
    for p, q in zip(resumed, members):
        p.value = q.value
    second.load_state_dict(saved)
    for _ in range(25):
        assert optimizer.step(closure).item() == second.step(again).item()
    assert [np.asarray(p.value).tobytes() for p in members] == [np.asarray(p.value).tobytes() for p in resumed]


def test_numbers_and_arrays_of_several_dtypes_are_minimized_in_place():
    x, y, z = dark.Parameter(1.0), dark.Parameter(np.ones(3, np.float32)), dark.Parameter(np.ones((2, 1)))
    optimizer = LBFGS([x, y, z], line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = (x - 2) ** 2 + ((y - 3) ** 2).sum() + ((z + 1) ** 4).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    array = z.value
    optimizer.step(closure)
    assert type(x.value) is float and x.value == pytest.approx(2, abs=1e-3)
    assert y.dtype == np.float32 and y.value == pytest.approx(np.full(3, 3), abs=1e-3)
    assert z.value is array and array == pytest.approx(np.full((2, 1), -1), abs=0.1)


@pytest.mark.oracle
def test_a_parameter_without_a_gradient_has_gradient_0():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    own = [dark.Parameter(np.ones(2)), dark.Parameter(np.ones(2))]
    right = [torch.nn.Parameter(torch.ones(2, dtype=torch.float64)) for _ in own]
    for members, optimizer in ((own, LBFGS(own, lr=0.1)), (right, torch.optim.LBFGS(right, lr=0.1))):
        for used in ([0, 1], [0]):

            def closure(used=used, members=members, optimizer=optimizer):
                optimizer.zero_grad()
                loss = sum(((members[k] - 3) ** 4).sum() for k in used)
                loss.backward()
                return loss

            optimizer.step(closure)
    assert_same(own, right, 1e-9)


def test_a_frozen_parameter_stays():
    members, optimizer, closure = in_dark(line_search_fn="strong_wolfe")
    optimizer.step(closure)
    members[0].requires_grad = False
    before = members[0].value.copy()
    optimizer.step(closure)
    assert members[0].value.tolist() == before.tolist()


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
@pytest.mark.parametrize("call", [1, 2, 4])
def test_an_error_in_the_closure_changes_nothing(search, call):
    members, optimizer, closure = in_dark(line_search_fn=search, max_iter=8, tolerance_change=0)
    closure()
    before, state, calls = [np.asarray(p.value).tobytes() for p in members], repr(optimizer.state_dict()), []

    def failing():
        calls.append(1)
        if len(calls) == call:
            raise KeyboardInterrupt
        return closure()

    with pytest.raises(KeyboardInterrupt):
        optimizer.step(failing)
    assert [np.asarray(p.value).tobytes() for p in members] == before and repr(optimizer.state_dict()) == state


def test_copies_have_states_of_their_own():
    members, optimizer, closure = in_dark(max_iter=1)
    optimizer.step(closure)
    saved, twin = repr(optimizer.state_dict()), copy.copy(optimizer)
    twin.step(closure)
    optimizer.state[members[0]]["d"][...] = 7
    assert repr(optimizer.state_dict()) == saved
    assert copy.deepcopy(optimizer).state_dict()["state"][0]["n_iter"] == 1


def test_at_a_minimum_a_step_ends_at_once():
    x = dark.Parameter(np.zeros(2))
    optimizer = LBFGS([x])

    def closure():
        optimizer.zero_grad()
        loss = (x**2).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 0 and optimizer.state_dict()["state"][0] == {"func_evals": 1, "n_iter": 0}
    other = LBFGS([x])
    other.load_state_dict(optimizer.state_dict())
    assert other.state_dict()["state"] == optimizer.state_dict()["state"]


def changed(**names):
    members, optimizer, closure = in_dark(max_iter=2)
    optimizer.step(closure)
    saved = optimizer.state_dict()
    saved["state"][0].update(names)
    optimizer.load_state_dict(saved)


def misplaced():
    _, optimizer, closure = in_dark(max_iter=2)
    optimizer.step(closure)
    saved = optimizer.state_dict()
    optimizer.load_state_dict({**saved, "state": {1: saved["state"][0]}})


def returning(result):
    _, optimizer, closure = in_dark()
    optimizer.step(lambda: (closure(), result)[1])


def trained_by_a_trainer():
    model = nn.Linear(1, 1, seed=0)
    trainer = create_supervised_trainer(model, LBFGS(model.parameters()), nn.MSELoss())
    trainer.run([(np.ones((2, 1)), np.ones((2, 1)))])


def grouped():
    LBFGS([{"params": [dark.Parameter(1.0)]}, {"params": [dark.Parameter(2.0)]}])


REFUSED = {
    r"LBFGS: step must be called with a closure, got None": lambda: in_dark()[1].step(),
    r"(?s)must be called with a closure, got None.*in an Engine, call it in a process function": trained_by_a_trainer,
    r"LBFGS: step must be called with a closure, got 3 \(int\)": lambda: in_dark()[1].step(3),
    r"LBFGS: closure must return a single number, got None": lambda: returning(None),
    "LBFGS: closure must return a single number, got 'a'": lambda: returning("a"),
    r"LBFGS: closure must return a single number, got Constant.*\n.*\n.*loss.mean": lambda: returning(
        dark.Constant(np.ones(2))
    ),
    "LBFGS: all parameters must be in one group": grouped,
    "LBFGS: lr must be 0 or more, got -1": lambda: in_dark(lr=-1),
    "LBFGS: max_iter must be 1 or more, got 0": lambda: in_dark(max_iter=0),
    "LBFGS: max_eval must be 1 or more, got 0": lambda: in_dark(max_eval=0),
    "LBFGS: history_size must be 1 or more, got 0": lambda: in_dark(history_size=0),
    "LBFGS: tolerance_change must be 0 or more, got -1": lambda: in_dark(tolerance_change=-1),
    "LBFGS: invalid line_search_fn 'armijo'": lambda: in_dark(line_search_fn="armijo"),
    "LBFGS: weight_decay must be 0, got 0.1": lambda: LBFGS([{"params": [dark.Parameter(1.0)], "weight_decay": 0.1}]),
    "LBFGS: maximize must be False, got True": lambda: LBFGS([{"params": [dark.Parameter(1.0)], "maximize": True}]),
    "LBFGS: the saved state must fit, but parameter 0 has .*momentum": lambda: changed(momentum=1),
    "LBFGS: the saved state must fit, but parameter 1 has": misplaced,
    r"LBFGS: the saved d must have shape \(8,\), got \(2,\)": lambda: changed(d=np.ones(2)),
    r"LBFGS: func_evals must be 0 or more, got -1": lambda: changed(func_evals=-1),
    r"LBFGS: the saved t must be numbers, got 'a'": lambda: changed(t="a"),
    r"old_stps and ro must be equally long, not 0, 1, 0": lambda: changed(old_stps=[np.ones(8)]),
    r"LBFGS: the saved d must be numbers, got 'a'": lambda: changed(d="a"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_invalid_arguments_and_states_are_refused(message):
    with pytest.raises(DarkError, match=message) as caught:
        REFUSED[message]()
    assert "Expected:" in str(caught.value) and "Try:" in str(caught.value)


def test_a_parameter_of_another_shape_needs_a_new_optimizer():
    members, optimizer, closure = in_dark(max_iter=2)
    optimizer.step(closure)
    members[2].value = np.ones((3, 3))
    with pytest.raises(ShapeError, match="LBFGS: parameters and memory must have equal sizes, not 13 and 8"):
        optimizer.step(closure)


def test_an_engine_trains_with_a_closure():
    model, loss_fn = nn.Linear(3, 1, seed=0), nn.MSELoss()
    optimizer = LBFGS(model.parameters(), line_search_fn="strong_wolfe")
    x = dark.Constant(INPUTS)

    def train(engine, batch):
        def closure():
            optimizer.zero_grad()
            loss = loss_fn(model(x), batch)
            loss.backward()
            return loss

        return optimizer.step(closure).item()

    Engine(train).run([INPUTS @ np.array([[1.0], [2.0], [3.0]]) + 4] * 2)
    np.testing.assert_allclose(model.weight.value, [[1, 2, 3]], atol=1e-5)


@given(
    coefficients=st.lists(st.floats(-2, 2), min_size=3, max_size=3), start=st.floats(-2, 2),
    step=st.floats(1e-3, 10),
)  # fmt: skip
def test_the_line_search_satisfies_the_wolfe_conditions(coefficients, start, step):
    a, b, c = coefficients

    def evaluate(t):
        x = start + sign * t
        slope = sign * (4 * x**3 + 2 * a * x + b + c * np.cos(x))
        return Trial(t, x**4 + a * x**2 + b * x + c * np.sin(x), np.array([slope]), slope)

    sign = 1.0
    sign = -np.sign(evaluate(0.0).slope)
    origin = evaluate(0.0)
    if sign and origin.slope < -1e-3:
        best, count = strong_wolfe(evaluate, origin, step, 1.0, 1e-12, 50)
        assert count <= 51
        assert best.loss <= origin.loss + 1e-4 * best.step * origin.slope
        assert abs(best.slope) <= -0.9 * origin.slope


def test_the_line_search_survives_infinite_losses():
    def evaluate(t):
        loss = (t - 1) ** 2 if t < 2 else np.inf
        return Trial(t, loss, np.array([2 * (t - 1)]), 2 * (t - 1))

    best, _ = strong_wolfe(evaluate, evaluate(0.0), 50.0, 1.0, 1e-9, 30)
    assert best.loss < 1
