"""The interface of handlers that can be reset."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dark.engine.engine import Engine


class ResettableHandler(ABC):
    """A handler whose state can be reset, for example at the start of each run.

    Examples
    --------
    >>> class Counter(ResettableHandler):
    ...     def reset(self):
    ...         self.count = 0
    ...
    ...     def attach(self, engine):
    ...         engine.add_event_handler("STARTED", self.reset)
    >>> from dark.engine import Engine
    >>> engine, counter = Engine(lambda engine, batch: None), Counter()
    >>> counter.attach(engine)
    >>> state = engine.run([1])
    >>> counter.count
    0
    """

    @abstractmethod
    def reset(self) -> None:
        """Reset the state of the handler."""

    @abstractmethod
    def attach(self, engine: Engine, *args: Any, **kwargs: Any) -> None:
        """Attach the handler to an engine."""
