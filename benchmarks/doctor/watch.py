"""`TorchWatch`: the series of a `Monitor` for a PyTorch network, by its public hooks: what the doctor needs of them."""

import numpy as np
import torch
from torch import nn

from dark.monitor import Statistic

BOUNDS = {nn.Tanh: (-1, 1), nn.Sigmoid: (0, 1)}


class TorchWatch:
    """Observes steps: `begin` before one, `read` after it."""

    def __init__(self, network, length=20):
        self.network, self.length, self.is_on = network, length, False
        self.outputs, self.active, self.before = {}, {}, {}
        self.statistics: dict[str, Statistic] = {}
        for path, module in network.named_modules():
            if not list(module.children()):
                module.register_forward_hook(lambda module, _, output, path=path: self.see(path, module, output))

    def see(self, path, module, output):
        """Keep the output of a module in a training step."""
        if self.is_on and torch.is_grad_enabled():
            first = output[0] if isinstance(output, tuple) else output  # of a recurrent layer: without its state
            self.outputs[path if first is output else f"{path}[0]"] = type(module), array(first)

    def begin(self):
        """Observe the next step."""
        self.is_on, self.outputs = True, {}
        self.before = {name: array(p) for name, p in self.network.named_parameters()}

    def average(self, name, value):
        """Return the running averages of a value, signed and absolute."""
        statistic = self.statistics.setdefault(name, Statistic(self.length, keep_abs_acc=False))
        statistic.record(value)
        return np.asarray(statistic.running_average), np.asarray(statistic.running_abs_average)

    def read(self):
        """Return the scalars and tensors of the step."""
        self.is_on = False
        scalars, tensors = {}, {}
        for name, p in self.network.named_parameters():
            tensors[f"weights/{name}"] = now = array(p)
            norm = float(np.linalg.norm(self.before[name]))
            scalars[f"weight_norm/{name}"] = float(np.linalg.norm(now))
            if norm > 0:
                scalars[f"update_ratio/{name}"] = float(np.linalg.norm(now - self.before[name])) / norm
            if not p.requires_grad:
                scalars[f"requires_grad/{name}"] = 0.0
            if p.grad is not None:
                gradient = array(p.grad)
                scalars[f"gradient_norm/{name}"] = float(np.linalg.norm(gradient))
                pair = self.average(f"gradients/{name}", gradient)
                tensors[f"gradients/{name}"], tensors[f"gradients_abs/{name}"] = pair
        for path, (kind, output) in self.outputs.items():
            mean = output.mean(axis=0)
            tensors[f"activations/{path}"], _ = self.average(f"activations/{path}", mean)
            tensors[f"activations_abs/{path}"], _ = self.average(f"abs/{path}", np.abs(output).mean(axis=0))
            if kind is nn.ReLU:
                recent = self.active.setdefault(path, [])
                recent.append((output != 0).reshape(*output.shape[:2], -1).any(axis=(0, 2)))
                del recent[: -self.length]
                scalars[f"dead/{path}"] = float(1 - np.any(recent, axis=0).mean())
            if kind in BOUNDS:
                low, high = BOUNDS[kind]
                scalars[f"saturated/{path}"] = float(((output < low + 0.01) | (output > high - 0.01)).mean())
        return scalars, tensors


def array(tensor):
    """Return a copy of a tensor as an array of float32."""
    return tensor.detach().to("cpu", torch.float32).numpy().copy()
