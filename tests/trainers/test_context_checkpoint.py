"""The `ckpt` of a context: trained, killed, built again and run again, a training ends as if it had not been killed."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dark
from dark import optim
from dark.contexts import ClassifierContext, Context
from dark.distributed import Replicas
from dark.engine import Events
from dark.errors import UsageError, ValueTypeError
from dark.handlers import Checkpoint, DiskSaver
from dark.trainers import ClassifierTrainer, CounterCallback, Event
from tests.trainers.shared import MAKERS, loader, results

PROGRAM = """
import os, sys
from dark.engine import Events
from tests.trainers.shared import classifier, loader, results
trainer = classifier(True, ckpt="ckpt")
steps = []
@trainer.engine.on(Events.ITERATION_COMPLETED)
def step(engine):
    steps.append(engine.state.iteration)
    if engine.state.iteration == int(sys.argv[1]):
        os._exit(9)
state = trainer.run(loader("classifier"), max_epochs=3)
print(steps, state.epoch, trainer.context.global_step, hash(str(results(trainer))))
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def trained(kind, ckpt, max_epochs, callbacks=(), **settings):
    """Build a training and run it."""
    trainer = MAKERS[kind](True, callbacks, ckpt, **settings)
    trainer.run(loader(kind), loader(kind, 22, shuffle=False), max_epochs=max_epochs)
    return trainer


def program(folder, kill_at):
    command = [sys.executable, "-c", PROGRAM, str(kill_at)]
    environment = {"PYTHONPATH": str(Path(dark.__file__).parents[1]), "PYTHONHASHSEED": "0"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_a_program_that_was_killed_is_run_again_and_continues(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
    whole = program(tmp_path / "a", 0).stdout
    assert whole.startswith("[1, 2, 3, 4, 5, 6] 3 6")
    assert program(tmp_path / "b", 3).returncode == 9  # in the second epoch
    assert names(tmp_path / "b" / "ckpt") == ["checkpoint_2.pt"]
    assert program(tmp_path / "b", 0).stdout == whole.replace("[1, 2, 3, 4, 5, 6]", "[3, 4, 5, 6]")


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("make", [str, Path, lambda folder: DiskSaver(folder, require_empty=False)])
def test_a_training_in_two_parts_is_the_training_in_one(kind, make, tmp_path):
    whole = trained(kind, tmp_path / "whole", 3)
    trained(kind, make(tmp_path / "parts"), 1)
    again = trained(kind, make(tmp_path / "parts"), 3)
    assert results(again) == results(whole)
    assert again.context.global_step == whole.context.global_step == 6
    assert names(tmp_path / "parts") == names(tmp_path / "whole")


def test_without_a_ckpt_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert trained("classifier", None, 1).saved is None and names(tmp_path) == []


def test_the_latest_three_are_kept_also_after_a_restart(tmp_path):
    for epochs in (3, 5):
        trained("classifier", tmp_path, epochs)
    assert names(tmp_path) == ["checkpoint_10.pt", "checkpoint_6.pt", "checkpoint_8.pt"]


def test_a_complete_training_stays_as_it_is(tmp_path, caplog):
    whole = trained("classifier", tmp_path, 2)
    again = trained("classifier", tmp_path, 2)
    assert results(again)["validation"] == results(whole)["validation"] and again.context.global_step == 4
    assert "is complete: epoch 2, step 4. A larger limit continues it" in caplog.text
    assert trained("classifier", tmp_path, 3).context.global_step == 6


def test_a_second_run_of_a_trainer_starts_over_and_is_saved_too(tmp_path):
    trainer = trained("classifier", tmp_path, 2)
    trainer.run(max_epochs=2)
    assert names(tmp_path) == ["checkpoint_4.pt", "checkpoint_6.pt", "checkpoint_8.pt"]
    assert trained("classifier", tmp_path, 2).context.global_step == 8


def test_a_handler_of_ones_own_keeps_its_settings_and_its_objects(tmp_path):
    def handler(trainer_optimizer):
        schedule = optim.lr_scheduler.ExponentialLR(trainer_optimizer, 0.5)
        return Checkpoint(
            {"schedule": schedule}, DiskSaver(tmp_path, require_empty=False), filename_prefix="mine", n_saved=1
        )

    rates = []
    for epochs in (1, 3):
        model = dark.nn.Linear(3, 2, seed=0)
        optimizer = optim.SGD(model.parameters(), lr=0.8)
        ckpt = handler(optimizer)
        context = ClassifierContext(
            classifier_model=model, loss=dark.executors.ClassifierLoss(dark.nn.CrossEntropyLoss()), ckpt=ckpt
        )
        trainer = ClassifierTrainer(context, optimizer)
        trainer.engine.add_event_handler(Events.EPOCH_COMPLETED, ckpt.to_save["schedule"].step)
        trainer.engine.add_event_handler(
            Events.EPOCH_STARTED, lambda engine, own=optimizer: rates.append(own.param_groups[0]["lr"])
        )
        trainer.run(loader("classifier"), max_epochs=epochs)
    assert rates == [0.8, 0.4, 0.2]
    assert names(tmp_path) == ["mine_checkpoint_6.pt"]


def test_the_callbacks_and_the_best_models_continue(tmp_path):
    for epochs in (1, 2):
        count = CounterCallback(Event.ON_BATCH_END, lambda context: None, "count")
        trainer = MAKERS["classifier"](True, [count], tmp_path / "run")
        best = trainer.save_best(tmp_path / "best", "accuracy")
        trainer.run(loader("classifier"), loader("classifier", 22, shuffle=False), max_epochs=epochs)
    assert count.count == 4 and best.last_checkpoint.exists() and len(names(tmp_path / "best")) == 1


def test_the_folder_of_save_is_saved_once_and_at_its_event(tmp_path):
    for epochs in (1, 2):
        trainer = MAKERS["classifier"](True, (), str(tmp_path))
        saved = trainer.save(tmp_path, Events.ITERATION_COMPLETED, n_saved=None)
        steps = []
        trainer.engine.add_event_handler(saved.SAVED_CHECKPOINT, lambda engine, own=steps: own.append(1))
        trainer.run(loader("classifier"), max_epochs=epochs)
        assert len(steps) == 2
    assert len(names(tmp_path)) == 4


def test_evaluating_a_new_trainer_measures_the_restored_models(tmp_path):
    first = trained("classifier", tmp_path, 2)
    measured = MAKERS["classifier"](True, (), tmp_path).evaluate(loader("classifier", 22, shuffle=False))
    assert measured == first.validation


def test_what_was_restored_by_hand_is_not_replaced(tmp_path):
    trained("classifier", tmp_path, 3)
    trainer = MAKERS["classifier"](True, (), tmp_path)
    trainer.restore(tmp_path / "checkpoint_2.pt")
    assert trainer.run(loader("classifier"), max_epochs=2).epoch == 2 and trainer.context.global_step == 4


def test_all_processes_of_a_training_share_one_ckpt(tmp_path):
    whole = trained("classifier", tmp_path / "whole", 2, strategy=Replicas(2))
    trained("classifier", tmp_path / "parts", 1, strategy=Replicas(2))
    assert results(trained("classifier", tmp_path / "parts", 2, strategy=Replicas(2))) == results(whole)


@pytest.mark.parametrize(
    ("ckpt", "error", "text"),
    [
        (
            3,
            ValueTypeError,
            r"Trainer: ckpt must .* got 3 \(int\)\.\n  Expected: a folder, or a handler.*\n  Try: ckpt=",
        ),
        (lambda engine: None, ValueTypeError, "ckpt must .* got .*function"),
        (Checkpoint({}, lambda states, name: None), UsageError, "which does not write to a folder"),
    ],
)
def test_what_cannot_be_restored_is_refused(ckpt, error, text):
    with pytest.raises(error, match=text):
        MAKERS["classifier"](True, (), ckpt)


def test_a_handler_that_keeps_the_best_is_refused(tmp_path):
    best = Checkpoint({}, tmp_path, score_function=lambda engine: 1.0)
    with pytest.raises(UsageError, match=r"checkpoint of the context, which keeps the best[^$]*trainer\.save_best"):
        MAKERS["classifier"](True, (), best)


def test_a_handler_with_a_name_of_the_trainer_is_refused(tmp_path):
    ckpt = Checkpoint({"classifier": dark.nn.Linear(1, 1, seed=0)}, tmp_path)
    trainer = MAKERS["classifier"](True, (), ckpt)
    with pytest.raises(UsageError, match="must not save 'classifier', which the trainer saves"):
        trainer.run(loader("classifier"))


def test_the_checkpoint_of_another_training_is_refused_each_time(tmp_path):
    trained("adversarial", tmp_path, 1)
    trainer = MAKERS["classifier"](True, (), tmp_path)
    for _ in range(2):
        with pytest.raises(UsageError, match="'classifier'"):
            trainer.run(loader("classifier"))
    assert trainer.context.global_step == 0


def test_a_context_without_a_trainer_only_holds_it():
    assert Context(ckpt="here").ckpt == Context(checkpoint="here").ckpt == "here"
    assert np.isfinite(trained("classifier", None, 1).validation["loss"])
