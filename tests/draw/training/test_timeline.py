"""Timelines: events in order, lanes, handlers, and folded repetitions."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.draw import timeline
from dark.draw.training.timeline import Fold, fold_repetitions
from dark.engine import Engine, Events, record
from dark.errors import DrawingError


def recorded(epochs=4, length=3):
    evaluator, trainer = Engine(lambda engine, batch: None), Engine(lambda engine, batch: None)

    @trainer.on(Events.EPOCH_COMPLETED)
    def evaluate():
        evaluator.run([1, 2])

    with record(trainer, evaluator, names=["trainer", "evaluator"]) as recording:
        trainer.run(range(length), max_epochs=epochs)
    return recording, trainer


def test_equal_iterations_and_epochs_are_folded():
    recording, _ = recorded()
    lines = timeline(recording).text.splitlines()
    assert lines[2] == "3 times, to iteration 3 of trainer:"
    assert "trainer  EPOCH_COMPLETED, epoch 1: evaluate" in [line.strip() for line in lines]
    assert "2 times, to iteration 2 of evaluator:" in [line.strip() for line in lines]
    assert "3 times, to iteration 12 of trainer:" in lines
    assert sum("DATALOADER_STOP_ITERATION" in line for line in lines) == 1  # the epochs after the first are equal
    longer = timeline(recorded(epochs=40, length=30)[0]).text.splitlines()
    assert len(longer) == len(lines)


def unfolded(items):
    """Yield the events that folds represent."""
    for item in items:
        yield from list(unfolded(item.first)) * item.times if isinstance(item, Fold) else [(item.engine, item.event)]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["STARTED", "X_STARTED", "X", "Y"])), max_size=40))
def test_folding_keeps_all_events(pairs):
    moments = [SimpleNamespace(engine=a, event=b, epoch=1, iteration=1, handlers=()) for a, b in pairs]
    assert list(unfolded(fold_repetitions(moments))) == pairs


def test_text_alternative_text_and_picture_agree():
    recording, trainer = recorded(epochs=1)
    picture = timeline(trainer, title="One epoch")
    assert picture.text == timeline(recording).text
    assert picture.alt.startswith(f"One epoch. Timeline of trainer, evaluator: {len(recording.moments)} events.")
    shown = [text.get_text() for text in picture.figure.axes[0].texts]
    assert {"trainer", "evaluator", "EPOCH_COMPLETED, epoch 1: evaluate"} <= set(shown)
    marks = {line.get_marker() for line in picture.figure.axes[0].lines} - {"None"}
    assert marks == {"o", "s"}  # lanes differ not only in color
    assert "<desc>" in picture.svg and picture.svg == timeline(trainer, title="One epoch").svg


def test_the_text_of_two_lanes_is_readable_on_a_page_and_stays_in_its_lane():
    figure = timeline(recorded(epochs=2)[0]).figure
    figure.canvas.draw()
    shown = [text for text in figure.axes[0].texts if "_" in text.get_text()]
    scale = min(1, 690 / (96 * figure.get_figwidth()))  # a page of the book is 690 pixels wide
    assert all(text.get_fontsize() * 96 / 72 * scale >= 9 for text in shown)
    boxes = [(text.get_position()[0], text.get_window_extent()) for text in shown]
    lane = max(left for left, _ in boxes) - 0.6  # of the evaluator
    first = [box.x1 for left, box in boxes if left < lane]
    assert max(first) < min(box.x0 for left, box in boxes if left >= lane)
    assert max(box.x1 for _, box in boxes) <= figure.bbox.x1


def test_a_long_timeline_is_truncated_with_a_count():
    moments = [SimpleNamespace(engine="e", event=f"E{k}", epoch=0, iteration=0, handlers=()) for k in range(170)]
    picture = timeline(SimpleNamespace(moments=moments))
    assert picture.text.endswith("\nand 20 more lines") and "and 20 more lines" in picture.alt


@pytest.mark.parametrize("nothing", [Engine(lambda engine, batch: None), SimpleNamespace(moments=[]), 5])
def test_an_empty_record_raises(nothing):
    with pytest.raises(DrawingError, match="timeline: .* has no recorded events"):
        timeline(nothing)


@pytest.mark.parametrize("leave_out", [["GET_BATCH", "DATALOADER"], "GET_BATCH", ()])
def test_events_are_left_out_by_the_beginnings_of_their_names(leave_out):
    recording, _ = recorded()
    text = timeline(recording, leave_out=leave_out).text
    assert ("GET_BATCH" in text) is (leave_out == ())
    assert ("DATALOADER" in text) is ("DATALOADER" not in leave_out)
    assert "3 times, to iteration 3 of trainer:\n" in text


def test_leaving_out_all_events_raises():
    with pytest.raises(DrawingError, match=r"timeline: leave_out must not leave out all \d+ events, got \('',\)"):
        timeline(recorded()[0], leave_out="")


def test_a_handler_can_draw_the_run_so_far():
    engine, drawn = Engine(lambda engine, batch: None), []
    with record(engine):
        engine.add_event_handler(Events.EPOCH_STARTED, lambda: drawn.append(timeline(engine).text))
        engine.run([1])
    assert drawn[0].startswith("engine  STARTED") and "EPOCH_STARTED" in drawn[0]
