"""Tensors of PyTorch: as arrays, what an operation saved for the backward pass, and in which module it ran."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dark.draw.graph.graph_record import path_of

LARGEST = 2**63  # a larger integer among the settings is a negative one that PyTorch returns without its sign


class Saved(NamedTuple):
    """What an operation saved.

    Parameters
    ----------
    tensors : dict of str to torch.Tensor
    settings : dict of str to object
    freed : bool
        Whether `backward` has freed the tensors.
    """

    tensors: dict[str, Any]
    settings: dict[str, Any]
    freed: bool = False


def saved_by(operation):
    """Return what an operation saved for the backward pass, by the names of PyTorch's definitions.

    Examples
    --------
    >>> saved_by(None)
    Saved(tensors={}, settings={}, freed=False)
    """
    tensors, settings, freed = {}, {}, False
    for name in [name for name in dir(operation) if name.startswith("_saved_")] + ["saved_tensors"]:
        try:
            kept = getattr(operation, name, None)
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


def is_output(name):
    """Return whether a saved tensor is the result of its operation."""
    return name in ("result", "output")


def leaf_of(operation, tensor):
    """Return the leaf that a backward function accumulates the gradient of, or the tensor if it has none."""
    return tensor if operation is None else getattr(operation, "variable", None)


def array_of(tensor):
    """Return a tensor as an array that shares its memory if possible; None if it has no elements to show.

    A dtype that NumPy lacks, such as bfloat16, becomes float32.
    """
    if tensor is None or tensor.is_meta:
        return None
    tensor = tensor.detach().cpu()
    tensor = tensor.to_dense() if tensor.is_sparse else tensor
    try:
        return tensor.resolve_conj().resolve_neg().numpy()
    except TypeError:
        return np.asarray(tensor.float().numpy())


def dtype_name(tensor):
    """Return the name of a dtype as NumPy writes it: `float32` for ``torch.float32``."""
    return str(tensor.dtype).removeprefix("torch.")


def call_and_locate(network, inputs):
    """Call a network once, and record in which module each operation ran, by forward hooks that are then removed.

    Parameters
    ----------
    network : torch.nn.Module
    inputs : tuple of object

    Returns
    -------
    result : object
        What the network returned.
    modules : dict
        The path of the innermost module of each operation, by its `grad_fn`.
    """
    modules: dict = {}

    def locate(path):
        def hook(module, args, settings, output):
            seen = {t.grad_fn for t in _tensors([args, settings])}
            waiting = [t.grad_fn for t in _tensors(output)]
            while waiting:
                operation = waiting.pop()
                if operation is not None and operation not in seen:
                    seen.add(operation)
                    modules.setdefault(operation, path)  # the hook of an inner module runs first
                    waiting += [below for below, _ in operation.next_functions]

        return hook

    handles = [
        module.register_forward_hook(locate(path_of(name)), with_kwargs=True)
        for name, module in network.named_modules()
    ]
    try:
        return network(*inputs), modules
    finally:
        for handle in handles:
            handle.remove()


def _tensors(thing):
    """Return the tensors in nested tuples, lists and dicts."""
    if hasattr(thing, "grad_fn"):
        return [thing]
    parts = thing.values() if isinstance(thing, dict) else thing if isinstance(thing, (tuple, list)) else ()
    return [tensor for part in parts for tensor in _tensors(part)]
