"""An expression of executors as a formula."""


def text_of(term):
    """Return a term as a formula.

    Examples
    --------
    >>> from dark.executors.term import Term
    >>> a, b = Term("a", None, weight_text="2"), Term("b", None, weight_text="-0.5 * ramp(step)")
    >>> text_of(Term("sum", None, parts=(a, b)))
    '2 * a - 0.5 * ramp(step) * b'
    >>> text_of(Term("sum", None, weight_text="-1", parts=(a, b)))
    '-(2 * a - 0.5 * ramp(step) * b)'
    """
    text = _sum(term.parts) if term.parts else term.name
    if term.weight_text == "1":
        return text
    text = f"({text})" if term.parts else text
    return f"-{text}" if term.weight_text == "-1" else f"{term.weight_text} * {text}"


def _sum(parts):
    first, *others = map(text_of, parts)
    return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)
