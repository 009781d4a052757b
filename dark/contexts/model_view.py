"""`ModelView`: a model as a context shows it, called in a mode; `ModelField`: the field of a context that holds one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from dark.checks import boolean, describe
from dark.contexts.field import Field
from dark.contexts.model_inputs import takes_list
from dark.contexts.snapshot import Snapshot
from dark.contexts.step_cache import StepCache
from dark.errors import ValueTypeError
from dark.nn import Function, Module

if TYPE_CHECKING:
    from dark.nodes import Node

Model: TypeAlias = Module | Callable[..., Any] | None  # of a context
Loss: TypeAlias = Callable[..., Any] | None  # called with the context


@contextmanager
def training_mode(modules, training):
    """Set the mode of a module and its submodules, each before its own, for the duration of a block."""
    modes = [m.training for m in modules]
    modules[0].train(training)
    try:
        yield
    finally:
        for m, mode in zip(modules, modes):  # `train` sets the submodules, too; their own modes follow
            m.train(mode)


class ModelView:
    """A model that is called in a mode, and computes equal calls within a step once.

    A context makes the views of its models, which share one cache. `module` is the network itself: its parameters, its
    state dict; a function becomes a `dark.nn.Function`.

    Within a step, a call with equal arguments returns the result of the first one, as long as no parameter was changed.
    Dropout then has the same mask in both, and running statistics are updated once. Inputs that require grad are equal
    if they are the same node, others if their values are equal. A step ends with `Context.new_step`, and when
    `Context.global_step` is set.

    Examples
    --------
    >>> import numpy as np
    >>> from dark import nn
    >>> model = ModelView(nn.Dropout(0.5, seed=0))
    >>> model(np.ones(3), training=False), model.module.training
    (array([1., 1., 1.]), True)
    """

    def __init__(self, model: Module | Callable[..., Any], cache: StepCache | None = None) -> None:
        self.module: Module = as_module(model, "ModelView", "model")
        self._cache = StepCache() if cache is None else cache
        self._snapshot = Snapshot(self.module)

    def __call__(self, *inputs: Any, training: bool | None = None, **settings: Any) -> Node | Any:
        """Return the result of the model; further settings are passed to it.

        One list holds several inputs, as in Keras: ``model([x, condition])``. It is passed on as a list to a `forward`
        with one parameter that is called `inputs` or annotated as a list. `training` is the mode of the call; the modes
        that the model and its submodules had are restored. By default, the call runs in these modes.
        """
        if training is not None and type(training) is not bool:
            training = boolean(training, type(self.module).__name__, "training")
        if len(inputs) == 1 and type(inputs[0]) is list and not (len(inputs[0]) > 1 and takes_list(self.module)):
            inputs = self._spread(inputs[0], settings)
        if not self._snapshot.is_current():  # an attribute was set, or a submodule replaced
            self._cache.forget(self.module)
            self._snapshot = Snapshot(self.module)
        modes = [m.training for m in self._snapshot.modules]
        if training is None or (not training) not in modes:
            result, is_new = self._cache.call(self._snapshot, modes, inputs, settings)
        else:
            with training_mode(self._snapshot.modules, training):
                result, is_new = self._cache.call(self._snapshot, [training] * len(modes), inputs, settings)
        if is_new:
            self._snapshot = self._snapshot.refreshed()  # what the call itself changed, such as running statistics
        return result

    def _spread(self, inputs, settings):
        """Return the inputs of a call that were given as one list."""
        try:
            inspect.signature(self.module.forward).bind(*inputs, **settings)
        except TypeError as error:
            who = type(self.module).__name__
            raise ValueTypeError(
                f"{who}: a list of {len(inputs)} inputs does not fit its forward: {error}.",
                "an array, or a list with an array for each input.",
                "np.array(x), for rows of one input.",
            ) from None
        return tuple(inputs)

    def __repr__(self) -> str:
        return f"ModelView({self.module!r})"


def as_module(model, who, name):
    """Return a model as a module: a module, that of a view, or one that calls a function."""
    if isinstance(model, ModelView):
        return model.module
    if isinstance(model, Module):
        return model
    if isinstance(model, type) or not callable(model):
        raise ValueTypeError(
            f"{who}: {name} is {describe(model)}.",
            "a module, or another callable.",
            "an instance, such as nn.Linear(2, 1).",
        )
    return Function(model)


class ModelField(Field[ModelView]):
    """A field for a module or another callable, which is read as a `ModelView`; None if it was not given.

    The views of a context share its cache: `Context.new_step` is a new step for all of them.
    """

    def checked(self, context: Any, value: Any) -> Any:
        """Return a view of the model; None stays None."""
        if value is None:
            return None
        return ModelView(as_module(value, type(context).__name__, self.name), context._cache)
