"""The repr of a module: one line per submodule, indented by depth; and a short form for error notes."""


def module_repr(module):
    """Return the repr of a module in PyTorch's format.

    >>> from dark import nn
    >>> print(module_repr(nn.Sequential(nn.Linear(2, 3), nn.ReLU())))
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """
    extra = module.extra_repr()
    lines = extra.split("\n") if extra else []
    parts = [indent(f"({name}): {child!r}") for name, child in module.named_children(remove_duplicate=False)]
    if not parts and len(lines) <= 1:
        return f"{type(module).__name__}({extra})"
    return "\n".join([f"{type(module).__name__}(", *(indent(line) for line in lines), *parts, ")"])


def indent(text):
    """Indent every line by two spaces; unlike `textwrap.indent`, blank lines, too."""
    return "\n".join("  " + line for line in text.split("\n"))


def one_line_repr(module):
    """Return a repr on one line for an error note: with the settings, unless the module has submodules.

    >>> from dark import nn
    >>> one_line_repr(nn.Linear(2, 3)), one_line_repr(nn.Sequential(nn.ReLU()))
    ('Linear(in_features=2, out_features=3, bias=True)', 'Sequential')
    """
    try:
        text = repr(module)
    except Exception:  # the module may be incomplete; the error that is being raised is the one to show
        return type(module).__name__
    return type(module).__name__ if "\n" in text else text
