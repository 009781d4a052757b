"""Log a parameter of an optimizer, such as its learning rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dark.errors import UsageError, ValueTypeError, near_misses
from dark.handlers.tensorboard.log_handler import LogHandler, prefix

if TYPE_CHECKING:
    from dark.engine import Engine


class OptimizerParamsHandler(LogHandler):
    """Log a parameter of each group of an optimizer as ``tag/lr/group_0``; `tag` is the group of the curves.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from dark.engine import Engine, Events
    >>> log = SimpleNamespace(writer=SimpleNamespace(add_scalar=print))
    >>> handler = OptimizerParamsHandler(SimpleNamespace(param_groups=[{"lr": 0.1}]))
    >>> trainer = Engine(lambda engine, batch: None)
    >>> handle = trainer.add_event_handler(Events.EPOCH_STARTED, handler, log, Events.EPOCH_STARTED)
    >>> state = trainer.run([1, 2])
    lr/group_0 0.1 1
    """

    def __init__(self, optimizer: Any, param_name: str = "lr", tag: str | None = None) -> None:
        groups = getattr(optimizer, "param_groups", None)
        if not isinstance(groups, Sequence):
            raise ValueTypeError(
                "Argument optimizer should be an Optimizer or have the attribute 'param_groups' as list/tuple, but "
                f"given {type(optimizer).__name__}.",
                "an optimizer.",
                "OptimizerParamsHandler(optimizer)",
            )
        for index, group in enumerate(groups):
            if param_name not in group:
                raise UsageError(
                    f"OptimizerParamsHandler: group {index} of the optimizer has no parameter {param_name!r}.",
                    f"one of {', '.join(sorted(set(group) - {'params'}))}.",
                    f"param_name={near_misses(param_name, set(group) - {'params'})}",
                )
        self.optimizer, self.param_name, self.tag = optimizer, param_name, tag

    def __call__(self, engine: Engine, logger: Any, event_name: Any) -> None:
        """Write the parameter of each group."""
        writer, step = self._writer_of(logger), engine.state.get_event_attrib_value(event_name)
        for index, group in enumerate(self.optimizer.param_groups):
            writer.add_scalar(f"{prefix(self.tag)}{self.param_name}/group_{index}", group[self.param_name], step)
