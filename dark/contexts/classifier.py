"""`ClassifierContext`: the context of a classifier."""

from typing import Any

from dark.contexts import field as checks
from dark.contexts.context import Context
from dark.contexts.field import Field, LogEvalMode
from dark.contexts.model_view import Loss, Model, ModelField


class ClassifierContext(Context):
    """A context with a classifier and its loss, any callable of a context; see `Context`.

    The model is read as a `ModelView`: ``context.classifier_model(x, training=True)``. `training_set` and
    `validation_set` are the data that a trainer was given; they can be set.

    >>> from dark import nn
    >>> context = ClassifierContext(classifier_model=nn.Linear(2, 3, seed=0))
    >>> context.classifier_model(np.ones(2), training=False).shape
    (3,)
    """

    classifier_model: ModelField = ModelField()
    loss: Field[Loss] = Field(checks.loss)
    training_set: Field[Any] = Field(can_be_set=True)
    validation_set: Field[Any] = Field(can_be_set=True)

    def __init__(
        self, *, classifier_model: Model = None, loss: Loss = None, dataset: Any = None, metrics: Any = (),
        log_eval_mode: LogEvalMode = LogEvalMode.TEST, global_step: int = 0, ckpt: Any = None, **fields: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            classifier_model=classifier_model, loss=loss, dataset=dataset, metrics=metrics,
            log_eval_mode=log_eval_mode, global_step=global_step, ckpt=ckpt, **fields,
        )  # fmt: skip
