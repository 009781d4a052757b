"""`Kit`: what the families need of a library, `dark` or PyTorch, under the same names, so that each is written once."""

import numpy as np

import dark
from dark import losses, nn, optim

SEEDED = {
    "Linear", "Conv1d", "Conv2d", "ConvTranspose2d", "Embedding", "GRU", "LSTM", "RNN", "Dropout",
    "TransformerEncoderLayer",
}  # fmt: skip


class DarkKit:
    """The layers, losses and optimizers of `dark`."""

    name, nn = "dark", nn

    def __init__(self, seed):
        self.seeds, self.no_grad = np.random.default_rng(seed), dark.no_grad
        self.relu, self.tanh, self.exp, self.log, self.sigmoid = (
            dark.relu, dark.tanh, dark.exp, dark.log, dark.sigmoid)  # fmt: skip
        self.softmax, self.log_softmax = dark.softmax, dark.log_softmax
        self.cross_entropy, self.mse = losses.cross_entropy, losses.mse
        self.bce = losses.binary_cross_entropy_with_logits

    def layer(self, kind, *arguments, **settings):
        """Create a layer."""
        seed = {"seed": int(self.seeds.integers(1 << 30))} if kind in SEEDED else {}
        return getattr(nn, kind)(*arguments, **settings, **seed)

    @staticmethod
    def ready(network):
        """Return a network with parameters of float32."""
        return network.float()

    @staticmethod
    def array(array):
        """Return a NumPy array as the library takes it."""
        return array

    @staticmethod
    def value(node):
        """Return a NumPy array."""
        return np.asarray(node.value)

    @staticmethod
    def set(parameter, value):
        """Change a parameter in place."""
        parameter.value = np.asarray(value, np.float32)

    @staticmethod
    def optimizer(kind, parameters, **settings):
        """Create an optimizer."""
        return getattr(optim, kind)(parameters, **settings)

    @staticmethod
    def clip(parameters, most):
        """Clip the gradients together."""
        optim.clip_grad_norm(list(parameters), most)


class TorchKit:
    """The layers, losses and optimizers of PyTorch."""

    name = "torch"

    def __init__(self, seed):
        import torch
        from torch.nn import functional

        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.torch, self.nn, self.no_grad = torch, torch.nn, torch.no_grad
        self.relu, self.tanh, self.exp, self.log, self.sigmoid = (
            torch.relu, torch.tanh, torch.exp, torch.log, torch.sigmoid)  # fmt: skip
        self.softmax, self.log_softmax = functional.softmax, functional.log_softmax
        self.cross_entropy, self.mse = functional.cross_entropy, functional.mse_loss
        self.bce = functional.binary_cross_entropy_with_logits

    def layer(self, kind, *arguments, **settings):
        """Create a layer."""
        return getattr(self.nn, kind)(*arguments, **settings)

    @staticmethod
    def ready(network):
        """Return a network with parameters of float32."""
        return network

    def array(self, array):
        """Return a NumPy array as the library takes it."""
        return self.torch.as_tensor(array)

    @staticmethod
    def value(tensor):
        """Return a NumPy array."""
        return tensor.detach().numpy()

    def set(self, parameter, value):
        """Change a parameter in place."""
        parameter.data[...] = self.torch.as_tensor(np.asarray(value, np.float32))

    def optimizer(self, kind, parameters, **settings):
        """Create an optimizer."""
        return getattr(self.torch.optim, kind)(parameters, **settings)

    def clip(self, parameters, most):
        """Clip the gradients together."""
        self.nn.utils.clip_grad_norm_(list(parameters), most)


KITS = {"dark": DarkKit, "torch": TorchKit}
