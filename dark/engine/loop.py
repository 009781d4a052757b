"""The loop: epochs of iterations with the events between them, as a generator that can pause at any event.

*Exceptions.* Without handlers of EXCEPTION_RAISED, an exception propagates unchanged from `Engine.run`, and the next
`run` continues with the next epoch. With handlers, it is passed to them, and suppressed if they return: in an
iteration, the epoch ends there and the run continues with the next one (call `terminate` to stop); elsewhere, and for
an exception that is not an `Exception`, the run ends. An exception that such a handler raises propagates at once.

*Memory.* An engine is freed by reference counting, paused or not, even if its own methods are handlers. A handler that
holds it, such as a closure or a `Checkpoint` that saves it, leaves that to the garbage collector.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from dark.engine import loop_messages
from dark.engine.data_feed import DataFeed
from dark.engine.events.event_hooks import update_logging
from dark.engine.events.events import Events
from dark.engine.events.state import State
from dark.engine.run import Run
from dark.engine.run_arguments import find_length, is_done
from dark.engine.stop_flags import EpochTerminated, StopFlags, Terminated

if TYPE_CHECKING:
    from dark.engine.engine import Engine

STARTED, COMPLETED, TERMINATE = Events.STARTED, Events.COMPLETED, Events.TERMINATE
EPOCH_STARTED, EPOCH_COMPLETED = Events.EPOCH_STARTED, Events.EPOCH_COMPLETED
GET_BATCH_STARTED, GET_BATCH_COMPLETED = Events.GET_BATCH_STARTED, Events.GET_BATCH_COMPLETED
ITERATION_STARTED, ITERATION_COMPLETED = Events.ITERATION_STARTED, Events.ITERATION_COMPLETED


class Loop:
    """The loop of an engine.

    Its generators hold the loop and not the engine, and the loop holds the engine only while it runs: a paused run,
    which the engine holds, does not keep the engine alive.
    """

    def __init__(self, process: Callable[[Any, Any], Any], flags: StopFlags) -> None:
        self.process, self.flags = process, flags
        self.run, self.feed, self.is_running = Run(), DataFeed(), False
        self.engine: Engine  # only while it is running
        self._is_first = True  # whether the next epoch is the first of the run
        self._from_handler: BaseException | None = None  # what a handler of EXCEPTION_RAISED raised

    def check_idle(self) -> None:
        """Raise an error if the loop is running."""
        if self.is_running:
            raise loop_messages.running()

    def prepare(self, state: State, data: Iterable[Any] | None, is_new: bool) -> None:
        """Prepare for a call of `Engine.run` whose arguments `start` has checked."""
        if is_new:
            self.feed.reset(keep_iterator=self.run.paused is None)  # `set_data` may have made it for this run
        elif data is None:
            data = state.dataloader
        self.run.prepare(is_new)
        if self.feed.iterator is None:
            state.dataloader = data

    def advance(self, engine: Engine) -> None:
        """Start the run, or continue a paused one, until its end or the next pause."""
        generator, self.run.paused = self.run.paused or self._events(), None
        self.engine, self.is_running, has_ended = engine, True, True
        try:
            has_ended = next(generator, self) is self
        finally:
            del self.engine
            self._from_handler, self.is_running = None, False
            self.run.has_run = self.run.has_run or has_ended
        if not has_ended:
            self.run.paused = generator

    def _events(self) -> Generator[None]:
        """Run from STARTED to COMPLETED, yielding at each pause."""
        engine, started, self._is_first = self.engine, perf_counter(), True
        engine.should_terminate = engine.should_terminate_single_epoch = engine.should_interrupt = False
        engine.state.times.update({EPOCH_COMPLETED.name: 0.0, COMPLETED.name: 0.0})
        update_logging(engine)
        loop_messages.log_start(engine.logger, engine.state)
        del engine  # the generator must not hold it
        try:
            try:
                yield from self._epochs()
            except Terminated:
                self.engine._fire_event(TERMINATE)
            except EpochTerminated:
                raise loop_messages.too_early() from None
            self._fire_timed(COMPLETED, perf_counter() - started, self.engine.should_terminate == "skip_completed")
            self.engine.logger.info("Engine run finished. Time taken: %.3f s", self.engine.state.times["COMPLETED"])
        except GeneratorExit:  # a paused run is discarded
            raise
        except BaseException as error:
            self.feed.release(self.engine.state)
            self._handle_exception(error)
        self.feed.release(self.engine.state)

    def _epochs(self) -> Generator[None]:
        self.engine._fire_event(STARTED)
        yield from self._handle_requests()
        while not is_done(self.engine.state, self.run.resume_position) and not self.engine.should_terminate:
            yield from self._epoch()

    def _epoch(self) -> Generator[None]:
        state, started = self.engine.state, perf_counter()
        state.epoch += 1
        self._enter(state)
        update_logging(self.engine)
        self.engine._fire_event(EPOCH_STARTED)
        seconds = perf_counter() - started
        yield from self._handle_requests()
        started = perf_counter()
        if self.feed.iterator is None:
            self.feed.start(self.engine)
        yield from self._iterations()
        self.run.epoch_start = None
        seconds += perf_counter() - started
        self._fire_timed(EPOCH_COMPLETED, seconds, self.engine.should_terminate_single_epoch == "skip_epoch_completed")
        self.engine.should_terminate_single_epoch = False  # nothing is left of the epoch
        yield from self._handle_requests()
        self.engine.logger.info("Epoch[%s] Complete. Time taken: %.3f s", state.epoch, state.times["EPOCH_COMPLETED"])

    def _enter(self, state: State) -> None:
        """Find the run's place in the epoch: its start, unless a state was loaded."""
        run, is_first, self._is_first = self.run, self._is_first, False
        run.only_epoch_end_left = False
        done = run.enter(state).done if is_first else 0
        run.epoch_start = state.iteration - done
        resumes_between_epochs = is_first and not (done or run.only_epoch_end_left or run.has_run)
        if resumes_between_epochs and self.feed.iterator is None and self.feed.knows_position():
            self.feed.start(self.engine)  # before handlers of EPOCH_STARTED take data, or random numbers

    def _iterations(self) -> Generator[None]:
        """Run the iterations of an epoch."""
        state, run, flags = self.engine.state, self.run, self.flags
        if run.epoch_start is None:
            raise loop_messages.epoch_lost()
        done, first, run.first = state.iteration - run.epoch_start, run.first, None
        try:
            if first is not None and first.terminated:
                self.engine.should_terminate_single_epoch = first.terminated
                raise EpochTerminated
            while state.epoch_length is None or done < state.epoch_length:
                state.batch = None
                if state.dataloader is not None:
                    self.engine._fire_event(GET_BATCH_STARTED)
                    if flags.any_set:
                        yield from self._handle_requests()
                try:
                    state.batch = next(self.feed.iterator)
                except StopIteration:
                    if not (yield from self._restart_data(done)):
                        break
                state.output = None  # not earlier: the last output is still visible at the end of the epoch
                if state.dataloader is not None:
                    self.engine._fire_event(GET_BATCH_COMPLETED)
                    if flags.any_set:
                        yield from self._handle_requests()
                done += 1
                state.iteration += 1
                self.engine._fire_event(ITERATION_STARTED)
                if flags.any_set:
                    yield from self._handle_requests()
                state.output = self.process(self.engine, state.batch)
                self.engine._fire_event(ITERATION_COMPLETED)
                if flags.any_set:
                    yield from self._handle_requests()
                if state.iteration == state.max_iters and (not state.epoch_length or done < state.epoch_length):
                    self.engine.should_terminate = True
                    raise Terminated
        except EpochTerminated:
            self.engine._fire_event(Events.TERMINATE_SINGLE_EPOCH, iter_counter=done)
            self.feed.restart(state)
        except Terminated:
            raise
        except Exception as error:
            self._handle_exception(error)

    def _restart_data(self, done: int) -> Generator[None, None, bool]:
        """Restart the data after its end, and fetch a batch; return whether there is one."""
        state, run = self.engine.state, self.run
        if state.epoch_length is None:  # the first end of the data is the end of the epoch
            find_length(state, run, done)
            return False
        if state.dataloader is not None:
            self.engine._fire_event(Events.DATALOADER_STOP_ITERATION)
            if self.flags.any_set:
                yield from self._handle_requests()
        self.feed.restart(state)
        try:
            state.batch = next(self.feed.iterator)
        except StopIteration:
            loop_messages.warn_no_data(state, done)
            if state.max_epochs is None and not done:
                self.engine.should_terminate = True  # max_iters would never be reached
            return False
        return True

    def _fire_timed(self, event: Events, seconds: float, is_skipped: bool) -> None:
        """Fire an event, unless it is skipped; its handlers see the time so far, and their own is added afterwards."""
        times, started = self.engine.state.times, perf_counter()
        times[event.name] = seconds
        if not is_skipped:
            self.engine._fire_event(event)
            times[event.name] = seconds + perf_counter() - started

    def _handle_requests(self) -> Generator[None]:
        """Handle the requests since the last event: end the run, end the epoch, or pause."""
        if self.engine.should_terminate:
            raise Terminated
        if self.engine.should_terminate_single_epoch:
            raise EpochTerminated
        if self.engine.should_interrupt:
            self.engine._fire_event(Events.INTERRUPT)
            self.engine.should_interrupt = False
            yield

    def _handle_exception(self, error: BaseException) -> None:
        """Pass an exception to the handlers of EXCEPTION_RAISED; raise it without any, or if one of them raised."""
        try:
            if error is self._from_handler:
                raise error
            error = loop_messages.explained(error)
            if not self.engine.registry.handlers.get("EXCEPTION_RAISED"):
                raise error
            try:
                self.engine._fire_event(Events.EXCEPTION_RAISED, error)
            except BaseException as another:
                self._from_handler = another
                raise
        finally:
            del error  # its traceback holds this frame: together they would be a reference cycle
