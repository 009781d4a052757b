"""A record of a run: each event with its place and its times, for pictures and for understanding."""

import weakref
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter

from dark.engine.registry import name_of
from dark.errors import UsageError


@dataclass(frozen=True)
class Moment:
    """One firing of an event.

    Attributes
    ----------
    engine : str
        The name of the engine in the record.
    event : str
        The name of the event.
    epoch, iteration : int
        Where the engine was.
    start_seconds, end_seconds : float
        Before the first and after the last handler, since the record began.
    handlers : tuple of str
        The names of the functions attached to the event, in their order.
    """

    engine: str
    event: str
    epoch: int
    iteration: int
    start_seconds: float
    end_seconds: float
    handlers: tuple = ()


@dataclass
class Record:
    """What happened in some engines, on one clock, in the order in which it began.

    Attributes
    ----------
    moments : list of Moment
    left_out : int
        Moments that came after there were `limit` of them.
    goes_on : bool
        Whether its block has not ended yet.
    """

    limit: int
    moments: list = field(default_factory=list)
    left_out: int = 0
    goes_on: bool = True

    def __repr__(self):
        return f"Record({len(self.moments)} moments of {', '.join(Counter(m.engine for m in self.moments)) or 'none'})"


class record:
    """Record the events of engines for the length of a block.

    The record is also `engine.recording` of each engine, until the next one.

    Parameters
    ----------
    *engines : Engine
    names : sequence of str, optional
        What they are called in the record; "engine", or "engine 1", "engine 2", … if not given.
    limit : int, default 100000
        How many moments are kept.
    clock : callable, default time.perf_counter
        Returns seconds.

    Raises
    ------
    UsageError
        If there are not as many names as engines, or an engine is recorded already.

    Examples
    --------
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

    def __init__(self, *engines, names=None, limit=100_000, clock=perf_counter):
        if names is None:
            names = ["engine"] if len(engines) == 1 else [f"engine {k + 1}" for k in range(len(engines))]
        if len(names) != len(engines):
            raise UsageError(
                f"record: {len(engines)} engines and {len(names)} names.", "one name for each.", "leave names out."
            )
        self._engines, self._names, self._clock = engines, names, clock
        self._limit = limit

    def __enter__(self):
        for engine in self._engines:
            if engine.recording is not None and engine.recording.goes_on:
                raise UsageError(
                    "record: this engine is being recorded already.", "one record at a time.", "end the other block."
                )
        self._recording, begun, self._before = Record(self._limit), self._clock(), []
        for engine, name in zip(self._engines, self._names):
            fire = vars(engine).get("_fire_event")  # of a profiler
            engine.recording = self._recording
            engine._fire_event = _recorded(engine, fire, name, self._recording, self._clock, begun)
            self._before.append((engine, fire, engine._fire_event))
        return self._recording

    def __exit__(self, *error):
        self._recording.goes_on = False
        for engine, fire, noting in reversed(self._before):
            if vars(engine).get("_fire_event") is noting:  # else a profiler stands before it, and passes through it
                del engine._fire_event
                if fire is not None:
                    engine._fire_event = fire


def _recorded(engine, fire, name, recording, clock, begun):
    """Make the funnel of an engine that notes what passes; it does not hold the engine."""
    plain, engine = type(engine)._fire_event, weakref.ref(engine)

    def pass_on(event, *args, **kwargs):
        if fire is None:
            plain(engine(), event, *args, **kwargs)
        else:
            fire(event, *args, **kwargs)

    def fire_and_note(event, *args, **kwargs):
        if not recording.goes_on:
            pass_on(event, *args, **kwargs)
            return
        self, start = engine(), clock() - begun
        place = len(recording.moments)
        if place < recording.limit:
            recording.moments.append(None)  # its place: handlers may run engines whose events come after it
        epoch, iteration, event_name = self.state.epoch, self.state.iteration, name_of(event)
        attached = tuple(_called(handler.function) for handler in self._event_handlers.get(event_name, ()))
        try:
            pass_on(event, *args, **kwargs)
        finally:
            moment = Moment(name, event_name, epoch, iteration, start, clock() - begun, attached)
            if place < recording.limit:
                recording.moments[place] = moment
            else:
                recording.left_out += 1

    return fire_and_note


def _called(function):
    return getattr(function, "__qualname__", type(function).__name__).removeprefix("<locals>.").split("<locals>.")[-1]
