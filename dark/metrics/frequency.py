"""Frequency: the number of examples, tokens or other units processed per second."""

import time
from collections.abc import Callable
from numbers import Number
from typing import Any, Unpack

from dark.engine import Engine, Events
from dark.metrics.metric import Metric
from dark.metrics.outputs import MetricOptions, Transform, as_plain, identity, no_examples, wrong_output
from dark.metrics.usages import BY_NAME, Event, MetricUsage, usage_of


class Frequency(Metric):
    """Compute the number of units, such as examples or tokens, processed per second in the current epoch.

    `output_transform` extracts the number of units from the output; `clock` returns the time in seconds. Time is
    measured from `reset` to the last `update`. The result is stored in the engine's state as an integer. Resumed in the
    middle of an epoch, it continues from the units and seconds before.

    >>> from dark.engine import Engine
    >>> engine = Engine(lambda engine, batch: {"tokens": len(batch)})
    >>> speed = Frequency(output_transform=lambda output: output["tokens"], clock=iter(range(99)).__next__)
    >>> speed.attach(engine, "tokens per second", event_name=Events.ITERATION_COMPLETED(every=2))
    >>> engine.run(["three", "words", "here", "."]).metrics
    {'tokens per second': 3}
    """

    _state_dict_all_req_keys = ("_acc", "_elapsed")
    _merge_rules = (("_elapsed", "largest"),)

    def __init__(
        self,
        output_transform: Transform = identity,
        *,
        clock: Callable[[], float] = time.perf_counter,
        **options: Unpack[MetricOptions],
    ) -> None:
        self._clock = clock
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Reset the count and start the clock."""
        self._acc: Any = 0
        self._elapsed = 0.0
        self._since = self._clock()

    def update(self, output: Any) -> None:
        """Add a number of units."""
        count = as_plain(output)
        if not isinstance(count, Number):
            raise wrong_output(self, output, "a number")
        self._acc += count
        now = self._clock()
        self._elapsed, self._since = self._elapsed + now - self._since, now

    def compute(self) -> float:
        """Return the number of units per second; some time must have elapsed."""
        if not self._elapsed:
            raise no_examples("Frequency")
        return self._acc / self._elapsed

    def _store(self, engine, name):
        engine.state.metrics[name] = int(self.compute())

    def attach(  # type: ignore[override]  # Ignite's name of the argument
        self, engine: Engine, name: str, event_name: Event | MetricUsage | str = Events.ITERATION_COMPLETED
    ) -> None:
        """Attach to an engine; the result is stored at an event, or as a usage or its name determines.

        At an event, the metric is updated at each iteration and reset at each epoch.
        """
        super().attach(engine, name, self._usage(event_name))

    def detach(self, engine: Engine, usage: Any = Events.ITERATION_COMPLETED) -> None:
        """Remove the handlers that `attach` with this event or usage added."""
        super().detach(engine, self._usage(usage))

    def is_attached(self, engine: Engine, usage: Any = Events.ITERATION_COMPLETED) -> bool:
        """Return whether it stores its result in the state at this event."""
        return super().is_attached(engine, self._usage(usage))

    def _usage(self, event):
        if isinstance(event, MetricUsage) or (isinstance(event, str) and event in BY_NAME):
            return usage_of(event)
        return MetricUsage(Events.EPOCH_STARTED, event, Events.ITERATION_COMPLETED)

    def _unpack_state(self, state):
        super()._unpack_state(state)
        self._since = self._clock()
