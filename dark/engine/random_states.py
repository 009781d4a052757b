"""The global generators of random numbers: of Python, and of NumPy and PyTorch where they are loaded.

The engine needs neither library. A library that is not loaded has drawn nothing, so there is nothing to seed or keep;
it is looked up among the loaded modules each time.
"""

import random
import sys
from functools import wraps
from numbers import Integral

from dark.errors import ValueTypeError


def manual_seed(seed):
    """Seed the global generators: Python's `random`, and those of NumPy and PyTorch if they are loaded.

    Loaders and layers have generators of their own; the seed of one that was not given any is drawn from Python's
    global generator when it is made, so that this function decides it, too.

    Parameters
    ----------
    seed : int

    Raises
    ------
    ValueTypeError
        If it is no whole number; nothing is seeded then.

    Examples
    --------
    >>> manual_seed(12)
    >>> first = random.random()
    >>> manual_seed(12)
    >>> random.random() == first
    True
    """
    if not isinstance(seed, Integral):
        raise ValueTypeError(f"manual_seed: the seed is {seed!r}.", "a whole number.", "manual_seed(12)")
    random.seed(int(seed))
    for name, library in _loaded().items():
        LIBRARIES[name][0](library, int(seed))


def random_states():
    """Read the global generators.

    Returns
    -------
    dict
        "python", and "numpy", "torch" where they are loaded; of lists, numbers and texts, so that it goes into JSON.

    Examples
    --------
    >>> states = random_states()
    >>> first = random.random()
    >>> set_random_states(states)
    >>> random.random() == first
    True
    """
    version, numbers, gauss = random.getstate()
    states = {"python": [version, list(numbers), gauss]}
    return states | {name: LIBRARIES[name][1](library) for name, library in _loaded().items()}


def set_random_states(states):
    """Put the global generators back to where `random_states` read them; those it lacks stay as they are."""
    version, numbers, gauss = states["python"]
    random.setstate((version, tuple(numbers), gauss))
    for name, library in _loaded().items():
        if name in states:
            LIBRARIES[name][2](library, states[name])


def keep_random_state(function):
    """Make a function that leaves the global generators as they were, also when it raises.

    Examples
    --------
    >>> @keep_random_state
    ... def evaluate():
    ...     random.seed(0)
    ...     return "done"
    >>> manual_seed(12)
    >>> first = random.random()
    >>> manual_seed(12)
    >>> evaluate(), random.random() == first
    ('done', True)
    """

    @wraps(function)
    def keeping(*args, **kwargs):
        states = random_states()
        try:
            return function(*args, **kwargs)
        finally:
            set_random_states(states)

    return keeping


def _loaded():
    """Return the libraries that are loaded, by name; an import that was blocked leaves a None."""
    return {name: sys.modules[name] for name in LIBRARIES if sys.modules.get(name) is not None}


def _numpy_state(numpy):
    name, keys, *rest = numpy.random.get_state()
    return [name, keys.tolist(), *rest]


def _put_torch(torch, numbers):
    torch.set_rng_state(torch.tensor(numbers, dtype=torch.uint8))


LIBRARIES = {  # how to seed, read and set the global generator of a loaded library
    "numpy": (
        lambda numpy, seed: numpy.random.seed(seed % 2**32),
        _numpy_state,
        lambda numpy, state: numpy.random.set_state(tuple(state)),
    ),
    "torch": (
        lambda torch, seed: torch.manual_seed(seed),
        lambda torch: torch.get_rng_state().tolist(),
        _put_torch,
    ),
}
