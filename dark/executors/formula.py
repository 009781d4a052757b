"""An expression of executors as a formula."""


def text_of(term):
    """Return a term as a formula."""
    text = _sum(term.parts) if term.parts else term.name
    if term.weight_text == "1":
        return text
    text = f"({text})" if term.parts else text
    return f"-{text}" if term.weight_text == "-1" else f"{term.weight_text} * {text}"


def _sum(parts):
    first, *others = map(text_of, parts)
    return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)
