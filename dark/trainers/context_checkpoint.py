"""`ContextCheckpoint`: the `ckpt` of a trainer's context, which is restored once and saved at each epoch."""

import logging
import os

from dark.checks import describe
from dark.engine import Events
from dark.engine.run_arguments import has_reached
from dark.errors import UsageError, ValueTypeError
from dark.handlers import Checkpoint, DiskSaver
from dark.handlers.checkpoints.folder import folder_of
from dark.handlers.checkpoints.loading import SELF
from dark.trainers import saving

KEPT = 3  # checkpoints of a folder, as those of `Trainer.save`
EXAMPLE = 'ckpt="run", or ckpt=Checkpoint({"schedule": schedule}, DiskSaver("run", require_empty=False)).'


class ContextCheckpoint:
    """The `ckpt` of a context in a training: a folder, or a `Checkpoint` or `DiskSaver` of the latest states for one.

    It is read when it is first needed, so that callbacks, schedules and seeds are there, too: the first `run` or
    `evaluate` restores the newest checkpoint, and the first `run` attaches the handler, after all others.
    """

    def __init__(self, trainer):
        self.trainer, self.given = trainer, checked(type(trainer).__name__, trainer.context.ckpt)
        self.is_restored = self.given is None
        self._handler = None
        self._is_attached = self._has_just_restored = False

    def restore(self):
        """Restore the newest checkpoint, unless it or another was restored, or the training has begun."""
        if self.is_restored or self.trainer.engine.state.iteration:
            return
        handler, trainer = self._made(), self.trainer
        objects = {**handler.to_save, **trainer.objects(), SELF: handler}
        report = saving.restore(objects, handler.save_handler.dirname, False, trainer.strategy, trainer.engine.logger)
        self.is_restored, self._has_just_restored = True, report.path is not None

    def begin(self, max_epochs, max_iters):
        """Restore, and save from now on; return whether the restored training has reached its limit already."""
        if self.given is None:
            return False
        self.restore()
        if not self._is_attached:
            self._is_attached = True
            handler = self._made()
            if handler is not self.trainer.saved:
                saving.attach(self.trainer, Events.EPOCH_COMPLETED, handler)
        is_first, self._has_just_restored = self._has_just_restored, False
        return is_first and self._is_complete(max_epochs, max_iters)

    def _made(self):
        """Return the handler: the one that was given, the one of `Trainer.save` for the same folder, or a new one."""
        if self._handler is None:
            saved = self.trainer.saved
            if isinstance(self.given, Checkpoint):
                self._handler = self._completed(self.given)
            elif saved is not None and saved.save_handler.dirname == _folder(self.given):
                self._handler = saved
            else:
                self._handler = self._new(self.given)
        return self._handler

    def _new(self, given):
        trainer = self.trainer
        saver = given if isinstance(given, DiskSaver) else DiskSaver(
            given, require_empty=False, rank=trainer.strategy.rank
        )  # fmt: skip
        return Checkpoint(
            trainer.objects(), saver, n_saved=KEPT, include_self=True, global_step_transform=self._global_step
        )

    def _completed(self, handler):
        """Add the objects of a training to a handler, the files that it keeps, and the number of its steps."""
        own = self.trainer.objects()
        taken = [key for key, value in handler.to_save.items() if key in own and value is not own[key]]
        if taken:
            raise UsageError(
                f"{type(self.trainer).__name__}: the context's checkpoint must not save {', '.join(map(repr, taken))}, "
                "which the trainer saves.",
                f"other names than {', '.join(own)}.",
                "leave out the models, optimizers, callbacks and the engine, which the trainer saves.",
            )
        handler.to_save = {**handler.to_save, **own}
        handler.include_self = True
        handler.global_step_transform = handler.global_step_transform or self._global_step
        return handler

    def _global_step(self, engine, event):
        """Return the step of the context, which continues when a new run begins at iteration 1."""
        return self.trainer.context.global_step

    def _is_complete(self, max_epochs, max_iters):
        state = self.trainer.engine.state
        given = (max_epochs, max_iters)
        if not has_reached(state, *((state.max_epochs, state.max_iters) if given == (None, None) else given)):
            return False
        self.trainer.engine.logger.log(
            logging.WARNING,
            "the training in %s is complete: epoch %d, step %d. A larger limit continues it, another ckpt starts over.",
            self._made().save_handler.dirname, state.epoch, self.trainer.context.global_step,
        )  # fmt: skip
        return True


def checked(who, ckpt):
    """Return the `ckpt` of a context: None, a folder, or a checkpoint handler."""
    if ckpt is None or isinstance(ckpt, DiskSaver):
        return ckpt
    if isinstance(ckpt, Checkpoint):
        if not isinstance(ckpt.save_handler, DiskSaver) or ckpt.score_function is not None:
            what = "keeps the best" if ckpt.score_function is not None else "does not write to a folder"
            raise UsageError(
                f"{who}: a training cannot be restored from the checkpoint of the context, which {what}.",
                "a Checkpoint of the latest states in a folder.",
                f"{EXAMPLE} trainer.save_best keeps the best models.",
            )
        return ckpt
    if isinstance(ckpt, (str, os.PathLike)):
        folder_of(ckpt)
        return ckpt
    raise ValueTypeError(
        f"{who}: ckpt must be a folder or a checkpoint handler, got {describe(ckpt)}.",
        "a folder, or a handler that writes to one.",
        EXAMPLE,
    )


def _folder(given):
    return given.dirname if isinstance(given, DiskSaver) else folder_of(given)
