"""Statistics of a class, computed from the rows of the results: of a module, and of each of its exercises."""

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median, pstdev
from typing import Any

from dark.course.judging.verdict import NOT_ATTEMPTED, PARTLY, RIGHT

BINS = 10  # of the distribution, each 10 percent wide
LEAST = 3  # students that a correlation needs
OPEN = (NOT_ATTEMPTED, PARTLY)


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that several students gave: its diagnosis or status, how many, and their names."""

    text: str
    count: int
    names: tuple


@dataclass(frozen=True)
class ExerciseStatistics:
    """The answers of a class to one exercise."""

    name: str  # the id of the exercise
    right: int  # how many students have all points
    wrong: int  # an answer that is not right
    open: int  # no answer, or an unfinished one
    difficulty: float  # the mean share of the points, from 0 to 1: a high one is an easy exercise
    discrimination: float | None  # the `point_biserial` of a right answer with the points for all other exercises
    mistakes: tuple[Mistake, ...]  # the commonest first


@dataclass(frozen=True)
class ModuleStatistics:
    """The results of a class in one module."""

    module: str  # its number
    students: int  # how many were graded
    points: int  # of the module
    mean: float  # of the points in percent
    median: float  # of the points in percent
    bins: tuple[int, ...]  # how many students have 0 to 9 percent, 10 to 19, …, 90 to 100
    exercises: tuple[ExerciseStatistics, ...]  # in the order of the module


def statistics_of(rows: list[dict]) -> list[ModuleStatistics]:
    """Compute the statistics of each module from rows of results.json that count and were graded."""
    modules: dict[str, list[Any]] = {}
    for row in rows:
        if row.get("counts", True) and row.get("points"):
            modules.setdefault(row["module"], []).append(row)
    return [_module(name, modules[name]) for name in sorted(modules)]


def _module(name, rows):
    percents = [100 * row["earned"] / row["points"] for row in rows]
    counts = Counter(min(int(percent / BINS), BINS - 1) for percent in percents)
    names = [each["exercise"] for each in rows[0]["exercises"]]
    exercises = tuple(_exercise(exercise, rows) for exercise in names)
    bins = tuple(counts[k] for k in range(BINS))
    return ModuleStatistics(name, len(rows), rows[0]["points"], fmean(percents), median(percents), bins, exercises)


def _exercise(name, rows):
    found = [(row, each) for row in rows for each in row["exercises"] if each["exercise"] == name]
    right = [each["status"] == RIGHT for _, each in found]
    is_open = [each["status"] in OPEN for _, each in found]
    others = [row["earned"] - each["earned"] for row, each in found]
    share = fmean([each["earned"] / each["points"] if each["points"] else 0 for _, each in found])
    wrong, biserial = len(found) - sum(right) - sum(is_open), point_biserial(right, others)
    return ExerciseStatistics(name, sum(right), wrong, sum(is_open), share, biserial, _mistakes(found))


def point_biserial(right: list[bool], others: list[float]) -> float | None:
    """Return the point-biserial correlation between correctness and a number; None where it is not defined.

    The number is a student's points for everything else: with the exercise itself among them, it would correlate with
    itself. The correlation is (M1 - M0) / s * sqrt(p * q), with the means M1 and M0 of those who are right and of the
    others, the standard deviation s of all, and the shares p and q.
    """
    ones = [number for number, is_right in zip(others, right, strict=True) if is_right]
    zeros = [number for number, is_right in zip(others, right, strict=True) if not is_right]
    if len(others) < LEAST or not ones or not zeros or min(others) == max(others):
        return None
    share = len(ones) / len(others)
    return (fmean(ones) - fmean(zeros)) / pstdev(others) * sqrt(share * (1 - share))


def _mistakes(found):
    """Count the wrong answers by diagnosis, or by status without a diagnosis."""
    names: dict[str, list[str]] = {}
    for row, each in found:
        if each["status"] not in (RIGHT, *OPEN):
            names.setdefault(each["diagnosis"] or f"{each['status']}, without a diagnosis", []).append(row["name"])
    made = [Mistake(text, len(owners), tuple(owners)) for text, owners in names.items()]
    return tuple(sorted(made, key=lambda mistake: -mistake.count))
