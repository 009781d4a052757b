"""AshPy's path to the base classes of executors, which are in `dark.executors`."""

from typing import TYPE_CHECKING

from dark.losses.from_executors import on_request

if TYPE_CHECKING:
    from dark.executors import Executor as Executor
    from dark.executors import SumExecutor as SumExecutor

__all__ = ["Executor", "SumExecutor"]
__getattr__ = on_request(__name__, __all__)
