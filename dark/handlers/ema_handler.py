"""An exponential moving average of the parameters of a model."""

from __future__ import annotations

import warnings
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from dark.checks import check_engine, integer, number
from dark.engine import Events
from dark.errors import UsageError
from dark.handlers.schedules.state_schedules import PiecewiseLinearStateScheduler

if TYPE_CHECKING:
    from dark.engine import Engine

BUFFERS = ("copy", "update", "ema_train")


class EMAHandler:
    """An exponential moving average of a model: ``(1 - momentum) * average + momentum * parameter`` at each event.

    The average is `ema_model`, a copy of the model whose parameters do not require grad. With a larger momentum,
    between 0 and 1, it follows faster. `momentum_warmup` is the momentum of the first event, from which it changes
    linearly to `momentum` at event `warmup_iters`, by `momentum_scheduler`. Save that and `ema_model` with the
    training.

    Parameters
    ----------
    model : Module
        An object with `parameters`, `named_modules` and `train`, whose parameters have a `value` (or `data`, as in
        PyTorch): numbers or arrays.
    handle_buffers : {"copy", "update", "ema_train"}
        "copy": the model's buffers are copied; "update": buffers of floats are averaged, too; "ema_train": the average
        stays in training mode and computes its own buffers.
    """

    def __init__(
        self, model: Any, momentum: float = 0.0002, momentum_warmup: float | None = None,
        warmup_iters: int | None = None, handle_buffers: str = "copy",
    ) -> None:  # fmt: skip
        _check(model, momentum, momentum_warmup, warmup_iters, handle_buffers)
        self.model, self.momentum, self.handle_buffers = model, momentum, handle_buffers
        self.momentum_scheduler = None
        if warmup_iters is not None:
            milestones: Any = [(1, momentum_warmup), (max(2, warmup_iters), momentum)]
            self.momentum_scheduler = PiecewiseLinearStateScheduler(milestones, "ema_momentum")
        self.ema_model = deepcopy(model)
        for parameter in self.ema_model.parameters():
            parameter.requires_grad = False
        self.ema_model.train(handle_buffers == "ema_train")

    def attach(
        self, engine: Engine, name: str = "ema_momentum", warn_if_exists: bool = True,
        event: Any = Events.ITERATION_COMPLETED,
    ) -> None:  # fmt: skip
        """Update the average at each event of an engine.

        The attribute `name` of the state has the momentum; an existing value, which another handler made or which was
        loaded, is used, with a warning.
        """
        check_engine(self, engine)
        if not hasattr(engine.state, name):
            setattr(engine.state, name, self.momentum)
        elif warn_if_exists:
            warnings.warn(
                f"Attribute '{name}' already exists in the state of the engine, and its value is used: another handler "
                "made it, or it was loaded. Remove this warning by setting warn_if_exists=False.",
                UserWarning,
                stacklevel=2,
            )
        if self.momentum_scheduler is not None:
            self.momentum_scheduler.param_name = name
            self.momentum_scheduler.attach(engine, event)
        engine.add_event_handler(event, self._update, name)

    def _update(self, engine, name):
        momentum = getattr(engine.state, name)
        for average, parameter in zip(self.ema_model.parameters(), self.model.parameters()):
            where = "value" if hasattr(parameter, "value") else "data"
            setattr(average, where, _mixed(getattr(average, where), getattr(parameter, where), momentum))
        if self.handle_buffers != "ema_train":
            self._update_buffers(momentum)

    def _update_buffers(self, momentum):
        for (_, average), (_, module) in zip(self.ema_model.named_modules(), self.model.named_modules()):
            for name, new in list(module.named_buffers(recurse=False)):
                mixed = _mixed(getattr(average, name), new, momentum) if self.handle_buffers == "update" else new
                is_float = _kind(mixed) == _kind(new)
                setattr(average, name, deepcopy(mixed if is_float else new))


def _mixed(average, new, momentum):
    return (1.0 - momentum) * average + momentum * new


def _kind(x):
    return getattr(x, "dtype", type(x))


def _check(model, momentum, momentum_warmup, warmup_iters, handle_buffers):
    if not 0 < number(momentum, "EMAHandler", "momentum") < 1:
        raise UsageError(f"Invalid momentum: {momentum}.", "a number between 0 and 1.", "momentum=0.001")
    if (momentum_warmup is None) != (warmup_iters is None):
        raise UsageError(
            f"EMAHandler: momentum_warmup={momentum_warmup} and warmup_iters={warmup_iters} must be given together.",
            "both, or neither.",
            "momentum_warmup=0.2, warmup_iters=100",
        )
    if warmup_iters is not None:
        number(momentum_warmup, "EMAHandler", "momentum_warmup")
        integer(warmup_iters, "EMAHandler", "warmup_iters")
    if not all(hasattr(model, name) for name in ("parameters", "named_modules", "train")):
        raise UsageError(
            f"model should be an instance of nn.Module or its subclasses, but got {type(model).__name__}.",
            "a model with parameters.",
            "EMAHandler(model)",
        )
    if handle_buffers not in BUFFERS:
        raise UsageError(
            f"handle_buffers can only be one of {BUFFERS}, but got {handle_buffers!r}.", "one of them.", '"copy"'
        )
