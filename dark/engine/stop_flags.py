"""Stop flags: the requests of `terminate`, `terminate_epoch` and `interrupt` that the loop has not handled yet."""

from typing import Any

NAMES = ("should_terminate", "should_terminate_single_epoch", "should_interrupt")


class Terminated(Exception):
    """The end of the run was requested."""


class EpochTerminated(Exception):
    """The end of the epoch was requested."""


class StopFlags:
    """The values of an engine's three stop flags, and whether any of them is set."""

    def __init__(self) -> None:
        self.values: dict[str, bool | str] = dict.fromkeys(NAMES, False)
        self.any_set = False  # what the loop checks after every event: one attribute instead of three

    def set(self, name: str, value: bool | str) -> None:
        """Set a flag."""
        self.values[name] = value
        self.any_set = any(self.values.values())


class StopFlag:
    """A flag of an engine as an attribute: a descriptor that reads and sets a value of its `stop_flags`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, engine: Any, owner: type | None = None) -> Any:
        return self if engine is None else engine.stop_flags.values[self.name]

    def __set__(self, engine: Any, value: bool | str) -> None:
        engine.stop_flags.set(self.name, value)
