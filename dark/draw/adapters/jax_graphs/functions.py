"""Functions of JAX: how they are recognized, their arrays, and their jaxprs for example arguments, arrays or not."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from dark.draw.labels import one_line
from dark.errors import DrawingError

MOST_SEEN = 300  # functions and objects that are searched for a use of JAX
OTHERS = ("dark", "numpy", "torch", "scipy")  # packages that are not searched
DEPTH = 6
CELLS = ("value", "raw_value", "_value")  # the field of an object that only wraps an array


def uses_jax(thing: Any) -> bool:
    """Return whether a function, or an object that can be called, uses JAX: itself, or through what it calls.

    That is, one of the names that its code reads, or an array that it holds, is of JAX. JAX is not imported for it.
    """
    if "jax" not in sys.modules:
        return False
    waiting: list[Any] = [thing]
    seen: set[int] = set()
    while waiting and len(seen) < MOST_SEEN:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if _package_of(part) in ("jax", "jaxlib"):
            return True
        if _package_of(part) not in OTHERS and not isinstance(part, (ModuleType, BuiltinFunctionType)):
            waiting += _parts(part)
    return False


def _package_of(part):
    if isinstance(part, FunctionType):
        name = part.__globals__.get("__name__")
    else:
        name = part.__name__ if isinstance(part, ModuleType) else type(part).__module__
    return str(name).split(".")[0]


def _parts(part):
    """Return the objects that a function or an object reads and holds."""
    if isinstance(part, FunctionType):
        names = set(_names_in(part.__code__))
        if any(name.split(".")[0] == "jax" for name in names):
            return [sys.modules["jax"]]
        cells = [cell.cell_contents for cell in part.__closure__ or () if _is_filled(cell)]
        return [part.__globals__[name] for name in names if name in part.__globals__] + cells
    if isinstance(part, MethodType):
        return [part.__func__, part.__self__]
    if isinstance(part, (list, tuple, dict)):
        return list(part.values() if isinstance(part, dict) else part)[:MOST_SEEN]
    if isinstance(part, type):
        return []
    fields = getattr(part, "__dict__", {})
    inner = [vars(kind)["__call__"] for kind in type(part).__mro__ if "__call__" in vars(kind)][:1]
    return [*inner, *fields.values(), *[getattr(part, n) for n in ("func", "__wrapped__") if n in dir(type(part))]]


def _names_in(code):
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_in(inner)


def _is_filled(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


class Traced(NamedTuple):
    """The jaxpr of a function for some arguments."""

    closed: Any
    arguments: list[tuple[str | None, str]]  # name and role of each array
    arrays: list[Any]  # the arguments that are arrays or numbers
    captured: dict[int, tuple[str, str]]  # name and role of the arrays that the function holds, by their ids
    results: list[str]  # the name of each result


def trace(jax: Any, function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Traced:
    """Trace a function; of its arguments those that are arrays or numbers vary, the others are as they are.

    If it does not accept a number that varies, such as the number of steps of a loop, numbers do not vary, either. The
    arrays of an object that can be called, and that JAX reads as a tree, are arguments, too.
    """
    flatten = jax.tree_util.tree_flatten_with_path
    inner = getattr(function, "__wrapped__", None)
    if inner is not None and jax.tree_util.tree_leaves(inner) != [inner]:  # a compiled object, drawn as it is
        function = inner
    owner = function.__self__ if isinstance(function, MethodType) else function
    has_arrays = not isinstance(owner, (FunctionType, type)) and jax.tree_util.tree_leaves(owner) != [owner]
    pairs, tree = flatten((owner if has_arrays else None, arguments, named))
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # of a function written in C
        parameters = []
    names = [_name_of(jax, path, parameters) for path, _ in pairs]
    leaves = [leaf for _, leaf in pairs]
    first = None
    for numbers in (True, False):
        varies = [_is_array(leaf) or (numbers and type(leaf) in (int, float, complex)) for leaf in leaves]

        def call(arrays, varies=varies):
            given = iter(arrays)
            filled = [next(given) if v else leaf for v, leaf in zip(varies, leaves)]
            own, args, keywords = jax.tree_util.tree_unflatten(tree, filled)
            called = function if own is None else own
            if own is not None and isinstance(function, MethodType):
                called = getattr(own, function.__name__)
            return called(*args, **keywords)

        arrays = [leaf for leaf, v in zip(leaves, varies) if v]
        try:
            closed, shapes = jax.make_jaxpr(call, return_shape=True)(arrays)
        except Exception as error:
            first = first or error
            continue
        of = [_role(name, role, leaf) for (name, role), leaf, v in zip(names, leaves, varies) if v]
        results = [result_name(jax.tree_util.keystr(path)) for path, _ in flatten(shapes)[0]]
        return Traced(closed, of, arrays, arrays_in(function), results)
    raise _not_traced(function, first) from first


def _role(name, role, leaf):
    """Return name and role of an argument; integers in a container, such as indices, are not parameters."""
    is_float = "float" in str(getattr(leaf, "dtype", "float")) or "complex" in str(getattr(leaf, "dtype", ""))
    return name, "input" if role == "parameter" and not is_float else role


def _not_traced(function, error):
    name = getattr(function, "__name__", type(function).__name__)
    return DrawingError(
        f"draw: JAX cannot trace {name} with these arguments: {type(error).__name__}: {one_line(error, 160)}",
        "a function of arrays that returns arrays, and all its arguments.",
        "jax.make_jaxpr(function)(x), which must work, then dark.draw(function, x)",
    )


def _is_array(leaf):
    return hasattr(leaf, "shape") and hasattr(leaf, "dtype") and getattr(leaf.dtype, "kind", "V") not in "OSU"


def _name_of(jax, path, parameters):
    """Return name and role of an argument from its place in (object, arguments, named arguments)."""
    rest = jax.tree_util.keystr(path[1:])
    if path[0].idx == 0:
        return _dotted(rest), "parameter"
    if path[0].idx == 2:
        found = f"{path[1].key}{jax.tree_util.keystr(path[2:])}"
    else:
        k, positional = path[1].idx, [p for p in parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
        last = positional[-1] if positional else None
        if last is not None and last.kind == last.VAR_POSITIONAL and k >= len(positional) - 1:
            found = f"{last.name}{jax.tree_util.keystr(path[1:])}"
            return _dotted(found), "input" if len(path) == 2 else "parameter"
        found = positional[k].name if k < len(positional) else f"argument {k}"
        found += jax.tree_util.keystr(path[2:])
    name, is_member = member_name(found)
    return name, "parameter" if is_member else "input"


def _dotted(words):
    return ".".join(part for part in re.findall(r"[\w ]+", words) if part not in CELLS)


def member_name(argument: str | None) -> tuple[str | None, bool]:
    """Return the dotted name of an argument, and whether it is a member of a dict, list or object.

    >>> member_name("params['layer1']['w']"), member_name("model.layers[0].weight"), member_name("x")
    (('layer1.w', True), ('layers.0.weight', True), ('x', False))
    """
    parts = re.findall(r"\.(\w+)|\['?([^'\]]+)'?\]", argument or "")
    dotted = ".".join(a or b for a, b in parts)
    return dotted or argument or None, bool(parts)


def result_name(place: str) -> str:
    """Return the name of a result from its place in what a function returns.

    >>> result_name("['loss']"), result_name("[0]['y']"), result_name(".logits"), result_name("")
    ('loss', '[0].y', 'logits', '')
    """
    name = member_name(place)[0] or ""
    first, *rest = name.split(".")
    return ".".join([f"[{first}]" if first.isdigit() else first, *rest])


def arrays_in(function: Any) -> dict[int, tuple[str, str]]:
    """Return name and role of the arrays that a function holds, by their ids.

    The attributes of an object are parameters; what a function reads from around it is a constant.
    """
    found: dict[int, tuple[str, str]] = {}
    inner = inspect.unwrap(getattr(function, "__func__", function))
    held = getattr(function, "__self__", None if isinstance(inner, FunctionType) else inner)
    for name, array in _arrays(held, ()):
        found.setdefault(id(array), (name, "parameter"))
    if isinstance(inner, FunctionType):
        cells = zip(inner.__code__.co_freevars, inner.__closure__ or ())
        around = {name: cell.cell_contents for name, cell in cells if _is_filled(cell)}
        names = set(_names_in(inner.__code__))
        around |= {name: value for name, value in inner.__globals__.items() if name in names}
        for name, value in around.items():
            if not isinstance(value, (ModuleType, type, FunctionType)):
                for dotted, array in _arrays(value, (name,)):
                    found.setdefault(id(array), (dotted, "parameter" if "." in dotted else "constant"))
    return found


def _arrays(thing: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield name and array for all arrays in nested containers and attributes."""
    if _is_array(thing):
        yield ".".join(part for part in path if part not in CELLS), thing
        return
    if len(path) > DEPTH or isinstance(thing, (str, bytes, int, float, np.dtype, ModuleType, type)):
        return
    if isinstance(thing, dict):
        parts = thing.items()
    elif isinstance(thing, (list, tuple)):
        parts = enumerate(thing)
    else:
        parts = getattr(thing, "__dict__", {}).items()
    for name, part in list(parts):
        yield from _arrays(part, (*path, str(name)))
