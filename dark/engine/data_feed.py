"""The feed: an engine's iterator over its data, started at the beginning or at the position of a loaded state."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from dark.engine.events.state import State
from dark.engine.resume.data_position import position_of_data, resumed


class DataFeed:
    """The iterator over an engine's data, and the position at which it starts."""

    saves_batches = True  # whether a state dict has the consumed batches of a sequence, see `batches_to_save`

    def __init__(self) -> None:
        self.iterator: Any = None  # not Optional: the loop fetches from it for each batch, only after `start`
        self.position: Mapping[str, Any] | None = None  # of the data, at the end of a run or in a loaded state
        self.batches: Sequence[int] | None = None  # in a loaded state: the consumed ones of a sequence, and its length
        self.pass_start: int | None = 0  # the iteration at which the pass started; None before a state is resumed
        self.has_warned = False  # of data without a position that can be saved

    def start(self, engine: Any) -> None:
        """Start the iterator at the position of the engine's state, see `resumed`."""
        state, run = engine.state, engine.current_run
        first = run.enter(state)
        if run.has_run or state.dataloader is None:
            self.restart(state)
        else:
            self.iterator, self.pass_start = resumed(self, state, first)
        self.position = self.batches = None

    def restart(self, state: State) -> None:
        """Start the iterator at the beginning of the data; without data, each batch is None."""
        self.iterator = repeat(None) if state.dataloader is None else iter(state.dataloader)
        self.pass_start = state.iteration

    def reset(self, keep_iterator: bool) -> None:
        """Forget the position, for a new run."""
        self.position, self.batches, self.pass_start = None, None, 0
        if not keep_iterator:
            self.iterator = None

    def replace(self, data: Iterable[Any], iteration: int) -> None:
        """Take batches from other data from now on, after a number of iterations that have their batch."""
        self.iterator, self.position, self.batches, self.pass_start = iter(data), None, None, iteration

    def load(self, position: Mapping[str, Any] | None, batches: Sequence[int] | None) -> None:
        """Forget the data and its position, for a loaded state."""
        self.position, self.batches, self.pass_start = position, batches, None

    def release(self, state: State) -> None:
        """Release the iterator, so that others may use the data, and remember its position."""
        if self.iterator is not None:
            self.position, self.iterator = self.read_position(state), None

    def read_position(self, state: State) -> Mapping[str, Any] | None:
        """Return the position of the data, or None if the data has none that it can go back to."""
        return self.position or position_of_data(self.iterator, state.dataloader)

    def knows_position(self) -> bool:
        """Return whether the position of the data is known before the iterator is started."""
        return self.position is not None
