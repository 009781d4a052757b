"""The loop: an engine, its events, its state. It knows neither NumPy nor graphs.

Reading order: `events` (the moments), `state`, `engine` (the whole picture), `loop` (the order of things), `starting`
(what a call of `run` means), `attaching` (what a handler is).
"""

from dark.engine.events import CallableEventWithFilter, EventEnum, Events, EventsList
from dark.engine.state import State
from dark.engine.handle import RemovableEventHandle
from dark.engine.serializable import ResettableHandler, Serializable
from dark.engine.engine import Engine
