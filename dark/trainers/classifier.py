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
    """Train a classifier: an optimizer step for each batch (x, y); see `Trainer` for what all trainers share.

    The loss of the context is called as ``loss(context, features=x, labels=y, training=True)``. Outputs are the loss
    under "loss", and its terms by name; metrics get a mapping with "y_pred" (the class scores) and "y".

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
        """Train on batches (x, y), see `Trainer.run`; the context shows them as `training_set` and `validation_set`."""
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
