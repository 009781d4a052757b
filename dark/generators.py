"""Random generators in the attributes of objects, and their states as plain data, for `nn` and for checkpoints.

A generator is an instance of `numpy.random.Generator`, `numpy.random.BitGenerator`, `numpy.random.RandomState` or
`random.Random`. Two NumPy generators are the same if they draw from one bit generator.
"""

import random
from collections.abc import Mapping
from types import ModuleType

import numpy as np

from dark.errors import ValueTypeError

KINDS = (np.random.Generator, np.random.BitGenerator, np.random.RandomState, random.Random)
CONTAINERS, MOST_NESTED = (Mapping, list, tuple), 3
INVALID = (AttributeError, KeyError, OverflowError, TypeError, ValueError)  # errors of a state of another kind
RANDOM_STATES = "random_states"  # the key of the generators in a checkpoint


def is_module(owner):
    """Return whether an object has submodules: its class decides, since a metric has an attribute of any name."""
    return hasattr(type(owner), "named_modules")


def named_generators(owner):
    """Return the generators of an object, or of a module and its submodules, under every name that leads to them.

    Its attributes are generators, or lists, tuples and mappings of them; of a module, also those of its submodules
    and of the other objects that are attributes of modules. The names are dotted.

    >>> from types import SimpleNamespace
    >>> rng = np.random.default_rng(0)
    >>> list(named_generators(SimpleNamespace(noise=rng, size=3, streams=[rng, {"b": rng}])))
    ['noise', 'streams.0', 'streams.1.b']
    """
    parts = owner.named_modules(remove_duplicate=False) if is_module(owner) else [("", owner)]
    return {
        ".".join(filter(None, (path, *name))): generator
        for path, part in parts
        for attribute, value in getattr(part, "__dict__", {}).items()
        for name, generator in _generators_in(attribute, vars(value) if is_module(part) and _is_plain(value) else value)
    }


def _is_plain(value):
    """Return whether the attributes of an object belong to the module that holds it: it is not itself a module."""
    others = (*KINDS, *CONTAINERS, type, ModuleType)
    return hasattr(value, "__dict__") and not is_module(value) and not isinstance(value, others)


def _generators_in(name, value, depth=MOST_NESTED):
    """Yield the generators that an attribute is or holds, each with its name as a tuple."""
    if isinstance(value, KINDS):
        if not isinstance(value, random.SystemRandom):  # which has no state
            yield (name,), value
    elif depth and isinstance(value, CONTAINERS):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, item in items:
            if isinstance(item, (*KINDS, *CONTAINERS)):
                yield from (((name, *path), found) for path, found in _generators_in(str(key), item, depth - 1))


def source(generator):
    """Return the object that has the state: the bit generator of a NumPy generator, else the generator itself."""
    return generator.bit_generator if isinstance(generator, np.random.Generator) else generator


def kind_of(generator):
    """Return the kind of a generator: its bit generator, such as "PCG64".

    >>> kind_of(np.random.default_rng(0)), kind_of(np.random.RandomState(0)), kind_of(random.Random(0))
    ('PCG64', 'MT19937', 'random.Random')
    """
    return state_of(generator)["bit_generator"]


def state_of(generator):
    """Return the state of a generator and of its seed sequence, which `spawn` uses, as data for JSON.

    >>> rng, other = np.random.default_rng(0), np.random.default_rng(1)
    >>> set_state(other, state_of(rng))
    >>> rng.random() == other.random()
    True
    """
    if isinstance(generator, random.Random):
        return {"bit_generator": "random.Random", "state": plain(generator.getstate())}
    if isinstance(generator, np.random.RandomState):
        return plain(generator.get_state(legacy=False))
    bits = source(generator)
    sequence = bits.seed_seq
    seeded = {"seed_seq": plain(sequence.state)} if isinstance(sequence, np.random.SeedSequence) else {}
    return plain(bits.state) | seeded


def set_state(generator, state):
    """Set a generator to a result of `state_of`; the state of another kind of generator raises one of `INVALID`."""
    if isinstance(generator, random.Random):
        version, numbers, gauss = state["state"]
        generator.setstate((version, tuple(numbers), gauss))
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(state)
    elif "seed_seq" in state:
        source(generator).__setstate__((state, np.random.SeedSequence(**state["seed_seq"])))  # as pickle does
    else:
        source(generator).state = state


def set_states(found, who):
    """Set all generators to their states, or none; each is given as its name, itself and its state."""
    before = [(generator, state_of(generator)) for _, generator, _ in found]
    current = ""
    try:
        for name, generator, state in found:
            current = name
            set_state(generator, state)
    except INVALID as error:
        for generator, state in before:
            set_state(generator, state)
        raise ValueTypeError(
            f"{who}: {current}: {type(error).__name__}: {error}.",
            "the state of a generator of the same kind.",
            "build the network as it was when the state was saved; load it from an intact file.",
        ) from None


def plain(value):
    """Return a state with lists in place of arrays and tuples."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
