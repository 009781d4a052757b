"""A trainer that is restored continues to the same bytes, and reports what it found."""

import pytest

import dark
from dark import nn
from dark.data import DataLoader, TensorDataset
from dark.engine import Events
from dark.errors import StorageError, UsageError
from dark.metrics import Accuracy, RunningAverage
from dark.trainers import Callback, CounterCallback, Event
from tests.trainers.adversaries import TRAININGS, classifier, gan, labeled, state_of


class Noisy(Callback):
    """A callback with a state that is not needed."""


def loader(kind, shuffle=True):
    """Return a loader of the batches of a training."""
    parts = TRAININGS[kind][1](1, 10)[0]
    if kind == "classifier":
        return DataLoader(TensorDataset(*parts), batch_size=2, shuffle=shuffle, seed=1)
    (x, _), noise = parts
    return DataLoader(TensorDataset(x, noise), batch_size=2, shuffle=shuffle, seed=1, collate_fn=pairs)


def pairs(items):
    x, noise = (dark.stack([item[k] for item in items]).value for k in (0, 1))
    return (x, None), noise


def training(kind, folder, callbacks=(), event=Events.EPOCH_COMPLETED):
    trainer = TRAININGS[kind][0](dropout=0.3, callbacks=callbacks)
    average = RunningAverage(output_transform=lambda output: sum(output.values()))
    average.attach(trainer.engine, "average")
    trainer.save(folder, event, also={"average": average})
    return trainer


def result(trainer):
    return state_of(trainer), trainer.engine.state.metrics["average"], trainer.context.global_step, trainer.validation


@pytest.mark.parametrize("kind", TRAININGS)
@pytest.mark.parametrize("event", [Events.EPOCH_COMPLETED, Events.ITERATION_COMPLETED(every=3)], ids=["epoch", "step"])
def test_a_restored_training_ends_with_the_same_bytes(kind, event, tmp_path):
    counted = lambda: CounterCallback(Event.ON_BATCH_END, lambda context: None, "count")
    whole = training(kind, tmp_path / "whole", [counted()], event)
    whole.run(loader(kind), loader(kind, False), max_epochs=2)
    first = training(kind, tmp_path / "parts", [counted()], event)
    first.run(loader(kind), loader(kind, False), max_epochs=1)
    again = training(kind, tmp_path / "parts", [counted()], event)
    report = again.restore(tmp_path / "parts")
    assert (report.missing, report.unused) == ((), ())
    assert (report.epoch, report.global_step) == ((1, 5) if event is Events.EPOCH_COMPLETED else (0, 3))
    assert again.run(loader(kind), loader(kind, False), max_epochs=2).epoch == 2
    assert result(again) == result(whole)
    assert again.callbacks[0].count == 10


def test_the_epoch_is_that_of_the_checkpoint_also_if_the_data_has_another_size(tmp_path):
    first = training("classifier", tmp_path)
    first.run(labeled(3), max_epochs=2)
    again = training("classifier", tmp_path)
    report = again.restore(tmp_path)
    assert report.epoch == 2 and again.engine.state.epoch == 2


def test_a_new_callback_keeps_its_state_and_is_reported(tmp_path, caplog):
    training("classifier", tmp_path).run(labeled(2))
    again = training("classifier", tmp_path, [CounterCallback(Event.ON_EPOCH_END, print, "new")])
    report = again.restore(tmp_path)
    assert report.missing == ("callbacks.new",) and report.epoch == 1 and report.global_step == 2
    assert "trainer" in report.restored and "not in the checkpoint: callbacks.new" in str(report)
    assert "callbacks.new" in caplog.text


def test_a_callback_that_is_gone_is_reported(tmp_path):
    training("classifier", tmp_path, [Noisy("old"), Noisy("kept")]).run(labeled(2))
    report = training("classifier", tmp_path, [Noisy("kept")]).restore(tmp_path)
    assert report.unused == ("callbacks.old",) and report.missing == ()
    assert "only in the checkpoint: callbacks.old" in str(report)


def test_a_dry_run_changes_nothing(tmp_path):
    training("adversarial", tmp_path).run(loader("adversarial"))
    again = training("adversarial", tmp_path)
    before = state_of(again)
    assert again.restore(tmp_path, dry_run=True).global_step == 5
    assert state_of(again) == before and again.context.global_step == again.engine.state.iteration == 0


def test_an_empty_folder_is_reported_and_a_missing_one_is_an_error(tmp_path):
    trainer = training("classifier", tmp_path / "new")
    report = trainer.restore(tmp_path / "new")
    assert report.path is None and str(report) == "no checkpoint was found; nothing changed"
    with pytest.raises(UsageError, match="does not exist"):
        trainer.restore(tmp_path / "other")


def test_a_checkpoint_of_something_else_is_refused_and_changes_nothing(tmp_path):
    trainer, before = classifier(), state_of(classifier())
    dark.save(nn.Linear(1, 1, seed=0).state_dict(), tmp_path / "weights.pt")
    with pytest.raises(UsageError, match="is not a checkpoint of a trainer: it has weight, bias"):
        trainer.restore(tmp_path / "weights.pt")
    other = gan()
    other.save(tmp_path / "gan")
    other.run(TRAININGS["adversarial"][1]())
    with pytest.raises(UsageError, match="'classifier'"):
        trainer.restore(tmp_path / "gan")
    (tmp_path / "damaged.pt").write_bytes(b"nothing")
    with pytest.raises(StorageError):
        trainer.restore(tmp_path / "damaged.pt")
    assert state_of(trainer) == before


def test_old_checkpoints_are_removed_also_after_a_restart(tmp_path):
    for epochs in (4, 6):
        trainer = training("classifier", tmp_path)
        trainer.restore(tmp_path)
        trainer.run(labeled(2), max_epochs=epochs)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"checkpoint_{step}.pt" for step in (10, 12, 8)]


def test_a_paused_training_continues(tmp_path):
    whole, paused = (training("classifier", tmp_path / name) for name in "ab")
    whole.run(loader("classifier"), max_epochs=2)
    paused.engine.add_event_handler(Events.ITERATION_COMPLETED(once=3), lambda engine: engine.interrupt())
    paused.run(loader("classifier"), max_epochs=2)
    assert paused.context.global_step == 3
    paused.run()
    assert result(paused) == result(whole)


def test_the_best_models_of_the_first_part_count_after_a_restart(tmp_path):
    class Given(Accuracy):
        def compute(self):
            return 1.0 / (1 + trainer.context.global_step)  # worse from epoch to epoch

    for epochs in (2, 4):
        trainer = classifier(metrics={"score": Given()})
        trainer.save_best(tmp_path / "best", "score")
        trainer.save(tmp_path / "all")
        trainer.restore(tmp_path / "all")
        trainer.run(labeled(2), labeled(1), max_epochs=epochs)
    assert [path.name for path in (tmp_path / "best").iterdir()] == ["best_classifier_2_score=0.3333.pt"]


@pytest.mark.parametrize("kind", TRAININGS)
def test_the_last_measurement_is_restored(kind, tmp_path):
    make, data = TRAININGS[kind]
    trainer = make()
    trainer.save(tmp_path)
    trainer.run(data(), data(1))
    again = make()
    again.restore(tmp_path)
    assert again.validation == trainer.validation != {}
