"""What is attached to an engine: checkpoints, ends of trainings, clocks, bars, schedules and averages.

Reading order: `timing`, `terminate_on_nan` and `early_stopping` (a handler is a small object that can be called);
`checkpoint`, with `kept` (which), `naming`, `saving` and `disk` (where to) and `loading` (back again);
`state_schedules` and `ema_handler`; `tqdm_logger`; the profilers, which stand around the events by `watching`.
"""

from dark.handlers.basic_time_profiler import BasicTimeProfiler
from dark.handlers.checkpoint import Checkpoint, DiskSaver
from dark.handlers.early_stopping import EarlyStopping
from dark.handlers.ema_handler import EMAHandler
from dark.handlers.handlers_time_profiler import HandlersTimeProfiler
from dark.handlers.model_checkpoint import ModelCheckpoint
from dark.handlers.saving import BaseSaveHandler, CheckpointEvents
from dark.handlers.state_schedules import (
    ExpStateScheduler, LambdaStateScheduler, MultiStepStateScheduler, PiecewiseLinearStateScheduler,
    StepStateScheduler,
)  # fmt: skip
from dark.handlers.steps import global_step_from_engine
from dark.handlers.stores import EpochOutputStore
from dark.handlers.terminate_on_nan import TerminateOnNan
from dark.handlers.time_limit import TimeLimit
from dark.handlers.timing import Timer
from dark.handlers.tqdm_logger import ProgressBar

__all__ = [
    "BaseSaveHandler", "BasicTimeProfiler", "Checkpoint", "CheckpointEvents", "DiskSaver", "EMAHandler",
    "EarlyStopping", "EpochOutputStore", "ExpStateScheduler", "HandlersTimeProfiler", "LambdaStateScheduler",
    "ModelCheckpoint", "MultiStepStateScheduler", "PiecewiseLinearStateScheduler", "ProgressBar",
    "StepStateScheduler", "TerminateOnNan", "TimeLimit", "Timer", "global_step_from_engine",
]  # fmt: skip
