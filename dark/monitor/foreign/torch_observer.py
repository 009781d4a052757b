"""`TorchObserver`: the calls of modules of PyTorch, and the updates of their weights, through its public hooks."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from dark.hooks import Handle
from dark.monitor.foreign.foreign_weights import TensorWeight
from dark.monitor.foreign.tensors import tensor_array


class TorchObserver(Handle):
    """A function that is called after every forward of the modules it is attached to, until it is removed.

    Until then, the `weights`, by the identity of their tensors, keep the gradients with which an optimizer updates
    them: a training loop may call `zero_grad` before they are recorded.
    """

    def __init__(self, function: Callable[..., Any], weights: Mapping[int, TensorWeight]) -> None:
        self._function, self._weights = function, weights
        self._handles: list[Any] = []
        self._updating: set[int] = set()  # the optimizers whose step has begun

    def attach(self, modules: Iterable[Any]) -> Self:
        """Observe modules, in addition to others; return the observer."""
        from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

        for module in modules:
            self._handles.append(module.register_forward_hook(self._hook_of(module), with_kwargs=True))
        self._handles.append(register_optimizer_step_pre_hook(self._begin_update))
        self._handles.append(register_optimizer_step_post_hook(self._end_update))
        return self

    def remove(self) -> None:
        """Stop observing."""
        for handle in self._handles:
            handle.remove()
        self._handles, self._updating = [], set()

    def _hook_of(self, module):
        """Return the hook of a module, which passes on the module itself, not its replica on another device.

        It does nothing while the network is compiled: the compiled code is the same as without it.
        """
        from torch.compiler import is_compiling

        def hook(replica, args, kwargs, output):
            if not is_compiling():
                self._function(module, args, kwargs, output)

        return hook

    def _begin_update(self, optimizer, args, kwargs):
        self._updating.add(id(optimizer))

    def _end_update(self, optimizer, args, kwargs):
        if id(optimizer) not in self._updating:  # the step had begun before it was observed: it is the one before
            return
        for group in optimizer.param_groups:
            for tensor in group["params"]:
                weight = self._weights.get(id(tensor))
                if weight is not None and tensor.grad is not None:
                    array = tensor_array(tensor.grad)
                    weight.kept = None if array is None else array.copy()
