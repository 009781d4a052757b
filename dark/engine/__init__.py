"""The loop: an engine, its events, its state. It knows neither NumPy nor graphs.

Reading order: `events` (the moments of a run), `filters`, `state`; `firing` (what knows handlers) with `attaching`
(what a handler is) and `table`; `engine`, `loop` (the order of things), `starting` (what a call of `run` means),
`position` (saving and loading); then `deterministic` with `random_states`, and `record` (what happened when).
"""

from dark.engine.events import CallableEventWithFilter, EventEnum, Events, EventsList
from dark.engine.state import State
from dark.engine.handle import RemovableEventHandle
from dark.engine.serializable import ResettableHandler, Serializable
from dark.engine.engine import Engine
from dark.engine.random_states import keep_random_state, manual_seed, random_states, set_random_states
from dark.engine.batch_sampler import ReproducibleBatchSampler
from dark.engine.deterministic import DeterministicEngine
from dark.engine.record import Moment, Record, record
