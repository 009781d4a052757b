"""The logger for TensorBoard: what its own reader finds in the files."""

from contextlib import nullcontext

import numpy as np
import pytest

import dark
from dark import nn, optim
from dark.engine import Engine, Events
from dark.handlers import (
    GradsHistHandler,
    GradsScalarHandler,
    OptimizerParamsHandler,
    OutputHandler,
    TensorBoardLogger,
    WeightsHistHandler,
    WeightsScalarHandler,
    global_step_from_engine,
)
from dark.metrics import Average
from tests.storage.event_files.reading import curve, read

pytest.importorskip("tensorboard", reason="tensorboard is in the extra 'tensorboard'")


def trained():
    """Return a network and an optimizer after a step of training."""
    network = nn.Sequential(nn.Linear(2, 3, seed=0), nn.Linear(3, 1, seed=1))
    optimizer = optim.SGD(network.parameters(), lr=0.5)
    (network(np.ones((4, 2))) ** 2).mean().backward()
    return network, optimizer


def test_outputs_metrics_and_attributes_of_the_state_are_logged(tmp_path):
    trainer = Engine(lambda engine, batch: {"loss": dark.Constant(batch / 8), "parts": [1, np.arange(2.0)]})
    evaluator = Engine(lambda engine, batch: batch)
    Average().attach(evaluator, "mean")
    trainer.state.alpha = 0.25
    trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda: evaluator.run([trainer.state.epoch] * 2))
    with TensorBoardLogger(tmp_path / "runs") as log:
        log.attach_output_handler(
            trainer, Events.ITERATION_COMPLETED(every=2), "training", output_transform=lambda output: output
        )
        log.attach(trainer, OutputHandler("state", state_attributes=["alpha"]), Events.STARTED | Events.COMPLETED)
        log.attach_output_handler(
            evaluator, Events.EPOCH_COMPLETED, "validation", "all",
            global_step_transform=global_step_from_engine(trainer),
        )  # fmt: skip
        trainer.run([1, 2, 3, 4], max_epochs=2)
    assert curve(tmp_path / "runs", "training/loss") == [(2, 0.25), (4, 0.5), (6, 0.25), (8, 0.5)]
    assert [value for _, value in curve(tmp_path / "runs", "training/parts/1/1")] == [1.0] * 4
    assert curve(tmp_path / "runs", "validation/mean") == [(1, 1.0), (2, 2.0)]
    assert curve(tmp_path / "runs", "state/alpha") == [(0, 0.25), (2, 0.25)]


def test_learning_rates_weights_and_gradients_are_logged(tmp_path):
    network, optimizer = trained()
    engine = Engine(lambda engine, batch: None)
    with TensorBoardLogger(tmp_path) as log:
        handle = log.attach_opt_params_handler(engine, Events.EPOCH_STARTED, optimizer, tag="generator")
        for handler in (
            WeightsScalarHandler(network), WeightsHistHandler(network, tag="g", whitelist=["0."]),
            GradsScalarHandler(network, reduction=np.max, whitelist=lambda name, p: p.ndim == 2),
            GradsHistHandler(network),
        ):  # fmt: skip
            log.attach(engine, handler, Events.EPOCH_COMPLETED)
        engine.run([1])
        handle.remove()
        optimizer.zero_grad()
        engine.run([1], max_epochs=2)
    found, first = read(tmp_path), dict(network.named_parameters())["0.weight"].value
    assert curve(tmp_path, "generator/lr/group_0") == [(1, 0.5)]
    assert curve(tmp_path, "weights_norm/0/weight")[0][1] == pytest.approx(np.linalg.norm(first))
    assert sorted(found.Tags()["histograms"]) == [
        "g/weights/0/bias", "g/weights/0/weight", "grads/0/bias", "grads/0/weight", "grads/1/bias", "grads/1/weight",
    ]  # fmt: skip
    assert [tag for tag in found.Tags()["scalars"] if "grads" in tag] == ["grads_max/0/weight", "grads_max/1/weight"]
    (histogram, _) = (event.histogram_value for event in found.Histograms("g/weights/0/weight"))
    assert (histogram.num, histogram.min, histogram.max) == (6, first.min(), first.max())
    assert histogram.sum == pytest.approx(first.sum()) and sum(histogram.bucket) == 6
    assert len(found.Histograms("grads/0/weight")) == 1  # the second epoch had no gradient


def test_the_text_of_a_graph_is_logged(tmp_path):
    picture = dark.draw(dark.Parameter(2.0) * 3)
    with TensorBoardLogger(tmp_path) as log:
        log.writer.add_text("graph", picture.alt, 4)
    (event,) = read(tmp_path).Tensors("graph/text_summary")
    assert (event.step, event.tensor_proto.string_val[0].decode()) == (4, picture.alt)
    metadata = read(tmp_path).SummaryMetadata("graph/text_summary")
    assert metadata.plugin_data.plugin_name == "text"


LENGTH = 5


def logged(folder, start=0, stop=None):
    """Run two epochs, or the rest of them, and log each iteration and epoch; stop with an error at an iteration."""

    def step(engine, batch):
        if engine.state.iteration == stop:
            raise KeyboardInterrupt
        return engine.state.iteration + (1000 if stop else 0)

    engine = Engine(step)
    log = TensorBoardLogger(folder)
    log.writer.add_text("settings", f"from {start}")
    log.attach_output_handler(engine, Events.ITERATION_COMPLETED, "step", output_transform=lambda output: output)
    log.attach_output_handler(engine, Events.EPOCH_COMPLETED, "epoch", output_transform=lambda output: output)
    if start:
        engine.load_state_dict({"iteration": start, "epoch_length": LENGTH, "max_epochs": 2})
    engine.run(range(LENGTH), max_epochs=None if start else 2)
    log.close()


@pytest.mark.parametrize("start", [1, 4, 5, 6])
def test_a_resumed_run_continues_the_log_without_duplicate_steps(tmp_path, start):
    with pytest.raises(KeyboardInterrupt):
        logged(tmp_path, stop=8)  # nothing is closed
    assert [step for step, _ in curve(tmp_path, "step/output")] == list(range(1, 8))
    logged(tmp_path, start)
    expected = [(step, step + (1000 if step <= start else 0)) for step in range(1, 11)]
    assert curve(tmp_path, "step/output") == expected
    assert [step for step, _ in curve(tmp_path, "epoch/output")] == [1, 2]
    (event,) = read(tmp_path).Tensors("settings/text_summary")
    assert event.tensor_proto.string_val == [f"from {start}".encode()]


def test_a_run_may_be_resumed_several_times(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        logged(tmp_path, stop=9)
    with pytest.raises(KeyboardInterrupt):
        logged(tmp_path, 3, stop=7)
    logged(tmp_path, 5)
    assert [step for step, _ in curve(tmp_path, "step/output")] == list(range(1, 11))
    assert len(list(tmp_path.iterdir())) == 3


def test_a_run_resumed_in_the_same_process_continues_the_log(tmp_path):
    stops = [8, 7, None]

    def step(engine, batch):
        if engine.state.iteration == stops[0]:
            raise KeyboardInterrupt
        return len(stops)

    engine = Engine(step)
    with TensorBoardLogger(tmp_path) as log:
        for name, event in (("step", Events.ITERATION_COMPLETED), ("epoch", Events.EPOCH_COMPLETED)):
            log.attach_output_handler(engine, event, name, output_transform=lambda output: output)
        with pytest.raises(KeyboardInterrupt):
            engine.run(range(LENGTH), max_epochs=2)
        for start in (3, 4):
            stops.pop(0)
            engine.load_state_dict({"iteration": start, "epoch_length": LENGTH, "max_epochs": 2})
            with pytest.raises(KeyboardInterrupt) if stops[0] else nullcontext():
                engine.run(range(LENGTH))
    assert curve(tmp_path, "step/output") == [(k, 3 if k <= 3 else 2 if k <= 4 else 1) for k in range(1, 11)]
    assert curve(tmp_path, "epoch/output") == [(1, 1), (2, 1)]


def test_an_event_without_a_step_is_refused(tmp_path):
    engine = Engine(lambda engine, batch: None)
    with TensorBoardLogger(tmp_path) as log:
        with pytest.raises(Exception, match=r"terminate|TERMINATE"):
            log.attach(engine, OutputHandler("a", "all"), Events.TERMINATE)
        with pytest.raises(Exception, match="unknown"):
            log.attach_opt_params_handler(engine, "unknown", trained()[1])
        log.attach(engine, OptimizerParamsHandler(trained()[1]), Events.ITERATION_STARTED)
        engine.run([1, 2])
    assert [step for step, _ in curve(tmp_path, "lr/group_0")] == [1, 2]
