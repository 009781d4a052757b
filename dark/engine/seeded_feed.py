"""The feed of a `DeterministicEngine`: each pass over the data starts with a seed, and is resumed with it."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from dark.checks import integer
from dark.engine.data_feed import DataFeed
from dark.engine.resume.data_position import remaining, seek
from dark.engine.resume.random_states import manual_seed, random_states, set_random_states
from dark.engine.resume.seed_source import SOURCE
from dark.engine.run_arguments import length_of
from dark.errors import UsageError, ValueTypeError

if TYPE_CHECKING:
    from dark.engine.engine import Engine
    from dark.engine.events.state import State


class ReproducibleBatchSampler:
    """The batches of another batch sampler, which has a length, drawn all at once, starting at a given one.

    `DeterministicEngine` sets `start_iteration`, the number of batches that the next pass skips, when it resumes within
    a pass. A `dark.data.DataLoader` needs this only for a custom batch sampler: otherwise it loads its own position. If
    the batch sampler has `order(generator)`, as the samplers of `dark.data` have, its order is drawn with a seed from
    Python's global generator, which `manual_seed` sets.

    >>> sampler = ReproducibleBatchSampler([[0, 1], [2, 3], [4]], start_iteration=2)
    >>> list(sampler), len(sampler), list(sampler)
    ([[4]], 3, [[0, 1], [2, 3], [4]])
    """

    def __init__(self, batch_sampler: Collection[list[int]], start_iteration: int | None = None) -> None:
        fits = all(hasattr(batch_sampler, name) for name in ("__iter__", "__len__"))
        if not fits or isinstance(batch_sampler, str):
            raise ValueTypeError(
                f"ReproducibleBatchSampler: Argument batch_sampler should be a batch sampler, got {batch_sampler!r}.",
                "an iterable of lists of indices, with a length.",
                "dark.data.BatchSampler(sampler, batch_size)",
            )
        if start_iteration is not None:
            start_iteration = integer(start_iteration, "ReproducibleBatchSampler", "start_iteration", 0)
        self.batch_sampler, self.start_iteration = batch_sampler, start_iteration
        self.batch_indices: list[list[int]] = []

    def setup_batch_indices(self) -> None:
        """Draw the batches of a pass, without the skipped ones."""
        order = getattr(self.batch_sampler, "order", None)
        batches = list(self.batch_sampler if order is None else order(random.getrandbits(63)))
        self.batch_indices, self.start_iteration = batches[self.start_iteration or 0 :], None

    def __iter__(self) -> Iterator[list[int]]:
        self.setup_batch_indices()
        return iter(self.batch_indices)

    def __len__(self) -> int:
        return len(self.batch_sampler)


class SeededFeed(DataFeed):
    """An iterator over data that seeds the global generators at the start of each pass."""

    saves_batches = False  # the pass, and where it started, are saved with the random states

    def __init__(self) -> None:
        super().__init__()
        self.resumed: Any = None  # the random states of a loaded state, until the data is started
        self.passes = 0  # over the data, completed

    def take_seed(self, engine: Engine) -> None:
        """Set `state.seed` at STARTED: from the loaded state, else from the global generator that was seeded."""
        state = engine.state
        loaded, state.rng_states = state.rng_states, None
        if loaded is not None:
            set_random_states(loaded)
        self.resumed = loaded if state.iteration else None
        state.seed = SOURCE.draw() if self.resumed is None else loaded["seed"]

    def next_pass(self, engine: Engine) -> None:
        """Seed the next pass over the data."""
        self._start_pass(engine.state, engine.state.iteration)

    def random_states(self, state: State) -> dict[str, Any]:
        """Return the seed, the pass and the states of the global generators, to be saved."""
        return {"seed": state.seed, "passes": self.passes, "pass_began": self.pass_start} | random_states()

    def start(self, engine: Engine) -> None:
        """Start the pass that the run is in, at the position of the engine's state."""
        state, run = engine.state, engine.current_run
        data, resumed = state.dataloader, self.resumed
        if data is None:
            raise UsageError(
                "Deterministic engine does not support the option of data=None.",
                "data: the seeds belong to passes over it.",
                "run(range(epoch_length)), and ignore the batch.",
            )
        run.enter(state)
        self.passes, self.pass_start = self._find_pass(state, run.has_run, length_of(data))
        self._seed_pass(state)
        self._skip(engine, data, state.iteration - self.pass_start)
        if resumed:
            set_random_states(resumed)
            SOURCE.remember()
        self.resumed = self.position = None

    def release(self, state: State) -> None:
        """Release the iterator, see `DataFeed`; what the run has drawn does not count as seeding."""
        super().release(state)
        SOURCE.remember()

    def knows_position(self) -> bool:
        """Return whether the position of the data is known before the iterator is started."""
        return self.resumed is not None or super().knows_position()

    def _start_pass(self, state: State, iteration: int) -> None:
        self.passes, self.pass_start = self.passes + 1, iteration
        self._seed_pass(state)

    def _seed_pass(self, state: State) -> None:
        assert state.seed is not None  # drawn at STARTED
        manual_seed(state.seed + self.passes)
        SOURCE.remember()

    def _find_pass(self, state: State, has_run: bool, length: int | None) -> tuple[int, int]:
        """Return the number of completed passes, and the iteration at which the current one started."""
        iteration = state.iteration
        if not iteration:
            return 0, 0
        if has_run:  # an earlier run of this engine ended here
            return self.passes + 1, iteration
        if self.resumed is None:
            passes = iteration // length if length else 0
            return passes, passes * (length or 0)
        return self.resumed["passes"], self.resumed["pass_began"]

    def _skip(self, engine: Engine, data: Any, consumed: int) -> None:
        """Start the data after the consumed batches of the pass."""
        can_seek = hasattr(data, "load_state_dict")
        sampler = None if can_seek else getattr(data, "batch_sampler", None)
        if not can_seek and consumed and consumed == length_of(data):
            self.iterator = iter(())
            return
        if can_seek and not engine.current_run.has_run:
            seek(data, self.position, engine.state.iteration, (self.passes, consumed))
        elif isinstance(sampler, ReproducibleBatchSampler):
            sampler.start_iteration = consumed
        self.iterator = remaining(data)
        if not can_seek and not isinstance(sampler, ReproducibleBatchSampler):
            self._discard(engine, consumed)

    def _discard(self, engine: Engine, batches: int) -> None:
        if batches:
            engine.logger.info("Resuming: %s batches are fetched and discarded.", batches)
        restarted = False
        while batches:
            try:
                next(self.iterator)
            except StopIteration:  # passes of unknown length
                if restarted:
                    return
                self._start_pass(engine.state, engine.state.iteration - batches)
                self.restart(engine.state)
                restarted = True
            else:
                batches, restarted = batches - 1, False
