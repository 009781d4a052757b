"""A stopwatch that events of an engine start, pause and read."""

from time import perf_counter

from dark.engine import Events


class Timer:
    """A stopwatch; it runs from its construction on.

    Parameters
    ----------
    average : bool, default False
        Let `value` be the time per call of `step`, and not the whole.
    clock : callable, default time.perf_counter
        Tells seconds.

    Attributes
    ----------
    total : float
        Seconds up to the last pause.
    step_count : int
        Calls of `step`.
    running : bool

    Examples
    --------
    Seconds of a batch, without what happens between batches; the clock here moves by 1 each time it is asked:

    >>> from itertools import count
    >>> from dark.engine import Engine
    >>> timer, trainer = Timer(average=True, clock=count().__next__), Engine(lambda engine, batch: None)
    >>> done = Events.ITERATION_COMPLETED
    >>> timer = timer.attach(trainer, pause=done, resume=Events.ITERATION_STARTED, step=done)
    >>> state = trainer.run([1, 2, 3, 4])
    >>> timer.value(), timer.step_count, timer.running
    (1.0, 4, False)
    """

    def __init__(self, average=False, *, clock=perf_counter):
        self._average = average
        self._clock = clock
        self.reset()

    def attach(self, engine, start=Events.STARTED, pause=Events.COMPLETED, resume=None, step=None):
        """Let events of an engine call `reset`, `pause`, `resume` and `step`.

        Parameters
        ----------
        engine : Engine
        start : event
            Puts the timer back to 0 and starts it.
        pause : event
        resume, step : event, optional

        Returns
        -------
        Timer
            This one.
        """
        wanted = (start, self.reset), (pause, self.pause), (resume, self.resume), (step, self.step)
        for event, method in wanted:
            if event is not None:
                engine.add_event_handler(event, method)
        return self

    def reset(self):
        """Put the timer back to 0 and start it; return it."""
        self.total, self.step_count, self.running = 0.0, 0, True
        self._begun = self._clock()
        return self

    def pause(self):
        """Stop the time."""
        if self.running:
            self.total += self._clock() - self._begun
            self.running = False

    def resume(self):
        """Let the time go on, if it was stopped."""
        if not self.running:
            self.running = True
            self._begun = self._clock()

    def value(self):
        """Return the seconds that were measured so far: all of them, or per step."""
        seconds = self.total + (self._clock() - self._begun if self.running else 0.0)
        return seconds / max(self.step_count, 1) if self._average else seconds

    def step(self):
        """Count one thing that the average is taken over."""
        self.step_count += 1
