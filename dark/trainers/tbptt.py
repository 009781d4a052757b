"""Truncated backpropagation through time: long sequences in chunks, with an optimizer step after each chunk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dark.checks import integer
from dark.compat.arguments import with_ignite_arguments
from dark.engine import Engine, EventEnum
from dark.errors import ShapeError
from dark.nodes.values import shape_of
from dark.trainers import trainer_checks
from dark.trainers.batches import detached, pair, pair_of_constants

if TYPE_CHECKING:
    from dark.nn import Module
    from dark.optim import Optimizer


class Tbptt_Events(EventEnum):
    """The events of a chunk.

    ========================  ======================================================
    TIME_ITERATION_STARTED    before the forward pass of a chunk
    TIME_ITERATION_COMPLETED  after its step; `state.output` is the loss of the chunk
    ========================  ======================================================
    """

    TIME_ITERATION_STARTED = "time_iteration_started"
    TIME_ITERATION_COMPLETED = "time_iteration_completed"


@with_ignite_arguments(device=5, non_blocking=6)
def create_supervised_tbptt_trainer(
    model: Module, optimizer: Optimizer, loss_fn: Callable[[Any, Any], Any], tbtt_step: int, dim: int = 0,
    prepare_batch: Callable[..., Any] | None = None,
) -> Engine:  # fmt: skip
    """Return an engine that trains a recurrent network by truncated backpropagation through time.

    Its output is the mean loss of the chunks of a batch. The hidden state is passed on from chunk to chunk, and
    detached in between: gradients go back to the start of a chunk. Each batch starts without a hidden state.
    `state.time_iteration` counts the chunks of a run, from 1, and the events can be filtered by it, as
    ``Tbptt_Events.TIME_ITERATION_COMPLETED(every=10)``. A resumed run continues it if ``"time_iteration"`` is in
    `state_dict_user_keys`, and starts from 0 otherwise.

    Parameters
    ----------
    model : callable Module
        Called as ``model(x)`` for the first chunk of a batch, and as ``model(x, hidden)`` with the hidden state for the
        others; returns (y_pred, hidden). `hidden` is a node, or lists, tuples and dicts of nodes.
    tbtt_step, dim : int
        The time steps per chunk (the last may be shorter), and the time axis of inputs and targets.
    loss_fn, prepare_batch
        As in `create_supervised_trainer`, called with each chunk.

    Examples
    --------
    >>> from dark import nn, optim
    >>> model = nn.RNN(1, 1, seed=0)
    >>> trainer = create_supervised_tbptt_trainer(model, optim.SGD(model.parameters(), 0.1), nn.MSELoss(), 4)
    >>> show = trainer.on(Tbptt_Events.TIME_ITERATION_COMPLETED)(lambda engine: print(engine.state.time_iteration))
    >>> state = trainer.run([(np.ones((10, 2, 1)), np.zeros((10, 2, 1)))])
    1
    2
    3
    """
    integer(tbtt_step, "create_supervised_tbptt_trainer", "tbtt_step", 1, advice="tbtt_step=20")
    dim = integer(dim, "create_supervised_tbptt_trainer", "dim")
    prepare = pair_of_constants if prepare_batch is None else prepare_batch

    def chunk(engine, part, hidden):
        x, y = prepare(part)
        engine.state.time_iteration += 1
        engine.fire_event(Tbptt_Events.TIME_ITERATION_STARTED)
        model.train()
        optimizer.zero_grad()
        y_pred, hidden = model(x) if hidden is None else model(x, detached(hidden))
        loss = trainer_checks.checked_loss(loss_fn(y_pred, y))
        loss.backward()
        optimizer.step()
        engine.state.output = loss.item()
        engine.fire_event(Tbptt_Events.TIME_ITERATION_COMPLETED)
        return loss.item(), hidden

    def step(engine, batch):
        if engine.state.iteration == 1:
            engine.state.time_iteration = 0
        losses, hidden, (inputs, targets) = [], None, pair(batch)
        for part in chunks(inputs, targets, tbtt_step, dim):
            loss, hidden = chunk(engine, part, hidden)
            losses.append(loss)
        return sum(losses) / len(losses)

    trainer = Engine(step)
    trainer.register_events(*Tbptt_Events, event_to_attr=dict.fromkeys(Tbptt_Events, "time_iteration"))
    return trainer


def chunks(x, y, size, axis):
    """Yield inputs and targets of equal length in chunks along an axis; the last chunk may be smaller."""
    shapes = shape_of(x), shape_of(y)
    if not all(-len(shape) <= axis < len(shape) for shape in shapes):
        raise ShapeError(
            f"tbptt: inputs of shape {shapes[0]} and targets of shape {shapes[1]} must both have axis {axis}.",
            "the time axis in both.",
            "dim=0 for (time, batch, features), dim=1 for (batch, time, features).",
        )
    length, other = (shape[axis] for shape in shapes)
    if length != other or not length:
        raise ShapeError(
            f"tbptt: inputs of shape {shapes[0]} and targets of shape {shapes[1]} must have equal, positive numbers "
            f"of time steps along axis {axis}, got {length} and {other}.",
            "equal numbers of time steps, 1 or more.",
            "another dim, or targets for each time step.",
        )
    for start in range(0, length, size):
        cut = slice(start, start + size)
        yield tuple(part[(slice(None),) * (axis % len(shape)) + (cut,)] for part, shape in zip((x, y), shapes))
