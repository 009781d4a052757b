"""Pairs of students whose answers share code that is rare in their class.

Code of the blank notebook or the solution is not evidence, and code that many students have written is little: right
answers to an easy exercise agree. A run of an answer that d of n students have weighs log2(n / d) bits.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from math import log2
from operator import itemgetter

from dark.grading.similarity.fingerprints import fingerprints

EVIDENCE = 110  # of a pair that is listed, in a class of 200; see `least_evidence`
CLASS = 200
EXERCISES = 4  # similar answers that a listed pair has at least; half of the answers in a short module
RARE = 0.25  # share of the class; a run that more students have says nothing about two of them


@dataclass(frozen=True)
class Pair:
    """Two students with similar answers."""

    one: object  # a `Work`
    other: object
    # the bits that they share, times the share: two who share much, and little else, are similar. One exercise counts
    # at most a quarter of the evidence from which a pair is listed, since two may have one answer from the same book;
    # half in a module of four exercises
    evidence: float
    bits: float  # the sum of the weights of the runs that they share
    share: float  # of the weights of all runs of the one who has written less that is rare, from 0 to 1
    exercises: dict[str, float]  # the bits of each exercise, the most first
    # for each exercise, the lines of the two answers that are alike, counted from 1
    lines: dict[str, tuple[set[int], set[int]]]


def least_evidence(students):
    """Return the evidence from which a pair of a class is listed.

    >>> least_evidence(200), round(least_evidence(20))
    (110.0, 55)
    """
    return EVIDENCE * log2(max(students, 2) / 2) / log2(CLASS / 2)


def similar_pairs(works, known: dict[str, list[str]] | None = None, least: float | None = None) -> list[Pair]:
    """Return the pairs of students whose answers share much that is rare and not `known`, the most similar first."""
    least = least_evidence(len(works)) if least is None else least
    everybody = {name: set().union(*map(fingerprints, sources)) for name, sources in (known or {}).items()}
    owners = defaultdict(list)
    for number, work in enumerate(works):
        for exercise, prints in work.prints.items():
            for value in prints.keys() - everybody.get(exercise, set()):
                owners[exercise, value].append(number)
    totals: defaultdict[int, float] = defaultdict(float)
    shared: defaultdict[tuple[int, int], float] = defaultdict(float)
    most = least / min(max(2, len({exercise for exercise, _ in owners}) / 2), EXERCISES)
    weights = {key: log2(len(works) / len(numbers)) for key, numbers in owners.items()}
    for key, numbers in owners.items():
        for number in numbers:
            totals[number] += weights[key]
        if len(numbers) <= max(2, RARE * len(works)):
            for pair in combinations(numbers, 2):
                shared[pair] += weights[key]
    found = [
        _pair(works[a], works[b], bits, bits / min(totals[a], totals[b]), weights, most)
        for (a, b), bits in shared.items()
        if bits and bits * bits / min(totals[a], totals[b]) >= least
    ]
    return sorted((pair for pair in found if pair.evidence >= least), key=lambda pair: -pair.evidence)


def _pair(one, other, bits, share, weights, most):
    """Find the exercises and the lines that a pair shares; a run that others have as well is shown, too."""
    counted: defaultdict[str, float] = defaultdict(float)
    lines: dict[str, tuple[set[int], set[int]]] = {}
    for exercise in one.prints.keys() & other.prints.keys():
        marked = lines[exercise] = (set(), set())
        for value in one.prints[exercise].keys() & other.prints[exercise].keys():
            counted[exercise] += weights.get((exercise, value), 0)
            for work, place in zip((one, other), marked):
                first, last = work.prints[exercise][value]
                place.update(range(first, last + 1))
    most_common = sorted(counted.items(), key=itemgetter(1), reverse=True)
    ranked = {exercise: number for exercise, number in most_common if number}
    evidence = share * sum(min(number, most) for number in ranked.values())
    return Pair(one, other, evidence, bits, share, ranked, {exercise: lines[exercise] for exercise in ranked})
