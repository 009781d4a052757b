"""An engine whose random numbers are determined by one seed, also after resuming."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from dark.engine.engine import Engine
from dark.engine.events.events import Events
from dark.engine.resume.random_states import keep_random_state, manual_seed
from dark.engine.seeded_feed import ReproducibleBatchSampler, SeededFeed

__all__ = ["DeterministicEngine", "ReproducibleBatchSampler", "keep_random_state", "manual_seed"]  # as in Ignite


class DeterministicEngine(Engine):
    """An engine that seeds the global generators at the start of each pass over the data, and resumes them.

    Notes
    -----
    At STARTED, `state.seed` is drawn from Python's global generator, or from NumPy's if only that one was seeded
    since the last run: `manual_seed`, `random.seed` or `np.random.seed` before `run` repeats a run. Pass k over the
    data, counted from 0, starts with the seed ``state.seed + k``: when the run starts, when the data is restarted, and
    after `terminate_epoch`. A pass is one iteration over the data, not an epoch.

    *Resuming.* The state dict has one more key, `rng_states`: the seed, the pass and the states of all global
    generators. From such a state the run continues as if it had not stopped, within a pass and between two:

    - data that can load its position (`dark.data.DataLoader`) goes there. Its order and its transforms depend on the
      loader's own seed alone;
    - a loader with a `ReproducibleBatchSampler` skips the consumed batches without loading them;
    - the pass over any other iterable is started with its seed, and the consumed batches are fetched and discarded.
      That gives the same data if it depends on the seed alone; if the process function or handlers draw from the same
      global generator as the data, it does not, and nothing can make it so.

    With ``rng_states: None`` (a position written manually) call `manual_seed` as before the first run: the seed is
    drawn again, the pass follows from the iteration and the length of the data, and the generators are in the state of
    the start of the pass. A new `dark.data.DataLoader` has the same order if it was given the same `seed`, or was made
    after `manual_seed` as before. Handlers that draw or seed random numbers affect all others unless
    `keep_random_state` wraps them.

    Examples
    --------
    >>> import random
    >>> from dark.engine import manual_seed
    >>> numbers, engine = [], DeterministicEngine(lambda engine, batch: numbers.append(random.random()))
    >>> for _ in range(2):
    ...     manual_seed(7)
    ...     state = engine.run([0, 1, 2])
    >>> numbers[:3] == numbers[3:]
    True
    """

    def __init__(self, process_function: Callable[[Any, Any], Any]) -> None:
        super().__init__(process_function)
        self.state_dict_user_keys.append("rng_states")
        self.state.rng_states = None
        self.loop.feed = self._seeded_feed = feed = SeededFeed()
        self.add_event_handler(Events.STARTED, feed.take_seed)
        self.add_event_handler(Events.DATALOADER_STOP_ITERATION | Events.TERMINATE_SINGLE_EPOCH, feed.next_pass)

    def state_dict(self) -> OrderedDict[str, Any]:
        """Return the position of the run as `Engine.state_dict`, and `rng_states`."""
        state = super().state_dict()
        if self.state.rng_states is None:  # otherwise it was loaded, and nothing has run since
            state["rng_states"] = self._seeded_feed.random_states(self.state)
        return state
