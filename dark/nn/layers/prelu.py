"""`PReLU`: a leaky ReLU that learns its slope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.checks import integer, number
from dark.nn.float_dtype import float_dtype
from dark.nn.init import constant_, empty
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.operations import prelu

if TYPE_CHECKING:
    from dark.typing import ArrayLike, DType


class PReLU(Module):
    """Parametric ReLU: `x` if ``x > 0``, else ``weight * x`` with a learnable weight; see `dark.prelu`.

    Parameters
    ----------
    num_parameters : int, default 1
        1 for one weight, or the number of channels, axis 1 of the input, for one weight each.
    init : float, default 0.25
        The initial value of the weights.
    dtype : float dtype, default float64
        See `Linear`.

    Attributes
    ----------
    weight : Parameter, shape (num_parameters,)

    Examples
    --------
    >>> PReLU()(-8.0).value, PReLU(3)
    (-2.0, PReLU(num_parameters=3))
    """

    weight: Parameter

    def __init__(self, num_parameters: int = 1, init: float = 0.25, *, dtype: DType = float) -> None:
        super().__init__()
        self.num_parameters = integer(num_parameters, "PReLU", "num_parameters", 1)
        slope = number(init, "PReLU", "init")
        self.weight = constant_(empty(self.num_parameters, float_dtype(dtype, "PReLU")), slope)

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return prelu(x, self.weight)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"num_parameters={self.num_parameters}"
