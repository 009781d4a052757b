"""Runs compared: values by key (settings, results, last values of scalars), logic for missing ones, and summaries."""

import json
import math
import operator
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

from dark.errors import UsageError, near_misses
from dark.monitor.notes.run import Run

AnyRun = TypeVar("AnyRun", bound="Run")
MOST_OFFERED = 12  # keys in an error
DIGITS = 6  # significant ones, of a number in a table
MISSING = object()  # the value of a key that a run does not have


def value_of(run: Run, key: str, with_scalars: bool = True) -> Any:
    """Return a setting of a run, else a criterion, else the last value of a scalar; `MISSING` if it has neither.

    The key "status" means the status of the run, unless it has a setting, criterion or scalar of this name.

    The names of nested settings are joined by dots: ``optimizer.lr``. Without scalars, they need not be read.
    """
    configs = run.configs
    for values in (configs, flat(configs), run.criteria):
        if key in values:
            return values[key]
    series = run.scalar_dict.get(key) if with_scalars else None
    if series is None:
        return run.status if key == "status" else MISSING
    return series[-1]


def flat(configs: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return settings without nested mappings, names joined by dots."""
    found: dict[str, Any] = {}
    for key, value in configs.items():
        if isinstance(value, Mapping) and value:
            found |= flat(value, f"{before}{key}.")
        else:
            found[before + key] = value
    return found


def keys_of(runs: Iterable[Run]) -> list[str]:
    """Return all keys that one of the runs has."""
    return list(dict.fromkeys(key for run in runs for key in (*flat(run.configs), *run.criteria, *run.scalar_dict)))


def check_keys(keys: Iterable[str], runs: Iterable[Run], who: str) -> None:
    """Raise if a key is one that no run has, though there are runs."""
    runs = list(runs)
    missing = [key for key in keys if runs and all(value_of(run, key) is MISSING for run in runs)]
    if missing:
        known = keys_of(runs)
        wanted = "a setting, a criterion or a scalar of a run."
        advice = offered(missing[0], known) if known else "put_down_configs and put_down_criterion, in the training."
        raise UsageError(f"{who}: none of the {len(runs)} runs has the key {missing[0]!r}.", wanted, advice)


def offered(key: str, known: list[str]) -> str:
    """Return the keys that are similar to an unknown one, or the first of all keys."""
    if len(known) <= MOST_OFFERED or get_close_matches(key, known):
        return near_misses(key, known)
    return f"one of {', '.join(known[:MOST_OFFERED])}, … ({len(known)} keys in all)"


def is_equal(value: Any, wanted: Any) -> bool:
    """Return whether a value of a run is the one that is wanted; a missing one is not."""
    if value is MISSING:
        return False
    if isinstance(value, (list, tuple)) and isinstance(wanted, (list, tuple)):
        return list(value) == list(wanted)
    return bool(value == wanted) or (_is_nan(value) and _is_nan(wanted))


def filtered(runs: Iterable[AnyRun], equalities: Mapping[str, Any]) -> list[AnyRun]:
    """Return the runs that have these values."""
    return [run for run in runs if all(is_equal(value_of(run, key), wanted) for key, wanted in equalities.items())]


def in_order(runs: Iterable[AnyRun], key: str, descend: bool = False) -> list[AnyRun]:
    """Return runs sorted by the value of a key: numbers, then others as text, then runs with NaN or without the key."""
    found = [(run, value_of(run, key)) for run in runs]
    numbers = [pair for pair in found if _is_number(pair[1])]
    missing = [pair for pair in found if pair[1] is MISSING or _is_nan(pair[1])]
    others = [pair for pair in found if not _is_number(pair[1]) and pair[1] is not MISSING and not _is_nan(pair[1])]
    numbers.sort(key=lambda pair: pair[1], reverse=descend)
    others.sort(key=lambda pair: str(pair[1]), reverse=descend)
    return [run for run, _ in (*numbers, *others, *missing)]


def _is_number(value):
    return isinstance(value, (int, float)) and not _is_nan(value)


def _is_nan(value):
    return isinstance(value, float) and math.isnan(value)


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": is_equal, "=": is_equal,
    "!=": lambda a, b: not is_equal(a, b), "in": lambda a, b: _is_in(a, b), "not in": lambda a, b: not _is_in(a, b),
}  # fmt: skip


def _is_in(a, b):
    """Return whether a value is in a list or a string; a single value counts as a list."""
    return a in b if isinstance(b, (list, tuple, str, dict)) else is_equal(a, b)


def truth(value: Any) -> bool | None:
    """Return True or False, or None for anything else: a missing value."""
    return None if value is MISSING or value is None else bool(value)


def all_of(truths: Iterable[bool | None]) -> bool | None:
    """Return whether all are true; None if that is undecided."""
    found = list(truths)
    return False if False in found else None if None in found else True


def any_of(truths: Iterable[bool | None]) -> bool | None:
    """Return whether one is true; None if that is undecided."""
    found = list(truths)
    return True if True in found else None if None in found else False


def negated(value: bool | None) -> bool | None:
    """Return the opposite; None stays None."""
    return None if value is None else not value


def compared(sign: str, a: Any, b: Any) -> bool | None:
    """Return whether a comparison holds; None if a value is missing, or the values cannot be compared."""
    if a is MISSING or b is MISSING:
        return None
    try:
        return bool(OPERATORS[sign](a, b))
    except TypeError:
        return None


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
