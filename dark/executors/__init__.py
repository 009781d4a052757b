"""Executors: losses as objects that are computed from a context, and can be added, subtracted and scaled.

Reading order: `executor` with `operators`; `reduction` (from losses of examples to one number); `weight` and
`schedules` (factors that depend on the step); `term` and `formula` (what an expression prints and reports);
`loss_function`.
"""

from dark.executors.executor import Executor, SumExecutor
from dark.executors.schedules import Schedule, constant, cosine, linear
from dark.executors.term import Term
from dark.executors.weight import Weight

__all__ = ["Executor", "Schedule", "SumExecutor", "Term", "Weight", "constant", "cosine", "linear"]
