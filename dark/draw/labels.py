"""Labels: numbers, operations and names as short strings that are safe in SVG and DOT."""

from typing import Any

import numpy as np

from dark.nodes import Node, value_of

NO_GRADIENT = "–"
NO_OPERATION = "."
LONGEST = 32
# The same sign for an operation of `dark`, of a student, or read from a file.
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "remainder": "%", "pow": "**"}


def value_in(thing):
    """Return the value of a node of any class, and anything else as it is; a leaf's array is not exposed."""
    return value_of(thing) if isinstance(thing, Node) else getattr(thing, "value", thing)


def value_text(value: Any) -> str:
    """Format a value in a few characters: a number; dtype and shape of an array; a dash for None."""
    value = value_in(value)  # a gradient may be a node itself
    if value is None:
        return NO_GRADIENT
    shape = shape_of(value)
    if shape:
        return one_line(f"{getattr(value, 'dtype', 'array')} {shape}")
    if isinstance(value, str):
        return one_line(value) or repr(value)
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if isinstance(value, bool) or kind == "b" or value is np.ma.masked:
        return "masked" if value is np.ma.masked else str(bool(value))
    if isinstance(value, complex) or kind == "c":
        return f"{complex(value):.6g}"
    if isinstance(value, int) and abs(value) < 10**9:
        return str(value)
    try:
        return f"{float(value):.6g}"
    except (TypeError, ValueError, OverflowError):
        return one_line(repr(value))


def operation_text(op: Any) -> str:
    """Return the label of an operation, which is a class, an instance, or its name; '.' for None.

    That is its sign, the name of its function, a name as it is given, or that of its class in lower case; `**` for any
    `Pow`.
    """
    if op is None:
        return NO_OPERATION
    sign = getattr(op, "sign", None)
    if isinstance(sign, str) and one_line(sign):
        return one_line(sign)
    kind = op if isinstance(op, type) else type(op)
    name = op if isinstance(op, str) else getattr(op, "function_name", None)
    name = name if isinstance(name, str) else getattr(op, "__name__", kind.__name__).lower()
    return one_line(SIGNS.get(name.lower(), name)) or NO_OPERATION


def one_line(text, longest=LONGEST):
    """Put a string on one line, replace characters that are invalid in XML, and truncate it."""
    line = " ".join(str(text).split())
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def dotted_name(name, longest=LONGEST):
    """Put a name on one line; of a long one, its end tells it from others: `…self_attn.in_proj_weight`."""
    line = one_line(name, len(str(name)))
    return line if len(line) <= longest else "…" + line[1 - longest :]


def shape_of(thing):
    """Return the shape of an array of any library; `()` for anything else."""
    try:
        return tuple(getattr(thing, "shape", ()))
    except TypeError:
        return ()


def shape_words(shape: tuple[int | str, ...]) -> str:
    """Write a shape as NumPy does, and one with named lengths with signs: `batch × 3`."""
    if all(isinstance(length, int) for length in shape):
        return str(tuple(shape))
    return " × ".join(map(str, shape))
