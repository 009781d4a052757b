"""`Function`: any callable as a module, so that a student's own layers and plain functions work among ours."""

from dark.errors import ValueTypeError
from dark.nn.module import Module
from dark.nodes import Parameter
from dark.nodes.values import describe


class Function(Module):
    """Any callable as a module: a function, or an object of a class that is no `Module`.

    The parameters of an object are found where it tells them, by ``named_parameters()`` or
    ``parameters()``, else in its attributes; ``train`` and ``eval`` reach it if it has them.

    Parameters
    ----------
    function : callable

    Raises
    ------
    ValueTypeError
        If it cannot be called.

    Examples
    --------
    >>> import numpy as np
    >>> Function(abs)(-2.0), Function(abs)
    (2.0, Function(abs))
    """

    def __init__(self, function):
        super().__init__()
        if not callable(function) or isinstance(function, type):
            kind = "a class, not a module made of it" if isinstance(function, type) else "no callable"
            raise ValueTypeError(
                f"{describe(function)} is {kind}.", "a module, or a function of one input.", "ReLU() in place of ReLU."
            )
        self.function = function

    def forward(self, *inputs, **settings):
        """Call it."""
        return self.function(*inputs, **settings)

    def _parameters_here(self):
        if hasattr(self.function, "named_parameters"):
            found = dict(self.function.named_parameters())
        elif hasattr(self.function, "parameters"):
            found = {str(k): p for k, p in enumerate(self.function.parameters())}
        else:
            found = getattr(self.function, "__dict__", {})
        return {name: p for name, p in found.items() if isinstance(p, Parameter)}

    def train(self, mode=True):
        """Set the mode here, and in the object if it has one."""
        if mode and hasattr(self.function, "train"):
            self.function.train()
        elif not mode and hasattr(self.function, "eval"):
            self.function.eval()
        return super().train(mode)

    def extra_repr(self):
        """Return the name of the function, or the text of the object."""
        return getattr(self.function, "__name__", None) or repr(self.function)


def as_module(part):
    """Return a module as it is, and a callable as a `Function`."""
    return part if isinstance(part, Module) else Function(part)
