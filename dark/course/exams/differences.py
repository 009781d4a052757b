"""Comparison of plain data: a list of the paths at which two observations differ."""

import math
import re
from dataclasses import dataclass
from typing import Any

MISSING = {"missing": True}
ABSOLUTE = 1e-12


@dataclass(frozen=True)
class Difference:
    """One path, such as ``gradients[2]``, at which two observations differ; both values are encoded."""

    path: str
    yours: Any
    expected: Any

    @property
    def where(self):
        """The path in words, such as 3rd item of gradients; an empty path is the answer."""
        first, *steps = re.findall(r"[^\[\].]+(?:\.[^\[\].]+)*|\[\d+\]", self.path) or ["answer"]
        words = _step(first)
        for step in steps:
            article = "the " if words[:1].isdigit() else ""
            words = f"{_step(step)} of {article}{words}"
        return words

    @property
    def subject(self):
        """The path in a sentence: a name in backticks, or the words of `where`."""
        return f"`{self.path}`" if self.path and "[" not in self.path else f"the {self.where}"

    @property
    def is_visible(self):
        """Whether someone who looks at the two values sees that they differ by more than rounding."""
        if not (_is_number(self.yours) and _is_number(self.expected)):
            return True
        return abs(self.yours - self.expected) > 1e-3 * max(1, abs(self.expected))


def ordinal(number):
    """Return a number as an ordinal, such as 1st or 12th."""
    is_teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _step(text):
    return f"{ordinal(int(text[1:-1]) + 1)} item" if text.startswith("[") else text


def compare(yours, expected, tolerance=1e-9, path=""):
    """Return the differences of two encoded observations.

    Numbers are equal within the relative tolerance `tolerance` or the absolute tolerance 1e-12; NaN equals NaN;
    integers and floats are numbers, bools are not. An object that is not plain data equals nothing, not even itself.
    """
    if isinstance(yours, list) and isinstance(expected, list):
        return _compare_lists(yours, expected, tolerance, path)
    if isinstance(yours, dict) and isinstance(expected, dict):
        return _compare_tagged(yours, expected, tolerance, path)
    if _is_number(yours) and _is_number(expected):
        gap = abs(yours - expected)
        same = gap <= max(ABSOLUTE, tolerance * max(abs(yours), abs(expected))) and gap < math.inf
    else:
        same = type(yours) is type(expected) and yours == expected
    return [] if same else [Difference(path, yours, expected)]


def _is_number(data):
    return type(data) is int or type(data) is float


def _compare_lists(yours, expected, tolerance, path):
    if len(yours) != len(expected):
        return [Difference(path, yours, expected)]
    found = []
    for k, pair in enumerate(zip(yours, expected, strict=True)):
        found += compare(*pair, tolerance, f"{path}[{k}]")
    return found


def _compare_tagged(yours, expected, tolerance, path):
    if "dict" in yours and "dict" in expected:
        return _compare_dicts(yours["dict"], expected["dict"], tolerance, path)
    if "array" in yours and "array" in expected:
        if yours["array"] != expected["array"] or yours["shape"] != expected["shape"]:
            return [Difference(path, yours, expected)]
        same = yours["list"] == expected["list"]  # which is the usual case, and quick
        return [] if same else compare(yours["list"], expected["list"], tolerance, path)
    same = yours == expected and "number" in yours
    return [] if same else [Difference(path, yours, expected)]


def _compare_dicts(yours, expected, tolerance, path):
    found = []
    for key in [*expected, *(key for key in yours if key not in expected)]:
        inner = f"{path}.{key}" if path else key
        pair = yours.get(key, MISSING), expected.get(key, MISSING)
        found += compare(*pair, tolerance, inner)
    return found
