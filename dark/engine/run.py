"""The progress of a run: facts about an engine's run beyond the public state."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from dark.engine.events.state import State
from dark.engine.resume.position import FirstEpoch, first_epoch_of, resume_position_of
from dark.engine.run_arguments import is_at_epoch_end


@dataclass
class Run:
    """The facts about an engine's current or last run beyond `State`; the loop owns and updates it."""

    number: int = 0  # how many runs have begun, or were loaded: within one, an iteration is counted once
    has_run: bool = False  # whether a run has ended since the engine was made or a state was loaded
    paused: Generator[Any, None, None] | None = None  # the rest of an interrupted run
    epoch_start: int | None = None  # the iteration at which the current epoch started; None between epochs
    resume_position: Sequence[Any] | None = None  # of a loaded state, until the run enters its first epoch
    first: FirstEpoch | None = None  # where its first epoch starts, until the iterations of that epoch begin
    only_epoch_end_left: bool = False  # whether the run resumed after the last iteration of the current epoch
    found_length: int | None = None  # `epoch_length` where it was found from the data, not given
    found_epochs: int | None = None  # `max_epochs` likewise

    def prepare(self, is_new: bool) -> None:
        """Prepare for a call of `Engine.run`: of a new run, or of a continued one."""
        if is_new:
            self.number += 1
            self.paused = self.resume_position = None
        if self.paused is None:
            self.epoch_start, self.first = None, FirstEpoch() if is_new or self.has_run else None

    def load(self, resume_position: Sequence[Any] | None) -> None:
        """Forget the run, after a state was loaded."""
        self.number += 1
        self.resume_position, self.has_run, self.paused = resume_position, False, None
        self.epoch_start = self.first = self.found_length = self.found_epochs = None

    def enter(self, state: State) -> FirstEpoch:
        """Return the place in its first epoch at which the run starts."""
        if self.first is None:
            self.only_epoch_end_left = is_at_epoch_end(self.resume_position, state.epoch_length)
            self.first, self.resume_position = first_epoch_of(state, self.resume_position), None
        return self.first

    def is_over(self, state: State) -> bool:
        """Return whether no iteration is left until the limit of the run."""
        if state.max_iters is not None and state.iteration >= state.max_iters:
            return True
        is_epoch_over = self.epoch_start is None or state.iteration - self.epoch_start == state.epoch_length
        return state.max_epochs is not None and state.epoch >= state.max_epochs and is_epoch_over

    def position(self, state: State, should_terminate_epoch: bool | str, is_running: bool) -> Sequence[Any] | None:
        """Return the position to save if the iteration alone does not determine it, else None."""
        if self.resume_position is not None or not (self.has_run or self.paused or is_running):
            return self.resume_position
        terminated = (self.first is not None and self.first.terminated) or should_terminate_epoch
        return resume_position_of(state, self.epoch_start, terminated)
