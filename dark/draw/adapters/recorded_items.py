"""The items in the recording of a PyTorch network: calls, leaves, modules that run, and autograd's operations."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dark.draw.adapters.shared_memory import storage_of, version_of
from dark.draw.adapters.tensor_parts import is_tensor


@dataclass
class Item:
    """A call, or a leaf: a tensor or a number that no call computed."""

    operation: str = ""
    name: str | None = None
    role: str = "result"
    results: list[Any] = field(default_factory=list)  # tensors, or a number
    versions: list[int | None] = field(default_factory=list)
    names: tuple[str, ...] = ()  # of the results
    inputs: list[tuple[int, int, str]] = field(default_factory=list)  # item, number of its result, word
    path: tuple[str, ...] = ()
    calls: tuple[int, ...] = ()  # of each module of the path, the number of its call
    settings: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    operations: list[Any] = field(default_factory=list)  # those of autograd's graph
    grad_fn: Any = None  # that of the first result with one, before later calls change it in place
    mark: str | None = None


@dataclass
class Known:
    """The tensors known before a call, by `id`: names and roles, and the originals of copies."""

    names: dict[int, tuple[str, str]]
    originals: dict[int, Any]


@dataclass
class OfAutograd:
    """Facts from calls about autograd's operations: modules, inputs of the network in their place, values, times."""

    paths: dict[Any, tuple[str, ...]]
    inputs: dict[Any, tuple[str | None, Any]]
    values: dict[Any, Any]
    seconds: dict[Any, float | None]


@dataclass
class ModuleCall:
    """A module that runs: its path, the number of each call, and how often it called each other module."""

    path: tuple[str, ...] = ()
    calls: tuple[int, ...] = ()
    counter: Counter[tuple[str, ...]] = field(default_factory=Counter)


def of_autograd(items: list[Item], known: Known) -> OfAutograd:
    """Return the facts from the calls about the operations of autograd's graph."""
    found = OfAutograd({}, {}, {}, {})
    for item in items:
        found.paths.update(dict.fromkeys(item.operations, item.path))
        for tensor, version in zip(item.results, item.versions):
            if not is_tensor(tensor):
                continue
            if item.role == "input":
                place = (storage_of(tensor), tensor.storage_offset(), tensor.shape, tensor.stride())
                original = known.originals.get(id(tensor), tensor)
                found.inputs[place if tensor.grad_fn is None else tensor.grad_fn] = item.name, original
            elif tensor.grad_fn is not None:
                found.seconds.setdefault(tensor.grad_fn, item.seconds)
                if version_of(tensor) == version:
                    found.values[tensor.grad_fn, tensor.output_nr] = tensor.detach()
    return found
