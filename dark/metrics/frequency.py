"""Frequency: how many things a second."""

import time
from numbers import Number

from dark.engine import Events
from dark.metrics.metric import Metric
from dark.metrics.outputs import as_plain, identity, nothing_seen, wrong_output
from dark.metrics.usages import BY_NAME, MetricUsage, usage_of


class Frequency(Metric):
    """How many things a second went through: examples, tokens, since the epoch began.

    Parameters
    ----------
    output_transform : callable, optional
        Picks from the output how many things there were.
    device, skip_unrolling
        As of `Metric`.
    clock : callable, optional
        Gives the time in seconds.

    Notes
    -----
    Time runs from `reset` to the last `update`. In the engine's state the result is a whole number. Resumed in the
    middle of an epoch, it goes on with the things and seconds before.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> engine = Engine(lambda engine, batch: {"tokens": len(batch)})
    >>> speed = Frequency(output_transform=lambda output: output["tokens"], clock=iter(range(99)).__next__)
    >>> speed.attach(engine, "tokens a second", event_name=Events.ITERATION_COMPLETED(every=2))
    >>> engine.run(["three", "words", "here", "."]).metrics
    {'tokens a second': 3}
    """

    _state_dict_all_req_keys = ("_acc", "_elapsed")

    def __init__(self, output_transform=identity, device="cpu", skip_unrolling=False, clock=time.perf_counter):
        self._clock = clock
        super().__init__(output_transform, device, skip_unrolling)

    def reset(self):
        """Start the clock, with nothing counted."""
        self._acc, self._elapsed = 0, 0.0
        self._since = self._clock()

    def update(self, output):
        """Add a number of things.

        Raises
        ------
        ValueTypeError
            If it is no number.
        """
        count = as_plain(output)
        if not isinstance(count, Number):
            raise wrong_output(self, output, "a number")
        self._acc += count
        now = self._clock()
        self._elapsed, self._since = self._elapsed + now - self._since, now

    def compute(self):
        """Return how many a second.

        Raises
        ------
        NotComputableError
            If no time has gone by.
        """
        if not self._elapsed:
            raise nothing_seen("Frequency")
        return self._acc / self._elapsed

    def _put(self, engine, name):  # a whole number
        engine.state.metrics[name] = int(self.compute())

    def attach(self, engine, name, event_name=Events.ITERATION_COMPLETED):
        """Attach to an engine.

        Parameters
        ----------
        engine : Engine
            Whose outputs are counted.
        name : str
            Of the result.
        event_name : event, or MetricUsage or its name, optional
            When the result goes into the state; it is updated at each iteration, and starts with each epoch. A usage
            says all three.
        """
        usage = self._usage(event_name)
        self._attach_updates(engine, usage)
        engine.add_event_handler(usage.COMPLETED, self.completed, name)

    def detach(self, engine, usage=Events.ITERATION_COMPLETED):
        """Take off an engine what `attach` with this event or usage added."""
        super().detach(engine, self._usage(usage))

    def is_attached(self, engine, usage=Events.ITERATION_COMPLETED):
        """Say whether it puts its result into the state at this event."""
        return super().is_attached(engine, self._usage(usage))

    def _usage(self, event):
        if isinstance(event, MetricUsage) or (isinstance(event, str) and event in BY_NAME):
            return usage_of(event)
        return MetricUsage(Events.EPOCH_STARTED, event, Events.ITERATION_COMPLETED)

    def _unpack_state(self, state):
        super()._unpack_state(state)
        self._since = self._clock()
