"""Short descriptions of values and of ranges, for the messages of errors. Nothing here imports NumPy."""

from typing import Any

LONG_BITS = 128  # of an integer that is not printed


def describe(value: object) -> str:
    """Return a short description of a value for an error message: the value and its type.

    >>> describe([1, 2])
    '[1, 2] (list)'
    """
    return brief(value) if hasattr(value, "__array_interface__") else f"{brief(value)} ({type(value).__name__})"


def brief(value: Any) -> str:
    """Return a short form of a value: a large array by dtype and shape, a long repr by its beginning.

    >>> brief("a" * 60)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    is_array = hasattr(value, "__array_interface__") and not isinstance(value, type)
    if is_array and getattr(value, "size", 0) > 12:
        return f"an array of {value.dtype} with shape {value.shape}"
    if isinstance(value, int) and value.bit_length() > LONG_BITS:  # Python refuses to print very long integers
        return f"an integer of {value.bit_length()} bits"
    try:
        text = " ".join(repr(value).split())
    except Exception as error:  # a module that is half built, say; the message must still be told
        text = f"an object whose repr raises {type(error).__name__}"
    return text if len(text) <= 40 or is_array else text[:37] + "..."


def range_words(
    least: float | None = None, most: float | None = None, above: float | None = None, below: float | None = None
) -> str:
    """Return the range of a number with closed and open bounds, as it stands behind "a number".

    >>> range_words(0), range_words(1, 4), range_words(above=0, most=1)
    (', 0 or more', ' from 1 to 4', ', greater than 0 and 1 or less')
    """
    if least is not None and most is not None:
        return f" from {least} to {most}"
    words = {"{} or more": least, "greater than {}": above, "{} or less": most, "less than {}": below}
    parts = [phrase.format(bound) for phrase, bound in words.items() if bound is not None]
    return ", " + " and ".join(parts) if parts else ""
