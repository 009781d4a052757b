"""Derivatives as functions: gradients, Jacobians and Hessians of a function of nodes; gradient checking.

Read `functions`, then `products`; both use `trace` (one call of the function) and `backward_passes`.
Then `gradient_checking`, with `finite_differences` and `gradient_report`.
"""

from dark.derivatives.finite_differences import slope
from dark.derivatives.functions import grad, hessian, jacobian, value_and_grad
from dark.derivatives.gradient_checking import gradcheck
from dark.derivatives.gradient_report import GradientReport
from dark.derivatives.products import hvp, jvp

__all__ = ["GradientReport", "grad", "gradcheck", "hessian", "hvp", "jacobian", "jvp", "slope", "value_and_grad"]
