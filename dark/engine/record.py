"""A record of a run: each event with its position and its times, for pictures and for inspection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from dark.checks import integer
from dark.errors import UsageError

if TYPE_CHECKING:
    from dark.engine.engine import Engine


@dataclass(frozen=True)
class Moment:
    """One firing of an event: times are seconds since the start of the record."""

    engine: str
    event: str
    epoch: int
    iteration: int
    start_seconds: float
    end_seconds: float  # after the last handler; equal to the start until then
    handlers: tuple[str, ...] = ()  # the names of the attached functions, in their order


@dataclass
class Record:
    """The events of some engines, on one clock, in the order in which they started."""

    limit: int  # the largest number of moments that are kept
    moments: list[Moment] = field(default_factory=list)
    left_out: int = 0  # the number of moments beyond the limit
    is_active: bool = True  # whether the engines are being recorded

    def __repr__(self) -> str:
        return f"Record({len(self.moments)} moments of {', '.join(Counter(m.engine for m in self.moments)) or 'none'})"


class record:
    """Record the events of engines for the length of a block; it is `engine.recording` of each until the next record.

    Engines are named "engine", or "engine 1", "engine 2", …, if no names are given. At most `limit` moments are kept;
    the clock returns seconds.

    >>> from dark.engine import Engine, Events
    >>> trainer = Engine(lambda engine, batch: None)
    >>> handle = trainer.add_event_handler(Events.EPOCH_COMPLETED, print, "an epoch")
    >>> with record(trainer, names=["trainer"]) as recording:
    ...     state = trainer.run([1])
    <...Engine object at ...> an epoch
    >>> [moment.event for moment in recording.moments][:4]
    ['STARTED', 'EPOCH_STARTED', 'GET_BATCH_STARTED', 'GET_BATCH_COMPLETED']
    >>> recording.moments[-2].handlers, trainer.recording is recording
    (('print',), True)
    """

    def __init__(
        self, *engines: Engine, names: Sequence[str] | None = None, limit: int = 100_000,
        clock: Callable[[], float] = perf_counter,
    ) -> None:  # fmt: skip
        if names is None:
            names = ["engine"] if len(engines) == 1 else [f"engine {k + 1}" for k in range(len(engines))]
        if len(names) != len(engines):
            raise UsageError(
                f"record: there must be one name for each of {len(engines)} engines, got {len(names)}.",
                "one name per engine.",
                "omit names.",
            )
        self._engines, self._names, self._clock = engines, names, clock
        self._limit = integer(limit, "record", "limit", 0)

    def __enter__(self) -> Record:
        for engine in self._engines:
            if engine.recording is not None and engine.recording.is_active:
                raise UsageError(
                    "record: an engine cannot be recorded twice at once.",
                    "one record at a time.",
                    "end the other block.",
                )
        clock, self._recording, self._hooks = self._clock, Record(self._limit), ExitStack()
        origin = clock()
        for engine, name in zip(self._engines, self._names):
            recorder = _Recorder(self._recording, name, lambda: clock() - origin)
            self._hooks.enter_context(engine.around_events(recorder))
            engine.recording = self._recording
        return self._recording

    def __exit__(self, *error: object) -> None:
        self._recording.is_active = False
        self._hooks.close()


class _Recorder:
    """The function around the events of an engine that records them."""

    def __init__(self, recording: Record, name: str, clock: Callable[[], float]) -> None:
        self._recording, self._name, self._clock = recording, name, clock

    def __call__(self, engine: Engine, event: str) -> Iterator[None]:
        start, moments = self._clock(), self._recording.moments
        index, is_kept = len(moments), len(moments) < self._recording.limit
        attached = tuple(_name_of(handler.function) for handler in engine.registry.handlers.get(event, ()))
        counts = engine.state.epoch, engine.state.iteration
        if is_kept:  # now: handlers may run engines whose events come after it
            moments.append(Moment(self._name, event, *counts, start, start, attached))
        yield
        if is_kept:
            moments[index] = Moment(self._name, event, *counts, start, self._clock(), attached)
        else:
            self._recording.left_out += 1


def _name_of(function: object) -> str:
    return getattr(function, "__qualname__", type(function).__name__).removeprefix("<locals>.").split("<locals>.")[-1]
