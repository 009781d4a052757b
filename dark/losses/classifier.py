"""AshPy's path to `ClassifierLoss`, which is in `dark.executors`."""

from typing import TYPE_CHECKING

from dark.losses.from_executors import on_request

if TYPE_CHECKING:
    from dark.executors import ClassifierLoss as ClassifierLoss

__all__ = ["ClassifierLoss"]
__getattr__ = on_request(__name__, __all__)
