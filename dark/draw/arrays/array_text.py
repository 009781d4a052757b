"""Arrays in words: the lines of a label, and the few words of a caption."""

from dark.draw.arrays.array_summary import Summary, condensed
from dark.draw.labels import value_text

NUMBERS_IN_LINE = 4


def shape_text(value):
    """Write the shape and the type of an array.

    Examples
    --------
    >>> from dark.draw.arrays.array_summary import Summary
    >>> shape_text(Summary((4, 8), "float64"))
    'float64 (4, 8)'
    """
    return f"{value.dtype} {value.shape}"


def short(number):
    """Write a number with three digits; a whole one of up to six digits as it is.

    Examples
    --------
    >>> short(0.03128), short(-2.0), short(1234567.0), short(-0.0)
    ('0.0313', '-2', '1.23e+06', '0')
    """
    if isinstance(number, complex):
        return f"{number:.3g}"
    if abs(number) < 10**6 and number == int(number):
        return str(int(number))
    return f"{number:.3g}"


def summary_lines(summary):
    """Write a summary in lines: small arrays by their numbers, others by minimum, mean and maximum.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.draw.arrays.array_summary import summary_of
    >>> summary_lines(summary_of(np.array([[1, 2], [3, 4]]))), summary_lines(summary_of(np.arange(9)))
    (('[1 2]', '[3 4]'), ('min 0', 'mean 4', 'max 8'))
    """
    if summary.numbers:
        return _rows(summary)
    of = "|z| " if summary.dtype.startswith("complex") else ""
    words = [] if summary.low is None else [
        f"{word} {of}{short(number)}"
        for word, number in (("min", summary.low), ("mean", summary.mean), ("max", summary.high))
    ]  # fmt: skip
    if summary.infinite:
        words.append(f"{summary.infinite} infinite")
    if summary.nans:
        words.append(f"{summary.nans} NaN" + ("" if words else ", no number"))
    if 0 in summary.shape:
        words.append("empty")
    return tuple(words)


def brief(value):
    """Write a value in a sentence: an array by its numbers, or by its shape and its sum.

    Examples
    --------
    >>> import numpy as np
    >>> brief(np.ones((4, 8))), brief(np.array([1.0, 2.0])), brief(0.5)
    ('(4, 8) sum 32', '[1 2]', '0.5')
    """
    value = condensed(value)
    if not isinstance(value, Summary):
        return value_text(value)
    if value.numbers:
        return " ".join(_rows(value))
    if value.total is None:
        return " ".join((str(value.shape), *summary_lines(value)))
    nans = f" and {value.nans} NaN" if value.nans else ""
    return f"{value.shape} sum {short(value.total)}{nans}"


def spoken(value):
    """Write a value for somebody who does not see it.

    Examples
    --------
    >>> import numpy as np
    >>> spoken(np.arange(9.0)), spoken(np.ones(2)), spoken(0.5)
    ('float64 (9,) with min 0, mean 4, max 8', 'float64 (2,) [1 1]', '0.5')
    """
    value = condensed(value)
    if not isinstance(value, Summary):
        return value_text(value)
    lines = summary_lines(value)
    words = " ".join(lines) if value.numbers or 0 in value.shape else f"with {', '.join(lines)}" if lines else ""
    return f"{shape_text(value)} {words}".rstrip()


def _rows(summary):
    """Write few numbers row by row; many short rows, and long ones, in lines of three."""
    texts, last = [short(number) for number in summary.numbers], summary.shape[-1]
    if last > NUMBERS_IN_LINE or len(texts) // last > NUMBERS_IN_LINE:
        lines = [" ".join(texts[k : k + 3]) for k in range(0, len(texts), 3)]
        return ("[" + lines[0], *lines[1:-1], lines[-1] + "]")
    return tuple(f"[{' '.join(texts[k : k + last])}]" for k in range(0, len(texts), last))
