"""Learning-rate schedulers with PyTorch's names and values.

Reading order: `scheduler`, the base class, with `scheduler_state`; `factors`, `by_function` and `cosine`; then
`cyclic`, `one_cycle`, `reduce_on_plateau` and `sequential`.
"""

from typing import TYPE_CHECKING

from dark.optim.lr_scheduler.by_function import LambdaLR, MultiplicativeLR
from dark.optim.lr_scheduler.cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from dark.optim.lr_scheduler.cyclic import CyclicLR
from dark.optim.lr_scheduler.factors import ConstantLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR
from dark.optim.lr_scheduler.one_cycle import OneCycleLR
from dark.optim.lr_scheduler.reduce_on_plateau import ReduceLROnPlateau
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.lr_scheduler.sequential import SequentialLR
from dark.errors import module_getattr

__all__ = [
    "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR", "LRScheduler",
    "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR", "PolynomialLR", "ReduceLROnPlateau",
    "SequentialLR", "StepLR",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
