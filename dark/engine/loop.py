"""The loop itself: epochs of iterations, with the events between them, as a generator that can pause anywhere."""

import logging
import warnings
from itertools import repeat
from math import ceil
from time import perf_counter

from dark.engine.events import Events
from dark.engine.run_arguments import is_at_end, is_done
from dark.errors import EngineError

STARTED, COMPLETED, TERMINATE = Events.STARTED, Events.COMPLETED, Events.TERMINATE
EPOCH_STARTED, EPOCH_COMPLETED = Events.EPOCH_STARTED, Events.EPOCH_COMPLETED
GET_BATCH_STARTED, GET_BATCH_COMPLETED = Events.GET_BATCH_STARTED, Events.GET_BATCH_COMPLETED
ITERATION_STARTED, ITERATION_COMPLETED = Events.ITERATION_STARTED, Events.ITERATION_COMPLETED


class Terminated(Exception):
    """The run was asked to end."""


class EpochTerminated(Exception):
    """The epoch was asked to end."""


class Loop:
    """The loop of one engine.

    Its generators hold the loop and not the engine, and the loop holds the engine only while it runs: a paused run,
    which the engine holds, does not keep the engine alive.
    """

    def __init__(self):
        self.engine = None
        self._is_first = True  # whether the next epoch is the first of the run
        self._from_handler = None  # an exception that a handler of EXCEPTION_RAISED raised

    def advance(self, engine, generator):
        """Run until the end or the next pause; say whether it was the end."""
        self.engine = engine
        try:
            return next(generator, self) is self
        finally:
            self.engine = self._from_handler = None

    def run(self):
        """Be a whole run, from STARTED to COMPLETED; each pause is a `yield`."""
        engine, begun, self._is_first = self.engine, perf_counter(), True
        engine.should_terminate = engine.should_terminate_single_epoch = engine.should_interrupt = False
        engine.state.times.update({EPOCH_COMPLETED.name: 0.0, COMPLETED.name: 0.0})
        engine._listens = engine.logger.isEnabledFor(logging.DEBUG)
        _tell(engine.logger, engine.state)
        del engine  # see above
        try:
            try:
                yield from self._epochs()
            except Terminated:
                self.engine._fire_event(TERMINATE)
            except EpochTerminated:
                raise _too_early() from None
            self._complete(begun)
            self.engine.logger.info("Engine run finished. Time taken: %.3f s", self.engine.state.times["COMPLETED"])
        except GeneratorExit:  # a paused run is given up
            raise
        except BaseException as error:
            self.engine._leave_data()
            self._offer(error)
        self.engine._leave_data()

    def _epochs(self):
        self.engine._fire_event(STARTED)
        yield from self._obey()
        while not is_done(self.engine.state, self.engine._place) and not self.engine.should_terminate:
            yield from self._epoch()

    def _epoch(self):
        state, begun = self.engine.state, perf_counter()
        state.epoch += 1
        self._enter(state)
        self.engine._listens = self.engine.logger.isEnabledFor(logging.DEBUG)
        self.engine._fire_event(EPOCH_STARTED)
        seconds = perf_counter() - begun
        yield from self._obey()
        begun = perf_counter()
        if self.engine._dataloader_iter is None:
            self.engine._setup_engine()
        yield from self._iterations()
        self.engine._epoch_began = None
        seconds += perf_counter() - begun
        if self.engine.should_terminate_single_epoch != "skip_epoch_completed":
            self._fire_timed(EPOCH_COMPLETED, seconds)
        else:
            state.times[EPOCH_COMPLETED.name] = seconds
        self.engine.should_terminate_single_epoch = False  # there is nothing left of the epoch
        yield from self._obey()
        self.engine.logger.info("Epoch[%s] Complete. Time taken: %.3f s", state.epoch, state.times["EPOCH_COMPLETED"])

    def _enter(self, state):
        """Find out where in the epoch the run is: at its beginning, unless a state was loaded."""
        self.engine._has_only_end = self._is_first and is_at_end(self.engine._place, state.epoch_length)
        done = self.engine._take_place() if self._is_first else 0
        self.engine._epoch_began = state.iteration - done
        if self._is_first and not (done or self.engine._has_only_end) and self.engine._resumes_between():
            self.engine._setup_engine()  # before handlers of EPOCH_STARTED take data, or random numbers
        self._is_first = False

    def _iterations(self):
        """Be one epoch's iterations, between its events."""
        state = self.engine.state
        done = state.iteration - self.engine._epoch_began
        self.engine._init_iter = None
        try:
            if self.engine._cut:
                self.engine.should_terminate_single_epoch, self.engine._cut = self.engine._cut, False
                raise EpochTerminated
            while state.epoch_length is None or done < state.epoch_length:
                state.batch = None
                if state.dataloader is not None:
                    self.engine._fire_event(GET_BATCH_STARTED)
                    if self.engine._signalled:
                        yield from self._obey()
                try:
                    state.batch = next(self.engine._dataloader_iter)
                except StopIteration:
                    if not (yield from self._restart_data(done)):
                        break
                state.output = None  # not earlier: what ran last is still to be seen at the end of the epoch
                if state.dataloader is not None:
                    self.engine._fire_event(GET_BATCH_COMPLETED)
                    if self.engine._signalled:
                        yield from self._obey()
                done += 1
                state.iteration += 1
                self.engine._fire_event(ITERATION_STARTED)
                if self.engine._signalled:
                    yield from self._obey()
                state.output = self.engine._process_function(self.engine, state.batch)
                self.engine._fire_event(ITERATION_COMPLETED)
                if self.engine._signalled:
                    yield from self._obey()
                if state.iteration == state.max_iters and (not state.epoch_length or done < state.epoch_length):
                    self.engine.should_terminate = True
                    raise Terminated
        except EpochTerminated:
            self.engine._fire_event(Events.TERMINATE_SINGLE_EPOCH, iter_counter=done)
            self.engine._setup_dataloader_iter()
        except Terminated:
            raise
        except Exception as error:
            self._offer(error)

    def _restart_data(self, done):
        """Start the data again after its end, and fetch; say whether there is a batch."""
        state = self.engine.state
        if state.epoch_length is None:  # the first end of the data is the end of the epoch
            state.epoch_length = self.engine._found_length = done
            if state.max_iters is not None:
                state.max_epochs = self.engine._found_epochs = ceil(state.max_iters / done) if done else 1
            return False
        if state.dataloader is not None:
            self.engine._fire_event(Events.DATALOADER_STOP_ITERATION)
            if self.engine._signalled:
                yield from self._obey()
        self.engine._setup_dataloader_iter()
        try:
            state.batch = next(self.engine._dataloader_iter)
        except StopIteration:
            self._warn(state, done)
            if state.max_epochs is None and not done:
                self.engine.should_terminate = True  # max_iters would never be reached
            return False
        return True

    def _warn(self, state, done):
        wanted = state.max_iters if state.max_epochs is None else state.epoch_length * state.max_epochs
        warnings.warn(
            "Data iterator can not provide data anymore but required total number of iterations to run is not "
            f"reached. Current iteration: {state.iteration} vs Total iterations to run : {wanted}. "
            f"Epoch {state.epoch} ends after {done} of {state.epoch_length} iterations: give data that can be "
            "iterated over again, such as a list or a loader, or put a new iterator into state.dataloader at "
            "DATALOADER_STOP_ITERATION.",
            UserWarning,
            stacklevel=10,
        )

    def _complete(self, begun):
        seconds = perf_counter() - begun
        if self.engine.should_terminate == "skip_completed":
            self.engine.state.times[COMPLETED.name] = seconds
        else:
            self._fire_timed(COMPLETED, seconds)

    def _fire_timed(self, event, seconds):
        """Fire an event whose handlers see the time so far; theirs is added afterwards."""
        times, begun = self.engine.state.times, perf_counter()
        times[event.name] = seconds
        self.engine._fire_event(event)
        times[event.name] = seconds + perf_counter() - begun

    def _obey(self):
        """Do what was asked for since the last event: end the run, the epoch, or pause."""
        if self.engine.should_terminate:
            raise Terminated
        if self.engine.should_terminate_single_epoch:
            raise EpochTerminated
        if self.engine.should_interrupt:
            self.engine._fire_event(Events.INTERRUPT)
            self.engine.should_interrupt = False
            yield

    def _offer(self, error):
        """Give an exception to the handlers of EXCEPTION_RAISED; without any, or from one of them, it goes on."""
        try:
            if error is self._from_handler:
                raise error
            if isinstance(error, StopIteration):
                error = _stopped(error)
            elif type(error) is RuntimeError and isinstance(error.__cause__, StopIteration):  # so says a generator
                error = _stopped(error.__cause__)
            if not self.engine._event_handlers.get("EXCEPTION_RAISED"):
                raise error
            try:
                self.engine._fire_event(Events.EXCEPTION_RAISED, error)
            except BaseException as another:
                self._from_handler = another
                raise
        finally:
            del error  # otherwise its traceback would hold this frame, and this frame it


def _stopped(error):
    stopped = EngineError(
        "The process function, a handler or a generator raised StopIteration.",
        "an end of the data only from the data.",
        "next(iterator, None) where an iterator may be at its end.",
    )
    stopped.__cause__ = error
    return stopped


def _tell(logger, state):
    place = "starting" if not state.iteration else f"going on from epoch {state.epoch}, iteration {state.iteration}"
    limit = "max_epochs" if state.max_iters is None else "max_iters"
    logger.info("Engine run %s with %s=%s.", place, limit, getattr(state, limit))


def endless_none():
    """Make the data of a run without data."""
    return repeat(None)


def _too_early():
    return EngineError(
        "The method terminate_epoch() should not be called on Event.STARTED or Event.EPOCH_STARTED.",
        "a call in an iteration.",
        "terminate(), to end the run.",
    )
