"""Derivatives as functions: of a function of nodes, at numbers or arrays, to any order.

Read `functions`, then `products`; `run` and `passes` are what they share.
"""

from dark.derivatives.functions import grad, hessian, jacobian, value_and_grad
from dark.derivatives.products import hvp, jvp

__all__ = ["grad", "hessian", "hvp", "jacobian", "jvp", "value_and_grad"]
