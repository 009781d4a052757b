"""Schedules: how the learning rates of an optimiser change from epoch to epoch, with PyTorch's names and numbers.

Read `scheduler`, then `decays`; `one_cycle`, `plateau` and `sequential` each hold one more.
"""

from dark.optim.lr_scheduler.decays import CosineAnnealingLR, ExponentialLR, LinearLR, MultiStepLR, StepLR
from dark.optim.lr_scheduler.one_cycle import OneCycleLR
from dark.optim.lr_scheduler.reduce_on_plateau import ReduceLROnPlateau
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.lr_scheduler.sequential import SequentialLR

__all__ = [
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LinearLR",
    "MultiStepLR",
    "OneCycleLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]
