"""Differences: where two pieces of plain data differ."""

from dataclasses import dataclass

MISSING = {"missing": True}
ABSOLUTE = 1e-12


@dataclass(frozen=True)
class Difference:
    """One place where two observations differ; both sides are encoded.

    Parameters
    ----------
    path : str
        Where, such as ``gradients[2]``; empty for the whole.
    yours, expected : encoded data
        What stands there.
    """

    path: str
    yours: object
    expected: object


def compare(yours, expected, tolerance=1e-9, path=""):
    """List every place where two encoded observations differ.

    Numbers agree within `tolerance`, relative to the larger, or within 1e-12; nan agrees with
    nan; an integer and a float are both numbers, a bool is not. Nothing that is not plain data
    agrees with anything, not even with itself.

    Parameters
    ----------
    yours, expected : encoded data
        What `encode` gave.
    tolerance : float, default 1e-9
        Largest relative difference of two numbers that agree.

    Returns
    -------
    list of Difference

    Examples
    --------
    >>> compare({"dict": {"a": 1, "b": 2.0}}, {"dict": {"a": 1.0, "b": 3}})
    [Difference(path='b', yours=2.0, expected=3)]
    """
    if isinstance(yours, list) and isinstance(expected, list):
        return _compare_lists(yours, expected, tolerance, path)
    if isinstance(yours, dict) and isinstance(expected, dict):
        return _compare_tagged(yours, expected, tolerance, path)
    same = _numbers_agree(yours, expected, tolerance)
    if same is None:
        same = type(yours) is type(expected) and yours == expected
    return [] if same else [Difference(path, yours, expected)]


def _is_number(data):
    return type(data) is int or type(data) is float


def _numbers_agree(yours, expected, tolerance):
    """True or False for two numbers, None where one of them is none."""
    if not (_is_number(yours) and _is_number(expected)):
        return None
    gap = abs(yours - expected)
    return gap <= max(ABSOLUTE, tolerance * max(abs(yours), abs(expected)))


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
        return compare(yours["list"], expected["list"], tolerance, path)
    same = yours == expected and "number" in yours
    return [] if same else [Difference(path, yours, expected)]


def _compare_dicts(yours, expected, tolerance, path):
    found = []
    for key in [*expected, *(key for key in yours if key not in expected)]:
        inner = f"{path}.{key}" if path else key
        pair = yours.get(key, MISSING), expected.get(key, MISSING)
        found += compare(*pair, tolerance, inner)
    return found
