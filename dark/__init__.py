"""Build your own PyTorch: a graph of nodes that differentiates itself, and the course in which you write it.

Reading order: `dark.nodes` (the graph and its backward pass), `dark.operations` (a function and its
derivative in one place), `dark.gradcheck`, `dark.optim`, `dark.draw` (pictures of all that); then
`dark.course`, which teaches and checks it.
"""

import sys
from types import ModuleType

from dark import draw, errors
from dark.gradcheck import gradcheck, slope
from dark.nodes import Constant, Node, Operation, Parameter, anomaly, mode, no_grad, topological_order
from dark.operations import (
    abs, add, broadcast_to, div, exp, log, matmul, maximum, mean, minimum, mul, neg, pow, relu, reshape, sqrt, sub,
    sum, tanh, transpose,
)  # fmt: skip
from dark.operations.arithmetic import Add, Div, Mul, Neg, Pow, Sub
from dark.operations.elementary import Abs, Exp, Log, Maximum, Minimum, Relu, Sqrt, Tanh
from dark.operations.linear import MatMul
from dark.operations.reductions import Mean, Sum
from dark.operations.shaping import BroadcastTo, Reshape, Transpose
from dark.optim import minimise

__version__ = "0.1.0"


class _Package(ModuleType):
    """Lets the tutorial's `dark.is_training` be read and set: it is the switch that `no_grad` turns."""

    @property
    def is_training(self):
        return mode.recording

    @is_training.setter
    def is_training(self, recording):
        mode.turn(recording=bool(recording))


sys.modules[__name__].__class__ = _Package
