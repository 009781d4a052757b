"""Truncated backpropagation through time: long sequences in chunks, with a step of the optimiser after each."""

from dark.engine import Engine, EventEnum
from dark.errors import ShapeError, UsageError
from dark.nodes.values import shape_of
from dark.trainers import doors
from dark.trainers.batches import detached, pair, pair_of_constants


class Tbptt_Events(EventEnum):
    """The events of a chunk.

    =======================  ======================================================
    TIME_ITERATION_STARTED   before a chunk is computed
    TIME_ITERATION_COMPLETED after its step; `state.output` is the loss of the chunk
    =======================  ======================================================
    """

    TIME_ITERATION_STARTED = "time_iteration_started"
    TIME_ITERATION_COMPLETED = "time_iteration_completed"


def create_supervised_tbptt_trainer(
    model, optimizer, loss_fn, tbtt_step, dim=0, device=None, non_blocking=False, prepare_batch=pair_of_constants
):
    """Make an engine that trains a recurrent network on sequences cut into chunks of time.

    Parameters
    ----------
    model : callable Module
        Called with a chunk, from the second on also with what it was left with: ``model(x)``, ``model(x, hidden)``;
        returns (y_pred, hidden). `hidden` is a node, or lists, tuples and dicts of nodes.
    optimizer : Optimizer
    loss_fn : callable
        Of (y_pred, y); returns a node.
    tbtt_step : int
        Steps of time in a chunk; the last one may be shorter.
    dim : int, default 0
        The axis of time of inputs and targets.
    device, non_blocking : optional
        As of `create_supervised_trainer`.
    prepare_batch : callable, optional
        As there, called with each chunk.

    Returns
    -------
    Engine
        Its output is the mean of the losses of a batch's chunks.

    Raises
    ------
    UsageError, ShapeError, ValueTypeError
        If an argument makes no sense; and in the run, if inputs and targets are not of equally many steps of time.

    Notes
    -----
    Gradients go back to the start of a chunk, values come from further: `hidden` is cut off from its graph between
    two chunks. It starts anew with each batch.

    `state.time_iteration` counts the chunks of a run, from 1, and the events may be filtered by it, as
    ``Tbptt_Events.TIME_ITERATION_COMPLETED(every=10)``. In a resumed run it goes on if ``"time_iteration"`` is in
    `state_dict_user_keys`, and from 0 otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> from dark import nn, optim
    >>> model = nn.RNN(1, 1, seed=0)
    >>> trainer = create_supervised_tbptt_trainer(model, optim.SGD(model.parameters(), 0.1), nn.MSELoss(), 4)
    >>> @trainer.on(Tbptt_Events.TIME_ITERATION_COMPLETED)
    ... def show(engine):
    ...     print(engine.state.iteration, engine.state.time_iteration)
    >>> state = trainer.run([(np.ones((10, 2, 1)), np.zeros((10, 2, 1)))])
    1 1
    1 2
    1 3
    """
    doors.check_device("create_supervised_tbptt_trainer", device)
    doors.check_batch_function(prepare_batch)
    if not isinstance(tbtt_step, int) or tbtt_step < 1:
        raise UsageError(
            f"create_supervised_tbptt_trainer: tbtt_step is {tbtt_step!r}.",
            "a whole number, 1 or more.",
            "tbtt_step=20",
        )

    def chunk(engine, part, hidden):
        x, y = prepare_batch(part, device=device, non_blocking=non_blocking)
        engine.state.time_iteration += 1
        engine.fire_event(Tbptt_Events.TIME_ITERATION_STARTED)
        model.train()
        optimizer.zero_grad()
        y_pred, hidden = model(x) if hidden is None else model(x, detached(hidden))
        loss = doors.checked_loss(loss_fn(y_pred, y))
        loss.backward()
        optimizer.step()
        engine.state.output = loss.item()
        engine.fire_event(Tbptt_Events.TIME_ITERATION_COMPLETED)
        return loss.item(), hidden

    def step(engine, batch):
        if engine.state.iteration == 1:
            engine.state.time_iteration = 0
        losses, hidden = [], None
        for part in chunks(*pair(batch), tbtt_step, dim):
            loss, hidden = chunk(engine, part, hidden)
            losses.append(loss)
        return sum(losses) / len(losses)

    trainer = Engine(step)
    trainer.register_events(*Tbptt_Events, event_to_attr=dict.fromkeys(Tbptt_Events, "time_iteration"))
    return trainer


def chunks(x, y, size, axis):
    """Cut inputs and targets along an axis.

    Parameters
    ----------
    x, y : array or Node
        As long as each other along the axis.
    size : int
        Of a chunk; the last one may be smaller.
    axis : int

    Yields
    ------
    tuple of array or Node
        A chunk of `x` and the same one of `y`.

    Examples
    --------
    >>> import numpy as np
    >>> [a.tolist() for a, b in chunks(np.arange(5), np.arange(5), 2, 0)]
    [[0, 1], [2, 3], [4]]
    """
    shapes = shape_of(x), shape_of(y)
    if not all(-len(shape) <= axis < len(shape) for shape in shapes):
        raise ShapeError(
            f"tbptt: no axis {axis} in inputs of shape {shapes[0]} and targets of shape {shapes[1]}.",
            "the axis of time in both.",
            "dim=0 for (time, batch, features), dim=1 for (batch, time, features).",
        )
    length, other = (shape[axis] for shape in shapes)
    if length != other or not length:
        raise ShapeError(
            f"tbptt: {length} steps of time in the inputs of shape {shapes[0]}, {other} in the targets of shape "
            f"{shapes[1]}, along axis {axis}.",
            "equally many, and one or more.",
            "another dim, or targets for each step.",
        )
    for start in range(0, length, size):
        cut = slice(start, start + size)
        yield tuple(part[(slice(None),) * (axis % len(shape)) + (cut,)] for part, shape in zip((x, y), shapes))
