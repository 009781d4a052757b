"""What is attached to an engine: checkpoints, ends of trainings, clocks, bars, schedules and averages.

Reading order: `timing`, `terminate_on_nan` and `early_stopping` (a handler is a small object that can be called);
`checkpoint`, with `kept` (which), `naming`, `saving` and `disk` (where to) and `loading` (back again);
`base_param_scheduler` with `state_schedules` (of the state), `param_scheduler`, `cyclical_schedulers`, `lr_scheduler`,
`plateau_scheduler`, `concat_scheduler`, `param_group_scheduler` and `warmup` (of an optimiser, for which `stand_in`
stands when they are simulated); `ema_handler`; `tqdm_logger`; the profilers, which stand around the events by
`watching`.
"""

from dark.handlers.basic_time_profiler import BasicTimeProfiler
from dark.handlers.checkpoint import Checkpoint, DiskSaver
from dark.handlers.concat_scheduler import ConcatScheduler
from dark.handlers.cyclical_schedulers import CosineAnnealingScheduler, CyclicalScheduler, LinearCyclicalScheduler
from dark.handlers.early_stopping import EarlyStopping
from dark.handlers.ema_handler import EMAHandler
from dark.handlers.handlers_time_profiler import HandlersTimeProfiler
from dark.handlers.lr_scheduler import LRScheduler
from dark.handlers.model_checkpoint import ModelCheckpoint
from dark.handlers.param_group_scheduler import ParamGroupScheduler
from dark.handlers.param_scheduler import ParamScheduler, PiecewiseLinear
from dark.handlers.plateau_scheduler import ReduceLROnPlateauScheduler
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
from dark.handlers.warmup import create_lr_scheduler_with_warmup

__all__ = [
    "BaseSaveHandler", "BasicTimeProfiler", "Checkpoint", "CheckpointEvents", "ConcatScheduler",
    "CosineAnnealingScheduler", "CyclicalScheduler", "DiskSaver", "EMAHandler", "EarlyStopping",
    "EpochOutputStore", "ExpStateScheduler", "HandlersTimeProfiler", "LRScheduler", "LambdaStateScheduler",
    "LinearCyclicalScheduler", "ModelCheckpoint", "MultiStepStateScheduler", "ParamGroupScheduler",
    "ParamScheduler", "PiecewiseLinear", "PiecewiseLinearStateScheduler", "ProgressBar",
    "ReduceLROnPlateauScheduler", "StepStateScheduler", "TerminateOnNan", "TimeLimit", "Timer",
    "create_lr_scheduler_with_warmup", "global_step_from_engine",
]  # fmt: skip
