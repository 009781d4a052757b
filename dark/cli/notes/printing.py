"""The output of the subcommands: tables of aligned columns, and JSON."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from dark.monitor.notes.comparing import MISSING, shown


def table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return rows of values as lines; columns of numbers are aligned at the right.

    >>> print(table(["run", "lr"], [["first", 0.1], ["second", 0.00025]]))
    run          lr
    first       0.1
    second  0.00025
    """
    texts = [list(headings), *[[shown(value) for value in row] for row in rows]]
    widths = [max(len(line[k]) for line in texts) for k in range(len(headings))]
    is_number = [all(_is_number(row[k]) for row in rows) and bool(rows) for k in range(len(headings))]
    lines = []
    for line in texts:
        cells = [c.rjust(w) if right else c.ljust(w) for c, w, right in zip(line, widths, is_number)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _is_number(value):
    return value is MISSING or (isinstance(value, (int, float)) and not isinstance(value, bool))


def print_json(value: Any) -> None:
    """Print a value as standard JSON: NaN and infinity are strings, missing values are null."""
    print(json.dumps(standard(value), indent=2, ensure_ascii=False, allow_nan=False))


def standard(value: Any) -> Any:
    """Return a value as standard JSON can hold it.

    >>> standard({"loss": (1.0, float("nan"))})
    {'loss': [1.0, 'nan']}
    """
    if value is MISSING:
        return None
    if isinstance(value, Mapping):
        return {key: standard(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [standard(item) for item in value]
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value
