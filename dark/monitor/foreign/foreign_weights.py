"""Weights of other frameworks, in the form in which records read them: with a value and a gradient, as arrays."""

from typing import Any

import numpy as np

from dark.monitor.foreign.tensors import tensor_array
from dark.nodes.values import NodeBase


class TensorWeight(NodeBase):
    """A parameter of PyTorch, read anew each time.

    `kept` is the gradient with which an optimizer has updated it in the step that is observed, before `zero_grad`.
    """

    __slots__ = ("kept", "tensor")

    def __init__(self, tensor: Any) -> None:
        self.tensor, self.kept = tensor, None

    @property
    def _value(self) -> Any:
        return tensor_array(self.tensor)

    @property
    def requires_grad(self) -> bool:
        """Whether the parameter is trained."""
        return bool(self.tensor.requires_grad)

    @property
    def grad(self) -> Any:
        """The gradient as an array; None without one."""
        if self.kept is not None or self.tensor.grad is None:
            return self.kept
        return tensor_array(self.tensor.grad)


class GivenWeight(NodeBase):
    """A weight whose value and gradient are given for each record; whether it is trained on purpose is not known."""

    __slots__ = ("_value", "grad")
    requires_grad = True

    def __init__(self, value: np.ndarray) -> None:
        self.set(value)

    def set(self, value: np.ndarray, grad: np.ndarray | None = None) -> None:
        """Set the value and the gradient."""
        self._value, self.grad = value, grad
