"""The mechanism behind everything that is watched: hooks and handles, how often, and functions around a moment."""

import copy
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.engine import Engine, Events
from dark.errors import DarkError, ValueTypeError
from dark.hooks import Every, Handles, Hooks, Once, within

ROOT = Path(__file__).parents[1]
NUMBERS = range(60)
counts = st.integers(1, 12)
conditions = st.one_of(
    counts.map(Every),
    st.builds(Every, st.none() | counts, before=st.none() | counts, after=st.none() | counts),
    st.lists(counts, min_size=1).map(tuple).map(Once),
    counts.map(lambda n: lambda subject, number: number > n),
)


def selected(when):
    return {number for number in NUMBERS if when(None, number)}


@given(conditions, conditions, st.sampled_from([Every(3), Once((1, 4))]))
def test_conditions_are_combined_like_sets(first, second, whole):
    both, either = whole & first, whole | first
    assert selected(both) == selected(whole) & selected(first)
    assert selected(either) == selected(whole) | selected(first)
    assert selected((whole | first) & second) == (selected(whole) | selected(first)) & selected(second)
    assert {type(both(None, number)) for number in NUMBERS} == {bool}


@given(counts, st.none() | counts, st.none() | counts)
def test_every_counts_from_the_first_number_after_its_lower_bound(every, before, after):
    found = selected(Every(every, before, after))
    first, end = (0 if before is None else 1, 60) if after is None else (after + 1, 60)
    assert found == {n for n in range(first, end) if (n - first) % every == 0 and (before is None or n < before)}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: Every(0), "Every: every must be 1 or more, got 0.\n  Expected: an integer, 1 or more"),
        (lambda: Every("2"), "Every: every must be an integer, got '2'"),
        (lambda: Every(after=-1), "Every: after must be 0 or more, got -1"),
        (lambda: Once(5), "Once: numbers must be a tuple or a list, got 5"),
        (lambda: Once((1, 2.5)), "Once: numbers must be an integer, got 2.5"),
    ],
)
def test_a_condition_that_selects_nothing_sensible_is_refused(wrong, says):
    with pytest.raises(DarkError) as raised:
        wrong()
    assert str(raised.value).startswith(says) and "Try: " in str(raised.value)


def test_a_combined_condition_shows_its_parts():
    def late(engine, number):
        return number > 50

    assert repr(Once((1,)) | Every(10)) == "once=1 | every=10"
    assert repr((Once((1, 2)) | Every(10)) & late) == "(once=[1, 2] | every=10) & late"


def test_an_event_takes_a_combined_condition():
    engine, seen = Engine(lambda engine, batch: None), []
    event = Events.ITERATION_COMPLETED(Once((1,)) | Every(4))
    engine.add_event_handler(event, lambda engine: seen.append(engine.state.iteration))
    engine.run(range(9))
    assert seen == [1, 4, 8] and repr(event) == "Events.ITERATION_COMPLETED(once=1 | every=4)"


@given(st.lists(st.sampled_from(["add", "prepend", "remove"]), max_size=20), st.data())
def test_hooks_are_in_order_after_any_additions_and_removals(steps, data):
    hooks, model, handles = Hooks(), [], {}
    for name, step in enumerate(steps):
        if step == "remove":
            if handles:
                gone = data.draw(st.sampled_from(sorted(handles)))
                model = [other for other in model if other != gone]
                for _ in range(2):
                    handles[gone].remove()
                assert handles.pop(gone).hook() is None
        else:
            handles[name] = hooks.add(name, prepend=step == "prepend")
            model = [name, *model] if step == "prepend" else [*model, name]
        assert list(hooks) == list(hooks.ordered) == model and len(hooks) == len(model)
    assert {name: handle.hook() for name, handle in handles.items()} == {name: name for name in handles}


def test_a_loop_that_has_begun_calls_the_hooks_it_began_with():
    hooks, seen = Hooks(), []
    second = hooks.add(lambda: seen.append("second"))
    hooks.add(second.remove, prepend=True)
    for hook in hooks.ordered:
        hook()
    assert seen == ["second"] and len(hooks) == 1


def test_several_handles_are_removed_as_one():
    hooks = Hooks()
    with Handles([hooks.add(1), hooks.add(2)]):
        hooks.add(3)
    assert list(hooks) == [3]


def test_a_handle_outlives_its_hooks_and_is_copied_with_them():
    hooks = Hooks()
    handle = hooks.add("a hook")
    others, copied = copy.deepcopy((hooks, handle))
    copied.remove()
    assert list(hooks) == ["a hook"] and not others.ordered
    del hooks
    handle.remove()
    assert handle.hook() is None


def around(name, calls):
    def function(subject):
        calls.append(f"{name}<{subject}")
        yield
        calls.append(f"{name}>{subject}")

    return function


def test_functions_around_a_call_are_nested_also_when_it_raises():
    calls = []
    arounds = [around("a", calls), around("b", calls)]
    assert within(arounds, lambda: calls.append("call") or 3, "s") == 3
    assert calls == ["a<s", "b<s", "call", "b>s", "a>s"]
    calls.clear()
    with pytest.raises(ZeroDivisionError):
        within(arounds, lambda: 1 / 0, "s")
    assert calls == ["a<s", "b<s", "b>s", "a>s"]


def test_if_a_function_around_raises_first_the_others_still_end():
    calls = []

    def refuses(subject):
        raise KeyError(subject)
        yield

    with pytest.raises(KeyError):
        within([around("a", calls), refuses, around("b", calls)], lambda: calls.append("call"), "s")
    assert calls == ["a<s", "a>s"]


def test_a_generator_function_and_two_functions_do_the_same_around_events():
    calls, others = [], []

    def both(engine, event):
        calls.append(f"<{event}")
        yield
        calls.append(f"{event}>")

    engine = Engine(lambda engine, batch: None)
    engine.around_events(both)
    engine.around_events(lambda _, event: others.append(f"<{event}"), lambda _, event: others.append(f"{event}>"))
    engine.run([1, 2])
    assert calls == others and len(calls) > 20


def test_a_generator_that_ends_before_its_yield_has_no_part_after():
    calls = []

    def first_only(subject):
        if subject == "s":
            return
        yield
        calls.append(subject)

    assert within([first_only, around("a", calls)], lambda: 3, "s") == 3
    assert calls == ["a<s", "a>s"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((lambda engine, event: None,), "around_events: without `after`, .* is not a generator function"),
        ((print, 3), "around_events: after must be callable, got 3"),
        ((lambda: None, print), r"around_events: before must accept 2 positional arguments, got before\(\)"),
        ((None,), "around_events: before must be callable, got None"),
    ],
)
def test_functions_that_cannot_be_called_around_events_are_refused(given, says):
    engine = Engine(lambda engine, batch: None)
    with pytest.raises(ValueTypeError, match=says):
        engine.around_events(*given)
    assert not engine.event_hooks.ordered


def test_the_mechanism_is_small_and_needs_no_numpy():
    text = (ROOT / "dark" / "hooks.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    code = "import sys; sys.modules['numpy'] = None; import dark.hooks"
    subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, check=True)
