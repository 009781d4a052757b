"""The logger for TensorBoard, which attaches handlers that write to event files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from dark.checks import check_engine
from dark.engine import EventsList
from dark.handlers.tensorboard.scalar_handlers import OptimizerParamsHandler, OutputHandler
from dark.hooks import Handle, Handles
from dark.storage import SummaryWriter

if TYPE_CHECKING:
    import os

    from dark.engine import Engine


class TensorBoardLogger:
    """Log values of engines, optimizers and models for TensorBoard, which is in the extra ``tensorboard``.

    Values are written at once: neither an exception nor Ctrl-C nor a kill loses any. A resumed run that logs to the
    same folder continues the log: the first value of each tag replaces the earlier values of this tag at its step and
    later, which the interrupted run wrote after its last checkpoint. So a folder holds one run, and another run needs
    another folder. ``tensorboard --logdir runs`` shows all of them.

    The folder `log_dir` is by default a new one in ``runs``, named after the time, the machine and the comment;
    `filename_suffix` ends the name of the file. The `writer` is a `dark.storage.SummaryWriter`, which writes scalars,
    histograms, images and texts: ``log.writer.add_image("samples", pixels, step)``.

    Examples
    --------
    ::

        with TensorBoardLogger("runs/first") as log:
            log.attach_output_handler(
                trainer, Events.ITERATION_COMPLETED, tag="training", output_transform=lambda loss: {"loss": loss}
            )
            log.attach_output_handler(
                evaluator, Events.EPOCH_COMPLETED, tag="validation", metric_names="all",
                global_step_transform=global_step_from_engine(trainer),
            )
            log.attach_opt_params_handler(trainer, Events.EPOCH_STARTED, optimizer=optimizer)
            log.attach(trainer, WeightsHistHandler(network), Events.EPOCH_COMPLETED)
            trainer.run(loader, max_epochs=10)
    """

    def __init__(
        self, log_dir: str | os.PathLike[str] | None = None, comment: str = "", filename_suffix: str = ""
    ) -> None:
        self.writer = SummaryWriter(log_dir, comment, filename_suffix)

    def attach(
        self, engine: Engine, log_handler: Callable[..., Any], event_name: Any, *args: Any, **kwargs: Any
    ) -> Handle:
        """Call a handler at each event of an engine: with the engine, this logger, the event, and further arguments."""
        check_engine(self, engine)
        events = list(event_name) if isinstance(event_name, EventsList) else [event_name]
        for event in events:
            engine.state.get_event_attrib_value(event)
        return Handles([engine.add_event_handler(event, log_handler, self, event, *args, **kwargs) for event in events])

    def attach_output_handler(self, engine: Engine, event_name: Any, *args: Any, **kwargs: Any) -> Handle:
        """Attach an `OutputHandler` made of the further arguments."""
        return self.attach(engine, OutputHandler(*args, **kwargs), event_name)

    def attach_opt_params_handler(self, engine: Engine, event_name: Any, *args: Any, **kwargs: Any) -> Handle:
        """Attach an `OptimizerParamsHandler` made of the further arguments."""
        return self.attach(engine, OptimizerParamsHandler(*args, **kwargs), event_name)

    def close(self) -> None:
        """Close the file; a value that is logged afterwards opens another one."""
        self.writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()
