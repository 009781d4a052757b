"""The loop: an engine, its events and its state. It imports neither NumPy nor networks.

Reading order: `events` (the moments of a run, the state that counts them, and the handlers attached to them); then, in
one sitting, `engine`, `loop` (the order of events), `run`, `data_feed` and `stop_flags`; `run_arguments` (the meaning
of a call of `run`) and `loop_messages`; `resume` (saving and resuming); then `deterministic` with `seeded_feed`, and
`record` (the times of events). The docstring of each subpackage gives its own reading order.

Engines that train and evaluate networks, such as `create_supervised_trainer`, are in `dark.trainers`.
"""

from typing import TYPE_CHECKING

from dark.engine.seeded_feed import ReproducibleBatchSampler
from dark.engine.deterministic import DeterministicEngine
from dark.engine.engine import Engine
from dark.engine.events.events import CallableEventWithFilter, EventEnum, Events, EventsList
from dark.engine.events.event_hooks import RemovableEventHandle, RemovableHookHandle
from dark.engine.events.registry import Registry
from dark.engine.events.state import State
from dark.engine.record import Moment, Record, record
from dark.engine.resume.serializable import ResettableHandler
from dark.engine.resume.random_states import keep_random_state, manual_seed, random_states, set_random_states
from dark.engine.resume.serializable import Serializable
from dark.engine.run import Run
from dark.errors import module_getattr

__all__ = [
    "CallableEventWithFilter", "DeterministicEngine", "Engine", "EventEnum", "Events", "EventsList", "Moment", "Record",
    "Registry", "RemovableEventHandle", "RemovableHookHandle", "ReproducibleBatchSampler", "ResettableHandler", "Run",
    "Serializable", "State", "keep_random_state", "manual_seed", "random_states", "record", "set_random_states",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
