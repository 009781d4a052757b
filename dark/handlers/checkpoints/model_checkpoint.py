"""A checkpoint whose objects are passed with each call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from dark.errors import EngineError
from dark.handlers.checkpoints import checkpoint_checks, loading
from dark.handlers.checkpoints.checkpoint import Checkpoint
from dark.handlers.checkpoints.disk_saver import DiskSaver

if TYPE_CHECKING:
    from dark.engine import Engine
    from dark.typing import Path


class ModelCheckpoint(Checkpoint):
    """A `Checkpoint` on disk that gets the objects to save with each call; see `DiskSaver` for its other parameters."""

    def __init__(
        self, dirname: Path, filename_prefix: str = "", score_function: Callable[[Engine], Any] | None = None,
        score_name: str | None = None, n_saved: int | None = 1, atomic: bool = True, require_empty: bool = True,
        create_dir: bool = True, global_step_transform: Callable[[Engine, Any], int] | None = None,
        filename_pattern: str | None = None, include_self: bool = False, greater_or_equal: bool = False,
        save_on_rank: int = 0, **kwargs: Any,
    ) -> None:  # fmt: skip
        saver = DiskSaver(dirname, atomic, create_dir, require_empty, save_on_rank, **kwargs)
        super().__init__(
            {}, saver, filename_prefix, score_function, score_name, n_saved, global_step_transform, filename_pattern,
            include_self, greater_or_equal, save_on_rank,
        )  # fmt: skip

    def __call__(self, engine: Engine, to_save: Mapping[str, Any]) -> None:  # type: ignore[override]
        """Save these objects if the checkpoint is to be kept."""
        if len(to_save) == 0:
            raise EngineError("No objects to checkpoint found.", "a mapping of names to objects.", '{"model": model}')
        list(loading.leaves(to_save, "state_dict"))
        checkpoint_checks.check_keys_are_free(to_save, self.include_self)
        self.to_save = to_save
        super().__call__(engine)

    @property
    def last_checkpoint(self) -> FilePath | None:
        """The path of the best checkpoint that is kept."""
        if self._saved and not isinstance(self.save_handler, DiskSaver):
            raise EngineError(
                f"Internal error, save_handler should be DiskSaver, but has {type(self.save_handler)}.",
                "the save handler that this object created.",
                "Checkpoint, for another save handler.",
            )
        return super().last_checkpoint  # type: ignore[return-value]
