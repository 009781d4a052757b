"""Tensors of PyTorch: as arrays, saved by an operation for the backward pass, and the time that this pass takes."""

import re
from collections.abc import Iterable
from functools import cache
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from dark.draw.adapters.module_paths import snake_case
from dark.draw.adapters.tensor_parts import named_tensors
from dark.draw.graph.quotient import all_below

LARGEST = 2**63  # a larger integer among the settings is a negative one that PyTorch returns without its sign


class Saved(NamedTuple):
    """The tensors that an operation saved; `freed` is whether `backward` has freed them."""

    tensors: dict[str, Any]
    settings: dict[str, Any]
    freed: bool = False


def saved_by(operation: Any) -> Saved:
    """Return the values that an operation saved for the backward pass, by the names of PyTorch's definitions."""
    settings, freed = {}, False
    tensors: dict[str, Any] = {}
    for name in _names_of_saved(type(operation)):  # type: ignore[arg-type]  # types are hashable
        try:
            kept: Any = getattr(operation, name, None)
        except RuntimeError as error:  # freed, or changed in place since
            freed = freed or "backward" in str(error)
            continue
        name = name.removeprefix("_saved_")
        several = isinstance(kept, tuple) and any(hasattr(part, "grad_fn") for part in kept)
        if several:  # of a list of tensors, or of a function of the user
            tensors |= {f"{name}[{k}]": part for k, part in enumerate(kept) if hasattr(part, "grad_fn")}
        elif hasattr(kept, "grad_fn"):
            tensors[name] = kept
        elif kept is not None and kept != () and "_sym_" not in name:
            settings[name] = kept - 2 * LARGEST if isinstance(kept, int) and kept >= LARGEST else kept
    return Saved(tensors, settings, freed)


@cache
def _names_of_saved(kind):
    """Return the names of the values that the operations of a class save."""
    return [*(name for name in dir(kind) if name.startswith("_saved_")), "saved_tensors"]


def array_of(tensor):
    """Return a tensor as an array, which shares its memory if possible; None if it has no elements to show."""
    if tensor is None or tensor.is_meta:
        return None
    try:
        tensor = tensor.detach().cpu()
        tensor = tensor.to_dense() if tensor.is_sparse else tensor
        return tensor.resolve_conj().resolve_neg().numpy()
    except TypeError:  # a dtype that NumPy lacks, such as bfloat16
        return np.asarray(tensor.float().numpy())
    except (RuntimeError, NotImplementedError):  # nested, fake, or of a transformation
        return None


def dtype_name(tensor):
    """Return the name of a dtype as NumPy writes it: `float32` for ``torch.float32``."""
    return str(tensor.dtype).removeprefix("torch.")


def operation_name(operation: Any) -> str:
    """Return the name of the operation that a backward function belongs to.

    >>> from types import SimpleNamespace as Operation
    >>> operation_name(Operation(name=lambda: "torch::autograd::MaxPool2DWithIndicesBackward0"))
    'max_pool2d_with_indices'
    """
    return snake_case(re.sub(r"Backward\d*$", "", operation.name().rpartition("::")[2]))


def tensors_in(thing):
    """Return the tensors in nested tuples, lists and dicts, and in classes of the user."""
    return [tensor for _, tensor in named_tensors(thing)]


def backward_seconds(operation: Any, known: Iterable[Any]) -> dict[Any, float]:
    """Run the backward pass below a `grad_fn` once, and return the seconds of each operation in `known`.

    Another operation counts for the one that uses its result, as the transposition of a weight for the linear layer.
    The gradients that leaves hold do not change, and the graph is kept; {} if `backward` has freed what was saved.
    """
    import torch

    below = all_below([operation], lambda node: [n for n, _ in node.next_functions if n is not None], hash)
    leaves = [node.variable for node in below if hasattr(node, "variable")]
    operations = [node for node in below if not hasattr(node, "variable")]
    starts: dict[Any, float] = {}
    seconds: dict[Any, float] = {}

    def begin(node):
        return node.register_prehook(lambda grads: starts.__setitem__(node, perf_counter()))

    def end(node):
        return node.register_hook(lambda *grads: seconds.__setitem__(node, perf_counter() - starts[node]))

    handles = [register(node) for node in operations for register in (begin, end)]
    meta = operation._input_metadata[0]
    ones = torch.ones(meta.shape, dtype=meta.dtype, device=meta.device)
    edge = torch.autograd.graph.GradientEdge(operation, 0)
    try:
        torch.autograd.grad(edge, leaves, ones, retain_graph=True, allow_unused=True)
    except RuntimeError:  # freed by an earlier pass, or changed in place since
        return {}
    finally:
        for handle in handles:
            handle.remove()
    return _by_owner(below, seconds, set(known))


def _by_owner(order, seconds, known):
    """Add up the seconds of operations, in topological order, by the known one that uses them."""
    owners: dict[Any, Any] = {}
    found: dict[Any, float] = {}
    for node in reversed(order):
        owner = node if node in known else owners.get(node)
        for below, _ in node.next_functions:
            owners.setdefault(below, owner)
        if owner is not None and node in seconds:
            found[owner] = found.get(owner, 0.0) + seconds[node]
    return found
