"""A user's program that looks inside its training, which type checkers accept: it is checked, not run."""

from __future__ import annotations

from typing import Any

import numpy as np

import dark
from dark import course, draw, losses, nn, optim
from dark.checks import number
from dark.contexts import ClassifierContext, Context, Field, LogEvalMode
from dark.data import DataLoader, TensorDataset, datasets
from dark.distributed import OneProcess, Replicas, Strategy, tree_sum
from dark.engine import Events, record
from dark.executors import ClassifierLoss
from dark.handlers import TensorBoardLogger
from dark.metrics import Accuracy
from dark.monitor import Kind, Monitor, Note, Statistic, diagnose, page, select, summarize, view
from dark.storage import SummaryWriter, open_file
from dark.trainers import (
    Callback,
    ClassifierTrainer,
    Event,
    SaveCallback,
    create_supervised_trainer,
)

x = dark.Parameter(10, name="x")
fx = dark.exp(x)
net = nn.Sequential(nn.Linear(4, 16, seed=1), nn.ReLU(), nn.Linear(16, 3, seed=2))
optimizer = optim.SGD(net.parameters(), lr=0.1)
trainer = create_supervised_trainer(net, optimizer, losses.cross_entropy)
loader = DataLoader(TensorDataset(*datasets.iris()[:]), batch_size=32, seed=0)

often = Events.ITERATION_COMPLETED(every=10)
monitor = Monitor(net, monitor_activations=True)
monitor.attach(trainer, often)
monitor.register_activation_filter("0", Kind.TYPE_II)
monitor.register_samples("first", np.ones((2, 4)), indices=[0, 1])
name: str = monitor.register_tensor(lambda: net[0].weight.value.mean(), "mean")
monitor.register_stats("own", Statistic(max_length=10))
monitor.record_grads()
print(monitor.scalars()["loss"], monitor.dropped, monitor.get_weight_stats())
with Note("runs/first") as note:
    note.attach(trainer, often, monitor)
    note.put_down_configs({"lr": 0.1})
    note.put_down_criterion("accuracy", 0.9)
    note.take_down_scalars_and_tensors(1, {"loss": 0.5}, {"weight": np.ones(3)})
    note.write_line("done")
run = Note.load("runs/first")
print(run.scalar_dict["loss"].values.mean(), run.tensor_dict["weight"].at(1).shape, run.status)
diagnosis = diagnose("runs/first")
print(diagnosis.kinds, [finding.kind for finding in diagnosis.findings], diagnosis.is_healthy)
print([r.criteria for r in select(Note.load_all("runs"), "lr < 0.1")], summarize([run], by=["lr"]).groups)
page("runs/first", limit_mb=2).save("run.html")
view(run)

strategy: Strategy = Replicas(2)
print(strategy.backward, OneProcess().rank, tree_sum([np.ones(2), np.ones(2)]).shape)


class MyContext(Context):
    """A context with one more field."""

    temperature = Field(number, can_be_set=True)

    def __init__(self, temperature: float, **common: Any) -> None:
        super().__init__(temperature=temperature, **common)


class Stop(Callback):
    """Stops."""

    def on_epoch_end(self, context: Any) -> None:
        """Print."""
        print(context.global_step)


context = ClassifierContext(
    classifier_model=net,
    classifier_loss=ClassifierLoss(nn.CrossEntropyLoss()),
    metrics=[Accuracy()],
    log_eval_mode=LogEvalMode.TEST,
)
classifier = ClassifierTrainer(
    context, optimizer, callbacks=[Stop("stop"), SaveCallback("checkpoints", Event.ON_EPOCH_END)], strategy=strategy
)
classifier.run(loader, max_epochs=2)
print(classifier.evaluate(loader)["Accuracy"], classifier.engine.state.epoch)
with record(trainer) as moments:
    trainer.run(loader)
draw.timeline(moments).save("timeline.svg")
drawing = draw.draw(fx)
drawing.steps().save("steps.html")
dark.draw.where(fx, nan=True).save("where.svg")
dark.draw.compare(fx, fx).save("compare.svg")
print(dark.draw.where(fx, memory=True))
drawing.page().save("graph.html")
logger = TensorBoardLogger("logs")
logger.attach_output_handler(
    trainer, Events.ITERATION_COMPLETED, tag="training", output_transform=lambda loss: {"loss": loss}
)
with open_file("digits.safetensors") as file:
    print(file["0.weight"].shape)
SummaryWriter("logs").add_scalar("loss", 0.5, 1)
course.course_map("02").save("map.svg")
course.check("slope")
course.hint("slope", 2)
