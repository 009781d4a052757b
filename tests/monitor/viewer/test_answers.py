"""Tests of the questions of the page about a run, and their answers."""

import numpy as np
import pytest

from dark.errors import StorageError, UsageError, ValueTypeError
from dark.monitor import Note
from dark.monitor.summary import histogram
from dark.monitor.viewer.answers import MOST_SENT, Answers, key_of, plain, sent
from dark.monitor.viewer.summaries import edges_of, evenly, statistics_of, summary_of
from dark.monitor.viewer.views import openers_of
from dark.pages.thinning import strides_within
from tests.monitor.viewer.runs import LATE, STEPS, take_down


@pytest.fixture
def answers(runs):
    return Answers(*openers_of([runs / "first"], "view"))


def ask(answers, kind, **more):
    return answers.answer({"ask": kind, "run": "first", **more})


def test_the_runs_of_the_folder_can_be_opened(answers):
    assert answers.answer({"ask": "runs"}).header == {"runs": ["first", "second"], "shown": ["first"], "arrays": []}


def test_a_run_is_described_with_its_series(answers):
    header = ask(answers, "describe").header
    tensors = {one["name"]: one for one in header["tensors"]}
    assert tensors["weights/fc1.weight"] == {
        "name": "weights/fc1.weight", "count": STEPS, "shape": [10, 64], "kind": "I",
    }  # fmt: skip
    assert tensors["samples/worst 1/video"]["count"] == STEPS - LATE
    assert tensors["samples/worst 0/fc1"]["kind"] == "II"
    assert header["configs"] == {"lr": 0.1, "optimizer": "SGD", "sizes": [64, 10]}
    assert header["criteria"] == {"best accuracy": 0.98231} and header["content"] == ["the training has ended"]
    assert header["damage"] == [] and header["status"] == "ended"


def test_the_timeline_has_the_steps_of_all_series(answers):
    assert ask(answers, "timeline").arrays[0].tolist() == list(range(0, 20 * STEPS, 20))


def test_a_scalar_is_answered_from_where_it_is_known(answers, runs):
    note = Note.load(runs / "first")
    header, (steps, values) = ask(answers, "scalar", name="loss", **{"from": 90})
    assert header["from"] == 90 and steps.tolist() == list(range(1800, 2000, 20))
    assert values.tolist() == note.scalar_dict["loss"].values[90:].tolist()


@pytest.mark.parametrize("name", ["weights/scale", "weights/fc1.bias", "weights/conv.weight", "samples/worst 1/video"])
def test_a_tensor_arrives_bit_by_bit(answers, runs, name):
    series = Note.load(runs / "first").tensor_dict[name]
    header, (array,) = ask(answers, "tensor", name=name, index=7)
    assert np.array_equal(array, series[7]) and header["step"] == series.steps[7]
    assert header["shape"] == header["wholeShape"] == list(series.shape) and header["thinned"] == ""


def test_integers_and_bools_arrive_as_types_of_the_page(answers):
    (counts,), (mask,) = (ask(answers, "tensor", name=name, index=1).arrays for name in ("counts", "mask"))
    assert counts.dtype == np.float64 and counts.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert mask.dtype == np.uint8 and mask.tolist() == [[1, 0, 1], [0, 1, 0]]
    assert sent(np.ones(2, ">f2")).dtype == np.dtype("<f4") and sent(np.ones(2, "i2")).dtype == np.int32


def test_statistics_leave_out_what_is_not_finite(answers):
    header = ask(answers, "tensor", name="gradients/fc1.weight", index=STEPS - 1).header
    assert header["statistics"]["nan"] == 4 and header["statistics"]["infinite"] == 1
    nothing = dict.fromkeys(("low", "high", "mean", "std")) | {"nan": 2, "infinite": 1}
    assert statistics_of(np.array([np.nan, np.inf, np.nan])) == nothing
    assert statistics_of(np.empty(0)) == nothing | {"nan": 0, "infinite": 0}


def test_a_large_tensor_is_thinned_and_its_statistics_are_of_the_whole(tmp_path):
    large = np.zeros((3000, 2000), np.float32)
    large[1, 1] = 7
    with Note(tmp_path / "large") as note:
        note.take_down_scalars_and_tensors(1, tensors={"w": large})
    answers = Answers({"large": lambda: note}, ["large"])
    header, (array,) = answers.answer({"ask": "tensor", "run": "large", "name": "w", "index": 0})
    assert array.size <= MOST_SENT and header["shape"] == list(array.shape) and header["strides"] == [4, 2]
    assert header["statistics"]["high"] == 7 and array.max() == 0
    assert header["thinned"] == "shown: every 4th along axis 0, every 2nd along axis 1"
    assert strides_within((5,), 10) == [1] and strides_within((0, 5), 10) == [1, 1]


def test_a_summary_has_the_range_of_all_steps_and_counts_every_value(answers, runs):
    series = Note.load(runs / "first").tensor_dict["weights/fc1.weight"]
    whole = np.stack(list(series))
    for log in (False, True):
        header, (steps, counts, edges) = ask(answers, "summary", name="weights/fc1.weight", log=log)
        assert header["low"] == whole.min() and header["high"] == whole.max()
        assert header["taken"] == header["of"] == len(steps) == STEPS
        assert (counts.sum(axis=1) == 640).all() and (np.diff(edges) > 0).all()
        assert np.array_equal(counts[3], np.histogram(series[3], edges)[0])


def test_a_summary_counts_what_is_not_finite_and_takes_some_of_many_steps(runs):
    series = Note.load(runs / "first").tensor_dict["gradients/fc1.weight"]
    header, (steps, counts, _) = summary_of(series, log=False, columns=10)
    assert header["taken"] == 10 and header["of"] == STEPS and steps[-1] == 20 * (STEPS - 1)
    assert header["missing"] == 5 * sum(step >= 10 * STEPS for step in steps) == 6400 - counts.sum()


def test_edges_of_a_constant_and_indices_that_are_spread():
    assert edges_of(2.0, 2.0, False, 2).tolist() == [1.0, 2.0, 3.0]
    assert edges_of(0.0, 0.0, True, 2)[[0, -1]].tolist() == [-0.5, 0.5]
    assert evenly(1000, 3).tolist() == [0, 500, 999] and evenly(0, 5).tolist() == [] and evenly(5, 1).tolist() == [4]


def test_a_run_that_grows_is_described_anew(tmp_path):
    note = Note(tmp_path / "live")
    answers = Answers(*openers_of([note], "view"))
    request = {"ask": "describe", "run": "live"}
    first = answers.answer(request).header
    assert first["tensors"] == [] and first["status"] == "running"
    assert answers.answer(request).header["version"] == first["version"]
    take_down(note, 0, np.random.default_rng(0))
    second = answers.answer(request).header
    assert second["version"] != first["version"] and second["generation"] == first["generation"]
    assert {one["name"]: one["count"] for one in second["scalars"]}["loss"] == 1
    note.close()
    assert answers.answer(request).header["status"] == "ended"


def test_a_run_that_is_resumed_has_another_generation(tmp_path):
    with Note(tmp_path / "run") as note:
        for step in (1, 2, 3):
            note.take_down_scalars_and_tensors(step, {"loss": step})
    answers = Answers(*openers_of([tmp_path / "run"], "view"))
    request = {"ask": "describe", "run": "run"}
    assert answers.answer(request).header["generation"] == 0
    with Note(tmp_path / "run") as note:
        note.take_down_scalars_and_tensors(2, {"loss": 20})
    assert answers.answer(request).header["generation"] == 1
    assert answers.answer({"ask": "scalar", "run": "run", "name": "loss"}).arrays[1].tolist() == [1, 20]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"ask": "tensors"}, "request 'tensors' does not exist(.|\n)*Try: tensor"),
        ({"ask": "describe", "run": "frist"}, "run 'frist' does not exist(.|\n)*first"),
        ({"ask": "describe", "run": ["first"]}, "the run .* does not exist"),
        ({"ask": "scalar", "run": "first", "name": "los"}, "scalar 'los' does not exist(.|\n)*loss"),
        ({"ask": "tensor", "run": "first", "name": "counts", "index": STEPS}, "record 100 of 100"),
        ({"ask": "tensor", "run": "first", "name": "counts", "index": "0"}, "record '0'"),
        ({}, "request None"),
    ],
)
def test_an_unknown_question_is_refused(answers, request_, message):
    with pytest.raises(UsageError, match=message):
        answers.answer(request_)


def test_what_is_not_a_run_is_refused(tmp_path, runs):
    with pytest.raises(ValueTypeError, match=r"view: 3 \(int\) is not a run"):
        openers_of([3], "view")
    with pytest.raises(StorageError, match="this run does not exist"):
        openers_of([tmp_path / "nowhere"], "view")
    with pytest.raises(UsageError, match="the runs must differ; two are"):
        openers_of([runs / "first", Note.load(runs / "first")], "view")


def test_runs_of_one_name_in_two_folders_are_told_apart(tmp_path):
    for folder in ("a", "b"):
        Note(tmp_path / folder / "run").close()
    openers, shown = openers_of([tmp_path / "a" / "run", tmp_path / "b" / "run"], "view")
    assert shown == ["run", str(tmp_path / "b" / "run")] and len(openers) == 2


def test_values_become_what_json_can_hold():
    found = plain({"a": [np.float32(0.5), np.nan, (1, None)], 3: {True}})
    assert found == {"a": [0.5, "nan", [1, None]], "3": "{True}"}


def test_keys_are_those_of_the_page():
    assert key_of({"ask": "summary", "run": 'a"é\n', "log": True}) == '["summary","a\\"é\\n",null,null,true]'


def test_the_runs_in_one_file_are_opened_beside_each_other(tmp_path):
    for name in ("first", "second", "third"):
        with Note(tmp_path / "runs" / name) as note:
            note.take_down_scalars_and_tensors(1, {"loss": len(name)}, {"w": np.ones(2)})
    Note.save_all(Note.load_all(tmp_path / "runs"), tmp_path / "all.zip")
    for given, shown in (
        ([tmp_path / "all.zip"], ["first"]),
        ([tmp_path / "all.zip" / "second"], ["second"]),
        ([Note.load(tmp_path / "all.zip" / "third"), tmp_path / "all.zip" / "first"], ["third", "first"]),
    ):
        answers = Answers(*openers_of(given, "view"))
        assert answers.shown == shown and sorted(answers.openers) == ["first", "second", "third"]
        header, arrays = answers.answer({"ask": "scalar", "run": "third", "name": "loss"})
        assert arrays[1].tolist() == [5.0]
    openers, _ = openers_of([tmp_path / "all.zip" / "first"], "page", beside=False)
    assert list(openers) == ["first"]
    Note(tmp_path / "other").close()
    assert sorted(openers_of([tmp_path / "other"], "view")[0]) == ["first", "other", "second", "third"]


def test_a_summary_of_noted_histograms_has_their_values_in_bins_of_one_width(tmp_path):
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(40, 30)) * (1 + k) for k in range(5)] + [
        np.full((40, 30), 2.0),
        np.full((40, 30), np.nan),
    ]
    with Note(tmp_path / "run") as note:
        for k, array in enumerate(arrays):
            note.take_down_scalars_and_tensors(k, {}, {"histograms/weights/a": histogram(array)})
    answers = Answers(*openers_of([note], "view"))
    for log in (False, True):
        answer = answers.answer({"ask": "summary", "run": "run", "name": "histograms/weights/a", "log": log})
        header, (steps, counts, edges) = answer.header, answer.arrays
        assert header["low"] == pytest.approx(min(a.min() for a in arrays[:5]), rel=1e-6) and len(steps) == 7
        assert header["missing"] == 1200 and counts.sum(axis=1).tolist() == [1200] * 6 + [0]
        assert counts[5].max() == 1200 and edges[counts[5].argmax()] <= 2 <= edges[counts[5].argmax() + 1]
        if not log:
            exact = np.histogram(arrays[4], edges)[0]
            assert abs(np.cumsum(exact) - np.cumsum(counts[4])).max() < 0.03 * 1200
