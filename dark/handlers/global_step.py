"""The global step of a checkpoint: the epoch or iteration of another engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dark.engine import Engine


def global_step_from_engine(
    engine: Engine, custom_event_name: Any = None, fallback_attr: str = "epoch"
) -> Callable[[Engine, Any], int]:
    """Return a `global_step_transform` that returns the epoch or iteration of an engine, usually the trainer.

    That is a function of an engine, which is ignored, and an event. It reads the counter of the event that is being
    fired, or of `custom_event_name`; if it has none, as TERMINATE, the attribute `fallback_attr` of the state.
    """

    def global_step(_, event_name):
        event = event_name if custom_event_name is None else custom_event_name
        if event not in engine.state.event_to_attr:
            return getattr(engine.state, fallback_attr)
        return engine.state.get_event_attrib_value(event)

    return global_step
