"""Checks of users' actions on a node: setting its value or gradient, conversions, copies, backward passes.

The conversions to arrays of NumPy and of other libraries are here, too: only a node without a gradient is converted.
"""

from __future__ import annotations

import sys
from opcode import opmap
from typing import Any

import numpy as np

from dark.checks import describe
from dark.errors import GradientError, OperationError, ShapeError, ValueTypeError
from dark.nodes.changes import refuse_recording
from dark.nodes.grad_mode import mode
from dark.nodes.gradient import cast_gradient
from dark.nodes.graph import topological_order
from dark.nodes.values import NodeBase, as_value, shape_of, value_of
from dark.spellings import refuse_keywords
from dark.typing import AnyNode, Array, Gradient

ASSIGNMENT = opmap.get("STORE_SUBSCR")  # the instruction ``x[index] = value``


def check_name(name: str | None, who: str, pytorch: dict[str, Any]) -> str | None:
    """Return a name, if it is a string or None; refuse keyword arguments of PyTorch."""
    if pytorch:
        refuse_keywords(who, pytorch)
    if name is not None and not isinstance(name, str):
        raise ValueTypeError(
            f"{who}: name must be a string, got {describe(name)}.", "a string.", f'{who}(value, name="weight")'
        )
    return name


def check_settable(node: AnyNode) -> None:
    """Raise if the value of a node cannot be set."""
    if node.op is not None:
        raise GradientError(
            f"{node}: the value of a result cannot be set; it is computed from its inputs.",
            "a new value for a leaf.",
            "set the value of a Parameter and compute the result again.",
        )


def check_convertible(node: Any) -> None:
    """Raise if a derivative would be lost by converting a node to a Python number."""
    if mode.create_graph:
        raise OperationError(
            f"{node}: a derivative that is to be differentiated again cannot convert a node to a Python number.",
            "arithmetic operators and NumPy functions in _df, which work on nodes.",
            "np.cos(x) instead of math.cos(x), and no float(x).",
        )
    if not mode.recording or not node.requires_grad:
        return
    if not set(mode.variables).isdisjoint(topological_order(node)):  # other nodes are as outside
        raise OperationError(
            f"{node}: a function that is being differentiated cannot convert a node to a Python number.",
            "arithmetic operators and NumPy functions, which work on nodes; a number has no gradient.",
            "np.sin(x) instead of math.sin(x), np.stack([x, y]) instead of array[0] = x; x.value to print.",
        )


def check_not_assigned(node: Any) -> None:
    """Raise if `__float__` or `__int__`, which calls this, serves ``array[index] = node``.

    NumPy asks for a number there, as `float` does; the two differ in the instruction that is being executed.
    """
    frame = sys._getframe(1).f_back  # of the code that called `__float__`
    if node.requires_grad and frame is not None and frame.f_code.co_code[frame.f_lasti] == ASSIGNMENT:
        raise OperationError(
            f"array[index] = node: {node} cannot be written into an array: it would be detached from the graph.",
            "a number or an array on the right.",
            "np.stack or np.concatenate to join nodes, np.where to replace elements; array[index] = x.value.",
        )


def check_copyable(node: AnyNode) -> None:
    """Raise if a node cannot be copied or pickled."""
    if node.op is not None:
        raise GradientError(
            f"{node}: a result cannot be copied or pickled without its graph.",
            "a leaf.",
            "copy x.detach(), or plot it; or save the Parameters and compute the result again.",
        )


def check_assigned(gradient: Any, node: AnyNode) -> Gradient:
    """Return a gradient that is assigned to `node.grad`, as a value or a node, if its shape is right."""
    if not isinstance(gradient, NodeBase):
        gradient = as_value(gradient, "grad")
    shape = shape_of(gradient)
    if shape and shape != node.shape:
        raise ShapeError(
            f"grad: cannot set a gradient of shape {shape} for {node}, of shape {node.shape}.",
            "the shape of the value, or one number for all elements.",
            "p.grad = None, or p.zero_grad(), to clear a gradient.",
        )
    return gradient


def initial_gradient(root: AnyNode, gradient: Any, pytorch: dict[str, Any] | None = None) -> Gradient:
    """Return the gradient that a backward pass starts from: 1 if none is given, which a scalar root needs."""
    if pytorch:
        refuse_keywords("backward", pytorch)
    refuse_recording("it computes gradients")
    value = root._value
    if gradient is None:
        if type(value) is float:
            return 1.0
        if type(value) is not np.ndarray:
            return type(value)(1.0)
        if value.size != 1:
            raise GradientError(
                f"backward: gradient must be given if the root is {describe(root._value)}.",
                "a root with one element, or a gradient of the root's shape.",
                "call backward on its sum or mean, or pass backward(gradient=...).",
            )
        return np.ones_like(value)
    if type(gradient) is type(value) is np.ndarray and (gradient.shape, gradient.dtype) == (value.shape, value.dtype):
        return gradient
    if not isinstance(gradient, NodeBase):
        gradient = as_value(gradient, "backward")
    if shape_of(gradient) != root.shape:
        raise ShapeError(
            f"backward: gradient must have the shape of the root, {root.shape}, got {shape_of(gradient)}.",
            "equal shapes.",
            f"np.broadcast_to(gradient, {root.shape}) to use one number for all elements.",
        )
    return cast_gradient(gradient, root, root)


def _check_without_gradient(node: Any, who: str) -> None:
    """Raise if a node carries a gradient, which an array would lose."""
    if node.requires_grad:
        raise OperationError(
            f"{who}: cannot convert a node to an array: it would be detached from the graph.",
            "the value of the node, or a node that does not require grad.",
            "x.value, or x.detach(); or dark.stack([...]) to join nodes.",
        )
    if mode.is_differentiating:
        check_convertible(node)


def to_array(self: Any, dtype: Any = None, copy: bool | None = None) -> Array:
    """Return the value as an array for NumPy's `asarray`, which shares memory with it; see NumPy's protocol."""
    _check_without_gradient(self, "numpy")
    value = self.value
    if type(value) is not np.ndarray:
        return np.array(value, dtype)
    return np.array(value, dtype, copy=copy)


def numpy(self: Any) -> Array:
    """Return the value of a node that carries no gradient as an array; `value` returns that of any node.

    >>> import dark
    >>> dark.Parameter([1.0, 2.0]).detach().numpy()
    array([1., 2.])
    """
    _check_without_gradient(self, "numpy")
    return np.asarray(self.value)


def tolist(self: Any) -> Any:
    """Return the value as a Python number, or as nested lists of them.

    >>> import dark
    >>> dark.Parameter([[1.0, 2.0]]).tolist()
    [[1.0, 2.0]]
    """
    if mode.is_differentiating:
        check_convertible(self)
    value = value_of(self)
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def dlpack(self: Any, **settings: Any) -> Any:
    """Return the value for another library, such as ``torch.from_dlpack(x)``, which shares memory with it."""
    _check_without_gradient(self, "dlpack")
    return np.asarray(self.value).__dlpack__(**settings)


def dlpack_device(self: Any) -> tuple[int, int]:
    """Return the device of the value in DLPack's numbers: the CPU."""
    return 1, 0
