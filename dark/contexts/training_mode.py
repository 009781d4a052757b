"""Call a module in training or in evaluation mode, and restore the modes that its submodules had."""

from contextlib import contextmanager


@contextmanager
def training_mode(modules, training):
    """Set a mode for the duration of a block.

    Examples
    --------
    >>> from dark import nn
    >>> layer = nn.Dropout()
    >>> with training_mode([layer], False):
    ...     print(layer.training)
    False
    >>> layer.training
    True
    """
    modes = [m.training for m in modules]
    modules[0].train(training)
    try:
        yield
    finally:
        for m, mode in zip(modules, modes):  # `train` sets the submodules, too; their own modes follow
            m.train(mode)
