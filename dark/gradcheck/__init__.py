"""Comparing gradients with what nudging the inputs shows.

Read `check`, then `probe`, which nudges; `report` is what comes out.
"""

from dark.gradcheck.check import gradcheck
from dark.gradcheck.probe import slope
from dark.gradcheck.report import GradientReport

__all__ = ["GradientReport", "gradcheck", "slope"]
