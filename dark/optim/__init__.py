"""Optimizers, learning-rate schedulers and gradient clipping, compatible with PyTorch.

Reading order: `minimize`, gradient descent in one loop; `optimizer`, the step, and `rules`, what each optimizer does in
it, in plain arithmetic; `sgd`, `adam`, `adam_variants` and `root_mean_square`, their options; `clipping`; `lbfgs`, with
`curvature` and `line_search`. Then `parameters`, `parameter_groups`, `state_dict`; `fast` computes the same step for
many parameters at once. The schedulers are in `lr_scheduler`.
"""

from typing import TYPE_CHECKING

from dark.optim import lr_scheduler
from dark.optim.adam import Adam, AdamW
from dark.optim.adam_variants import NAdam, RAdam
from dark.optim.clipping import clip_grad_norm, clip_grad_value
from dark.optim.lbfgs import LBFGS
from dark.optim.minimize import minimize
from dark.optim.optimizer import Optimizer
from dark.optim.root_mean_square import Adagrad, RMSprop
from dark.optim.sgd import SGD
from dark.errors import module_getattr

__all__ = [
    "LBFGS", "SGD", "Adagrad", "Adam", "AdamW", "NAdam", "Optimizer", "RAdam", "RMSprop", "clip_grad_norm",
    "clip_grad_value", "lr_scheduler", "minimize",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
