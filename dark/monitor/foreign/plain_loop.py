"""`PlainLoop`: a training loop that is not an engine, as one, so that monitors and notes attach to it; and `step`."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dark.checks import describe
from dark.engine import Engine, Events
from dark.errors import ValueTypeError
from dark.hooks import Handle, Hooks
from dark.monitor.foreign.tensors import is_tensor
from dark.monitor.watch import framework_name, stop_observing, watch_of
from dark.nodes import value_of


@dataclass
class PlainStep:
    """A step of a loop: its number, from 1, and its loss, which may be set in it."""

    number: int
    loss: Any = None


class PlainLoop:
    """The steps of a training loop without an engine; `engine` counts them, and fires the events of iterations.

    A step is observed from the end of the one before, since a network is usually called before a step is announced.
    `notes` take what is recorded; `driver` is the optimizer that drives the loop, if there is one.
    """

    def __init__(self, monitor: Any) -> None:
        self.engine = Engine(lambda engine, batch: None)
        self.notes: Hooks[Any] = Hooks()
        self.driver: Any = None
        self._monitor = monitor

    @property
    def number(self) -> int:
        """The number of the present step."""
        return self.engine.state.iteration

    def observe(self) -> None:
        """Observe the next step from now on, if it is to be recorded."""
        self.engine.state.iteration += 1
        try:
            self.engine.fire_event(Events.ITERATION_STARTED)
        finally:
            self.engine.state.iteration -= 1

    def begin(self) -> None:
        """Begin a step."""
        self.observe()
        self.engine.state.iteration += 1

    def complete(self, output: Any) -> None:
        """End a step: record it, if it is to be recorded, and observe the next one."""
        self._complete(output)
        self.observe()

    def record(self, number: int, output: Any) -> None:
        """Record a step, whatever the events that were attached."""
        self.engine.state.iteration, self.engine.state.output = number, detached(output)
        self._monitor.recorded = None  # of a step with this number
        watch_of(self._monitor, self.engine, None).ask(self.engine, is_urgent=True)
        self._complete(output)

    def rest(self) -> None:
        """Stop observing."""
        stop_observing(self._monitor)

    def _complete(self, output):
        self.engine.state.output = detached(output)
        self.engine.fire_event(Events.ITERATION_COMPLETED)
        recorded = self._monitor.recorded
        if self.notes.ordered and recorded is not None and recorded.is_of(self.engine):
            self.take_down(self._monitor.scalars(), self._monitor.tensors())

    def add_note(self, note: Any) -> Handle:
        """Write the records of the monitor into a note, too."""
        if hasattr(note, "put_down_framework"):
            note.put_down_framework(framework_name(self._monitor))
        return self.notes.add(note)

    def take_down(self, scalars: Mapping[str, Any], tensors: Mapping[str, Any] | None = None) -> None:
        """Write values of the present step into the notes."""
        for note in self.notes:
            note.take_down_scalars_and_tensors(self.number, scalars, tensors)


def checked_note(note: Any) -> Any:
    """Return a note, or None."""
    if note is None or callable(getattr(note, "take_down_scalars_and_tensors", None)):
        return note
    advice = f"Note({note!r})" if isinstance(note, str) else 'Note("runs/first")'
    raise ValueTypeError(f"Monitor.attach: note must be a Note, got {describe(note)}.", "a Note.", advice)


def detached(output: Any) -> Any:
    """Return the output of a step without the graph of its loss."""
    if isinstance(output, Mapping):
        return {name: detached(value) for name, value in output.items()}
    return output.detach() if is_tensor(output) else value_of(output)


@contextmanager
def step(monitor: Any, loss: Any = None) -> Iterator[PlainStep]:
    """Observe and record a step of a training loop of your own, as often as `attach` says: every 50th by default.

    The block holds the update of the weights, and may hold the call of the network and the loss, too: the network is
    observed from the end of the previous step on. Evaluate it under ``torch.no_grad()``, then that is not recorded.

    Parameters
    ----------
    loss : number, tensor, node, or mapping of str to such, optional
        What is recorded as "loss", or under these names; `loss` of the result can be set within the block.

    Examples
    --------
    >>> import numpy as np
    >>> from dark import nn, optim
    >>> from dark.engine import Events
    >>> from dark.monitor import Monitor
    >>> net, x = nn.Linear(2, 1, seed=0), np.ones((4, 2))
    >>> optimizer, monitor = optim.SGD(net.parameters(), lr=0.1), Monitor(net)
    >>> handle = monitor.attach(event=Events.ITERATION_COMPLETED(every=2))
    >>> for _ in range(4):
    ...     loss = (net(x) ** 2).mean()
    ...     with monitor.step(loss):
    ...         optimizer.zero_grad()
    ...         loss.backward()
    ...         optimizer.step()
    >>> monitor.records, monitor.recorded.iteration, "activations/(root)" in monitor.tensors()
    (2, 4, True)
    """
    loop = monitor.loop
    if not any(map(len, loop.engine.registry.handlers.values())):
        monitor.attach()
    loop.begin()
    this = PlainStep(loop.number, loss)
    try:
        yield this
    except BaseException:
        loop.rest()
        raise
    loop.complete(this.loss)
