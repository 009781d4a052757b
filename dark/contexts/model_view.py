"""`ModelView`: a model as a context shows it, called in a mode; `ModelField`: the field of a context that holds one."""

import functools
import inspect
import re
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any, TypeAlias

from dark.checks import boolean, describe
from dark.contexts.field import Field
from dark.contexts.step_cache import Snapshot, StepCache
from dark.errors import ValueTypeError
from dark.nn import Function, Module, Sequential
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
    """Return a model as a module: a module, the module of a view, or one that calls a function."""
    if isinstance(model, ModelView):
        return model.module
    if isinstance(model, Module):
        return model
    if isinstance(model, type) or not callable(model):
        raise ValueTypeError(
            f"{who}: {name} must be a module or a callable, got {describe(model)}.",
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


OPTIONAL = ("encoding", "condition")  # parameters that count as inputs also if they have a default
LISTS = re.compile(r"(\w+\.)*(list|tuple|Sequence)\b", re.IGNORECASE)  # annotations of one parameter for all inputs


def parameters_of(module):
    """Return the parameters that the `forward` of a module declares, by name."""
    forward, is_method = _forward_of(module)
    return (_parameters if is_method else _parameters.__wrapped__)(forward, is_method)


def count_of_inputs(module):
    """Return how many inputs a module declares: positional parameters without a default, and those in `OPTIONAL`.

    None if it has a parameter ``*inputs``.
    """
    forward, is_method = _forward_of(module)
    found = (_inputs if is_method else _inputs.__wrapped__)(forward, is_method)
    return None if any(p.kind is p.VAR_POSITIONAL for p in found) else len(found)


def takes_list(module):
    """Return whether a module takes all inputs as one list, as Keras and AshPy write it: ``forward(self, inputs)``.

    It does if its `forward` has one parameter besides settings with a default, and this is called `inputs` or annotated
    as a list, a tuple or a sequence. Of a `Sequential`, the first module decides.

    >>> takes_list(Function(lambda inputs: inputs[0])), takes_list(Function(lambda x: x))
    (True, False)
    """
    while isinstance(module, Sequential) and len(module):
        module = module[0]
    forward, is_method = _forward_of(module)
    try:
        found = (_inputs if is_method else _inputs.__wrapped__)(forward, is_method)
    except (TypeError, ValueError):  # written in C
        return False
    return len(found) == 1 and _is_list(found[0])


def _forward_of(module):
    """Return the function that a module calls, and whether it is a method, whose first argument is the module."""
    if isinstance(module, Function):
        return module.function, False
    forward = module.forward  # of the class, unless it was assigned to the module
    return (forward, False) if "forward" in vars(module) else (forward.__func__, True)


@functools.lru_cache(maxsize=64)  # of methods, which stay the same
def _parameters(forward, is_method):
    return dict(list(inspect.signature(forward).parameters.items())[is_method:])


@functools.lru_cache(maxsize=64)
def _inputs(forward, is_method):
    """Return the positional parameters that are inputs, not settings, and ``*inputs``."""
    parameters = _parameters.__wrapped__(forward, is_method).values()
    positional = [p for p in parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
    return [p for p in positional if p.default is p.empty or p.name in OPTIONAL]


def _is_list(parameter):
    """Return whether one parameter holds a list, by its name or its annotation, which may be a string."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        return False
    kind = parameter.annotation
    text = kind if isinstance(kind, str) else getattr(getattr(kind, "__origin__", kind), "__name__", "")
    return parameter.name == "inputs" or LISTS.match(text) is not None
