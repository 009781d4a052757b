"""`Framework`: the functions of a monitor that depend on the framework in which a network is written."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any


class Framework(ABC):
    """The framework of the networks of a monitor.

    `name` is what a note calls it, "" for `dark`. `repeating` are the classes of modules whose outputs repeat their
    inputs; `unseen` is the reason if no call was seen in a step that was observed, empty where that is not reported.
    """

    name = ""
    repeating: tuple[type, ...]
    unseen = ""

    @abstractmethod
    def module_of(self, model: Any) -> Any:
        """Return the module that a user means; None if there is none."""

    @abstractmethod
    def weight(self, parameter: Any) -> Any:
        """Return a parameter with `value_of` and `grad`; None for anything else."""

    @abstractmethod
    def is_recording(self) -> bool:
        """Return whether a graph is being recorded."""

    @abstractmethod
    def observer(self, function: Callable[..., Any]) -> Any:
        """Return a handle like `ForwardObserver`, whose `attach` is called with modules."""

    @abstractmethod
    def units(self, module: Any, name: str) -> Any:
        """Return the module that a record describes, or the class of its units: `ReLU`, `Sigmoid`, `Tanh` or object."""

    @abstractmethod
    def evaluation(self, models: Iterable[Any]) -> AbstractContextManager[None]:
        """Return a block in evaluation mode, after which everything is as before."""

    @abstractmethod
    def argument(self, value: Any, model: Any) -> Any:
        """Return an example as the model takes it."""

    @abstractmethod
    def forget(self) -> None:
        """Forget what was kept for a record."""


def restore_attributes(attributes: list[Any]) -> None:
    """Give modules back their modes and attributes, from (module, mode, attributes) of each, outermost first."""
    for module, was_training, values in attributes:  # submodules get their own modes afterwards
        module.train(was_training)
        vars(module).clear()
        vars(module).update(values)
