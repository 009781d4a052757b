"""A checkpoint that is told at each call what to save."""

from dark.errors import EngineError
from dark.handlers.checkpoints import loading
from dark.handlers.checkpoints.checkpoint import Checkpoint, DiskSaver


class ModelCheckpoint(Checkpoint):
    """A `Checkpoint` on the disk that gets the objects with each call.

    Parameters
    ----------
    dirname, atomic, create_dir, require_empty, **kwargs
        See `DiskSaver`.
    filename_prefix, score_function, score_name, n_saved, global_step_transform, filename_pattern, include_self, \
greater_or_equal, save_on_rank
        See `Checkpoint`.

    Examples
    --------
    >>> import tempfile
    >>> from dark.engine import Engine, Events
    >>> trainer = Engine(lambda engine, batch: None)
    >>> handler = ModelCheckpoint(tempfile.mkdtemp(), "run", n_saved=2)
    >>> handle = trainer.add_event_handler(Events.EPOCH_COMPLETED, handler, {"trainer": trainer})
    >>> state = trainer.run([0, 0, 0], max_epochs=5)
    >>> handler.last_checkpoint.name
    'run_trainer_15.pt'
    """

    def __init__(
        self, dirname, filename_prefix="", score_function=None, score_name=None, n_saved=1, atomic=True,
        require_empty=True, create_dir=True, global_step_transform=None, filename_pattern=None, include_self=False,
        greater_or_equal=False, save_on_rank=0, **kwargs,
    ):  # fmt: skip
        saver = DiskSaver(dirname, atomic, create_dir, require_empty, save_on_rank, **kwargs)
        super().__init__(
            {}, saver, filename_prefix, score_function, score_name, n_saved, global_step_transform, filename_pattern,
            include_self, greater_or_equal, save_on_rank,
        )  # fmt: skip

    def __call__(self, engine, to_save):
        """Save these objects, if this is to be kept."""
        if len(to_save) == 0:
            raise EngineError("No objects to checkpoint found.", "a mapping of names to objects.", '{"model": model}')
        list(loading.leaves(to_save, "state_dict"))
        self.to_save = to_save
        super().__call__(engine)

    @property
    def last_checkpoint(self):
        """The path of the best checkpoint of those kept."""
        if self._saved and not isinstance(self.save_handler, DiskSaver):
            raise EngineError(
                f"Internal error, save_handler should be DiskSaver, but has {type(self.save_handler)}.",
                "the save handler that this object was made with.",
                "Checkpoint, for another one.",
            )
        return super().last_checkpoint
