"""The words in a picture: numbers, operations and names as short, harmless text."""

import numpy as np

from dark.draw.summary import Summary, shape_of

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


def title_of(box):
    """Say which box is meant, in a sentence.

    Examples
    --------
    >>> from dark.draw.boxes import Box
    >>> title_of(Box("result", "×", 200.0)), title_of(Box("constant", None, 2.0))
    ('200 (×)', 'constant 2')
    """
    if box.name:
        return plain(box.name)
    if box.kind in ("folded", "group"):
        return plain(box.value)
    if isinstance(box.value, Summary):
        return f"{operation_text(box.operation) if box.kind == 'result' else box.kind} of shape {box.value.shape}"
    if box.kind == "result":
        return f"{value_text(box.value)} ({operation_text(box.operation)})"
    return f"{box.kind} {value_text(box.value)}"
