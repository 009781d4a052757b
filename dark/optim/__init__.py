"""Walking downhill: optimisers with PyTorch's names and numbers, schedules of their rates, bounds for gradients.

Read `minimize`, the loop of the first tutorial; then `optimizer`, `sgd` and `adam`. `vector` makes a step
fast; `groups`, `options` and `saving` check what comes from outside. Schedules are in `lr_scheduler`.
"""

from dark.optim import lr_scheduler
from dark.optim.adagrad import Adagrad
from dark.optim.adam import Adam, AdamW
from dark.optim.clipping import clip_grad_norm, clip_grad_value
from dark.optim.minimize import minimize
from dark.optim.optimizer import Optimizer
from dark.optim.rmsprop import RMSprop
from dark.optim.sgd import SGD

__all__ = [
    "SGD",
    "Adagrad",
    "Adam",
    "AdamW",
    "Optimizer",
    "RMSprop",
    "clip_grad_norm",
    "clip_grad_value",
    "lr_scheduler",
    "minimize",
]
