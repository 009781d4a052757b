"""The engine: a loop over data that calls a function for each batch, and handlers at each event."""

from collections.abc import Mapping

from dark.engine.firing import EventSource
from dark.engine.loop import Loop, endless_none
from dark.engine.position import check_position, completed, data_state_of, go_to, place_of, position_of, put, rest_of
from dark.engine.serializable import check_keys
from dark.engine.signals import Signal
from dark.engine.signatures import check_call
from dark.engine.starting import check_data, is_done, start
from dark.errors import EngineError, UsageError


class Engine(EventSource):
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

    *Memory.* Handlers do not make the engine refer to itself: it is freed as soon as nobody holds it, paused or not,
    unless a handler of yours closes over it.

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

    _state_dict_all_req_keys = ("epoch_length", "iteration")
    _state_dict_one_of_opt_keys = (("max_epochs", "max_iters"),)
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
        self._process_function, self._state_dict_user_keys = process_function, []
        self._signals = dict.fromkeys(("should_terminate", "should_terminate_single_epoch", "should_interrupt"), False)
        self._signalled = False
        self._loop, self._internal_run_generator = Loop(), None  # a generator while a run is paused
        self._dataloader_iter = self._init_iter = self._data_state = None
        self._found_length = self._found_epochs = None  # found out, and not given
        self._has_run, self._epoch_began = False, None
        self._place, self._cut = None, False  # from a state that was loaded, see `place_of`
        self._has_only_end = False  # of the epoch at hand, from such a state

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
        if start(self, data, max_epochs, max_iters, epoch_length):
            self._internal_run_generator = self._data_state = self._place = None
            if paused:
                self._dataloader_iter = None
        elif data is None:
            data = self.state.dataloader
        if self._has_run:
            self._init_iter, self._cut = 0, False
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

    def _setup_engine(self):
        """Start the data where the state is."""
        data, self._init_iter = self.state.dataloader, self._take_place()
        if self._has_run or data is None:
            self._setup_dataloader_iter()
        else:
            if self._init_iter and self.state.epoch_length is None and not hasattr(data, "load_state_dict"):
                raise _has_unknown_length(self._init_iter)
            go_to(data, self._data_state, self.state.iteration)
            self._dataloader_iter = rest_of(data)
        self._data_state = None

    def _take_place(self):
        """Return how many iterations of the first epoch of a run are done."""
        iteration, epoch_length = self.state.iteration, self.state.epoch_length
        if self._init_iter is None:
            self._init_iter = iteration % epoch_length if epoch_length else iteration
            if self._place is not None:
                _, self._init_iter, *cut = self._place
                self._place, self._cut = None, cut[0] if cut else False
        return self._init_iter

    def _resumes_between(self):
        """Say whether a run that goes on with a new epoch knows where its data was."""
        return self._knows_data() and not self._has_run and self._dataloader_iter is None

    def _knows_data(self):
        return self._data_state is not None

    def _setup_dataloader_iter(self):
        self._dataloader_iter = endless_none() if self.state.dataloader is None else iter(self.state.dataloader)

    def _leave_data(self):
        """Let the iterator over the data go, but remember its place: others may use the data from here on."""
        if self._dataloader_iter is not None:
            self._data_state = self._data_state or data_state_of(self._dataloader_iter, self.state.dataloader)
            self._dataloader_iter = None

    @property
    def state_dict_user_keys(self):
        """The names of attributes of the state that are saved, too; a list to append to."""
        return self._state_dict_user_keys

    def state_dict(self):
        """Say where the run is, so that another engine can go on from there.

        Returns
        -------
        OrderedDict
            `epoch_length`, `iteration`, `max_epochs` or `max_iters`, the attributes of `state_dict_user_keys`, and
            `dataloader`, the state of the data, if that has `state_dict` and `load_state_dict`, as
            `dark.data.DataLoader` has. Where the iteration does not tell the epoch, also `place`: the completed
            epochs, the iterations done in the next one and, if `terminate_epoch` was called in it, with what. That
            is so after cut epochs, in a first one of unknown length, and between the last ITERATION_COMPLETED of an
            epoch and its EPOCH_COMPLETED.

        Notes
        -----
        Take it in the last handler of ITERATION_COMPLETED, EPOCH_COMPLETED or COMPLETED, or outside a run: a run that
        goes on from there does not call the handlers of that event again. Between the fetch of a batch and
        ITERATION_COMPLETED that batch counts as done.
        """
        data_state = self._data_state or data_state_of(self._dataloader_iter, self.state.dataloader)
        position = position_of(self.state, self._state_dict_user_keys, data_state)
        place = self._place
        if place is None and (self._has_run or self._internal_run_generator or self._loop.engine is not None):
            place = place_of(self.state, self._epoch_began, self._cut or self.should_terminate_single_epoch)
        return position if place is None else position | {"place": place}

    def load_state_dict(self, state_dict):
        """Go to where another engine was; the next `run` goes on from there.

        The epoch in which it was is entered again, with its EPOCH_STARTED, for the iterations that are left and its
        EPOCH_COMPLETED; after the last iteration, for that alone. Data that can go to a position of its own, as
        `dark.data.DataLoader` can, gives exactly the batches that were left; any other data begins at its start (see
        `DeterministicEngine`). Handlers that reset themselves at EPOCH_STARTED see only what comes after, unless they
        were saved and loaded, too, as metrics can be. Of the state, handlers see what was saved: where those of
        EPOCH_COMPLETED read `state.output`, or results that metrics give at each iteration, add "output" and
        "metrics" to `state_dict_user_keys`.

        Parameters
        ----------
        state_dict : mapping
            From `state_dict`, or with `epoch_length`, one of `iteration` and `epoch` (how many are completed), one
            of `max_epochs` and `max_iters`, and the keys of `state_dict_user_keys`. Other attributes of the state
            stay.

        Raises
        ------
        ValueTypeError
            If it is no mapping.
        UsageError
            If keys are missing, contradict each other or the limit is passed; nothing is changed then.
        """
        position = completed(state_dict) if isinstance(state_dict, Mapping) else state_dict
        check_keys(self, position)
        check_position(position, self._state_dict_user_keys)
        put(self.state, position, self._state_dict_user_keys)
        self._data_state, self._place = position.get("dataloader"), position.get("place")
        self._has_run, self._init_iter, self._epoch_began, self._cut = False, None, None, False
        self._internal_run_generator = self._found_length = self._found_epochs = None
        if self._loop.engine is None:
            self._dataloader_iter = None


def _has_unknown_length(done):
    return EngineError(
        f"The state is {done} iterations inside a first epoch whose length is not known, and the data has no position.",
        "data with load_state_dict, such as a DataLoader, or an epoch_length.",
        "a DeterministicEngine, which fetches and throws away what was had; or epoch_length=… in run.",
    )
