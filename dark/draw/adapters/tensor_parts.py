"""The tensors in nested arguments and results, each with its name: of containers, dataclasses and other objects."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

MOST_PARTS = 10_000  # objects that are looked into
PLAIN = (str, bytes, int, float, complex, type, type(None))


def named_tensors(thing: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the tensors in a thing with their names, each tensor once: `cache.layers.0.keys`.

    >>> from dark.draw.adapters.tensor_parts import named_tensors
    >>> class Tensor:
    ...     grad_fn = None
    >>> [name for name, tensor in named_tensors({"a": Tensor(), "b": [Tensor(), 3]}, "pair")]
    ['pair.a', 'pair.b.0']
    >>> [name for name, tensor in named_tensors((Tensor(), {"a": Tensor()}))]
    ['[0]', '[1].a']
    """
    yield from named_parts(thing, name, is_tensor)


def named_parts(thing: Any, name: str, is_wanted: Callable[[Any], bool]) -> Iterator[tuple[str, Any]]:
    """Yield the wanted objects in a thing with their names, each object once."""
    seen: set[int] = set()
    waiting = [(name, thing)]
    while waiting and len(seen) < MOST_PARTS:
        name, part = waiting.pop()
        if isinstance(part, PLAIN) or id(part) in seen:
            continue
        seen.add(id(part))
        if is_wanted(part):
            yield name, part
        else:
            waiting += [(_joined(name, key), inner) for key, inner in reversed(_parts(part))]


def is_tensor(thing: Any) -> bool:
    """Return whether an object is a tensor of PyTorch."""
    return hasattr(thing, "grad_fn") and not isinstance(thing, type)


def _joined(name, key):
    if isinstance(key, int) and not name:
        return f"[{key}]"
    return f"{name}.{key}" if name else str(key)


def _parts(thing):
    """Return the named parts of a container, of a dataclass, or of another object, public ones first."""
    if isinstance(thing, Mapping):
        return list(thing.items())
    names = result_fields(thing)
    if names:
        return [(name, getattr(thing, name)) for name in names]
    if isinstance(thing, (tuple, list, set, frozenset)):
        return list(enumerate(thing))
    if is_dataclass(thing):
        return [(field.name, getattr(thing, field.name, None)) for field in fields(thing)]
    if callable(thing) or inspect.ismodule(thing):
        return []
    return sorted(getattr(thing, "__dict__", {}).items(), key=lambda item: item[0].startswith("_"))


def result_fields(thing: Any) -> tuple[str, ...]:
    """Return the names of the fields of a named tuple, also of PyTorch's own; `()` for anything else."""
    if not isinstance(thing, tuple) or type(thing) is tuple:
        return ()
    return tuple(getattr(type(thing), "__match_args__", ()))


def input_names(network, inputs, keywords=None):
    """Return the names of the inputs in the signature of the network, of PyTorch or dark; then those by keyword."""
    keywords = keywords or {}
    try:
        bound = inspect.signature(getattr(network, "forward", network)).bind(*inputs, **keywords)
    except (TypeError, ValueError):  # the call itself tells what is wrong
        return [*(f"input{k}" for k in range(len(inputs))), *keywords]
    names = []
    for name, kind in ((name, bound.signature.parameters[name].kind) for name in bound.arguments):
        if name in keywords or kind is inspect.Parameter.VAR_KEYWORD:
            continue
        several = kind is inspect.Parameter.VAR_POSITIONAL
        names += [f"{name}.{k}" for k in range(len(bound.arguments[name]))] if several else [name]
    return [*names, *keywords]
