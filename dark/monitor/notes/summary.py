"""Summaries of several runs: shared settings, varying settings, and the criteria of groups of equal settings."""

import json
import math
import statistics
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from dark.monitor.notes.comparing import MISSING, check_keys, flat, is_equal, value_of
from dark.monitor.notes.run import Run

DIGITS = 6  # significant ones, of a number in a table


class Stats(NamedTuple):
    """A criterion over the runs of a group that have it, and for which it is not NaN."""

    count: int
    min: float
    max: float
    mean: float
    median: float


class Group(NamedTuple):
    """Runs whose settings are equal where they are compared."""

    configs: dict[str, Any]
    runs: list[Run]
    criteria: dict[str, Stats]


class Summary(NamedTuple):
    """The result of `summarize`.

    `common` has the settings that all runs have with the same value, `varying` the names of all others; the groups are
    in the order of their first runs, and `criteria` are over all runs.
    """

    common: dict[str, Any]
    varying: list[str]
    criteria: dict[str, Stats]
    groups: list[Group]


def summarize(runs: Iterable[Run], by: Sequence[str] | None = None) -> Summary:
    """Summarize runs in groups `by` settings, criteria or scalars; if not given, by all settings that vary."""
    chosen = list(runs)
    configs = [flat(run.configs) for run in chosen]
    names = list(dict.fromkeys(name for each in configs for name in each))
    equal = [name for name in names if all(is_equal(each.get(name, MISSING), configs[0].get(name)) for each in configs)]
    common = {name: configs[0][name] for name in equal}
    varying = [name for name in names if name not in common]
    keys = varying if by is None else list(by)
    check_keys(by or (), chosen, "summarize")
    groups: list[tuple[list[Any], list[Run]]] = []
    for run in chosen:
        values = [value_of(run, key, with_scalars=by is not None) for key in keys]
        same = next((group for other, group in groups if all(map(_same, other, values))), None)
        if same is None:
            groups.append((values, [run]))
        else:
            same.append(run)
    named = [({k: v for k, v in zip(keys, values) if v is not MISSING}, members) for values, members in groups]
    found = [Group(values, members, _criteria(members)) for values, members in named]
    return Summary(common, varying, _criteria(chosen), found)


def _same(a, b):
    return a is b or is_equal(a, b)


def _criteria(runs):
    """Return the statistics of all criteria over some runs."""
    found: dict[str, list[float]] = {}
    for run in runs:
        for name, value in run.criteria.items():
            found.setdefault(name, []).extend([] if math.isnan(value) else [value])
    return {
        name: Stats(len(values), min(values), max(values), statistics.fmean(values), statistics.median(values))
        if values
        else Stats(0, *[math.nan] * 4)
        for name, values in found.items()
    }


def shown(value: Any) -> str:
    """Return a value for a table: a float with 6 significant digits, a string as it is, an empty string if missing.

    Examples
    --------
    >>> shown(0.00012), shown(12345.6), shown(1 / 3), shown(1e-9), shown(20000), shown(MISSING), shown((1, 2))
    ('0.00012', '12345.6', '0.333333', '1e-09', '20000', '', '[1, 2]')
    """
    if value is MISSING:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.{DIGITS}g}"
    return json.dumps(value, default=list, ensure_ascii=False)
