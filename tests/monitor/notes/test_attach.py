"""Notes at the events of engines and trainers: cadence, triggers, steps, sources."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import dark
from dark.engine import Engine, Events
from dark.errors import EngineError, UsageError, ValueTypeError
from dark.monitor import Note


@pytest.fixture
def note(tmp_path):
    """Return a note that is being written."""
    with Note(tmp_path / "run") as opened:
        yield opened


class Source:
    """A source whose arrays change in place."""

    def __init__(self):
        self.weight = np.zeros(2)

    def scalars(self):
        self.weight += 1
        return {"dead/relu": 0.5}

    def tensors(self):
        return {"weights/fc": self.weight, "samples/a 0/fc": self.weight}


def doubled(**settings):
    return Engine(lambda engine, batch: 2.0 * batch, **settings)


def steps(note, name):
    return note.scalar_dict[name].steps.tolist() if name in note.scalar_dict else note.tensor_dict[name].steps.tolist()


def test_the_output_and_the_metrics_of_an_engine_are_taken_by_default(note):
    engine = doubled()
    engine.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: engine.state.metrics.update(accuracy=0.5, x=[1]))
    note.attach(engine, Events.ITERATION_COMPLETED | Events.EPOCH_COMPLETED)
    engine.run([1, 2], max_epochs=2)
    assert list(note.scalar_dict) == ["loss", "accuracy"]
    assert note.scalar_dict["loss"].values.tolist() == [2, 4, 2, 4] and steps(note, "accuracy") == [2, 3, 4]


def test_losses_metrics_and_validation_of_a_trainer_have_their_full_names(note):
    engine = Engine(lambda engine, batch: {"generator": dark.Parameter(1.0), "terms": {"l1": np.array(2.0)}, "i": "x"})
    trainer = SimpleNamespace(engine=engine, validation={"validation-a": 0.5, "validation-b": 0.25})
    note.attach(trainer, Events.ITERATION_COMPLETED)
    engine.run([1])
    assert {name: series[0] for name, series in note.scalar_dict.items()} == {
        "generator": 1.0, "terms/l1": 2.0, "validation-a/validation": 0.5, "validation-b/validation": 0.25,
    }  # fmt: skip


def test_a_source_is_an_object_or_a_function(note):
    engine = doubled()
    note.attach(engine, Events.ITERATION_COMPLETED(every=2), Source())
    note.attach(engine, Events.EPOCH_COMPLETED, lambda: ({"epoch": engine.state.epoch}, None))
    note.attach(engine, Events.COMPLETED, SimpleNamespace(scalars=lambda: {"last": 1}))
    engine.run([1, 2, 3], max_epochs=2)
    assert steps(note, "weights/fc") == [2, 4, 6] and [x[0] for x in note.tensor_dict["weights/fc"]] == [1, 2, 3]
    assert steps(note, "epoch") == [3, 6] and steps(note, "last") == [6]


def test_series_have_cadences_of_their_own(note):
    engine = doubled()
    note.attach(engine, Events.ITERATION_COMPLETED, Source(), every={"weights/*": 2, "samples/*": 0, "*": 3})
    engine.run([1] * 6)
    assert steps(note, "weights/fc") == [2, 4, 6] and steps(note, "dead/relu") == [3, 6]
    assert list(note.tensor_dict) == ["weights/fc"]


def test_one_number_is_the_cadence_of_all_series(note):
    engine = doubled()
    note.attach(engine, Events.ITERATION_COMPLETED(every=2), every=3)
    note.attach(engine, Events.ITERATION_COMPLETED, lambda: ({"never": 1}, {}), every=0)
    engine.run([1] * 12)
    assert steps(note, "loss") == [6, 12] and "never" not in note.scalar_dict


def test_nan_is_taken_when_it_appears_with_all_series(note):
    engine = doubled()
    note.attach(engine, Events.EPOCH_COMPLETED, Source(), every={"weights/*": 0}, when_nan=True)
    engine.run([1, math.nan, math.nan, 2, math.inf, 3])
    assert steps(note, "weights/fc") == [2, 5] and steps(note, "dead/relu") == [2, 5, 6]


def test_a_function_tells_when_there_is_nan(note):
    engine = doubled()
    note.attach(engine, Events.COMPLETED, when_nan=lambda: engine.state.iteration in (2, 3, 5))
    engine.run([1] * 6)
    assert steps(note, "loss") == [2, 5, 6]


def test_a_new_best_value_is_taken_with_all_series(note):
    engine = doubled()
    note.attach(engine, Events.COMPLETED, Source(), every={"weights/*": 0}, on_best="loss", better="lower")
    engine.run([5, 7, math.nan, 3, 4, 3, 1])
    assert steps(note, "weights/fc") == [1, 4, 7]


def test_a_metric_or_a_function_can_be_the_best_value(note):
    engine, scores = doubled(), iter([0.5, 0.4, 0.9])
    engine.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: engine.state.metrics.update(a=next(scores)))
    note.attach(engine, Events.COMPLETED, on_best="a")
    note.attach(engine, Events.COMPLETED, lambda: ({"called": 1}, {}), on_best=lambda: engine.state.metrics.get("a"))
    engine.run([1, 2], max_epochs=3)
    assert steps(note, "loss") == steps(note, "called") == [2, 6]


def test_a_best_value_that_never_was_there_is_named_at_the_end(note):
    engine = doubled()
    note.attach(engine, Events.COMPLETED, on_best="los")
    with pytest.warns(UserWarning, match=r"the run had no value 'los' for on_best. Try: loss"):
        engine.run([1])


def test_a_step_at_which_all_was_taken_is_not_taken_again(note, monkeypatch):
    engine, taken = doubled(), []
    take = note.take_down_scalars_and_tensors
    monkeypatch.setattr(note, "take_down_scalars_and_tensors", lambda *args: (taken.append(args[0]), take(*args)))
    note.attach(engine, Events.ITERATION_COMPLETED(every=2), when_nan=True, on_best="loss")
    engine.run([1, 2, 1, math.nan])
    assert taken == [1, 2, 4]


def test_steps_are_epochs_where_asked(note):
    engine = doubled()
    note.attach(engine, Events.ITERATION_COMPLETED, step="epoch")
    engine.run([1] * 4, max_epochs=2)
    assert steps(note, "loss") == [k / 4 for k in range(1, 9)]


def test_steps_may_come_from_another_engine(note):
    trainer, evaluator = doubled(), doubled()
    note.attach(evaluator, Events.COMPLETED, step=lambda: trainer.state.iteration)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: evaluator.run([1]) and None)
    trainer.run([1, 2, 3], max_epochs=2)
    assert steps(note, "loss") == [3, 6]


def test_an_epoch_of_unknown_length_is_not_a_step(note):
    engine = doubled()
    note.attach(engine, Events.ITERATION_COMPLETED, step="epoch")
    with pytest.raises(EngineError, match="the number of iterations per epoch is not known"):
        engine.run(iter([1, 2]))


def test_a_handle_detaches_everything(note):
    engine = doubled()
    with note.attach(engine, Events.ITERATION_COMPLETED, when_nan=True, on_best="loss"):
        engine.run([1])
    engine.run([math.nan], max_epochs=2)
    assert steps(note, "loss") == [1]


def test_a_training_is_equal_with_and_without_a_note(note):
    def trained(watched):
        network = dark.nn.Sequential(dark.nn.Linear(2, 3, seed=0), dark.nn.Dropout(0.5, seed=1))
        optimizer = dark.optim.Adam(network.parameters())
        trainer = dark.trainers.create_supervised_trainer(network, optimizer, dark.losses.mse)
        if watched:
            source = lambda: ({}, {name: p.value for name, p in network.named_parameters()})
            note.attach(trainer, Events.ITERATION_COMPLETED, source, when_nan=True, on_best="loss", better="lower")
        trainer.run([(np.ones((4, 2)), np.zeros((4, 3)))] * 5, max_epochs=2)
        return [p.value.tobytes() for p in network.parameters()]

    assert trained(False) == trained(True) and steps(note, "0.weight") == [*range(1, 11)]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"source": 3}, ValueTypeError, "source must have .*, got 3"),
        ({"source": Source}, ValueTypeError, "source must have"),
        ({"source": lambda x: x}, ValueTypeError, "source"),
        ({"every": {"*": -1}}, UsageError, r"every\['\*'\] must be 0 or more, got -1"),
        ({"every": {1: 1}}, ValueTypeError, "the keys of every must be strings, got 1"),
        ({"better": "more"}, UsageError, "invalid better 'more'"),
        ({"step": "batch"}, UsageError, "invalid step 'batch'"),
        ({"when_nan": 3}, ValueTypeError, "when_nan must be callable, got 3"),
        ({"on_best": 3}, ValueTypeError, "on_best must be callable, got 3"),
    ],
)
def test_invalid_arguments_are_refused_when_attached(note, settings, error, message):
    with pytest.raises(error, match=message):
        note.attach(doubled(), Events.COMPLETED, **settings)
    with pytest.raises(ValueTypeError, match="attach: expected an engine or a trainer, got 3"):
        note.attach(3, Events.COMPLETED)


def test_a_source_that_returns_something_else_is_named(note):
    engine = doubled()
    note.attach(engine, Events.COMPLETED, lambda: {"loss": 1})
    with pytest.raises(ValueTypeError, match="the source must return a pair of mappings, got {'loss': 1}"):
        engine.run([1])
