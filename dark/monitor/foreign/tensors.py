"""Tensors of other frameworks, as arrays; no framework is imported here."""

import sys
from typing import Any

import numpy as np

from dark.nodes import Node, value_of

KINDS = "biuf"  # of dtypes: bools, integers and floats


def is_tensor(value: Any) -> bool:
    """Return whether a value is a tensor of PyTorch."""
    torch = sys.modules.get("torch")  # None until the user has imported it
    return torch is not None and isinstance(value, torch.Tensor)


def is_array(value: Any) -> bool:
    """Return whether a value is a node, an array, or a tensor of PyTorch."""
    return isinstance(value, (Node, np.ndarray)) or is_tensor(value)


def comes_from(package: str, thing: Any) -> bool:
    """Return whether the class of an object, or one of its bases, is from a package."""
    return any(base.__module__.partition(".")[0] == package for base in type(thing).__mro__)


def tensor_array(tensor: Any) -> Any:
    """Return a tensor of PyTorch as an array, which shares its memory if possible; None if it has no real elements.

    A dtype that NumPy lacks, such as bfloat16, becomes float32; a tensor of another device is copied, and a sparse one
    becomes dense.
    """
    if tensor.is_meta or tensor.is_complex():
        return None
    found = tensor.detach()
    found = found.to_dense() if found.is_sparse else found
    try:
        found = found.cpu()
        return found.numpy()
    except TypeError:
        return found.float().numpy()
    except RuntimeError:  # a tensor within a transformation, such as vmap
        return None


def array_of(leaf: Any) -> np.ndarray | None:
    """Return a node, an array or a tensor as an array; None if it does not hold real numbers."""
    if is_tensor(leaf):
        array = tensor_array(leaf)
        return None if array is None else array.copy()  # an operation in place may follow, such as ReLU(inplace=True)
    value = value_of(leaf)
    array = value if type(value) is np.ndarray else np.asarray(value)
    return array if array.dtype.kind in KINDS else None


def number_of(value: Any) -> Any:
    """Return an array without axes, of any framework, as a number, and anything else as it is."""
    is_number = getattr(value, "ndim", None) == 0 and hasattr(value, "item") and not isinstance(value, Node)
    return value.item() if is_number else value
