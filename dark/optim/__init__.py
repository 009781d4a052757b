"""Optimizers, learning-rate schedulers and gradient clipping, compatible with PyTorch.

Reading order: `minimize`, gradient descent in one loop; `optimizer`, `sgd` and `adam`. Then `parameter_vector`,
`segments` and `vector_store`, which make a step fast, `parameter_groups` and `state_dict`; the schedulers are in
`lr_scheduler`.
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
