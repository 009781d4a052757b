"""The engine: a loop over data that calls a function for each batch, and handlers at each event."""

from dark.engine.event_source import EventSource
from dark.engine.loop import Loop
from dark.engine.resuming import Resumable
from dark.engine.run_arguments import check_data, is_done, start
from dark.engine.signatures import check_call
from dark.engine.stop_flags import Signal
from dark.errors import EngineError, UsageError


class Engine(Resumable, EventSource):
    """A loop over data: ``process_function(engine, batch)`` for each batch, and handlers at each event.

    Parameters
    ----------
    process_function : callable
        Called for each batch; what it returns is `state.output`.

    Attributes
    ----------
    state : State
        Kept for the life of the engine: a run changes its attributes and returns it.
    last_event_name : event or None
        The event that is being fired, or was last.
    logger : logging.Logger
        Named after module and class. DEBUG shows every event; asked at the start of a run and once an epoch whether
        anybody listens.
    should_terminate, should_terminate_single_epoch, should_interrupt : bool or str
        What was asked for by `terminate` (True or "skip_completed"), `terminate_epoch` (True or
        "skip_epoch_completed") and `interrupt`; cleared when a run starts.
    interrupt_resume_enabled : bool
        False refuses `interrupt`; nothing else depends on it.

    Raises
    ------
    UsageError
        If the function cannot be called with an engine and a batch.

    Notes
    -----
    *Exceptions.* Without a handler of EXCEPTION_RAISED an exception leaves `run` unchanged, and the engine is ready
    for the next `run`, which goes on with the next epoch. With handlers, they get it, and it is swallowed if they
    return: if it came up in an iteration, the epoch ends there and the run goes on with the next one (call
    `terminate` to stop); anywhere else, and for exceptions that are no `Exception`, the run ends there. What such a
    handler raises itself leaves `run` at once.

    *Memory.* Handlers do not make the engine refer to itself, its own methods neither: it is freed as soon as nobody
    holds it, paused or not. A handler of yours that holds it, as a closure or a `Checkpoint` that saves it does, leaves
    that to Python's garbage collector.

    Examples
    --------
    >>> from dark.engine import Events
    >>> engine = Engine(lambda engine, batch: 2 * batch)
    >>> @engine.on(Events.ITERATION_COMPLETED(every=2))
    ... def show():
    ...     print(engine.state.epoch, engine.state.iteration, engine.state.output)
    >>> state = engine.run([10, 20, 30], max_epochs=2)
    1 2 40
    2 4 20
    2 6 60
    """

    interrupt_resume_enabled = True

    should_terminate = Signal()
    should_terminate_single_epoch = Signal()
    should_interrupt = Signal()

    def __init__(self, process_function):
        if process_function is None:
            raise UsageError(
                "Engine must be given a processing function in order to run.",
                "a function of (engine, batch).",
                "Engine(lambda engine, batch: …)",
            )
        check_call(process_function, "process_function", ("engine", "batch"))
        super().__init__()
        self._process_function = process_function
        self._signals = dict.fromkeys(("should_terminate", "should_terminate_single_epoch", "should_interrupt"), False)
        self._signalled = False
        self._loop, self._internal_run_generator = Loop(), None  # a generator while a run is paused
        self._found_length = self._found_epochs = None  # found out, and not given

    def interrupt(self):
        """Ask for a pause after the event at hand: `run` returns, and the next `run` goes on exactly there.

        The iterator over the data is kept, so that next `run` needs no data and ignores what it is given. At COMPLETED
        it comes too late.

        Raises
        ------
        EngineError
            If `interrupt_resume_enabled` is False.
        """
        if not self.interrupt_resume_enabled:
            raise EngineError(
                "Engine 'interrupt/resume' feature is disabled.",
                "interrupt_resume_enabled to be True.",
                "Engine.interrupt_resume_enabled = True",
            )
        self.should_interrupt = True

    def terminate(self, skip_completed=False):
        """Ask for the end of the run after the event at hand: TERMINATE and COMPLETED follow, no EPOCH_COMPLETED.

        The next `run` goes on with the next epoch, the data from its start and a full epoch. Before `run` it has no
        effect. On ITERATION_STARTED the process function is not called, though the iteration is counted.

        Parameters
        ----------
        skip_completed : bool
            True leaves out COMPLETED. Anything else is no, so that the method itself can be attached as a handler,
            which gets the engine here.
        """
        self.should_terminate = "skip_completed" if skip_completed is True else True

    def terminate_epoch(self, skip_epoch_completed=False):
        """Ask for the end of the epoch after the event at hand: TERMINATE_SINGLE_EPOCH and EPOCH_COMPLETED follow.

        The next epoch begins at the start of the data; iterations go on counting. On STARTED and EPOCH_STARTED there
        is nothing to end yet: an `EngineError` in the run.

        Parameters
        ----------
        skip_epoch_completed : bool
            True leaves out EPOCH_COMPLETED. Anything else is no, see `terminate`.
        """
        self.should_terminate_single_epoch = "skip_epoch_completed" if skip_epoch_completed is True else True

    def set_data(self, data):
        """Take other data from the next batch on; the length of an epoch stays.

        Called before `run`, it wins over the data given there.

        Raises
        ------
        ValueTypeError
            If the data cannot be iterated over; nothing is changed then.
        """
        check_data(data)
        self._dataloader_iter, self._data_state = iter(data), None
        self.state.dataloader = data

    def run(self, data=None, max_epochs=None, max_iters=None, epoch_length=None):
        """Run over the data, from the beginning or on from where the state is.

        A run *starts* if the state has no limit, or has reached it; `state.max_epochs = None` (or `max_iters`) makes
        it start in any case. Otherwise it *goes on*: towards a larger limit, after `terminate`, `interrupt` or an
        exception, or after `load_state_dict`.

        Parameters
        ----------
        data : iterable, optional
            Of batches. None: each batch is None, there are no events of the data, and `epoch_length` is needed; a
            run that goes on takes the data it had.
        max_epochs : int, optional
            1 for a new run, unless `max_iters` is given.
        max_iters : int, optional
            Instead of `max_epochs`. An epoch that it cuts has no EPOCH_COMPLETED.
        epoch_length : int, optional
            Iterations an epoch: ``len(data)`` if not given; where that is unknown, what was set before; else the
            first end of the data tells. A length that was only found is not kept for other data.

        Returns
        -------
        State
            The engine's own.

        Raises
        ------
        ValueTypeError
            If the data cannot be iterated over, or a number is no whole number.
        UsageError
            If the numbers make no sense, contradict the state, or the engine is running already.

        Warns
        -----
        UserWarning
            If the data ends before an epoch does and gives nothing when iterated over again, and if a run goes on
            with data of another length than the epochs have by the data before.

        Examples
        --------
        >>> engine = Engine(lambda engine, batch: None)
        >>> engine.run([1, 2, 3], max_epochs=2).iteration
        6
        >>> engine.run([1, 2, 3], max_epochs=5).iteration  # goes on
        15
        >>> engine.run([1, 2, 3], max_epochs=5).iteration  # the limit was reached: from the beginning
        15
        """
        if self._loop.engine is not None:
            raise UsageError(
                "run: this engine is running already.",
                "one run at a time.",
                "another engine for what a handler wants to run.",
            )
        paused = self._internal_run_generator is not None
        if is_new := start(self, data, max_epochs, max_iters, epoch_length):
            self._internal_run_generator = self._data_state = self._place = None
            if paused:
                self._dataloader_iter = None
        elif data is None:
            data = self.state.dataloader
        if self._internal_run_generator is None:
            self._epoch_began, self._cut = None, False
            self._init_iter = 0 if is_new or self._has_run else None
        if self._dataloader_iter is None:
            self.state.dataloader = data
        return self._advance()

    def _advance(self):
        generator, self._internal_run_generator = self._internal_run_generator or self._loop.run(), None
        has_ended = True
        try:
            has_ended = self._loop.advance(self, generator)
        finally:
            self._has_run = self._has_run or has_ended
        if not has_ended:
            self._internal_run_generator = generator
        return self.state

    @staticmethod
    def _is_done(state):
        return is_done(state)
