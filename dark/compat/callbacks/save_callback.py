"""`SaveCallback`: save the weights of models while they are trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dark.checks import describe, integer
from dark.compat.callbacks.callback import Event
from dark.compat.callbacks.counting import CountingCallback
from dark.errors import ValueTypeError
from dark.handlers import DiskSaver
from dark.handlers.checkpoints.folder import remove

if TYPE_CHECKING:
    from dark.nn import Module
    from dark.typing import Path


class SaveCallback(CountingCallback):
    """A callback that saves the weights of models, a file for each, and keeps the latest files.

    To resume a training, save the trainer instead (`Trainer.save`): weights alone are for those who use the models.

    Parameters
    ----------
    save_dir : str or path
        The folder of the files ``model-<index>-step-<step>.pt``; created if it does not exist.
    models : Module, or sequence of Module
        Objects with `state_dict`, or the views of them that a context shows.
    event, event_freq, max_to_keep : Event, int, int
        Save at each `event_freq`-th occurrence of the event, and remove older files of a model than the latest.
    rank : int, default 0
        The rank of this process, ``strategy.rank``; process 0 writes.
    """

    _state_dict_all_req_keys = ("count", "steps")

    def __init__(
        self, save_dir: Path, models: Module | Sequence[Module] | Any, event: Event = Event.ON_EPOCH_END,
        event_freq: int = 1, max_to_keep: int = 1, name: str = "SaveCallback", *, rank: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(event, name, event_freq)
        self.models = [_module(model) for model in (models if isinstance(models, Sequence) else [models])]
        self.max_to_keep = integer(max_to_keep, "SaveCallback", "max_to_keep", 1)
        self.saver = DiskSaver(save_dir, require_empty=False, rank=rank)
        self.steps: list[int] = []

    def act(self, context: Any) -> None:
        """Save the models, then remove the files that are not kept."""
        step = context.global_step
        for index, model in enumerate(self.models):
            self.saver(model.state_dict(), _filename(index, step))
        steps = [*(kept for kept in self.steps if kept != step), step]
        self.steps, dropped = steps[-self.max_to_keep :], steps[: -self.max_to_keep]
        for old in dropped:
            for index in range(len(self.models)):
                remove(self.saver, _filename(index, old))

    def state_dict(self) -> dict[str, Any]:
        """Return the count, and the steps whose files are kept."""
        return {**super().state_dict(), "steps": list(self.steps)}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load a state from `state_dict`."""
        super().load_state_dict(state_dict)
        self.steps = list(state_dict["steps"])


def _filename(index, step):
    return f"model-{index}-step-{step}.pt"


def _module(model):
    model = getattr(model, "module", model)
    if not callable(getattr(model, "state_dict", None)):
        raise ValueTypeError(
            f"SaveCallback: {describe(model)} in models has no state_dict.",
            "modules.",
            "models=[context.generator_model, context.discriminator_model]",
        )
    return model
