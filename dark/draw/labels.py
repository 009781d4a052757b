"""The words in a picture: numbers, operations and names as short, harmless text."""

import numpy as np

NO_GRADIENT = "–"
NO_OPERATION = "."
LONGEST = 32
# One operation has one name in pictures, whether the reference's, a student's, or read from a file.
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}


def value_text(value):
    """Write a value in few characters.

    Parameters
    ----------
    value : object
        A number; an array is written by its shape, None by a dash.

    Returns
    -------
    str

    Examples
    --------
    >>> value_text(205.0), value_text(1 / 3), value_text(1e-22), value_text(None)
    ('205', '0.333333', '1e-22', '–')
    """
    value = getattr(value, "value", value)  # a gradient may be a node itself
    if value is None:
        return NO_GRADIENT
    shape = shape_of(value)
    if shape:
        return plain(f"{getattr(value, 'dtype', 'array')} {shape}")
    if isinstance(value, str):
        return plain(value) or repr(value)
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
        return plain(repr(value))


def operation_text(op):
    """Name an operation: its sign, else its name in lower case, '.' for none. `Pow` is always `**`.

    Parameters
    ----------
    op : object or None
        An operation class, an instance of one, or a text.

    Returns
    -------
    str

    Examples
    --------
    >>> class Cube: pass
    >>> class Mul: sign = "×"
    >>> operation_text(Cube), operation_text(Mul()), operation_text("Pow"), operation_text(None)
    ('cube', '×', '**', '.')
    """
    if op is None:
        return NO_OPERATION
    sign = getattr(op, "sign", None)
    if isinstance(sign, str) and plain(sign):
        return plain(sign)
    kind = op if isinstance(op, type) else type(op)
    name = op if isinstance(op, str) else getattr(op, "__name__", kind.__name__)
    return plain(SIGNS.get(name.lower(), name.lower())) or NO_OPERATION


def plain(text, longest=LONGEST):
    """Put a text on one line, without characters that no XML may hold, and cut it.

    Examples
    --------
    >>> plain("two\\nlines"), plain("x" * 40, longest=8)
    ('two lines', 'xxxxxxx…')
    """
    line = " ".join(str(text).split())
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def shape_of(thing):
    """Return the shape of an array, whichever library it is from; the empty one of anything else."""
    try:
        return tuple(getattr(thing, "shape", ()))
    except TypeError:
        return ()
