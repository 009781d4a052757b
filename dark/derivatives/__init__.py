"""Derivatives as functions: gradients, Jacobians and Hessians of a function of nodes; gradient checking.

Read `functions`, which uses `trace` (one call of the function). Then `gradient_checking`, with `finite_differences`.
"""

from dark.derivatives.finite_differences import GradientReport, slope
from dark.derivatives.functions import grad, hessian, hvp, jacobian, jvp, value_and_grad
from dark.derivatives.gradient_checking import gradcheck

__all__ = ["GradientReport", "grad", "gradcheck", "hessian", "hvp", "jacobian", "jvp", "slope", "value_and_grad"]
