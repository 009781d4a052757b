"""Calls of the data, engine, handlers, metrics, trainers, pictures and course."""

from functools import partial
from tempfile import TemporaryDirectory, gettempdir

import numpy as np

import dark
from dark import (
    contexts,
    data,
    distributed,
    draw,
    engine,
    executors,
    handlers,
    losses,
    metrics,
    nn,
    optim,
    storage,
    trainers,
)
from dark.course import Exam
from tests.arguments.array_calls import optimizer
from tests.trainers import adversaries

DATASET = data.TensorDataset(np.arange(8.0).reshape(4, 2))
PATH = [np.zeros(3), np.array([1.0, 0, 0]), np.array([1.0, 1, 0])]


def run(**settings):
    """Run an engine that does nothing."""
    return engine.Engine(lambda engine, batch: None).run([1, 2], **settings)


def trainer(make, **settings):
    """Make a trainer or a training step of a small network."""
    model = nn.Linear(2, 2, seed=0)
    return make(model, optim.SGD(model.parameters()), losses.mse, **settings)


def question(**settings):
    """Add a question to an exam."""
    return Exam("sample").question("exercise", **settings)


def scheduled(make, **settings):
    """Make a scheduler of the learning rate of a new optimizer."""
    return make(optimizer(), "lr", **settings)


def concatenated(**settings):
    """Concatenate two schedules."""
    rates = optimizer()
    parts = [handlers.LinearCyclicalScheduler(rates, "lr", **CYCLE) for _ in "ab"]
    return handlers.ConcatScheduler(parts, **settings)


def several(num_events=2, **settings):
    """Simulate concatenated schedules."""
    rates = optimizer()
    parts = [handlers.LinearCyclicalScheduler(rates, "lr", **CYCLE) for _ in "ab"]
    return handlers.ConcatScheduler.simulate_values(num_events, schedulers=parts, **settings)


def warmup(**settings):
    """Put a warmup before a schedule."""
    return handlers.create_lr_scheduler_with_warmup(scheduled(handlers.LinearCyclicalScheduler, **CYCLE), **settings)


def checkpoint(**settings):
    """Make a checkpoint handler that saves nothing."""
    return handlers.Checkpoint({"model": nn.ReLU()}, lambda *arguments: None, **settings)


def adversarial_run(**settings):
    """Run an adversarial training for an epoch."""
    return adversaries.gan().run(adversaries.samples(), **settings)


def classifier_run(**settings):
    """Run the training of a classifier for an epoch."""
    return adversaries.classifier().run(adversaries.labeled(), **settings)


def saved(method, **settings):
    """Let a trainer save what it trains."""
    with TemporaryDirectory() as folder:
        return getattr(adversaries.gan(), method)(folder, **settings)


def save_callback(**settings):
    """Make a callback that saves a model."""
    with TemporaryDirectory() as folder:
        return trainers.SaveCallback(folder, nn.ReLU(), **settings)


def early_stopping(**settings):
    """Make an early-stopping handler."""
    return handlers.EarlyStopping(score_function=len, trainer=engine.Engine(print), **settings)


def simulated(make, **settings):
    """Simulate a schedule."""
    return make.simulate_values(**settings)


def rows(**settings):
    """Read rows of an array in a file."""
    with TemporaryDirectory() as folder:
        storage.save_file({"x": np.ones((4, 2))}, f"{folder}/file")
        with storage.open_file(f"{folder}/file") as file:
            return file.rows("x", **settings)


CYCLE = {"start_value": 0.5, "end_value": 0.1, "cycle_size": 4}
IN_THE_FIRST_GROUP = {"param_group_index": 0}
CM = metrics.ConfusionMatrix(3)
FOLDER = {"dirname": gettempdir(), "require_empty": False}
TRAINING_CALLS = {
    **{f"contexts.{name}": (getattr(contexts, name), {"global_step": 3})
       for name in ("ClassifierContext", "Context", "GANContext", "GANEncoderContext")},
    **{f"executors.{name}": (getattr(executors, name), {"start": 0.5, "end": 1.5, "steps": 10})
       for name in ("cosine", "linear")},
    "executors.DiscriminatorMinMax": (executors.DiscriminatorMinMax, {"label_smoothing": 0.5}),
    "executors.Pix2PixLoss": (executors.Pix2PixLoss, {"use_feature_matching_loss": True}),
    "executors.Pix2PixLossSemantic": (executors.Pix2PixLossSemantic, {"use_feature_matching_loss": True}),
    "executors.constant": (executors.constant, {"value": 0.5}),
    "data.BatchSampler": (data.BatchSampler, {"sampler": range(2)}),
    "data.DataLoader": (partial(data.DataLoader, DATASET), {"num_workers": 2}),
    "data.DistributedSampler": (partial(data.DistributedSampler, DATASET), {"num_replicas": 2, "rank": 1}),
    "data.DistributedSampler.set_epoch": (data.DistributedSampler(DATASET, 2, 1).set_epoch, {"epoch": 2}),
    "data.RandomSampler": (partial(data.RandomSampler, DATASET), {}),
    "data.Standardize": (lambda **settings: data.Standardize(**settings).fit(np.ones((4, 3, 5))), {"axis": (0, 2)}),
    "data.Subset": (partial(data.Subset, DATASET), {"indices": [0, 2]}),
    "data.SubsetRandomSampler": (data.SubsetRandomSampler, {"indices": [0, 2]}),
    "data.WeightedRandomSampler": (partial(data.WeightedRandomSampler, [0.5, 0.5]), {}),
    "data.split": (partial(data.split, DATASET, stratify=False), {"fractions": [0.5, 0.5]}),
    "data.datasets.spirals": (data.datasets.spirals, {"samples": 6, "arms": 2}),
    "data.datasets.two_moons": (data.datasets.two_moons, {"samples": 6}),
    "distributed.Replicas": (distributed.Replicas, {"k": 2}),
    "distributed.Strategy.rows": (distributed.OneProcess().rows, {"total": 4}),
    "engine.Engine.run": (run, {}),
    "engine.CallableEventWithFilter.__call__": (engine.Events.EPOCH_COMPLETED, {}),
    "engine.ReproducibleBatchSampler": (engine.ReproducibleBatchSampler, {"batch_sampler": [[0], [1]]}),
    "engine.manual_seed": (engine.manual_seed, {}),
    "engine.record": (partial(engine.record, engine.Engine(print)), {}),
    "handlers.Checkpoint": (checkpoint, {"score_name": "loss"}),
    "handlers.Checkpoint.get_default_score_fn": (
        partial(handlers.Checkpoint.get_default_score_fn, "accuracy"), {"score_sign": -1.0}
    ),
    "handlers.ConcatScheduler": (concatenated, {"durations": [2]}),
    "handlers.ConcatScheduler.simulate_values": (several, {"durations": [2]}),
    "handlers.CosineAnnealingScheduler": (
        partial(scheduled, handlers.CosineAnnealingScheduler), CYCLE | IN_THE_FIRST_GROUP
    ),
    "handlers.ParamScheduler.simulate_values": (
        partial(simulated, handlers.LinearCyclicalScheduler, param_name="lr", **CYCLE), {}
    ),
    "handlers.CyclicalScheduler": (
        partial(scheduled, handlers.LinearCyclicalScheduler, monotonic=True), CYCLE | IN_THE_FIRST_GROUP
    ),
    "handlers.DiskSaver": (handlers.DiskSaver, FOLDER | {"save_on_rank": 0, "rank": 1}),
    "handlers.EMAHandler": (
        partial(handlers.EMAHandler, nn.Linear(2, 2, seed=0)), {"momentum_warmup": 0.1, "warmup_iters": 2}
    ),
    "handlers.EarlyStopping": (early_stopping, {"patience": 2}),
    "handlers.ExpStateScheduler": (
        partial(handlers.ExpStateScheduler, param_name="lr"), {"initial_value": 0.5, "gamma": 0.5}
    ),
    "handlers.ModelCheckpoint": (handlers.ModelCheckpoint, FOLDER | {"save_on_rank": 0}),
    "handlers.MultiStepStateScheduler": (
        partial(handlers.MultiStepStateScheduler, param_name="lr"),
        {"initial_value": 0.5, "gamma": 0.5, "milestones": [2, 4]},
    ),
    "handlers.PiecewiseLinear": (
        partial(scheduled, handlers.PiecewiseLinear),
        IN_THE_FIRST_GROUP | {"milestones_values": [(2, 0.5), (4, 0.1)]},
    ),
    "handlers.PiecewiseLinearStateScheduler": (
        partial(handlers.PiecewiseLinearStateScheduler, param_name="lr"), {"milestones_values": [(2, 0.5), (4, 0.1)]}
    ),
    "handlers.ReduceLROnPlateauScheduler": (
        lambda **settings: handlers.ReduceLROnPlateauScheduler(optimizer(), "loss", **settings), IN_THE_FIRST_GROUP
    ),
    "handlers.ReduceLROnPlateauScheduler.simulate_values": (
        partial(simulated, handlers.ReduceLROnPlateauScheduler),
        {"num_events": 2, "metric_values": [0.5, 0.4], "init_lr": 0.1},
    ),
    "handlers.StepStateScheduler": (
        partial(handlers.StepStateScheduler, param_name="lr"), {"initial_value": 0.5, "gamma": 0.5, "step_size": 2}
    ),
    "handlers.TimeLimit": (handlers.TimeLimit, {}),
    "handlers.create_lr_scheduler_with_warmup": (warmup, {"warmup_start_value": 0.1, "warmup_duration": 2}),
    "metrics.Accuracy.get_sequence_transform": (metrics.Accuracy.get_sequence_transform, {}),
    "metrics.ConfusionMatrix": (metrics.ConfusionMatrix, {}),
    **{f"metrics.{name}": (partial(getattr(metrics, name), CM), {})
       for name in ("DiceCoefficient", "IoU", "JaccardIndex", "mIoU")},
    "metrics.Fbeta": (metrics.Fbeta, {}),
    "metrics.PSNR": (metrics.PSNR, {"data_range": 1.0}),
    "metrics.SSIM": (metrics.SSIM, {"data_range": 1.0, "kernel_size": [3, 5], "sigma": [1.5, 2.0], "betas": [0.5]}),
    "metrics.SlicedWassersteinDistance": (metrics.SlicedWassersteinDistance, {}),
    "metrics.RunningAverage": (partial(metrics.RunningAverage, metrics.Accuracy()), {}),
    "metrics.TopKCategoricalAccuracy": (metrics.TopKCategoricalAccuracy, {}),
    **{f"trainers.{name}": (partial(trainer, getattr(trainers, name)), {})
       for name in ("create_supervised_trainer", "supervised_training_step")},
    "storage.ArrayFile.rows": (rows, {}),
    "trainers.AdversarialTrainer": (adversaries.gan, {}),
    "trainers.ClassifierTrainer.run": (classifier_run, {}),
    "trainers.CounterCallback": (partial(trainers.CounterCallback, trainers.Event.ON_EPOCH_END, print, "name"), {}),
    "trainers.EncoderTrainer": (adversaries.encoding_gan, {}),
    **{f"trainers.{name}": (partial(getattr(trainers, name), adversaries.Writer()), {})
       for name in ("LogClassifierCallback", "LogImageGANCallback", "LogImageGANEncoderCallback")},
    "trainers.SaveCallback": (save_callback, {}),
    "trainers.Trainer.run": (adversarial_run, {}),
    "trainers.Trainer.save": (partial(saved, "save"), {}),
    "trainers.Trainer.save_best": (partial(saved, "save_best", metric="loss"), {}),
    "trainers.create_supervised_tbptt_trainer": (
        partial(trainer, trainers.create_supervised_tbptt_trainer), {"tbtt_step": 2}
    ),
    "draw.Drawing.explore": (draw.draw(dark.Parameter(2.0) * 3.0).explore, {"limit_mb": 5.0}),
    "draw.Drawing.page": (draw.draw(dark.Parameter(2.0) * 3.0).page, {"limit_mb": 5.0}),
    "draw.broadcasting": (draw.broadcasting, {"a": (3, 2), "b": 2}),
    "draw.compare": (partial(draw.compare, dark.Constant(1.0) + 2.0, dark.Constant(1.0) + 2.0), {}),
    "draw.draw": (partial(draw.draw, dark.Constant(1.0) + 2.0), {}),
    "draw.landscape": (partial(draw.landscape, lambda point: float((point**2).sum()), PATH), {"steps": 5}),
    "draw.where": (partial(draw.where, dark.Parameter(2.0) * 3.0), {"vanishing": 1e-6}),
    "draw.module_tree": (partial(draw.module_tree, nn.Sequential(nn.ReLU())), {}),
    "course.Exam.question": (question, {}),
}  # fmt: skip
