"""The base class of the handlers that a logger calls with the engine, itself and the event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from dark.errors import ValueTypeError

if TYPE_CHECKING:
    from dark.engine import Engine


class LogHandler(ABC):
    """The base class of handlers that write to a logger; they are attached by `TensorBoardLogger.attach`."""

    @abstractmethod
    def __call__(self, engine: Engine, logger: Any, event_name: Any) -> None:
        """Write values to `logger.writer`, at the step of the event."""

    def _writer_of(self, logger):
        if not hasattr(logger, "writer"):
            raise ValueTypeError(
                f"Handler {type(self).__name__} works only with TensorBoardLogger, got {type(logger).__name__}.",
                "a logger with a `writer`.",
                "TensorBoardLogger(log_dir).attach(engine, handler, Events.EPOCH_COMPLETED)",
            )
        return logger.writer


def prefix(tag):
    """Return the prefix that a tag gives to the names of values; empty for None."""
    return f"{tag}/" if tag else ""
