"""Drawing the seed of a run from the global generator that was seeded for it: Python's or NumPy's.

A generator does not tell whether it was seeded. So the states in which the engines leave the generators are
remembered: Python's was seeded if drawing numbers does not lead from the remembered state to the present one. NumPy's
was if `numpy.random.seed` was called at all, which removes its seed sequence, and its state has changed.
"""

import random

from dark.engine.resume.random_states import random_state_of_numpy

SEEDS = 10**9  # seeds are below it
WORDS, BLOCKS = 624, 100  # the words of Python's state, all renewed after as many draws; how many renewals are tried


class SeedSource:
    """The global generators of the process, as the source of seeds."""

    def __init__(self) -> None:
        self.python, self.numpy = random.getstate()[1], None  # the states in which the last run left them

    def remember(self) -> None:
        """Remember the present states, as not seeded by the user."""
        self.python = random.getstate()[1]
        _, self.numpy = random_state_of_numpy()

    def draw(self) -> int:
        """Draw a seed from Python's generator; from NumPy's if only that one was seeded."""
        numpy, state = random_state_of_numpy()
        is_unseeded = numpy is None or numpy.random.get_bit_generator().seed_seq is not None  # see above
        if is_unseeded or state == self.numpy or self._is_python_seeded():
            return random.randrange(SEEDS)
        return int(numpy.random.randint(SEEDS))

    def _is_python_seeded(self) -> bool:
        now, follower = random.getstate()[1], random.Random()
        if now == self.python:
            return False
        if now[-1] == WORDS:  # just seeded
            return True
        follower.setstate((random.Random.VERSION, self.python, None))
        for _ in range(BLOCKS):
            if follower.getstate()[1][:-1] == now[:-1]:
                return False
            follower.getrandbits(32 * WORDS)
        return True


SOURCE = SeedSource()
