"""Call a module in training or in evaluation mode, and restore the modes that its submodules had."""

from contextlib import contextmanager


@contextmanager
def training_mode(modules, training):
    """Set the mode of a module and its submodules, each before its own, for the duration of a block."""
    modes = [m.training for m in modules]
    modules[0].train(training)
    try:
        yield
    finally:
        for m, mode in zip(modules, modes):  # `train` sets the submodules, too; their own modes follow
            m.train(mode)
