"""The engine: a loop over data that calls a function for each batch, and handlers at each event."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from dark.engine.events.event_hooks import RemovableEventHandle, RemovableHookHandle, around_event, fire_within
from dark.engine.events.events import Events
from dark.engine.events.registry import NO_HANDLERS, Registry
from dark.engine.events.signatures import check_process_function
from dark.engine.events.state import State
from dark.engine.loop import Loop
from dark.engine.loop_messages import check_interrupt
from dark.engine.resume import resuming
from dark.engine.run_arguments import check_data, is_done, start
from dark.engine.stop_flags import StopFlag, StopFlags
from dark.hooks import Around, Hooks

if TYPE_CHECKING:
    from dark.engine.events.events import Event, EventsList

    Function = TypeVar("Function", bound=Callable[..., Any])


class Engine:
    """A loop over data: ``process_function(engine, batch)`` for each batch, and handlers at each event.

    The result is `state.output`; `dark.engine.loop` describes what happens if the function raises. The `logger` shows
    every event at level DEBUG, which is read at the start of a run and of each epoch.

    Attributes
    ----------
    state : State
        Kept for the life of the engine: a run changes its attributes and returns it.
    last_event_name : event or None
        The event that is being fired, or was fired last.
    should_terminate, should_terminate_single_epoch, should_interrupt : bool or str
        Requests of `terminate` (True or "skip_completed"), `terminate_epoch` (True or "skip_epoch_completed") and
        `interrupt`; cleared when a run starts.
    registry, current_run, state_dict_user_keys : Registry, Run, list of str
        The events and their handlers; the progress of the run; further attributes of `state` to save.

    Examples
    --------
    >>> engine = Engine(lambda engine, batch: 2 * batch)
    >>> @engine.on(Events.ITERATION_COMPLETED(every=2))
    ... def show():
    ...     print(engine.state.epoch, engine.state.iteration, engine.state.output)
    >>> state = engine.run([10, 20, 30], max_epochs=2)
    1 2 40
    2 4 20
    2 6 60
    """

    last_event_name: Any
    recording: Any  # see `dark.engine.record`
    interrupt_resume_enabled = True  # False refuses `interrupt`
    _state_dict_all_req_keys = ("epoch_length", "iteration")
    _state_dict_one_of_opt_keys = (("max_epochs", "max_iters"),)
    should_terminate, should_terminate_single_epoch, should_interrupt = StopFlag(), StopFlag(), StopFlag()
    # Names of Ignite that its users and its tests look up inside an engine
    _is_done, _setup_engine = staticmethod(is_done), lambda self: self.loop.feed.start(self)
    _dataloader_iter = property(attrgetter("loop.feed.iterator"))
    _internal_run_generator = property(attrgetter("current_run.paused"))
    _init_iter = property(lambda self: self.current_run.first and self.current_run.first.done)

    def __init__(self, process_function: Callable[[Any, Any], Any]) -> None:
        check_process_function(process_function)
        self.logger = logging.getLogger(f"{type(self).__module__}.{type(self).__name__}")
        self.registry, self.stop_flags = Registry(type(self).__name__), StopFlags()
        self.event_hooks: Hooks[Around] = Hooks()
        self.state, self.last_event_name, self.recording = State(), None, None
        self.state_dict_user_keys: list[str] = []
        self.loop = Loop(process_function, self.stop_flags)
        self._event_handlers, self.current_run = self.registry.handlers, self.loop.run
        self.register_events(*Events)

    def run(
        self, data: Iterable[Any] | None = None, max_epochs: int | None = None, max_iters: int | None = None,
        epoch_length: int | None = None,
    ) -> State:  # fmt: skip
        """Run over the data: start a new run, or continue from the state; return the state.

        A new run starts if the state has no limit, or has reached it; `state.max_epochs = None` (`max_iters`) forces
        one. Otherwise the run continues: to a larger limit, after a stop or an exception, or after `load_state_dict`.
        Data that ends too early, or whose length differs when a run continues, gives a UserWarning.

        Parameters
        ----------
        data : iterable, optional
            The batches. If None, each batch is None, events of the data are not fired, and `epoch_length` is required;
            a run that continues uses the data it had.
        max_epochs, max_iters : int, optional
            The limit: one epoch for a new run, if neither is given. An epoch that `max_iters` cuts short has no
            EPOCH_COMPLETED.
        epoch_length : int, optional
            Iterations per epoch. If not given, ``len(data)``, else the previous one, else found at the first end of the
            data. A length found from data is not kept for other data.
        """
        self.loop.check_idle()
        is_new = start(self.state, self.current_run, data, max_epochs, max_iters, epoch_length)
        self.loop.prepare(self.state, data, is_new)
        self.loop.advance(self)
        return self.state

    def terminate(self, skip_completed: Any = False) -> None:
        """Request the end of the run after the current event: TERMINATE and COMPLETED follow, not EPOCH_COMPLETED.

        The next `run` continues with the next epoch. On ITERATION_STARTED the process function is not called, though
        the iteration is counted. `skip_completed=True` skips COMPLETED; any other value counts as False, so that the
        method itself can be a handler, which gets the engine here.
        """
        self.should_terminate = "skip_completed" if skip_completed is True else True

    def terminate_epoch(self, skip_epoch_completed: Any = False) -> None:
        """Request the end of the epoch after the current event: TERMINATE_SINGLE_EPOCH and EPOCH_COMPLETED follow.

        The next epoch starts with the first batch. `skip_epoch_completed=True` skips EPOCH_COMPLETED, see `terminate`.
        On STARTED and EPOCH_STARTED it is an `EngineError`.
        """
        self.should_terminate_single_epoch = "skip_epoch_completed" if skip_epoch_completed is True else True

    def interrupt(self) -> None:
        """Pause after the current event, if it is not COMPLETED: the next `run` resumes there, with the same data."""
        check_interrupt(self.interrupt_resume_enabled)
        self.should_interrupt = True

    def set_data(self, data: Iterable[Any]) -> None:
        """Take the next batches from other data, also in place of the next run's; epochs keep their length."""
        check_data(data)
        has_batch = self.loop.is_running and self.last_event_name == Events.GET_BATCH_COMPLETED
        self.loop.feed.replace(data, self.state.iteration + has_batch)
        self.state.dataloader = data

    def state_dict(self) -> OrderedDict[str, Any]:
        """Return the position of the run, from which another engine can resume; see `dark.engine.resume.resuming`.

        Call it in the last handler of ITERATION_COMPLETED, EPOCH_COMPLETED or COMPLETED, or outside a run: handlers
        of that event are not called again. From GET_BATCH_COMPLETED on, a batch counts as completed.
        """
        return resuming.save(self)

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Set the position of the run, so that the next `run` resumes there; see `dark.engine.resume.resuming`.

        A mapping written manually needs `epoch_length`, one of `iteration` and `epoch` (completed), one of `max_epochs`
        and `max_iters`, and the keys of `state_dict_user_keys`. If it is invalid, nothing changes.
        """
        resuming.load(self, state_dict)

    def register_events(self, *event_names: Event, event_to_attr: Mapping[Any, str] | None = None) -> None:
        """Register members of an `EventEnum`, or strings, as events.

        To filter an event, name in `event_to_attr` the attribute of `state` that counts it, from 0; increment it.
        """
        self.registry.register(self.state, event_names, event_to_attr)

    def has_registered_events(self, event: Event) -> bool:
        """Return whether an event is registered."""
        return event in self.registry.events

    def add_event_handler(
        self, event_name: Event | EventsList, handler: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> RemovableEventHandle:
        """Call a function each time an event is fired; handlers are called in the order in which they were attached.

        Parameters
        ----------
        event_name : event, str or EventsList
            With or without filters. A list attaches the handler once per item.
        handler : callable
            Called as ``handler(engine, *args, **kwargs)`` if its signature accepts that, else without the engine.
            EXCEPTION_RAISED also passes the exception, TERMINATE_SINGLE_EPOCH the completed iterations of the epoch as
            `iter_counter` if there is such a parameter. Events in `fires`, an attribute of its class, are registered.
        """
        self.register_events(*getattr(type(handler), "fires", ()))
        added = self.registry.attach(self.state, event_name, handler, args, kwargs)
        return RemovableEventHandle(event_name, added, self)

    def on(self, event_name: Event | EventsList, *args: Any, **kwargs: Any) -> Callable[[Function], Function]:
        """Return a decorator that attaches a function, see `add_event_handler`, and returns it unchanged."""

        def decorate(handler: Function) -> Function:
            self.add_event_handler(event_name, handler, *args, **kwargs)
            return handler

        return decorate

    def has_event_handler(self, handler: Callable[..., Any], event_name: Event | None = None) -> bool:
        """Return whether a function is attached to an event, or to any event."""
        return self.registry.has(handler, event_name)

    def remove_event_handler(self, handler: Callable[..., Any], event_name: Event) -> None:
        """Remove a function from an event, whatever filters and arguments it was attached with, or raise."""
        self.registry.remove(self.registry.find(handler, event_name))

    def around_events(self, before: Callable[..., Any], after: Callable[..., Any] | None = None) -> RemovableHookHandle:
        """Call a generator function around every event: for profilers, records and monitors, which have no handlers.

        Its part before the ``yield`` is called before the first handler, the rest after the last, also if one raised;
        two functions do the same. Several are nested, the first added outermost. Removed from the next event on by
        `remove`, or at the end of a ``with`` block. They should not hold the engine, see `dark.engine.loop`.

        >>> engine = Engine(lambda engine, batch: None)
        >>> with engine.around_events(lambda engine, name: print("<", name), lambda engine, name: print(name, ">")):
        ...     engine.fire_event(Events.STARTED)
        < STARTED
        STARTED >
        """
        return RemovableHookHandle(self.event_hooks.add(around_event(before, after)), self)

    def fire_event(self, event_name: Event) -> None:
        """Call the handlers of a registered event; pass data to them in `state`."""
        self.registry.registered(event_name)
        self._fire_event(event_name)

    def _fire_event(self, event_name: Any, *event_args: Any, **event_kwargs: Any) -> None:
        """Call the handlers of an event; every event of an engine passes through this method."""
        self.last_event_name = event_name
        if self.event_hooks.ordered or event_args or event_kwargs:
            fire_within(self, event_name, event_args, event_kwargs)
        else:
            name = event_name if type(event_name) is str else event_name._name_
            for handler in self._event_handlers.get(name, NO_HANDLERS).ordered:
                handler.call(self)
