"""The text that shows a module: a line for each part, indented as the parts are nested."""


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
