"""`Trainer`: the base class of trainers: a context, an engine that trains its models, and one that measures them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dark.checks import boolean
from dark.compat.callbacks.callback import fire_moments
from dark.distributed import LocalBatch, OneProcess
from dark.engine import Engine, Events
from dark.handlers import Checkpoint, DiskSaver
from dark.handlers.checkpoints.loading import SELF
from dark.trainers import measuring, saving
from dark.trainers.context_checkpoint import ContextCheckpoint
from dark.trainers.exceptions import Exceptions
from dark.trainers.player import players_of
from dark.trainers.trainer_checks import check_also, check_context, check_recorded_alone, checked_callbacks, no_data
from dark.trainers.updates import updates_of

if TYPE_CHECKING:
    from dark.compat.callbacks.callback import Callback
    from dark.contexts import Context
    from dark.distributed import Strategy
    from dark.engine import State
    from dark.optim import Optimizer
    from dark.typing import Path


class Trainer(ABC):
    """The base class of trainers; subclasses define `step`, `measure`, and the class of their context.

    Parameters
    ----------
    callbacks : iterable of Callback, optional
        With different names.
    strategy : Strategy, default OneProcess()
        One process or several, see Notes.
    recorded : bool, default False
        Record the graph of the loss once, and replay it with the same bits, see `dark.recorded`: the `call` of an
        executor, or of each term of a sum. Only with `OneProcess`; a replay does not call the model.

    Attributes
    ----------
    engine : Engine
        The training: handlers of `dark.handlers` are attached to it. Its output is a dict of the losses of the step,
        and of their terms by name.
    evaluator : Engine
        The measurement on validation data, see `evaluate`: the metrics of the context are attached to it, and the mean
        losses under their names.
    validation_set, validation : iterable or None, dict
        The data that is measured at the end of each epoch, and the results of its last measurement, by name.
    players, updates : dict of str to Player, Updates
        Models with their optimizers and losses, by name, and what a step calls to update them.
    saved : Checkpoint or None
        The handler that `save` has attached.

    Notes
    -----
    *Several processes.* With `Replicas` or `MPI`, a step computes losses and gradients of the shards of a batch and
    adds them, so that weights, outputs and `validation` have the same bits for any number of processes. The losses are
    then executors whose `call` is decorated with `Executor.reduce_loss`: each shard divides by the size of the whole
    batch. A `DataLoader` with the same strategy lets each process read its rows only. Process 0 writes the checkpoints
    of `save` and `save_best`, and all restore the one that it chooses; `context.current_batch` has the rows of this
    process.

    *Exceptions.* An exception in a run is stored in `context.exception`; the callbacks of `Event.ON_EXCEPTION` are
    called, then the other handlers of `Events.EXCEPTION_RAISED`, and then the exception is raised, whatever they do:
    that a handler of `Events.EXCEPTION_RAISED` suppresses an exception, as in a plain `Engine`, does not hold here. An
    exception of a callback of `Event.ON_EXCEPTION` is a note of the one that is raised.
    """

    context_type: type[Context]

    def __init__(
        self, context: Any, optimizers: dict[str, Optimizer], callbacks: Iterable[Callback] = (),
        strategy: Strategy | None = None, recorded: bool = False,
    ) -> None:  # fmt: skip
        who = type(self).__name__
        check_context(who, context, self.context_type)
        self.strategy = OneProcess() if strategy is None else strategy
        check_recorded_alone(who, boolean(recorded, who, "recorded"), self.strategy)
        self.players, self.callbacks = players_of(who, context, optimizers, recorded), checked_callbacks(who, callbacks)
        self.updates = updates_of(who, context, self.players, self.strategy)
        self.context: Any = context
        self.validation_set: Iterable[Any] | None = None
        self.validation: dict[str, Any] = {}
        self.engine, self.evaluator = Engine(self._step), Engine(self._measure)
        measuring.attach_metrics(self.evaluator, context, [player.label for player in self.players.values()])
        Exceptions(context).attach(self.engine)
        self.engine.add_event_handler(Events.ITERATION_STARTED, self._take_batch)
        self.engine.add_event_handler(Events.EPOCH_COMPLETED, self.end_epoch)
        fire_moments(self.engine)
        for callback in self.callbacks:
            callback.attach(self.engine, context)
        self.saved: Checkpoint | None = None
        self._also: dict[str, Any] = {}
        self._ckpt = ContextCheckpoint(self)

    @abstractmethod
    def step(self, batch: Any) -> dict[str, float]:
        """Update the models by a batch; return the losses and their terms, by name."""

    @abstractmethod
    def measure(self, batch: Any, training: bool) -> dict[str, Any]:
        """Compute the metrics' input for a batch, without updating anything."""

    def run(
        self, dataset: Iterable[Any] | None = None, validation_set: Iterable[Any] | None = None,
        max_epochs: int | None = None, max_iters: int | None = None, epoch_length: int | None = None,
    ) -> State:  # fmt: skip
        """Train; return the state of the engine.

        With a `context.ckpt`, the first run continues from its newest checkpoint; a complete training stays as it is.
        Limits are as in `Engine.run`: a run continues if the state has a limit that it has not reached.

        Parameters
        ----------
        dataset : iterable, optional
            The batches; becomes `context.dataset`, which is used if none is given.
        validation_set : iterable, optional
            Batches that are measured at the end of each epoch; otherwise those that were given before.
        """
        if dataset is not None:
            self.context.dataset = dataset
        if self.context.dataset is None:
            raise no_data(self, "data", "a data set here or in the context.", "run(loader)")
        if validation_set is not None:
            self.validation_set = validation_set
        if self._ckpt.begin(max_epochs, max_iters):
            return self.engine.state
        return self.engine.run(self.context.dataset, max_epochs, max_iters, epoch_length)

    def evaluate(self, data: Iterable[Any] | None = None) -> dict[str, Any]:
        """Measure the models on data, by default the validation set; return the metrics and the mean losses, by name.

        The models run in the mode `context.log_eval_mode`, and stay as they are: also in training mode, running
        statistics and random generators are restored.
        """
        data = self.validation_set if data is None else data
        if data is None:
            raise no_data(self, "validation set", "data to measure.", "evaluate(loader)")
        self._ckpt.restore()
        with self._unchanged():
            return dict(self.evaluator.run(data).metrics)

    def save(
        self, folder: Path, event: Any = Events.EPOCH_COMPLETED, n_saved: int | None = 3,
        also: Mapping[str, Any] | None = None,
    ) -> Checkpoint:  # fmt: skip
        """Save everything that `restore` needs, from now on at each occurrence of an event; return the handler.

        Call it after the other handlers of that event are attached. Processes whose weights differ raise an error. The
        event may have filters, such as ``Events.ITERATION_COMPLETED(every=100)``; `n_saved` checkpoints are kept, all
        if None; `also` are further objects with a state, such as schedules and metrics of the training.
        """
        check_also(type(self).__name__, also)
        self._also.update(also or {})
        saver = DiskSaver(folder, require_empty=False, rank=self.strategy.rank)
        self.saved = Checkpoint(self.objects(), saver, n_saved=n_saved, include_self=True)
        saving.attach(self, event, self.saved)
        return self.saved

    def restore(self, path: Path, *, dry_run: bool = False) -> saving.RestoreReport:
        """Restore a checkpoint that `save` wrote, so that the next `run` continues there; report what was found.

        `path` is a checkpoint, or a folder: its newest undamaged checkpoint; an empty folder is reported. With
        `dry_run`, only report. In `validation` are the numbers and arrays of the last measurement before the
        checkpoint. Callbacks, and what `save` was given in `also`, may be new: they keep their states, and are
        reported.
        """
        own = {} if self.saved is None else {SELF: self.saved}
        report = saving.restore({**self.objects(), **own}, path, dry_run, self.strategy, self.engine.logger)
        self._ckpt.is_restored |= not dry_run
        return report

    def save_best(
        self, folder: Path, metric: str, mode: str = "max", tolerance: float = 0, n_saved: int = 1
    ) -> Checkpoint:
        """Save the models from now on whenever a metric or loss in `validation` improves; return the handler.

        Higher values are better in mode "max", lower in mode "min", by more than the tolerance. An equal value is never
        better.
        """
        saver = DiskSaver(folder, require_empty=False, rank=self.strategy.rank)
        checkpoint = Checkpoint(
            self._models(), saver, "best", lambda _: measuring.result(self, metric),
            metric, n_saved, lambda *_: self.context.global_step, mode=mode, tolerance=tolerance,
        )  # fmt: skip
        self._also[f"best {metric}"] = checkpoint
        saving.attach(self, Events.EPOCH_COMPLETED, checkpoint)
        return checkpoint

    def objects(self) -> dict[str, Any]:
        """Return the objects that are saved, by name."""
        optimizers = {f"{name}_optimizer": player.optimizer for name, player in self.players.items()}
        own = {"trainer": self.engine, "context": saving.Progress(self), **self._models(), **optimizers}
        return {**own, "callbacks": {callback.name: callback for callback in self.callbacks}, "also": self._also}

    def _models(self):
        return {name: player.module for name, player in self.players.items()}

    def end_epoch(self) -> None:
        """Measure the validation set, if there is one; called at the end of each epoch, before the callbacks."""
        if self.validation_set is not None:
            self.validation = self.evaluate()

    def _step(self, engine, batch):
        output = self.step(batch)
        self.context.global_step += 1
        return output

    def _unchanged(self):
        return measuring.unchanged(self.context, self.players, self.updates.draws)

    def _measure(self, engine, batch):
        training = self.context.log_eval_mode.is_training
        output = self.updates.measure(lambda rows: self.measure(rows, training), batch)
        self.context.new_step()
        return output

    def _take_batch(self, engine):
        batch = engine.state.batch
        self.context.current_batch = batch.batch if isinstance(batch, LocalBatch) else batch
