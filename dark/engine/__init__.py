"""The loop: an engine, its events, its state. It knows neither NumPy nor graphs.

Reading order: `events` (the moments of a run), `filters`, `state`; `firing` (what knows handlers) with `attaching`
(what a handler is) and `table`; `engine`, `loop` (the order of things), `starting` (what a call of `run` means),
`position` (saving and loading); then `deterministic` with `random_states`, and `record` (what happened when).

`create_supervised_trainer` and its like stand in `dark.trainers`, the one place where loop and network meet. Users of
Ignite look for them here, so they are found here, too; they are imported when they are asked for, and not before: the
loop itself needs no networks.
"""

from importlib import import_module

from dark.engine.events import CallableEventWithFilter, EventEnum, Events, EventsList
from dark.engine.state import State
from dark.engine.handle import RemovableEventHandle
from dark.engine.serializable import ResettableHandler, Serializable
from dark.engine.engine import Engine
from dark.engine.random_states import keep_random_state, manual_seed, random_states, set_random_states
from dark.engine.batch_sampler import ReproducibleBatchSampler
from dark.engine.deterministic import DeterministicEngine
from dark.engine.record import Moment, Record, record

_IN_TRAINERS = [
    "Tbptt_Events", "create_supervised_evaluator", "create_supervised_tbptt_trainer", "create_supervised_trainer",
    "supervised_evaluation_step", "supervised_training_step",
]  # fmt: skip

__all__ = [
    "CallableEventWithFilter", "DeterministicEngine", "Engine", "EventEnum", "Events", "EventsList", "Moment",
    "Record", "RemovableEventHandle", "ReproducibleBatchSampler", "ResettableHandler", "Serializable", "State",
    "keep_random_state", "manual_seed", "random_states", "record", "set_random_states", *_IN_TRAINERS,
]  # fmt: skip


def __getattr__(name):
    """Find the trainers where they are."""
    if name in _IN_TRAINERS:
        return getattr(import_module("dark.trainers"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
