"""Likely slips with arguments, in all packages: each is refused in three parts, also if a value has no repr."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import dark
from dark import data, losses, nn, optim
from dark.contexts import ClassifierContext, GANContext
from dark.distributed import Replicas
from dark.engine import Engine, Events
from dark.errors import DarkError
from dark.executors import ClassifierLoss, DiscriminatorMinMax, GeneratorBCE, SumExecutor
from dark.handlers import (
    BasicTimeProfiler,
    Checkpoint,
    EarlyStopping,
    EMAHandler,
    EpochOutputStore,
    LRScheduler,
    TensorBoardLogger,
    Timer,
)  # fmt: skip
from dark.metrics import ROC_AUC, Accuracy, Frequency, MeanSquaredError, MetricsLambda, Precision, RunningAverage
from dark.optim import lr_scheduler
from dark.trainers import AdversarialTrainer, ClassifierTrainer

X, Y = np.ones((4, 2)), np.array([0, 1, 0, 1])
ENGINE = Engine(lambda engine, batch: batch)


class NoRepr:
    """A half-built object of a user."""

    def __repr__(self):
        raise RuntimeError("not yet built")


def classifier(**options):
    net = nn.Linear(2, 2, seed=0)
    context = ClassifierContext(classifier_model=net, loss=ClassifierLoss(nn.CrossEntropyLoss()))
    return ClassifierTrainer(context, optim.SGD(net.parameters()), **options)


def adversarial(**options):
    g, d = nn.Linear(1, 2, seed=0), nn.Linear(2, 1, seed=1)
    context = GANContext(
        generator_model=g,
        discriminator_model=d,
        generator_loss=GeneratorBCE(),
        discriminator_loss=DiscriminatorMinMax(),
    )
    return AdversarialTrainer(context, optim.SGD(g.parameters()), optim.SGD(d.parameters()), **options)


def step_with(**options):
    p = dark.Parameter(np.ones(2))
    optimizer = optim.Adam([p])
    p.grad = np.ones(2)
    optimizer.param_groups[0].update(options)
    optimizer.step()


class Ends(data.Dataset):
    """A dataset whose iterator ends."""

    def __init__(self):
        self.items = iter([1.0, 2.0])

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return next(self.items)


def score(engine):
    return 0.0


trainer = SimpleNamespace(run=None)
SLIPS = {
    "metric, exchanged": (
        lambda: Accuracy().attach("acc", ENGINE),
        "Accuracy: engine must be an Engine, got 'acc' (str).",
    ),
    "metric, a class": (lambda: Accuracy().attach(Engine, "acc"), "Accuracy: engine must be an Engine, got <class"),
    "metric, detached": (lambda: Accuracy().detach("acc"), "Accuracy: engine must be an Engine, got 'acc'"),
    "metric, asked": (lambda: Accuracy().is_attached(None), "Accuracy: engine must be an Engine, got None"),
    "average": (
        lambda: RunningAverage(Accuracy()).attach("a", None),
        "RunningAverage: engine must be an Engine, got 'a'",
    ),
    "average, detached": (
        lambda: RunningAverage(Accuracy()).detach("a"),
        "RunningAverage: engine must be an Engine, got 'a'",
    ),
    "frequency": (
        lambda: Frequency().attach(trainer, "f"),
        "Frequency: engine must be an Engine, got namespace(run=None)",
    ),
    "lambda": (
        lambda: MetricsLambda(min, Accuracy(), 1).attach(3, "m"),
        "MetricsLambda: engine must be an Engine, got 3 (int)",
    ),
    "store": (lambda: EpochOutputStore().attach("name"), "EpochOutputStore: engine must be an Engine, got 'name'"),
    "timer": (lambda: Timer().attach(Events.STARTED), "Timer: engine must be an Engine, got "),
    "profiler": (lambda: BasicTimeProfiler().attach(3), "Argument engine should be an Engine"),
    "stopping": (lambda: EarlyStopping(1, score, ENGINE).attach(3), "EarlyStopping: engine must be an Engine, got 3"),
    "stopping, reset": (
        lambda: EarlyStopping(1, score, ENGINE).attach(ENGINE, reset_engine=3),
        "engine must be an Engine, got 3",
    ),
    "average of weights": (
        lambda: EMAHandler(nn.Linear(1, 1)).attach("ema"),
        "EMAHandler: engine must be an Engine, got 'ema'",
    ),
    "schedule": (
        lambda: LRScheduler(lr_scheduler.StepLR(optim.SGD([dark.Parameter(1.0)]), 3)).attach(3),
        "LRScheduler: engine must be an Engine, got 3",
    ),
    "backward, parameters": (
        lambda: Replicas(2).backward(lambda x: x, X, nn.Linear(2, 2).parameters()),
        "backward: module must be a Module, got <generator",
    ),
    "restore": (lambda: classifier().restore(None), "restore: a path is required, got None."),
    "restore, a list": (lambda: classifier().restore(["a"]), "restore: ['a'] (list) is not a path."),
    "also": (
        lambda: classifier().save("x", also=nn.Linear(1, 1)),
        "ClassifierTrainer.save: also must be a mapping of names to objects, got Linear",
    ),
    "also, pairs": (lambda: classifier().save("x", also=[("a", 1)]), "got [('a', 1)] (list)"),
    "callbacks": (lambda: adversarial(callbacks=3), "AdversarialTrainer: callbacks must be iterable, got 3 (int)."),
    "callbacks, an array": (lambda: classifier(callbacks=np.ones(2)), "callbacks must be Callback objects, got "),
    "sum": (lambda: SumExecutor(None), "SumExecutor: executors must be iterable, got None"),
    "collate": (lambda: data.collate(3), "collate: items must be iterable, got 3 (int)."),
    "dict": (lambda: nn.ModuleDict(5), "ModuleDict: modules must be iterable, got 5 (int)."),
    "dict, an array": (lambda: nn.ModuleDict(np.ones(2)), "modules need names, got "),
    "apply": (lambda: nn.Linear(1, 1).apply(None), "Linear.apply: function must be callable, got None"),
    "buffer": (lambda: nn.Linear(1, 1).register_buffer(["b"], 1.0), "Linear: invalid submodule name ['b']"),
    "rows": (lambda: classifier().run([([[1, 2], [3, 4]], Y[:2])], max_epochs=1), "a list of 2 inputs does not fit"),
    "no rows": (lambda: classifier().run([([], Y)], max_epochs=1), "a list of 0 inputs does not fit its forward"),
    "rate": (lambda: step_with(lr="0.1"), "Adam: lr must be a number, got '0.1' (str)."),
    "rate, None": (lambda: step_with(lr=None), "Adam: lr must be a number, got None"),
    "rate, an array": (lambda: step_with(lr=np.ones(2)), "Adam: lr must be a number, got array([1., 1.])"),
    "reduction": (lambda: losses.cross_entropy(X, Y, reduction=np.ones(2)), "cross_entropy: invalid reduction array"),
    "smoothing": (
        lambda: losses.cross_entropy(X, Y, label_smoothing=np.ones(2)),
        "label_smoothing must be a number, got array",
    ),
    "ragged": (lambda: Accuracy().update((X, [[1], [1, 2]])), "cannot make an array of [[1], [1, 2]] (list)."),
    "objects": (lambda: MeanSquaredError().update((np.array([None]), Y[:1])), "an array of object"),
    "objects, sorted": (lambda: ROC_AUC().update((np.array([None, 1]), Y[:2])) or 1, "an array of object"),
    "averaging": (lambda: Precision(average=np.ones(2)), "got array([1., 1.])"),
    "subset": (lambda: data.Subset([1, 2], [])[0], "Subset: index 0 is out of range."),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_in_three_parts(slip, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, text = SLIPS[slip]
    with pytest.raises(DarkError) as caught:
        call()
    said = str(caught.value)
    assert text in said and "\n  Expected: " in said and "\n  Try: " in said


def test_a_logger_is_attached_to_an_engine(tmp_path):
    pytest.importorskip("tensorboard")
    with pytest.raises(DarkError, match="TensorBoardLogger: engine must be an Engine, got 3 .int.(.|\n)*Try: "):
        TensorBoardLogger(tmp_path).attach(3, print, Events.STARTED)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_dataset_that_ends_is_not_the_end_of_the_data(workers):
    loader = data.DataLoader(Ends(), batch_size=1, num_workers=workers)
    with pytest.raises(
        DarkError, match="the dataset must not raise StopIteration, as in the batch of the items 2(.|\n)*Try: next"
    ):
        list(loader)


def test_a_rate_that_is_a_whole_number_is_used():
    p = dark.Parameter(np.ones(2))
    optimizer = optim.SGD([p], lr=0.5)
    p.grad = np.ones(2)
    optimizer.param_groups[0]["lr"] = 1
    optimizer.step()
    assert p.value.tolist() == [0, 0]


WITHOUT_REPR = {
    "a value": dark.Parameter,
    "an operation": dark.tanh,
    "a module": nn.Sequential,
    "a size": partial(nn.Linear, 2),
    "a choice": lambda v: losses.cross_entropy(X, Y, reduction=v),
    "a dtype": nn.Linear(1, 1).to,
    "a function": Engine,
    "data": lambda v: Engine(lambda e, b: b).run(v),
    "an event": lambda v: ENGINE.add_event_handler(v, len),
    "a filter": lambda v: Events.STARTED(event_filter=v),
    "a count": lambda v: Events.STARTED(once=v),
    "a metric": lambda v: Accuracy().attach(v, "a"),
    "a patience": lambda v: EarlyStopping(v, score, ENGINE),
    "a folder": lambda v: Checkpoint({"net": nn.Linear(1, 1)}, v),
    "a path": lambda v: classifier().restore(v),
    "a fraction": lambda v: data.split([1, 2], v),
    "a scale": lambda v: nn.Upsample(scale_factor=v)(np.ones((1, 1, 2, 2))),
    "parameters": optim.SGD,
    "a name": lambda v: nn.Linear(1, 1).register_buffer(v, np.ones(1)),
    "callbacks": lambda v: adversarial(callbacks=v),
}


@pytest.mark.parametrize("call", WITHOUT_REPR.values(), ids=WITHOUT_REPR)
def test_a_value_whose_repr_raises_is_refused_as_any_other(call):
    with pytest.raises(DarkError, match=r"(NoRepr|repr raises)(.|\n)*Expected: (.|\n)*Try: "):
        call(NoRepr())
