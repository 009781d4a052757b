"""Learning-rate schedulers with PyTorch's names and values.

Reading order: `scheduler`, the base class, and `decays`; then `one_cycle`, `reduce_on_plateau` and `sequential`;
`group_checks` and `scheduler_state` are shared by all.
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
