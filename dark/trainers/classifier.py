"""`ClassifierTrainer`: train a classifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dark.contexts import ClassifierContext
from dark.trainers.batches import pair_of_constants, plain
from dark.trainers.trainer import Trainer

if TYPE_CHECKING:
    from dark.compat.callbacks.callback import Callback
    from dark.distributed import Strategy
    from dark.engine import State
    from dark.optim import Optimizer


class ClassifierTrainer(Trainer):
    """Train a classifier: an optimizer step for each batch (x, y).

    Parameters
    ----------
    context : ClassifierContext
        With `classifier_model` and `loss`, which is called as ``loss(context, features=x, labels=y, training=True)``.
    optimizer : Optimizer
        Of the parameters of the classifier.
    callbacks : iterable of Callback, optional
        With different names.
    strategy : Strategy, default OneProcess()
        Of `dark.distributed`; see Notes.
    recorded : bool, default False
        Record the graph of the loss once, and replay it with the same bits, see `dark.recorded`: the `call` of
        an executor, or of each term of a sum. Only with `OneProcess`; a replay does not call the model.

    Attributes
    ----------
    engine : Engine
        The training. `engine.state.output` is a dict: the loss under "loss", and its terms by name.
    evaluator : Engine
        The measurement on validation data, see `evaluate`: the metrics of the context, which get a mapping with
        "y_pred" (the class scores) and "y", and the mean loss as "loss".
    validation : dict
        The results of the last measurement of the validation set, by name.

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

    Examples
    --------
    >>> import numpy as np
    >>> from dark import nn, optim
    >>> from dark.contexts import ClassifierContext
    >>> from dark.metrics import Accuracy
    >>> x = np.random.default_rng(0).normal(size=(60, 2))
    >>> y = (x[:, 0] > 0).astype(int)
    >>> model, criterion = nn.Linear(2, 2, seed=0), nn.CrossEntropyLoss()
    >>> def loss(context, *, features, labels, training):
    ...     return criterion(context.classifier_model(features, training=training), labels)
    >>> context = ClassifierContext(classifier_model=model, loss=loss, metrics={"accuracy": Accuracy()})
    >>> trainer = ClassifierTrainer(context, optim.Adam(model.parameters(), lr=0.1))
    >>> state = trainer.run([(x[:20], y[:20]), (x[20:40], y[20:40])], [(x[40:], y[40:])], max_epochs=50)
    >>> context.global_step, trainer.validation["accuracy"] > 0.9, state.output.keys()
    (100, True, dict_keys(['loss']))
    """

    context_type = ClassifierContext

    def __init__(
        self, context: ClassifierContext, optimizer: Optimizer, callbacks: Iterable[Callback] = (), *,
        strategy: Strategy | None = None, recorded: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(context, {"classifier": optimizer}, callbacks, strategy, recorded)
        self.validation_set = context.validation_set

    def run(
        self, dataset: Iterable[Any] | None = None, validation_set: Iterable[Any] | None = None,
        max_epochs: int | None = None, max_iters: int | None = None, epoch_length: int | None = None,
    ) -> State:  # fmt: skip
        """Train; return the state of the engine.

        Parameters
        ----------
        dataset : iterable, optional
            Batches (x, y); becomes `context.dataset`, which is used if none is given, and `context.training_set`.
        validation_set : iterable, optional
            Batches that are measured at the end of each epoch; becomes `context.validation_set`, which is used if none
            is given.
        max_epochs, max_iters, epoch_length : int, optional
            As in `Engine.run`: a run continues if the state has a limit that it has not reached.
        """
        context = self.context
        if validation_set is not None:
            context.validation_set = validation_set
        context.training_set = context.dataset if dataset is None else dataset
        return super().run(dataset, context.validation_set, max_epochs, max_iters, epoch_length)

    def step(self, batch: Any) -> dict[str, float]:
        """Update the classifier by a batch; return the loss and its terms."""
        return self.updates(["classifier"], batch, lambda _, rows: _arguments(rows, training=True))

    def measure(self, batch: Any, training: bool) -> dict[str, Any]:
        """Return the class scores "y_pred", the labels "y" and the loss of a batch."""
        arguments = _arguments(batch, training)
        scores = plain(self.context.classifier_model(arguments["features"], training=training))
        return {
            "y_pred": scores,
            "y": plain(arguments["labels"]),
            "size": len(scores),
            **self.updates.numbers(arguments),
        }


def _arguments(batch, training):
    """Return the arguments of the loss for a batch."""
    x, y = pair_of_constants(batch)
    return {"features": x, "labels": y, "training": training}
