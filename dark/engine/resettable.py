"""The interface of handlers that can be reset."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dark.engine.engine import Engine


class ResettableHandler(ABC):
    """A handler whose state can be reset, for example at the start of each run; `EarlyStopping` is one."""

    @abstractmethod
    def reset(self) -> None:
        """Reset the state of the handler."""

    @abstractmethod
    def attach(self, engine: Engine, *args: Any, **kwargs: Any) -> None:
        """Attach the handler to an engine."""
