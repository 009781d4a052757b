"""The versions on which the results of a machine depend, and how it confines students' code."""

import json
import platform
import sys
from pkgutil import resolve_name

import numpy as np

from dark.grading.report.identity import course_fingerprint
from dark.grading.sandbox.confinement import Confinement, confinement, root_warning

VERSION = "dark:__version__"  # other machines are asked for it by this name, whatever else they have
NAMES = {"dark": "dark", "python": "Python", "numpy": "NumPy", "course": "the course"}


def versions() -> dict[str, str]:
    """Return the versions that must be the same on all machines of a batch; of the course, a hash of its files."""
    return {
        "dark": resolve_name(VERSION),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "course": course_fingerprint(),
    }


def print_machine():
    """Print the versions and the confinement of this machine, as JSON."""
    found = confinement()
    warning = root_warning(found.level)
    said = {"versions": versions(), "level": found.level, "missing": found.missing, "warning": warning}
    json.dump(said, sys.stdout)


def read_machine(text):
    """Read the output of `print_machine`: versions, confinement, and a warning or an empty string."""
    found = json.loads(text)
    return found["versions"], Confinement(found["level"], tuple(found["missing"])), found["warning"]


def differences(here: dict[str, str], there: dict[str, str]) -> str:
    """Describe the differences between the `versions` of two machines; an empty string if there are none.

    >>> differences({"dark": "0.2.0", "course": "a1"}, {"dark": "0.1.0", "course": "b2"})
    'dark 0.1.0 there, 0.2.0 here; the course b2 there, a1 here'
    """
    unequal = [key for key in here if there.get(key) != here[key]]
    return "; ".join(f"{NAMES[key]} {there.get(key)} there, {here[key]} here" for key in unequal)


def weakest(machines) -> Confinement:
    """Return the confinement that all of some machines have: the lowest level, with what any of them lacks."""
    machines = list(machines)
    level = next(each.level for each in machines if all(other.reaches(each.level) for other in machines))
    return Confinement(level, tuple(dict.fromkeys(reason for each in machines for reason in each.missing)))
