"""Learning-rate schedulers with PyTorch's names and values.

Reading order: `scheduler`, the base class, `decays`, `total_iters` and `by_function`; then `warm_restarts`, `cyclic`,
`one_cycle`, `reduce_on_plateau` and `sequential`; `group_checks` and `scheduler_state` are shared by all.
"""

from typing import TYPE_CHECKING

from dark.optim.lr_scheduler.by_function import LambdaLR, MultiplicativeLR
from dark.optim.lr_scheduler.cyclic import CyclicLR
from dark.optim.lr_scheduler.decays import CosineAnnealingLR, ExponentialLR, MultiStepLR, StepLR
from dark.optim.lr_scheduler.one_cycle import OneCycleLR
from dark.optim.lr_scheduler.reduce_on_plateau import ReduceLROnPlateau
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.lr_scheduler.sequential import SequentialLR
from dark.optim.lr_scheduler.total_iters import ConstantLR, LinearLR, PolynomialLR
from dark.optim.lr_scheduler.warm_restarts import CosineAnnealingWarmRestarts
from dark.errors import module_getattr

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
