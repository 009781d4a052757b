"""Ignite's schedules: options of an optimizer that change by a rule at each event of an engine.

Reading order: `param_scheduler`, `cyclical_schedulers`, `lr_scheduler` and `plateau_scheduler`;
then `concat_scheduler`, `param_group_scheduler` and `warmup` (schedules made of schedules). Their
base class, and schedules of values in the state, are in `dark.handlers.schedules`.
"""

from dark.compat.schedules.concat_scheduler import ConcatScheduler
from dark.compat.schedules.cyclical_schedulers import (
    CosineAnnealingScheduler, CyclicalScheduler, LinearCyclicalScheduler,
)  # fmt: skip
from dark.compat.schedules.lr_scheduler import LRScheduler
from dark.compat.schedules.param_group_scheduler import ParamGroupScheduler
from dark.compat.schedules.param_scheduler import ParamScheduler, PiecewiseLinear
from dark.compat.schedules.plateau_scheduler import ReduceLROnPlateauScheduler
from dark.compat.schedules.warmup import create_lr_scheduler_with_warmup

__all__ = [
    "ConcatScheduler", "CosineAnnealingScheduler", "CyclicalScheduler", "LRScheduler", "LinearCyclicalScheduler",
    "ParamGroupScheduler", "ParamScheduler", "PiecewiseLinear", "ReduceLROnPlateauScheduler",
    "create_lr_scheduler_with_warmup",
]  # fmt: skip
