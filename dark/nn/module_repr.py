"""The texts that show a module: a line for each part, indented as the parts are nested; or one line in all."""


def show(module):
    """Write a module as PyTorch does.

    Examples
    --------
    >>> from dark import nn
    >>> print(show(nn.Sequential(nn.Linear(2, 3), nn.ReLU())))
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """
    extra = module.extra_repr()
    lines = extra.split("\n") if extra else []
    parts = [indented(f"({name}): {child!r}") for name, child in module.named_children(remove_duplicate=False)]
    if not parts and len(lines) <= 1:
        return f"{type(module).__name__}({extra})"
    return "\n".join([f"{type(module).__name__}(", *(indented(line) for line in lines), *parts, ")"])


def indented(text):
    """Move every line of a text two places to the right."""
    return "\n".join("  " + line for line in text.split("\n"))


def brief(module):
    """Write a module in one line, for an error: with what its `extra_repr` says, if it has no parts.

    Examples
    --------
    >>> from dark import nn
    >>> brief(nn.Linear(2, 3)), brief(nn.Sequential(nn.ReLU()))
    ('Linear(in_features=2, out_features=3, bias=True)', 'Sequential')
    """
    try:
        text = repr(module)
    except Exception:  # the module may be broken; the error on its way says more
        return type(module).__name__
    return type(module).__name__ if "\n" in text else text
