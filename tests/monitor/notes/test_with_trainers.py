"""Notes of real runs: the records of a monitor, and the results of trainers, with and without validation data."""

import numpy as np

from dark.engine import Events
from dark.monitor import Monitor, Note
from tests.trainers import adversaries


def test_what_a_monitor_records_is_taken_without_any_validation_data(tmp_path):
    trainer = adversaries.gan()
    network = trainer.players["generator"].module
    with Note(tmp_path / "run") as note:
        monitor = Monitor(network, export_weight_grads=True)
        monitor.attach(trainer, Events.ITERATION_COMPLETED)
        note.attach(trainer, Events.ITERATION_COMPLETED(every=2), monitor, every={"activations*/*": 2})
        note.attach(trainer, Events.ITERATION_COMPLETED)
        trainer.run(adversaries.samples(n=4), max_epochs=2)
    run = Note.load(note.folder)
    assert run.scalar_dict["generator_loss"].steps.tolist() == [*range(1, 9)]
    for name, parameter in network.named_parameters():
        series = run.tensor_dict[f"weights/{name}"]
        np.testing.assert_array_equal(series[-1], parameter.value, strict=True)
        assert run.tensor_dict[f"gradients/{name}"].shape == parameter.shape
        assert series.steps.tolist() == [2, 4, 6, 8]
    assert run.tensor_dict["activations/0"].steps.tolist() == [4, 8]
    assert run.verify() == ()


def test_validation_results_of_a_trainer_are_taken(tmp_path):
    trainer = adversaries.classifier()
    with Note(tmp_path / "run") as note:
        note.attach(trainer, Events.EPOCH_COMPLETED, on_best="loss/validation", better="lower")
        trainer.run(adversaries.labeled(), adversaries.labeled(), max_epochs=3)
    assert note.scalar_dict["loss/validation"].steps.tolist() == [2, 4, 6]
    assert note.scalar_dict["loss/validation"][-1] == trainer.validation["loss"]


def test_layouts_that_change_at_every_step_are_read_back(tmp_path):
    with Note(tmp_path) as note:
        for step in range(200):
            tensors = {f"x{step % 7}": np.full(step % 5, step), f"y{step}": np.array(step)}
            note.take_down_scalars_and_tensors(step, {f"s{step % 3}": step}, tensors)
    run = Note.load(tmp_path)
    assert all(
        (array == step).all() for series in run.tensor_dict.values() for step, array in zip(series.steps, series)
    )
    assert len(run.tensor_dict) == 207 and sum(map(len, run.tensor_dict.values())) == 400
    assert sum(map(len, run.scalar_dict.values())) == 200 and run.verify() == ()
