"""`ClassifierLoss`: a loss of the outputs of a classifier against labels."""

from collections.abc import Callable
from typing import Any

from dark.contexts import ClassifierContext
from dark.executors.executor import Executor
from dark.executors.gan_executor import required_model
from dark.executors.reduction import per_example, required_loss
from dark.nn import Loss
from dark.nodes import Node


class ClassifierLoss(Executor):
    """A loss of a classifier's outputs for features against labels: ``fn(classifier_model(features), labels)``.

    In `dark` as in PyTorch, labels come second. If the loss returns several losses for each example, such as one for
    each pixel, their mean is taken.

    >>> from dark import nn
    >>> from dark.contexts import ClassifierContext
    >>> context = ClassifierContext(classifier_model=lambda x: x)
    >>> loss = ClassifierLoss(nn.CrossEntropyLoss())
    >>> loss(context, features=np.zeros((3, 4)), labels=np.array([0, 1, 2]), training=True).item()
    1.386294361...
    """

    players = ("classifier",)

    def __init__(self, fn: Loss | Callable[..., Any]) -> None:
        super().__init__(required_loss(fn, "ClassifierLoss"))

    @Executor.reduce_loss
    def call(
        self, context: ClassifierContext, *, features: Any, labels: Any, training: bool = True, **kwargs: Any
    ) -> Node:
        """Return the loss of each example, with features of shape (n, ...) and labels as the loss expects them."""
        model = required_model(context, "classifier_model", ClassifierContext)
        return per_example(self.fn(model(features, training=training), labels))
