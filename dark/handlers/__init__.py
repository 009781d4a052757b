"""Handlers for an engine: checkpoints, early stopping, timers, progress bars, logs, schedules and weight averages.

Reading order: `clocks` (a handler is a small object that can be called), `outputs`, `score` and
`early_stopping`; `checkpoints`; `schedules` (of values in the state); `ema_handler`, `global_step` and
`selected_values`; `tensorboard`. Each subpackage gives its own reading order. Ignite's schedules of optimizers are
loaded from `dark.compat.schedules` when they are asked for.
"""

from typing import TYPE_CHECKING

from dark.handlers.checkpoints.checkpoint import Checkpoint
from dark.handlers.checkpoints.disk_saver import DiskSaver
from dark.handlers.checkpoints.model_checkpoint import ModelCheckpoint
from dark.handlers.checkpoints.disk_saver import BaseSaveHandler, CheckpointEvents
from dark.handlers.clocks.basic_time_profiler import BasicTimeProfiler
from dark.handlers.clocks.handlers_time_profiler import HandlersTimeProfiler
from dark.handlers.clocks.progress_bar import ProgressBar
from dark.handlers.clocks.timer import TimeLimit
from dark.handlers.clocks.timer import Timer
from dark.handlers.early_stopping import EarlyStopping
from dark.handlers.ema_handler import EMAHandler
from dark.handlers.global_step import global_step_from_engine
from dark.handlers.outputs import EpochOutputStore
from dark.handlers.schedules.state_schedules import (
    ExpStateScheduler, LambdaStateScheduler, MultiStepStateScheduler, PiecewiseLinearStateScheduler,
    StepStateScheduler,
)  # fmt: skip
from dark.handlers.tensorboard.scalar_handlers import OptimizerParamsHandler
from dark.handlers.tensorboard.scalar_handlers import OutputHandler
from dark.handlers.tensorboard.tensorboard_logger import TensorBoardLogger
from dark.handlers.tensorboard.weights_handlers import (
    GradsHistHandler, GradsScalarHandler, WeightsHistHandler, WeightsScalarHandler,
)  # fmt: skip
from dark.handlers.outputs import TerminateOnNan
from dark.errors import module_getattr

__all__ = [
    "BaseSaveHandler",
    "BasicTimeProfiler",
    "Checkpoint",
    "CheckpointEvents",
    "ConcatScheduler",
    "CosineAnnealingScheduler",
    "CyclicalScheduler",
    "DiskSaver",
    "EMAHandler",
    "EarlyStopping",
    "EpochOutputStore",
    "ExpStateScheduler",
    "GradsHistHandler",
    "GradsScalarHandler",
    "HandlersTimeProfiler",
    "LRScheduler",
    "LambdaStateScheduler",
    "LinearCyclicalScheduler",
    "ModelCheckpoint",
    "MultiStepStateScheduler",
    "OptimizerParamsHandler",
    "OutputHandler",
    "ParamGroupScheduler",
    "ParamScheduler",
    "PiecewiseLinear",
    "PiecewiseLinearStateScheduler",
    "ProgressBar",
    "ReduceLROnPlateauScheduler",
    "StepStateScheduler",
    "TensorBoardLogger",
    "TerminateOnNan",
    "TimeLimit",
    "Timer",
    "WeightsHistHandler",
    "WeightsScalarHandler",
    "create_lr_scheduler_with_warmup",
    "global_step_from_engine",
]

if TYPE_CHECKING:  # a type checker reports a name that is not there
    from dark.compat.schedules import (
        ConcatScheduler, CosineAnnealingScheduler, CyclicalScheduler, LRScheduler, LinearCyclicalScheduler,
        ParamGroupScheduler, ParamScheduler, PiecewiseLinear, ReduceLROnPlateauScheduler,
        create_lr_scheduler_with_warmup,
    )  # fmt: skip
else:
    __getattr__ = module_getattr(__name__, "dark.compat.schedules", __all__)
