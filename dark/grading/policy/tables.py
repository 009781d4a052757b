"""Check the tables read from TOML: unknown tables and keys are refused with near misses, and values of a wrong kind."""

import re
from difflib import get_close_matches
from typing import Any

from dark.errors import CourseError
from dark.grading.policy.schema import TABLES, TITLES

MODULE = re.compile(r"\d\d")
SEE = "`dark grade --example-course` prints a file with every key"


def check_tables(data, name):
    """Refuse unknown tables and keys, with near misses, and values of a wrong kind.

    Parameters
    ----------
    data : dict
        The content.
    name : str
        The name of the file.
    """
    for table, content in data.items():
        if table not in TABLES:
            raise _unknown(table, TABLES, "", name)
        title, is_list = TITLES[table], table in ("extensions", "groups")
        wanted: Any = list if is_list else dict
        if not isinstance(content, wanted):
            raise CourseError(f"{name}: {table} is not a table.", f"a line {title}, and its keys below.", SEE)
        if table == "modules":
            for module, rules in content.items():
                if not MODULE.fullmatch(module):
                    raise no_module(f"[modules.{module}]", module, name)
                _check_table(rules, table, f"[modules.{module}]", name)
        else:
            for each in content if is_list else [content]:
                _check_table(each, table, title, name)


def _check_table(content, table, title, name):
    if not isinstance(content, dict):
        raise CourseError(f"{name}: {title} is not a table.", f"a line {title}, and its keys below.", SEE)
    for key, value in content.items():
        kind = TABLES[table].get(key)
        if kind is None:
            raise _unknown(key, TABLES[table], title, name)
        if not kind.accepts(value):
            written = repr(value) if len(repr(value)) < 80 else type(value).__name__
            raise CourseError(f"{name}, {title} {key}: {written} is invalid.", kind.expected, f"{key} = {kind.example}")


def _unknown(key, known, title, name):
    """Return the error for an unknown key; it names a near miss, or the table to which the key belongs."""
    where, close = f" in {title}" if title else "", get_close_matches(key, known, n=1, cutoff=0.6)
    others = [TITLES[table] for table, keys in TABLES.items() if key in keys]
    meant = f"; did you mean {close[0]!r}?" if close else "."
    if others and not close:
        meant = f"; it belongs to {' or '.join(others)}."
    what = "key" if title else "table"
    advice = close[0] if close else others[0] if others else SEE
    return CourseError(f"{name}: unknown {what} {key!r}{where}{meant}", f"one of {', '.join(known)}.", advice)


def no_module(where, module, name):
    """Return the error for a string that is not the id of a module."""
    digits = f"{int(module):02d}" if module.isascii() and module.isdigit() and int(module) < 100 else "01"
    return CourseError(f"{name}, {where}: {module!r} is not a module.", "an id of two digits, such as 01.", digits)
