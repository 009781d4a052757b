"""The random generators and buffers that a network changes while it processes a shard.

*Random numbers.* At each step every generator of the network draws one entropy, the same on all processes. Shard k
draws from a generator seeded by that entropy and k, so that its numbers (the masks of dropout) depend on seed, step and
shard, not on the process. After the step the generator stands where it stood after the entropy: its state in a
checkpoint suffices to resume.

*Buffers.* Each shard starts from the buffers at the beginning of the step. Afterwards a buffer is moved by the average
of the changes of the shards, weighted by their rows. Running statistics of batch normalization are thus averaged
over the shards; counters advance by one.
"""

import random

import numpy as np

from dark.generators import named_generators, set_state, source, state_of


class ShardState:
    """The generators and buffers of modules during one step."""

    def __init__(self, modules):
        found = {id(source(one)): one for module in modules for one in named_generators(module).values()}
        self.generators = list(found.values())  # each once, in the order of their names
        self.before = [state_of(generator) for generator in self.generators]
        self.entropies = [_entropy(generator) for generator in self.generators]
        self.after = [state_of(generator) for generator in self.generators]
        self.places = _buffer_places(modules)
        self.buffers = [np.array(getattr(module, name)) for module, name in self.places]

    def enter(self, shard):
        """Prepare for a shard: seed the generators, and restore the buffers."""
        for generator, entropy in zip(self.generators, self.entropies):
            set_state(generator, state_of(_seeded_like(generator, entropy, shard)))
        self._set_buffers(self.buffers)

    def changes(self, weight):
        """Return the weighted changes of the buffers since `enter`."""
        now = [getattr(module, name) for module, name in self.places]
        return [_change(new, old) * np.float32(weight) for new, old in zip(now, self.buffers)]

    def leave(self, changes=None):
        """Move the buffers by the sum of the changes, if there are any; the generators continue after the entropy."""
        moved = self.buffers if changes is None else [old + change for old, change in zip(self.buffers, changes)]
        rounded = [np.rint(new) if old.dtype.kind in "iub" else new for new, old in zip(moved, self.buffers)]
        self._set_buffers([np.asarray(new).astype(old.dtype) for new, old in zip(rounded, self.buffers)])
        self._set_generators(self.after)

    def __enter__(self):
        return self

    def __exit__(self, kind, *others):
        """Undo the changes of a step that failed."""
        if kind is not None:
            self._set_buffers(self.buffers)
            self._set_generators(self.before)

    def _set_generators(self, states):
        for generator, state in zip(self.generators, states):
            set_state(generator, state)

    def _set_buffers(self, arrays):
        for (module, name), array in zip(self.places, arrays):
            setattr(module, name, array.copy())


def _change(new, old):
    """Return the difference of two buffers, in their dtype; integers in float32."""
    dtype = old.dtype if old.dtype.kind == "f" else np.float32
    return np.subtract(new, old, dtype=float).astype(dtype)


def _buffer_places(modules):
    """Return the places of the buffers: pairs of a module and a name, each once."""
    places = {}
    for module in modules:
        for part in module.modules():
            for name, _ in part.named_buffers(recurse=False, remove_duplicate=False):
                places[id(part), name] = part, name
    return list(places.values())


def _entropy(generator):
    """Draw 128 bits."""
    if isinstance(generator, random.Random):
        return generator.getrandbits(128)
    bits = generator._bit_generator if isinstance(generator, np.random.RandomState) else source(generator)
    return [int(word) for word in bits.random_raw(4)]


def _seeded_like(generator, entropy, shard):
    """Return a new generator of the same kind, seeded by entropy and shard."""
    sequence = np.random.SeedSequence(entropy, spawn_key=(shard,))
    if isinstance(generator, random.Random):
        return random.Random(int.from_bytes(sequence.generate_state(4).tobytes(), "little"))
    if isinstance(generator, np.random.RandomState):
        return np.random.RandomState(type(generator._bit_generator)(sequence))
    return np.random.Generator(type(source(generator))(sequence))
