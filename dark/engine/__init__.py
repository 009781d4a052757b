"""The loop: an engine, its events and its state. It imports neither NumPy nor networks.

Reading order: `events` (the moments of a run), `filters`, `state`; `handler` and `registry` (what is attached to
events), `handle` and `event_hooks`; `engine`, `loop` (the order of events), `run_arguments` (what a call of `run`
means) and `stop_flags`; `run`, `data_feed`, `position` and `resuming` (saving and resuming); then `deterministic` with
`seeded_feed`, `batch_sampler` and `random_states`, and `record` (what happened when).

Engines that train and evaluate networks, such as `create_supervised_trainer`, are in `dark.trainers`.
"""

from dark.engine.batch_sampler import ReproducibleBatchSampler
from dark.engine.deterministic import DeterministicEngine
from dark.engine.engine import Engine
from dark.engine.events import CallableEventWithFilter, EventEnum, Events, EventsList
from dark.engine.handle import RemovableEventHandle, RemovableHookHandle
from dark.engine.random_states import keep_random_state, manual_seed, random_states, set_random_states
from dark.engine.record import Moment, Record, record
from dark.engine.registry import Registry
from dark.engine.resettable import ResettableHandler
from dark.engine.run import Run
from dark.engine.serializable import Serializable
from dark.engine.state import State

__all__ = [
    "CallableEventWithFilter",
    "DeterministicEngine",
    "Engine",
    "EventEnum",
    "Events",
    "EventsList",
    "Moment",
    "Record",
    "Registry",
    "RemovableEventHandle",
    "RemovableHookHandle",
    "ReproducibleBatchSampler",
    "ResettableHandler",
    "Run",
    "Serializable",
    "State",
    "keep_random_state",
    "manual_seed",
    "random_states",
    "record",
    "set_random_states",
]
