"""The memory of tensors: which tensors share it, so that changing one changes another."""

from math import prod
from typing import Any

LARGEST = 10_000_000  # elements between the first and the last of two tensors that are compared one by one


def version_of(tensor: Any) -> int | None:
    """Return how often the memory of a tensor was changed in place; None if PyTorch does not count it."""
    try:
        return int(tensor._version)
    except (AttributeError, RuntimeError):  # of inference mode
        return None


def storage_of(tensor: Any) -> Any:
    """Return the identity of a tensor's memory; None if it has none of its own."""
    try:
        return tensor.untyped_storage().data_ptr() or None
    except (RuntimeError, NotImplementedError, AttributeError, TypeError, ValueError):  # sparse, fake, not initialized
        return None


def overlapping(tensor: Any, sharing: dict[Any, list[Any]]) -> list[Any]:
    """Return the other tensors that share elements with one; `sharing` lists all by their memory."""
    others = sharing.get(storage_of(tensor), ())
    return [other for other in others if other is not tensor and _share(tensor, other)]


def _share(a, b):
    """Return whether two tensors in the same memory have an element in common."""
    if a.dtype != b.dtype:
        return True
    (start, end), (first, last) = _span(a), _span(b)
    if end < first or last < start:
        return False
    if (a.is_contiguous() and b.is_contiguous()) or max(end, last) > LARGEST:
        return True
    import torch

    cells = torch.zeros(max(end, last) + 1, dtype=torch.bool)
    cells.as_strided(a.shape, a.stride(), a.storage_offset()).fill_(True)
    return bool(cells.as_strided(b.shape, b.stride(), b.storage_offset()).any())


def _span(tensor):
    """Return the first and the last place of the elements of a tensor in its memory."""
    start = tensor.storage_offset()
    if not prod(tensor.shape):
        return start, start - 1
    return start, start + sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride()))
