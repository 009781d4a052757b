"""`Player`: a model of a training with its optimizer and its loss, and the step that updates it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError
from dark.nodes import gradients
from dark.recording import recorded as recorded_function
from dark.trainers.trainer_checks import checked_scalar

if TYPE_CHECKING:
    from dark.nn import Module
    from dark.nodes import Node, Parameter
    from dark.optim import Optimizer


class Recordings(dict[Any, Any]):
    """By executor: the recording that replays its `call`, see `dark.recorded`."""

    def __missing__(self, executor: Any) -> Any:
        self[executor] = recorded_function(executor.call)
        return self[executor]


@dataclass(frozen=True, eq=False)
class Player:
    """A model with its optimizer and its loss of the context and keyword arguments."""

    name: str
    module: Module
    optimizer: Optimizer
    loss: Any

    @cached_property
    def label(self) -> str:
        """The name of the loss, in the context and in outputs."""
        return loss_name(self.name)

    def parameters(self) -> list[Parameter]:
        """Return the parameters that the optimizer updates."""
        return [p for group in self.optimizer.param_groups for p in group["params"] if p.requires_grad]

    def compute(self, context: Any, arguments: dict[str, Any]) -> Node:
        """Compute the loss."""
        label = "loss_fn" if self.name == "classifier" else self.label  # as the trainers of functions call it
        return checked_scalar(self.loss(context, **arguments), label)

    def gradients(self, loss: Node) -> list[tuple[Parameter, Any]]:
        """Compute the gradient of a loss for each parameter that the optimizer updates, and for no other."""
        parameters = self.parameters()
        return list(zip(parameters, gradients(loss, 1.0, parameters)))

    def step(self, found: list[tuple[Parameter, Any]]) -> None:
        """Store gradients in the `grad` of their parameters, and update these."""
        for parameter, gradient in found:
            parameter.grad = gradient
        self.optimizer.step()


def loss_name(name):
    """Return the name of the loss of a player in the context."""
    return "loss" if name == "classifier" else f"{name}_loss"


def players_of(who, context, optimizers, recorded=False):
    """Return the player of each optimizer: with the model and the loss of its name in the context.

    If they are recorded, losses are replayed: functions here, executors by `context.recordings`.
    """
    fields = [field for name in optimizers for field in (f"{name}_model", loss_name(name))]
    missing = [field for field in fields if getattr(context, field) is None]
    if missing:
        raise UsageError(
            f"{who}: the context has no {' and no '.join(missing)}.",
            "a context with all models and losses of the training.",
            f"{type(context).__name__}({', '.join(f'{field}=…' for field in missing)})",
        )
    players = {}
    for name, optimizer in optimizers.items():
        if not hasattr(optimizer, "param_groups") or not callable(getattr(optimizer, "step", None)):
            what = f"{who}: the optimizer of the {name} must have param_groups and step, got {describe(optimizer)}."
            raise ValueTypeError(what, "an optimizer of dark.optim.", _try(name))
        model, loss = getattr(context, f"{name}_model"), getattr(context, loss_name(name))
        loss = recorded_function(loss) if recorded and not hasattr(loss, "call") else loss
        players[name] = Player(name, model.module, optimizer, loss)
    context.recordings = Recordings() if recorded else None
    for player in players.values():
        _check_parameters(who, player, [other for other in players.values() if other is not player])
    return players


def _check_parameters(who, player, others):
    own = set(player.module.parameters())
    updated = {p for group in player.optimizer.param_groups for p in group["params"]}
    for other in others:
        if updated & (set(other.module.parameters()) - own):
            raise UsageError(
                f"{who}: the optimizer of the {player.name} must not update parameters of the {other.name}.",
                "an optimizer for each model, of its parameters alone.",
                _try(player.name),
            )
    if not updated & own:
        raise UsageError(
            f"{who}: the optimizer of the {player.name} must update a parameter of the {player.name}.",
            "an optimizer of the parameters of that model.",
            _try(player.name),
        )


def _try(name):
    return f"optim.Adam(context.{name}_model.module.parameters())"
