"""`TorchNetworks`: networks of PyTorch, as a `Framework`; the file is imported when a monitor gets one."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dark.engine import random_states, set_random_states
from dark.errors import UsageError
from dark.monitor.foreign.foreign_weights import TensorWeight
from dark.monitor.foreign.framework import Framework, restore_attributes
from dark.monitor.foreign.torch_observer import TorchObserver
from dark.nn import ReLU, Sigmoid, Tanh

REPEATING = (
    "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "Flatten", "Identity",
)  # fmt: skip
UNITS = {"ReLU": ReLU, "Sigmoid": Sigmoid, "Tanh": Tanh, "GRU": Tanh, "GRUCell": Tanh}  # by the names of modules


class TorchNetworks(Framework):
    """Networks of PyTorch: they are observed through its public hooks."""

    name = "torch"
    unseen = "no network was called in the step with gradients enabled; of a compiled one, calls cannot be observed"

    def __init__(self) -> None:
        import torch

        self._torch: Any = torch
        self._nn: Any = torch.nn
        self._weights: dict[int, TensorWeight] = {}
        self.repeating = tuple(getattr(torch.nn, name) for name in REPEATING)

    def module_of(self, model: Any) -> Any:
        """Return a module; of one that is compiled, or wrapped for several devices, the module within."""
        wrappers = self._nn.DataParallel, self._nn.parallel.DistributedDataParallel
        while isinstance(model, self._nn.Module):
            inner = model.module if isinstance(model, wrappers) else getattr(model, "_orig_mod", None)
            if not isinstance(inner, self._nn.Module):
                return model
            model = inner
        return None

    def weight(self, parameter: Any) -> TensorWeight | None:
        """Return a tensor as a weight, the same one each time; None for anything else."""
        if isinstance(parameter, TensorWeight):
            return parameter
        if not isinstance(parameter, self._torch.Tensor):
            return None
        if self._torch.nn.parameter.is_lazy(parameter):
            message = "Monitor: all parameters must have values; those of lazy modules have none yet."
            advice = "call the network once, then Monitor(network)."
            raise UsageError(message, "a network whose shapes are known.", advice)
        return self._weights.setdefault(id(parameter), TensorWeight(parameter))

    def is_recording(self) -> bool:
        """Return whether a graph is being recorded."""
        return self._torch.is_grad_enabled()

    def observer(self, function: Callable[..., Any]) -> TorchObserver:
        """Return an observer of calls, and of the updates of the weights."""
        return TorchObserver(function, self._weights)

    def forget(self) -> None:
        """Forget the gradients of the observed step."""
        for weight in self._weights.values():
            weight.kept = None

    def units(self, module: Any, name: str) -> type:
        """Return `ReLU`, `Sigmoid` or `Tanh` for an output of that kind, else object: so for the cell of an LSTM."""
        nn = self._nn
        if isinstance(module, (nn.LSTM, nn.LSTMCell)):
            return object if name.endswith("[1][1]" if isinstance(module, nn.LSTM) else "[1]") else Tanh
        if isinstance(module, (nn.RNN, nn.RNNCell)):
            return Tanh if module.nonlinearity == "tanh" else ReLU
        return next((units for kind, units in UNITS.items() if isinstance(module, getattr(nn, kind))), object)

    @contextmanager
    def evaluation(self, models: Iterable[Any]) -> Iterator[None]:
        """Set evaluation mode within a block, without graphs; afterwards, restore all that calls may change.

        That is: the mode and all other attributes of each module, buffers, and the global generators of all devices.
        Hooks of others are called, since PyTorch has no public way to suspend them.
        """
        torch = self._torch
        modules = list({id(m): m for model in models for m in model.modules()}.values())
        attributes = [(m, m.training, dict(vars(m))) for m in modules]
        buffers = [(m, name, b, b.clone()) for m in modules for name, b in m.named_buffers(recurse=False)]
        process = random_states()
        try:
            with torch.no_grad(), torch.random.fork_rng(range(torch.cuda.device_count())):
                for module in modules:
                    module.train(False)
                yield
        finally:
            restore_attributes(attributes)
            with torch.no_grad():
                for module, name, buffer, content in buffers:
                    setattr(module, name, buffer.copy_(content))
            set_random_states(process)

    def argument(self, value: Any, model: Any) -> Any:
        """Return an array or a tensor as a tensor on the device of the model."""
        value = self._torch.from_numpy(value) if isinstance(value, np.ndarray) else value
        place = next(model.parameters(), None)
        return value.to(place.device) if isinstance(value, self._torch.Tensor) and place is not None else value
