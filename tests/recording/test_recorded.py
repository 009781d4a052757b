"""`recorded`: when a call is replayed, and that its result is a node like any other."""

import ast
import gc
import io
import threading
import tokenize
import warnings
import weakref
from pathlib import Path

import numpy as np
import pytest

import dark
from dark import nn, recording
from dark.errors import GradientError, ShapeError, ValueTypeError
from dark.losses import cross_entropy
from dark.recording import RecordingWarning
from tests.recording.twins import bits

X = [np.random.default_rng(k).normal(size=(6, 5)) for k in range(4)]
LABELS = np.array([0, 1, 2, 0, 1, 2])


def network():
    return nn.Sequential(nn.Linear(5, 8, seed=1), nn.Tanh(), nn.Linear(8, 3, seed=2))


def replayed():
    """Return a network, a recorded loss that is replayed from now on, and the loss itself."""
    model = network()

    def loss_of(x, y):
        return cross_entropy(model(x), y)

    recorded = dark.recorded(loss_of)
    for x in X[:2]:
        recorded(x, LABELS)
    return model, recorded, loss_of


def gradients(model):
    found = [bits(p.grad) for p in model.parameters()]
    model.zero_grad()
    return found


def test_the_third_call_is_replayed():
    _, f, _ = replayed()
    assert f(X[2], LABELS).op.label() == "recorded"


def test_the_function_is_called_twice():
    calls, p = [], dark.Parameter(2.0)

    @dark.recorded
    def square(x):
        calls.append(x)
        return p * x

    assert [square(float(k)).value for k in range(5)] == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert len(calls) == 2 and all(isinstance(x, dark.Constant) for x in calls)
    assert square.__name__ == "square"


def test_the_source_names_the_operations():
    _, f, _ = replayed()
    assert "linear(x1, weight" in f.source and "cross_entropy_vjp" in f.source and f.refused == []


@pytest.mark.parametrize("gradient", [None, 1.0, 0.3, -2.0])
def test_backward_from_any_gradient(gradient):
    model, f, eager = replayed()
    f(X[2], LABELS).backward(gradient)
    found = gradients(model)
    eager(X[2], LABELS).backward(gradient)
    assert found == gradients(model)


def test_a_loss_that_is_used_further():
    (model, f, eager), seen = replayed(), []
    for loss_of in (f, eager):
        (3.0 * loss_of(X[2], LABELS) + loss_of(X[3], LABELS) / 7.0).backward()
        seen.append(gradients(model))
    assert seen[0] == seen[1]


def test_gradients_accumulate_and_a_second_backward_adds_the_same():
    (model, f, eager), seen = replayed(), []
    for loss_of in (f, eager):
        loss = loss_of(X[2], LABELS)
        loss.backward()
        loss.backward()
        loss_of(X[3], LABELS).backward()
        seen.append(gradients(model))
    assert seen[0] == seen[1]


def test_a_gradient_that_is_kept_does_not_change():
    model, f, _ = replayed()
    f(X[2], LABELS).backward()
    kept = [p.grad for p in model.parameters()]
    before = [g.copy() for g in kept]
    model.zero_grad()
    f(X[3], LABELS).backward()
    assert all((a == b).all() for a, b in zip(kept, before))
    assert all(p.grad is not g for p, g in zip(model.parameters(), kept))


def test_create_graph_differentiates_the_recorded_graph():
    (model, f, eager), seen = replayed(), []
    for loss_of in (f, eager):
        loss_of(X[2], LABELS).backward(create_graph=True)
        second = sum(dark.sum(p.grad**2) for p in model.parameters())
        model.zero_grad()
        second.backward()
        seen.append(gradients(model))
        gc.collect()
    assert seen[0] == seen[1]


def test_hooks_of_leaves_are_called():
    model, f, eager = replayed()
    seen = []
    with model[0].weight.register_hook(lambda g: (seen.append(bits(g)), 2 * g)[1]):
        f(X[2], LABELS).backward()
        found = gradients(model)
        eager(X[2], LABELS).backward()
        assert found == gradients(model) and seen[0] == seen[1]


def test_a_hook_on_a_node_inside_is_refused():
    p = dark.Parameter(2.0)

    def with_hook(x):
        y = p * x
        y.register_hook(print)
        return y * y

    f = dark.recorded(with_hook)
    with pytest.warns(RecordingWarning, match="the result of mul has a hook"):
        f(2.0)


def test_no_grad_and_anomaly_run_the_function():
    _, f, _ = replayed()
    with dark.no_grad():
        assert f(X[2], LABELS).requires_grad is False
    with dark.anomaly():
        assert f(X[2], LABELS).op.label() == "cross_entropy"


def test_a_parameter_that_is_changed_before_backward_is_an_error():
    model, f, _ = replayed()
    loss = f(X[2], LABELS)
    model[0].bias.value = np.ones(8)
    with pytest.raises(GradientError, match="'bias'.* was changed after"):
        loss.backward()


@pytest.mark.parametrize("bad", [np.array([0, 1, 2, 0, 1, 3]), np.array([0, 1, 2, 0, 1, -1])])
def test_errors_are_those_of_the_function(bad):
    _, f, eager = replayed()
    with pytest.raises(ValueTypeError, match="target classes must be from 0") as expected:
        eager(X[2], bad)
    with pytest.raises(ValueTypeError, match="target classes must be from 0") as found:
        f(X[2], bad)
    assert str(found.value) == str(expected.value)
    assert f(X[2], LABELS).op.label() == "recorded"


def test_another_shape_is_recorded_for_itself_and_its_errors_are_those_of_the_function():
    _, f, _ = replayed()
    with pytest.raises(ShapeError, match="linear"):
        f(np.ones((6, 4)), LABELS)
    for _ in range(2):
        f(X[2][:4], LABELS[:4])
    assert f(X[2][:4], LABELS[:4]).op is f(X[2], LABELS).op


def test_an_error_in_a_replay_draws_nothing_twice():
    def make():
        model = nn.Sequential(nn.Dropout(0.5, seed=0), nn.Linear(5, 3, seed=1))
        return lambda x, y: cross_entropy(model(x), y)

    eager, f, seen = make(), dark.recorded(make()), []
    for loss_of in (f, eager):
        for k in range(6):
            bad = LABELS if k != 3 else LABELS + 1
            try:
                seen.append(loss_of(X[k % 4], bad).item())
            except ValueTypeError:
                seen.append(None)
    assert seen[:6] == seen[6:]


def test_what_is_no_node_of_one_element_is_refused_once():
    p = dark.Parameter(np.ones(3))
    for function, text in (
        (lambda x: p * x, r"it returned a Node of shape \(3,\), not a node of one element"),
        (lambda x: 3.0, r"it returned a float of shape \(\), not a node of one element"),
    ):
        f = dark.recorded(function)
        with pytest.warns(RecordingWarning, match=text):
            f(2.0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            f(2.0)


def test_a_warning_has_three_parts():
    f = dark.recorded(lambda x: x.item())
    with pytest.warns(RecordingWarning, match=r"(?s)lambda.* is not replayed.*Expected: .*Try: "):
        f(2.0)


def test_what_is_not_a_function_is_refused():
    with pytest.raises(ValueTypeError, match=r"(?s)3 .*is not a function.*Expected: .*Try: "):
        dark.recorded(3)


def test_too_many_signatures_are_refused_once():
    p = dark.Parameter(2.0)
    f = dark.recorded(lambda x: dark.sum(p * x))
    with pytest.warns(RecordingWarning, match="recorded 32 times") as caught:
        assert [f(np.ones(n)).item() for n in range(1, 60)] == [2.0 * n for n in range(1, 60)]
    assert len(caught) == 1


def test_what_changes_again_and_again_is_recorded_until_it_is_refused():
    p = dark.Parameter(2.0)
    f = dark.recorded(lambda x: p * x)
    with pytest.warns(RecordingWarning, match="what it uses have changed, and it was recorded 32 times") as caught:
        for k in range(40):
            p.value = np.ones(1) if k % 2 else 2.0
            assert [f(2.0).item() for _ in range(3)] == [2.0 * np.sum(p.value)] * 3
    assert len(caught) == 1


def test_calls_without_gradients_are_not_counted():
    p = dark.Parameter(2.0, requires_grad=False)
    f = dark.recorded(lambda x: p * x)
    assert [f(float(k)).value for k in range(40)] == [2.0 * k for k in range(40)]
    p.requires_grad = True
    assert [f(2.0).op.label() for _ in range(3)][-1] == "recorded"


def test_gradients_are_freed_without_the_garbage_collector():
    p = dark.Parameter(np.random.default_rng(0).normal(size=100_000))
    f, freed = dark.recorded(lambda: dark.mean(dark.tanh(p * p))), []
    gc.collect()
    gc.disable()
    try:
        for _ in range(4):
            f().backward()
            freed.append(weakref.ref(p.grad))
            p.grad = None
    finally:
        gc.enable()
    assert [ref() for ref in freed] == [None] * 4


scale = 2.0


def test_a_variable_that_the_function_names_may_change():
    global scale
    p, inner = dark.Parameter(3.0), 1.0

    def loss(x):
        return p * x * scale * inner

    f, seen, expected = dark.recorded(loss), [], []
    for k in range(12):
        scale = 2.0 if k < 4 else 5.0
        inner = 1.0 if k < 8 else 7.0
        seen.append(f(float(k)).value)
        expected.append(loss(float(k)).value)
    assert seen == expected


def test_forward_hooks_are_called():
    model, f, _ = replayed()
    seen = []
    with model[1].register_forward_hook(lambda *_: seen.append(1)), pytest.warns(RecordingWarning, match="hook"):
        for _ in range(3):
            f(X[2], LABELS)
    assert len(seen) == 3


def test_threads_share_a_recorded_function():
    model, f, eager = replayed()
    found: dict = {}

    def work(k):
        found[k] = [f(X[k], LABELS).item() for _ in range(50)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: [eager(X[k], LABELS).item()] * 50 for k in range(4)}


def test_what_is_recorded_is_freed_with_the_function():
    model, f, _ = replayed()
    f(X[2], LABELS)
    program = weakref.ref(next(iter(f._found.values())))
    del f
    gc.collect()
    assert program() is None


def test_a_recorded_method():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = dark.Parameter(np.ones(3))

        @dark.recorded
        def loss(self, x):
            return dark.sum(self.w * x)

    a, b = Model(), Model()
    b.w.value = np.full(3, 2.0)
    assert [[m.loss(np.ones(3) * k).value for k in range(4)] for m in (a, b)] == [[0, 3, 6, 9], [0, 6, 12, 18]]


def test_a_recorded_function_inside_another():
    p = dark.Parameter(2.0)
    inner = dark.recorded(lambda x: p * x)
    outer = dark.recorded(lambda x: inner(x) * inner(x))
    assert [outer(float(k)).value for k in range(5)] == [4.0 * k * k for k in range(5)]
    assert outer.refused == []


def test_the_graph_of_a_replay_can_be_seen():
    _, f, eager = replayed()
    loss = f(X[2], LABELS)
    root = loss.op.opened(loss)
    assert [n.op.label() for n in dark.topological_order(root) if n.op] == ["linear", "tanh", "linear", "cross_entropy"]
    assert root.value == loss.value == eager(X[2], LABELS).value


def test_the_box_of_a_replay_opens_to_the_recorded_graph():
    _, f, _ = replayed()
    loss = f(X[2], LABELS) * 2.0
    loss.backward()
    closed, opened = (dark.draw(loss, open=is_open).text for is_open in (False, True))
    assert "recorded" in closed and "linear" not in closed and "4 nodes" in closed
    assert [opened.count(name) for name in ("linear", "tanh", "cross_entropy")] == [2, 1, 1]
    assert "recorded" in str(dark.draw.where(loss, time=True))


def test_a_gradient_that_is_constant_may_be_written_into():
    p = dark.Parameter(np.ones(3))
    f = dark.recorded(lambda: dark.sum(p * np.array([1.0, 2.0, 3.0])))
    for _ in range(4):
        p.grad = None
        f().backward()
        assert p.grad.tolist() == [1.0, 2.0, 3.0]
        p.grad *= 7.0


@pytest.mark.parametrize("number", [2.0, np.float32(2), np.float64(2), dark.Constant(2.0)])
def test_numbers_promote_as_in_the_function(number):
    p = dark.Parameter(np.ones(3, "f4"))

    def loss(x):
        return dark.sum(p * x)

    f = dark.recorded(loss)
    assert [f(number).dtype for _ in range(4)] == [loss(number).dtype] * 4


class Noise(dark.Operation):
    """Adds random numbers; written by a user."""

    rng = np.random.default_rng(0)

    @staticmethod
    def _f(x):
        return x + Noise.rng.normal(size=np.shape(x))

    @staticmethod
    def _df(dldy, y, x):
        return (dldy,)


def test_an_operation_of_a_user_that_draws():
    p = dark.Parameter(np.ones(3))

    def in_order():
        return dark.sum(Noise.apply(Noise.apply(p)) ** 2)

    def out_of_order():
        first, second = Noise.apply(p), Noise.apply(2.0 * p)
        return dark.sum(second * first**2) + dark.sum(second)

    for loss in (in_order, out_of_order):
        seen = []
        for f in (loss, dark.recorded(loss)):
            Noise.rng = np.random.default_rng(0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                seen.append([f().item() for _ in range(6)])
        assert seen[0] == seen[1]


class Counted(dark.Operation):
    """Counts its calls; written by a user."""

    calls: list = []

    @staticmethod
    def _f(x):
        Counted.calls.append("f")
        return 2.0 * x

    @staticmethod
    def _df(dldy, y, x):
        Counted.calls.append("df")
        return (2.0 * dldy,)


def test_an_operation_of_a_user_is_not_called_an_extra_time():
    p, bad = dark.Parameter(np.ones(3)), np.array([0, 3])
    Counted.calls = []
    f = dark.recorded(lambda y: cross_entropy(dark.stack([Counted.apply(p), p]), y))
    for _ in range(2):
        f(LABELS[:2])
    assert Counted.calls == ["f"] * 2
    f(LABELS[:2]).backward(0.5)
    assert Counted.calls == ["f"] * 2 + ["f", "df", "df"]  # the replay, and the backward pass for another gradient
    with pytest.raises(ValueTypeError, match="target classes must be from 0"):
        f(bad)
    assert Counted.calls == ["f"] * 2 + ["f", "df", "df"] + ["f"]


def test_the_package_has_at_most_450_lines_of_code():
    """Lines that are blank, a comment or a docstring are not counted."""
    count = 0
    for path in Path(recording.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in layout]
        code = {k for t in tokens for k in range(t.start[0], t.end[0] + 1)}
        found = ast.walk(ast.parse(text))
        strings = [n for n in found if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)]
        count += len(code - {k for n in strings for k in range(n.lineno, n.end_lineno + 1)})
    assert 300 < count <= 450
