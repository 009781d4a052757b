"""The global random number generators: of Python, and of NumPy and PyTorch if they are loaded.

The engine needs neither library. A library that is not loaded has drawn nothing, so there is nothing to seed or save;
each call looks it up among the loaded modules.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from dark.checks import integer

if TYPE_CHECKING:
    P = ParamSpec("P")
    Result = TypeVar("Result")


def manual_seed(seed: int) -> None:
    """Seed the global generators: Python's `random`, and those of NumPy and PyTorch if they are loaded.

    Loaders and layers have their own generators. If they are not given a seed, they draw it from Python's global
    generator when they are made, so this function determines them, too.

    >>> manual_seed(12)
    >>> first = random.random()
    >>> manual_seed(12)
    >>> random.random() == first
    True
    """
    seed = integer(seed, "manual_seed", "seed", advice="manual_seed(12)", wide=True)
    random.seed(seed)
    for name, library in _loaded().items():
        LIBRARIES[name][0](library, seed)


def random_states() -> dict[str, Any]:
    """Return the states of the global generators, as JSON requires: "python", and "numpy" and "torch" if loaded."""
    version, numbers, gauss = random.getstate()
    states = {"python": [version, list(numbers), gauss]}
    return states | {name: LIBRARIES[name][1](library) for name, library in _loaded().items()}


def set_random_states(states: Mapping[str, Any]) -> None:
    """Set the global generators to the result of `random_states`; those that it lacks stay as they are."""
    version, numbers, gauss = states["python"]
    random.setstate((version, tuple(numbers), gauss))
    for name, library in _loaded().items():
        if name in states:
            LIBRARIES[name][2](library, states[name])


def keep_random_state(function: Callable[P, Result]) -> Callable[P, Result]:
    """Decorate a function so that it restores the global generators, also if it raises."""

    @wraps(function)
    def keeping(*args: P.args, **kwargs: P.kwargs) -> Result:
        states = random_states()
        try:
            return function(*args, **kwargs)
        finally:
            set_random_states(states)

    return keeping


def random_state_of_numpy() -> tuple[Any, Any]:
    """Return NumPy and the state of its global generator; both None if it is not loaded."""
    numpy = _loaded().get("numpy")
    return numpy, numpy and LIBRARIES["numpy"][1](numpy)


def _loaded() -> dict[str, Any]:
    """Return the loaded libraries by name; an import that was blocked leaves a None."""
    return {name: sys.modules[name] for name in LIBRARIES if sys.modules.get(name) is not None}


def _numpy_state(numpy: Any) -> Any:
    state = numpy.random.get_state(legacy=False)
    if state["bit_generator"] == "MT19937":
        name, keys, *rest = numpy.random.get_state()
        return [name, keys.tolist(), *rest]
    return _plain(state)  # of a bit generator that np.random.set_bit_generator set


def _put_numpy(numpy: Any, state: Any) -> None:
    numpy.random.set_state(state if isinstance(state, dict) else tuple(state))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value.tolist() if hasattr(value, "tolist") else value


def _put_torch(torch: Any, numbers: list[int]) -> None:
    torch.set_rng_state(torch.tensor(numbers, dtype=torch.uint8))


LIBRARIES: dict[
    str, tuple[Callable[..., Any], ...]
] = {  # functions that seed, read and set the global generator of a loaded library
    "numpy": (lambda numpy, seed: numpy.random.seed(seed % 2**32), _numpy_state, _put_numpy),
    "torch": (lambda torch, seed: torch.manual_seed(seed), lambda torch: torch.get_rng_state().tolist(), _put_torch),
}
