"""Networks: modules that hold their parameters, and the layers to build them of.

Reading order: `module` with `attributes` (what may be assigned), `tree` (walking) and `state` (saving).
"""

from dark.nn.module import Module
from dark.nn.state import LoadReport

__all__ = ["LoadReport", "Module"]
