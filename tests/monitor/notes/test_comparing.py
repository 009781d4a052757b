"""Runs compared: filters, conditions, summaries."""

import math
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import DarkError, UsageError, ValueTypeError
from dark.monitor import Note, select, summarize
from dark.monitor.notes.comparing import MISSING, shown
from dark.monitor.notes.expression import Expression

SETTINGS = [
    ({"lr": 0.1, "optimizer": "adam", "model": {"width": 8}}, {"accuracy": 0.9, "time": 3}),
    ({"lr": 0.01, "optimizer": "sgd", "model": {"width": 8}, "bs": 3}, {"accuracy": 0.95}),
    ({"lr": 0.1, "optimizer": "adam", "model": {"width": 8}}, {"accuracy": 0.8}),
    ({"lr": 0.01, "layers": [3, 4], "model": {"width": 8}}, {"accuracy": math.nan}),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return four runs."""
    folder = tmp_path_factory.mktemp("runs")
    for k, (configs, criteria) in enumerate(SETTINGS):
        with Note(folder / f"run{k}") as note:
            note.put_down_configs(configs)
            for name, value in criteria.items():
                note.put_down_criterion(name, value)
            note.take_down_scalars_and_tensors(1, {"loss": 9.0})
            note.take_down_scalars_and_tensors(2, {"loss": float(k)})
    return Note.load_all(folder)


def names(found):
    return [int(run.folder.name[-1]) for run in found]


def test_a_filter_finds_equal_values_and_leaves_out_runs_without_them(runs):
    assert names(Note.filter(runs, lr=0.1)) == [0, 2]
    assert names(Note.filter(runs, bs=3)) == [1] and names(Note.filter(runs, bs=4)) == []
    assert names(Note.filter(runs, layers=(3, 4))) == [3] and names(Note.filter(runs, accuracy=0.8)) == [2]
    assert names(Note.filter(runs, **{"model.width": 8, "lr": 0.01})) == [1, 3]
    assert names(Note.filter(runs, **{"model": {"width": 8}})) == [0, 1, 2, 3]


def test_a_filter_sorts_and_puts_runs_without_the_value_last(runs):
    assert names(Note.filter(runs, sorted_by="accuracy")) == [2, 0, 1, 3]
    assert names(Note.filter(runs, "accuracy", True)) == [1, 0, 2, 3]
    assert names(Note.filter(runs, "optimizer")) == [0, 2, 1, 3] and names(Note.filter(runs, "time"))[0] == 0
    with pytest.raises(ValueTypeError, match="descend must be a bool, got 1"):
        Note.filter(runs, "time", 1)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("lr<0.1", [1, 3]),
        ("lr<0.1 and accuracy>=0.95", [1]),
        ("lr == .1 or bs = 3", [0, 1, 2]),
        ("0.01 <= lr < 0.1", [1, 3]),
        ("optimizer == 'adam' and not accuracy < 0.85", [0]),
        ("optimizer in [\"sgd\", 'x']", [1]),
        ("optimizer in ('sgd')", [1]),
        ("optimizer not in ('sgd', 'x')", [0, 2]),
        ("'da' in optimizer", [0, 2]),
        ("3 in layers", [3]),
        ("layers == [3, 4]", [3]),
        ("bs != 4", [1]),
        ("not bs == 3", []),
        ("bs == 3 or lr == 0.01", [1, 3]),
        ("not (bs == 3 and lr == 5)", [0, 1, 2, 3]),
        ("not (bs == 3 or lr == 5)", []),
        ("optimizer < 3", []),
        ("model.width == 8 and loss <= 1", [0, 1]),
        ("`loss`>=2", [2, 3]),
        ("accuracy == nan", [3]),
        ("accuracy != nan", [0, 1, 2]),
        ("lr > -1e-3 and lr < +inf", [0, 1, 2, 3]),
        ("not not bs", [1]),
        ("loss", [1, 2, 3]),
        ("loss and TRUE", [1, 2, 3]),
        ("bs == none", []),
        ("lr in [0.1, 0.2] and (optimizer == 'sgd' or (accuracy > 0.85))", [0]),
        ("lr in []", []),
    ],
)
def test_a_condition_selects_the_runs_for_which_it_holds(runs, condition, expected):
    assert names(select(runs, condition)) == expected


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("", "the end of ''"),
        ("lr <", "the end of 'lr <'"),
        ("lr < 0.1)", r"'\)' at character 9"),
        ("(lr < 0.1", "the end of"),
        ("lr 3", "'3' at character 4"),
        ("lr < and 3", "'and' at character 6"),
        ("lr & 3", "'&' at character 4"),
        ("'lr", "''' at character 1"),
        ("__import__('os')", r"'\(' at character 11"),
        ("[1, 2", "the end of"),
        ("lr not 3", "'not' at character 4"),
        ("(" * 999 + "lr" + ")" * 999, "is not expected"),
        ("()", r"'\)' at character 2"),
    ],
)
def test_a_condition_that_is_invalid_says_where(runs, condition, message):
    with pytest.raises(UsageError, match=message) as caught:
        select(runs, condition)
    assert "Expected: " in str(caught.value)


def test_a_key_that_no_run_has_gives_near_misses(runs):
    with pytest.raises(UsageError, match=r"(?s)none of the 4 runs has the key 'acuracy'.*Try: accuracy"):
        select(runs, "lr < 1 or acuracy > 0")
    with pytest.raises(ValueTypeError, match="the condition must be a str, got 3"):
        select(runs, 3)
    assert select([], "anything > 3") == []


@given(st.text(alphabet="lr<>=!()[]'`\"., 0.1eandornotin-+#é\\\n"))
def test_any_text_is_a_condition_or_a_clear_error(text):
    try:
        condition = Expression(text)
    except DarkError:
        return
    assert condition({"lr": 0.1}.get) in (True, False)


@given(st.recursive(st.sampled_from(["a", "b", "c", "missing"]), lambda inner: st.one_of(
    inner.map(lambda x: f"not {x}"), st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
        lambda parts: "({} {} {})".format(*parts)))), st.booleans(), st.booleans(), st.booleans())  # fmt: skip
def test_conditions_follow_python_where_no_value_is_missing(text, a, b, c):
    values = {"a": a, "b": b, "c": c}
    found = Expression(text)(lambda key: values.get(key, MISSING))
    both = [eval(text, {}, {**values, "missing": missing}) for missing in (True, False)]
    assert found == all(both) or not found  # a run matches only if it matches whatever the missing value is
    if "missing" not in text:
        assert found == both[0]


def test_a_summary_has_groups_with_their_criteria(runs):
    found = summarize(runs)
    assert found.common == {"model.width": 8} and found.varying == ["lr", "optimizer", "bs", "layers"]
    assert [names(group.runs) for group in found.groups] == [[0, 2], [1], [3]]
    assert found.groups[0].configs == {"lr": 0.1, "optimizer": "adam"}
    assert found.groups[0].criteria["accuracy"] == (2, 0.8, 0.9, pytest.approx(0.85), pytest.approx(0.85))
    assert found.criteria["accuracy"][:3] == (3, 0.8, 0.95) and found.criteria["accuracy"].median == 0.9
    assert found.groups[2].criteria["accuracy"].count == 0 and math.isnan(found.groups[2].criteria["accuracy"].mean)
    by_rate = summarize(runs, ["lr"])
    assert [(group.configs, names(group.runs)) for group in by_rate.groups] == [
        ({"lr": 0.1}, [0, 2]), ({"lr": 0.01}, [1, 3]),
    ]  # fmt: skip
    assert summarize([]).groups == [] and summarize(runs[:1]).varying == []
    with pytest.raises(UsageError, match="has the key 'rate'"):
        summarize(runs, ["rate"])


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_shown_with_at_least_four_significant_digits(value):
    assert float(shown(value)) == pytest.approx(value, rel=1e-4, abs=0)
    assert np.isfinite(float(shown(value)))


def test_packed_runs_are_found_with_the_others(runs, tmp_path):
    runs[0].save(tmp_path / "a.zip")
    (tmp_path / "b.zip").write_text("not a run")
    (tmp_path / "sub" / ".hidden").mkdir(parents=True)
    Note(tmp_path / "sub" / "deep" / "run").close()
    assert [run.folder.name for run in Note.load_all(tmp_path)] == ["a.zip", "run"]


def test_a_packed_copy_of_a_run_that_is_there_is_not_counted_twice(tmp_path):
    with Note(tmp_path / "first") as note:
        note.take_down_scalars_and_tensors(1, {"loss": 2.0})
        note.save(tmp_path / "first.zip")
    note.save(tmp_path / "archive.zip")
    Note(tmp_path / "second").close()
    assert [run.folder.name for run in Note.load_all(tmp_path)] == ["first", "second"]
    shutil.rmtree(tmp_path / "first")
    assert [run.folder.name for run in Note.load_all(tmp_path)] == ["archive.zip", "first.zip", "second"]
    (tmp_path / "second" / "run-0001.jsonl").rename(tmp_path / "second" / "scalars-0001.jsonl")  # damaged
    assert len(Note.load_all(tmp_path)) == 3
