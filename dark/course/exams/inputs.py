"""The inputs of a question, drawn under a seed, the same for every answer of a class; and the smallest that fail."""

import json
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Any

from dark.course.exams.generate import Choices, inputs_from

ATTEMPTS = 20  # for each input, before all that exist count as found
FIRST, STEPS = 40, 10  # a search tries the first entries of a table, and then this many up to the one that was drawn


def key_of(inputs):
    """Return inputs as a string."""
    return json.dumps(inputs, sort_keys=True)


def inputs_of(question, seed):
    """Draw the inputs of a question, the simplest and random ones: each once, the shortest first."""
    return tuple([inputs for inputs, _ in _drawn(question, seed).values()])


@lru_cache(maxsize=4096)
def _drawn(question, seed):
    """Return the inputs of a question, each with its choices, by its key."""
    random, choose = Random(seed), Choices()
    found: dict[Any, Any] = {}
    drawn: dict[Any, Any] = {}
    for _ in range(ATTEMPTS * question.examples):
        inputs = inputs_from(question.draws, choose)
        found.setdefault(key_of(inputs), (inputs, tuple(choose.taken)))
        if len(found) == question.examples or not question.draws:
            break
        choose = Choices(random=random, drawn=drawn)
    return {key: found[key] for key in sorted(found, key=len)}


def smallest(question, seed, inputs, fails) -> dict:
    """Search, from drawn inputs on, for those with fewest, then earliest choices for which `fails(inputs)` holds."""
    found, choices = _drawn(question, seed)[key_of(inputs)]

    def accepts(candidate):
        nonlocal found, choices
        choose = Choices(candidate)
        inputs = inputs_from(question.draws, choose)
        taken = tuple(choose.taken)
        if (len(taken), taken) < (len(choices), choices) and fails(inputs):
            found, choices = inputs, taken
            return True
        return False

    before = None
    while choices != before:
        before = choices
        for count in (8, 4, 2, 1):  # remove parts, the last first
            for start in reversed(range(len(choices) - count + 1)):
                accepts(choices[:start] + choices[start + count :])
        for k in range(len(before)):  # then choose earlier entries
            old = choices[k] if k < len(choices) else 0
            lower = chain(range(min(old, FIRST)), range(FIRST, old, max(1, (old - FIRST) // STEPS)))
            any(accepts((*choices[:k], index, *choices[k + 1 :])) for index in lower)
    return found
