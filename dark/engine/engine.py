"""The engine: a loop over data that calls a function for each batch, and handlers at each event."""

import logging

from dark.engine.attaching import attach
from dark.engine.events import EventEnum, Events, EventsList
from dark.engine.handle import RemovableEventHandle
from dark.engine.loop import Loop, endless_none
from dark.engine.position import check_position, completed, data_state_of, position_of, put
from dark.engine.serializable import Serializable
from dark.engine.signals import Signal
from dark.engine.signatures import check_call
from dark.engine.starting import begin, check_arguments, go_on, is_done, is_new
from dark.engine.state import State, count
from dark.errors import EngineError, UsageError, ValueTypeError, near_misses


class Engine(Serializable):
    """A loop over data: ``process_function(engine, batch)`` for each batch, and handlers at each event.

    Parameters
    ----------
    process_function : callable
        Called for each batch; what it returns is `state.output`.

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
        self.state, self.last_event_name = State(), None
        self.logger = logging.getLogger(f"{__name__}.{type(self).__name__}")
        self._process_function = process_function
        self._signals = dict.fromkeys(("should_terminate", "should_terminate_single_epoch", "should_interrupt"), False)
        self._signalled = self._listens = False
        self._state_dict_user_keys = []
        self._event_handlers = {}
        self._loop, self._internal_run_generator = Loop(), None
        self._dataloader_iter = self._init_iter = self._data_state = self._found_length = None
        self._has_run = False
        self.register_events(*Events)

    def register_events(self, *event_names, event_to_attr=None):
        for index, event in enumerate(event_names):
            if not isinstance(event, (str, EventEnum)):
                raise ValueTypeError(
                    f"Value at {index} of event_names should be a str or EventEnum, but given {event!r}.",
                    "members of an EventEnum, or names.",
                    "register_events(*MyEvents)",
                )
        if not isinstance(event_to_attr or {}, dict):
            raise UsageError(
                f"Expected event_to_attr to be dictionary. Got {type(event_to_attr).__name__}.",
                "a dict from events to names of attributes of the state.",
                'event_to_attr={MyEvents.HAPPENED: "happened"}',
            )
        for event in event_names:
            self._event_handlers.setdefault(getattr(event, "name", event), [])
            if event_to_attr and event in event_to_attr:
                count(self.state, event, event_to_attr[event])

    def has_registered_events(self, event):
        return event in self._event_handlers

    def _name(self, event):
        name = getattr(event, "name", event)
        if name not in self._event_handlers:
            raise UsageError(
                f"Event {name} is not a valid event for this {type(self).__name__}.",
                "one of Events, or one that was registered.",
                f"{near_misses(name, self._event_handlers)}; or register_events(…) before.",
            )
        return name

    def add_event_handler(self, event_name, handler, *args, **kwargs):
        events = event_name if isinstance(event_name, EventsList) else (event_name,)
        names = [self._name(event) for event in events]
        added = [attach(self.state, event, handler, args, kwargs) for event in events]
        for name, registration in zip(names, added):
            self._event_handlers[name].append(registration)
        return RemovableEventHandle(event_name, added, self)

    def on(self, event_name, *args, **kwargs):
        def decorate(handler):
            self.add_event_handler(event_name, handler, *args, **kwargs)
            return handler

        return decorate

    def has_event_handler(self, handler, event_name=None):
        names = self._event_handlers if event_name is None else [getattr(event_name, "name", event_name)]
        return any(known.function == handler for name in names for known in self._event_handlers.get(name, ()))

    def remove_event_handler(self, handler, event_name):
        name = getattr(event_name, "name", event_name)
        if name not in self._event_handlers:
            raise UsageError(f"Input event name '{name}' does not exist")
        found = {known for known in self._event_handlers[name] if known.function == handler}
        if not found:
            raise UsageError(f"Input handler '{handler}' is not found among registered event handlers")
        self._drop(found)

    def _drop(self, registrations):
        for name, handlers in self._event_handlers.items():
            if not registrations.isdisjoint(handlers):
                self._event_handlers[name] = [known for known in handlers if known not in registrations]

    def _fire_event(self, event_name, *event_args, **event_kwargs):
        self.last_event_name = event_name
        if self._listens:
            self.logger.debug("%s | %s, Firing handlers for event %s", self.state.epoch, self.state.iteration, event_name)
        handlers = self._event_handlers[event_name if type(event_name) is str else event_name._name_]
        if event_args or event_kwargs:
            for handler in handlers:
                handler.call_with(self, event_args, event_kwargs)
        else:
            for handler in handlers:
                handler.call(self)

    def fire_event(self, event_name):
        self._name(event_name)
        self._fire_event(event_name)

    def interrupt(self):
        if not self.interrupt_resume_enabled:
            raise EngineError(
                "Engine 'interrupt/resume' feature is disabled.", None, "Engine.interrupt_resume_enabled = True"
            )
        self.should_interrupt = True

    def terminate(self, skip_completed=False):
        self.should_terminate = "skip_completed" if skip_completed is True else True

    def terminate_epoch(self, skip_epoch_completed=False):
        self.should_terminate_single_epoch = "skip_epoch_completed" if skip_epoch_completed is True else True

    def set_data(self, data):
        self.state.dataloader = data
        self._dataloader_iter = iter(data)

    def run(self, data=None, max_epochs=None, max_iters=None, epoch_length=None):
        if self._loop.engine is not None:
            raise UsageError("run: this engine is running already.")
        check_arguments(self.state, data, max_epochs, max_iters, epoch_length)
        pending = self._internal_run_generator is not None
        fresh = self.state.max_epochs is None and self.state.max_iters is None
        if fresh or (not pending and is_new(self.state, max_epochs, max_iters)):
            begin(self.state, data, max_epochs, max_iters, epoch_length)
            self._internal_run_generator, self._data_state = None, None
            if pending:
                self._dataloader_iter = None
        else:
            go_on(self.state, data, max_epochs, max_iters, epoch_length)
            data = self.state.dataloader if data is None else data
        if self._has_run and not pending:
            self._init_iter = 0
        if self._dataloader_iter is None:
            self.state.dataloader = data
        return self._advance()

    def _advance(self):
        if self._internal_run_generator is None:
            self._internal_run_generator = self._loop.run()
        generator, self._internal_run_generator = self._internal_run_generator, None
        self._has_run = True
        if not self._loop.advance(self, generator):
            self._internal_run_generator = generator
        return self.state

    @property
    def state_dict_user_keys(self):
        return self._state_dict_user_keys

    def state_dict(self):
        data_state = self._data_state or data_state_of(self._dataloader_iter, self.state.dataloader)
        return position_of(self.state, self._state_dict_user_keys, data_state)

    def load_state_dict(self, state_dict):
        position = completed(state_dict) if hasattr(state_dict, "keys") else state_dict
        super().load_state_dict(position)
        check_position(position, self._state_dict_user_keys)
        put(self.state, position, self._state_dict_user_keys)
        self._data_state, self._has_run = position.get("dataloader"), False
        self._internal_run_generator = self._dataloader_iter = None

    @staticmethod
    def _is_done(state):
        return is_done(state)

    def _setup_dataloader_iter(self):
        data = self.state.dataloader
        self._dataloader_iter = endless_none() if data is None else iter(data)

    def _setup_engine(self):
        if self._data_state is not None and hasattr(self.state.dataloader, "load_state_dict"):
            self.state.dataloader.load_state_dict(self._data_state)
        self._data_state = None
        self._setup_dataloader_iter()
        if self._init_iter is None:
            self._init_iter = self.state.iteration % (self.state.epoch_length or self.state.iteration + 1)
