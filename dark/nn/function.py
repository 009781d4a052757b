"""`Function`: any callable as a module, so that plain functions and custom layers work in containers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.nn.module import Module
from dark.nodes import Parameter


class Function(Module):
    """Wrap any callable as a module: a function, or an object of a class that does not derive from `Module`.

    The parameters of an object come from its ``named_parameters()`` or ``parameters()``, else from its attributes; its
    ``train`` and ``eval`` methods are called along, if it has them.

    >>> Function(abs)(-2.0), Function(abs)
    (2.0, Function(abs))
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        if not callable(function) or isinstance(function, type):
            kind = "an instance, not a class" if isinstance(function, type) else "callable"
            raise ValueTypeError(
                f"Function: function must be {kind}, got {describe(function)}.",
                "a module, or a function with one argument.",
                "ReLU() instead of ReLU.",
            )
        self.function = function

    def forward(self, *inputs: Any, **settings: Any) -> Any:
        """Call the function."""
        return self.function(*inputs, **settings)

    def _parameters_here(self):
        if hasattr(self.function, "named_parameters"):
            found = dict(self.function.named_parameters())
        elif hasattr(self.function, "parameters"):
            found = {str(k): p for k, p in enumerate(self.function.parameters())}
        else:
            found = getattr(self.function, "__dict__", {})
        return {name: p for name, p in found.items() if isinstance(p, Parameter)}

    def train(self, mode: bool = True) -> Function:
        """Set the mode of this module, and of the wrapped object if it has one; return the module."""
        if mode and hasattr(self.function, "train"):
            self.function.train()
        elif not mode and hasattr(self.function, "eval"):
            self.function.eval()
        super().train(mode)
        return self

    def extra_repr(self) -> str:
        """Return the name of the function, or the repr of the object."""
        return getattr(self.function, "__name__", None) or repr(self.function)


def as_module(part: Any) -> Module:
    """Return a module unchanged, and a callable as a `Function`."""
    return part if isinstance(part, Module) else Function(part)
