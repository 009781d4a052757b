"""Arrays as text: the lines of a label, and short phrases for captions and alternative texts."""

from dark.draw.arrays.array_summary import Summary, summarize
from dark.draw.labels import value_text

NUMBERS_PER_LINE = 4


def shape_text(value):
    """Format the dtype and the shape of an array."""
    return f"{value.dtype} {value.shape}"


def short(number):
    """Format a number with three significant digits; an integral one of up to six digits exactly.

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
    """Format a summary as lines: the numbers of a small array, else minimum, mean and maximum."""
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
        words.append(f"{summary.nans} NaN" + ("" if words else ", no numbers"))
    if 0 in summary.shape:
        words.append("empty")
    return tuple(words)


def caption_text(value):
    """Format a value for a caption: an array by its numbers, or by its shape and its sum.

    Examples
    --------
    >>> import numpy as np
    >>> caption_text(np.ones((4, 8))), caption_text(np.array([1.0, 2.0])), caption_text(0.5)
    ('(4, 8) sum 32', '[1 2]', '0.5')
    """
    value = summarize(value)
    if not isinstance(value, Summary):
        return value_text(value)
    if value.numbers:
        return " ".join(_rows(value))
    if value.total is None:
        return " ".join((str(value.shape), *summary_lines(value)))
    nans = f" and {value.nans} NaN" if value.nans else ""
    return f"{value.shape} sum {short(value.total)}{nans}"


def alt_text_of(value):
    """Format a value for an alternative text."""
    value = summarize(value)
    if not isinstance(value, Summary):
        return value_text(value)
    lines = summary_lines(value)
    words = " ".join(lines) if value.numbers or 0 in value.shape else f"with {', '.join(lines)}" if lines else ""
    return f"{shape_text(value)} {words}".rstrip()


def _rows(summary):
    """Format the numbers row by row; many short rows, and long ones, in lines of three."""
    texts, last = [short(number) for number in summary.numbers], summary.shape[-1]
    if last > NUMBERS_PER_LINE or len(texts) // last > NUMBERS_PER_LINE:
        lines = [" ".join(texts[k : k + 3]) for k in range(0, len(texts), 3)]
        return ("[" + lines[0], *lines[1:-1], lines[-1] + "]")
    return tuple(f"[{' '.join(texts[k : k + last])}]" for k in range(0, len(texts), last))
