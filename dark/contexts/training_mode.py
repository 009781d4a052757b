"""Call a module in training or in evaluation mode, and restore the modes that its submodules had."""

from contextlib import contextmanager, nullcontext


def training_mode(modules, training):
    """Return a context manager that sets a mode for the duration of a block.

    Parameters
    ----------
    modules : list of Module
        A module and its submodules, each before its own.
    training : bool or None
        True for training mode, False for evaluation mode, None to leave the modes as they are.

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
    if training is None or False not in [m.training is training for m in modules]:
        return nullcontext()
    return _switched(modules, training)


@contextmanager
def _switched(modules, training):
    modes = [m.training for m in modules]
    modules[0].train(training)
    try:
        yield
    finally:
        for m, mode in zip(modules, modes):  # `train` sets the submodules, too; their own modes follow
            m.train(mode)
