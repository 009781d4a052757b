"""How a call of a function of PyTorch is called: its name, its settings, and which numbers are among its inputs."""

import inspect
import re
from functools import cache
from typing import Any

from dark.draw.adapters.tensor_parts import is_tensor

# Operators that Python turns around: `2 - x` calls ``x.__rsub__(2)``.
REVERSED = {"rsub": "sub", "rdiv": "div", "rtruediv": "div", "rpow": "pow", "rmatmul": "matmul", "rmul": "mul",
            "radd": "add", "rfloordiv": "floor_divide", "rmod": "remainder"}  # fmt: skip
SAME = {"truediv": "div", "true_divide": "div", "floordiv": "floor_divide", "mod": "remainder", "iadd": "add_",
        "isub": "sub_", "imul": "mul_", "idiv": "div_", "itruediv": "div_", "multiply": "mul",
        "divide": "div"}  # fmt: skip
# A number among the arguments of these is an input, as a tensor is.
WITH_NUMBERS = {"add", "sub", "mul", "div", "pow", "remainder", "floor_divide", "maximum", "minimum", "matmul", "where",
                "masked_fill", "gt", "ge", "lt", "le", "eq", "ne", "logical_and", "logical_or", "bitwise_and",
                "bitwise_or", "bitwise_xor", "and", "or", "xor", "fmod", "atan2"}  # fmt: skip
OF_NUMBERS = ("self", "input", "other", "value", "exponent")  # names of these arguments
# What tells something about a tensor, and is not computed from its elements.
ABOUT = {"size", "dim", "stride", "numel", "is_floating_point", "is_complex", "is_contiguous", "data_ptr", "__len__",
         "storage_offset", "untyped_storage", "element_size", "ndimension", "nelement", "__hash__", "get_device",
         "_set_grad_enabled", "__repr__", "__format__", "type", "has_names", "_is_view", "is_inference"}  # fmt: skip
OF_TENSORS = {"T", "mT", "H", "mH", "data", "real", "imag", "grad"}  # attributes that are tensors
CONVOLUTION = ("stride", "padding", "dilation", "groups")
SIMPLE = (int, float, complex, bool, str, type(None))


@cache
def name_of(function: Any) -> tuple[str, bool]:
    """Return the name of a function, as its library spells it, and whether its first two arguments are turned around.

    The name is "" for what tells something about a tensor, such as its shape.
    """
    name = getattr(function, "__name__", type(function).__name__)
    if name == "__get__":
        name = getattr(getattr(function, "__self__", None), "__name__", "")
        return (name if name in OF_TENSORS else ""), False
    if name == "__set__":
        name = getattr(getattr(function, "__self__", None), "__name__", "")
        return f"set_{name}", False
    if name in ABOUT:
        return "", False
    name = re.sub(r"^_+|__$", "", str(name).partition(".")[0])
    return REVERSED.get(name, SAME.get(name, name)), name in REVERSED


@cache
def parameters_of(function: Any, count: int) -> tuple[str, ...]:
    """Return the names of the first parameters of a function; "" where they are unknown."""
    if re.fullmatch(r"conv(_transpose)?\dd", getattr(function, "__name__", "")):
        return ("", "", "", *CONVOLUTION)
    try:
        names = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    except (TypeError, ValueError):  # a function of C
        names = []
    return (*names, *[""] * count)[: max(count, len(names))]


def settings_of(name: str, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that are not tensors: by name, those without a name as one string."""
    if name in ("getitem", "setitem") and len(args) > 1:
        return {"index": index_text(args[1])}
    names = parameters_of(function, len(args))
    found: dict[str, Any] = {}
    unnamed = []
    for key, value in [*zip(names, args), *keywords.items()]:
        is_input = name.rstrip("_") in WITH_NUMBERS and key in ("", *OF_NUMBERS)
        if value is None or not is_simple(value) or is_input:
            continue
        if key:
            found[key] = value
        else:
            unnamed.append(repr(value))
    return found | ({"arguments": ", ".join(unnamed)} if unnamed else {})


def is_simple(value: Any) -> bool:
    """Return whether an argument is a number or a word, or a few of these, or an object of PyTorch such as a dtype."""
    if isinstance(value, (tuple, list)):
        return bool(value) and len(value) <= 16 and all(is_simple(part) for part in value)
    return isinstance(value, SIMPLE) or type(value).__name__ in ("dtype", "device", "memory_format", "layout")


def index_text(index: Any) -> str:
    """Write an index as in Python.

    >>> index_text((slice(None), 0)), index_text((..., slice(1, None), None))
    (':, 0', '..., 1:, None')
    """
    if isinstance(index, tuple):
        return ", ".join(map(index_text, index))
    if isinstance(index, slice):
        parts = ["" if part is None else str(part) for part in (index.start, index.stop, index.step)]
        return ":".join(parts[: 2 + (index.step is not None)])
    if index is Ellipsis:
        return "..."
    return "tensor" if is_tensor(index) else repr(index)
