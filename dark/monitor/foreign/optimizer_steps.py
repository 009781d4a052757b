"""`OptimizerSteps`: a plain loop whose steps are the steps of an optimizer of PyTorch."""

from typing import Any

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError
from dark.hooks import Handle
from dark.monitor.foreign.plain_loop import PlainLoop, detached


def is_optimizer(owner: Any) -> bool:
    """Return whether something is an optimizer of PyTorch, which calls hooks after each step."""
    return hasattr(owner, "register_step_post_hook") and not isinstance(owner, type)


class OptimizerSteps(Handle):
    """The handles on an optimizer and a loss; `remove` ends the steps.

    The `loss` is a module that computes it, whose last output with a graph is the output of a step; or a function
    without arguments that returns it.
    """

    def __init__(self, loop: PlainLoop, optimizer: Any, loss: Any = None) -> None:
        if loop.driver is not None:
            message = f"Monitor.attach: only one optimizer can count the steps, already {type(loop.driver).__name__}."
            advice = "one of the optimizers; a monitor sees the gradients of all of them."
            raise UsageError(message, "one optimizer that counts the steps.", advice)
        if loss is not None and not callable(loss):
            message = f"Monitor.attach: loss must be a module or a function, got {describe(loss)}."
            raise ValueTypeError(message, "the module that computes the loss.", "loss=torch.nn.CrossEntropyLoss()")
        self._loop, self._last = loop, None
        loop.driver = optimizer
        self._handles = [optimizer.register_step_post_hook(self._step)]
        self._loss = loss
        if hasattr(loss, "register_forward_hook"):
            self._loss = self._seen
            self._handles.append(loss.register_forward_hook(self._see))

    def _see(self, module, args, output):
        if getattr(output, "requires_grad", False):
            self._last = detached(output)

    def _seen(self):
        return self._last

    def _step(self, optimizer, args, kwargs):
        self._loop.begin()
        self._loop.complete(None if self._loss is None else self._loss())

    def remove(self) -> None:
        """Remove the hooks."""
        for handle in self._handles:
            handle.remove()
        if self._handles:
            self._handles, self._loop.driver = [], None
