"""`callback`: a monitor as a callback of Lightning, which only its users import."""

import sys
from typing import Any

from dark.engine import Events
from dark.monitor.foreign.plain_loop import PlainLoop
from dark.monitor.foreign.tensors import number_of

PLACES = "lightning.pytorch", "pytorch_lightning"
UNUSED = """
    setup teardown on_fit_end on_sanity_check_start on_sanity_check_end on_train_epoch_start on_train_epoch_end
    on_validation_epoch_start on_validation_epoch_end on_test_epoch_start on_test_epoch_end on_predict_epoch_start
    on_predict_epoch_end on_validation_batch_start on_validation_batch_end on_test_batch_start on_test_batch_end
    on_predict_batch_start on_predict_batch_end on_test_start on_test_end on_predict_start
    on_predict_end on_save_checkpoint on_load_checkpoint on_before_backward on_after_backward
    on_before_optimizer_step on_before_zero_grad load_state_dict on_fit_start
"""


class LightningSteps:
    """The methods of a callback that drive a plain loop; a step is one of the optimizer, of one batch or of several."""

    def __init__(self, loop: PlainLoop) -> None:
        self._loop = loop
        self._is_open, self._updates = False, 0
        self._before: dict[str, Any] = {}  # the metrics before a validation
        self._validated: set[str] = set()  # the names of those that validations have changed

    def on_train_start(self, trainer: Any, *unused: Any) -> None:
        """Count on from the steps of a checkpoint."""
        self._is_open = False
        self._loop.engine.state.iteration = int(trainer.global_step)
        self._loop.observe()

    def on_train_batch_start(self, trainer: Any, *unused: Any) -> None:
        """Begin a step; of gradients that are accumulated, the first batch is observed."""
        if self._is_open:
            self._loop.rest()
            return
        self._is_open, self._updates = True, trainer.global_step
        self._loop.engine.state.epoch = int(trainer.current_epoch) + 1
        self._loop.begin()

    def on_train_batch_end(self, trainer: Any, module: Any, outputs: Any, *unused: Any) -> None:
        """End a step, if the optimizer has updated the weights."""
        if self._is_open and trainer.global_step != self._updates:
            self._is_open = False
            self._loop.complete(outputs)

    def on_validation_start(self, trainer: Any, *unused: Any) -> None:
        """Remember the metrics before a validation."""
        self._before = _numbers(trainer)

    def on_validation_end(self, trainer: Any, *unused: Any) -> None:
        """Write the metrics of a validation into the notes, under the present step."""
        if getattr(trainer, "sanity_checking", False):
            return
        found = _numbers(trainer)
        self._validated |= {name for name, value in found.items() if self._before.get(name) != value}
        self._loop.take_down({name: value for name, value in found.items() if name in self._validated})

    def on_train_end(self, *unused: Any) -> None:
        """Stop observing."""
        self._loop.rest()

    def on_exception(self, *unused: Any) -> None:
        """Stop observing."""
        self._loop.rest()

    def state_dict(self) -> dict[str, Any]:
        """Return nothing: the records of a monitor are in its own state."""
        return {}


def _numbers(trainer):
    """Return the metrics that are numbers now."""
    found = {name: number_of(value) for name, value in dict(trainer.callback_metrics).items()}
    return {name: float(value) for name, value in found.items() if isinstance(value, (int, float))}


def _nothing(*unused: Any) -> None:
    """Do nothing."""


def callback(monitor: Any, event: Any = Events.ITERATION_COMPLETED(every=50), *, note: Any = None) -> Any:
    """Return a callback of Lightning that records the steps of a training: ``Trainer(callbacks=[monitor.callback()])``.

    It has all methods of ``lightning.pytorch.Callback``, and derives from it if Lightning has been imported.

    Parameters
    ----------
    event : event, default ``Events.ITERATION_COMPLETED(every=50)``
        When to record; an iteration is a step of the optimizer.
    note : Note, optional
        Where to write the records, and the metrics of validations.
    """
    monitor.attach(event=event, note=note)
    bases = [base for place in PLACES if (base := getattr(sys.modules.get(place), "Callback", None)) is not None]
    unused = {} if bases else dict.fromkeys(UNUSED.split(), staticmethod(_nothing)) | {"state_key": "MonitorCallback"}
    return type("MonitorCallback", (LightningSteps, *bases[:1]), unused)(monitor.loop)
