"""Check that everything the course needs is here.

Each line is one check: ✓ here, ✗ missing and needed, · missing and optional.
"""

import json
import platform
import re
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from tempfile import TemporaryFile

from dark.course.lessons import library
from dark.draw import Box, draw_boxes
from dark.errors import DarkError

SIGNS = {"here": "✓", "missing": "✗", "optional": "·"}
NEEDED_EXTRAS = {"", "lab"}  # the others serve those who work on the course itself
OPTIONAL_PROGRAMS = {
    ("dot",): "only for PNG and PDF pictures",
    ("chromium", "chromium-browser", "google-chrome"): "only for the browser tests",
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked for: its name, whether it is here, and what is known of it."""

    name: str
    status: str
    says: str


def add_arguments(parser):
    """Declare the output for machines."""
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments):
    """Print every finding; 1 when something that is needed is missing."""
    findings = [python(), *packages(), engine(), *programs(), modules(), writable(Path.cwd())]
    if arguments.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2, ensure_ascii=False))
    else:
        for finding in findings:
            print(f"{SIGNS[finding.status]} {finding.name:<18} {finding.says}".rstrip())
    return 1 if any(finding.status == "missing" for finding in findings) else 0


def python():
    """Look at the Python that runs this."""
    status = "here" if sys.version_info >= (3, 11) else "missing"
    return Finding("Python", status, f"{platform.python_version()} ({sys.executable})")


def packages():
    """Look for each package that the framework and the course need."""
    try:
        wanted = requirements()
    except PackageNotFoundError:
        yield Finding("dark-course", "missing", "not installed: make lab")
        return
    for name, extra in wanted.items():
        try:
            yield Finding(name, "here", version(name))
        except PackageNotFoundError:
            install = f'"dark-course[{extra}]"' if extra else name
            yield Finding(name, "missing", f"not installed: pip install {install}")


def requirements(lines=None):
    """Map each needed package to the extra that brings it, "" for none; read from our metadata.

    Examples
    --------
    >>> requirements(["numpy>=2.0", "jupyterlab>=4.2; extra == 'lab'", "sphinx>=8; extra == 'book'"])
    {'numpy': '', 'jupyterlab': 'lab'}
    """
    found = {}
    for line in requires("dark-course") if lines is None else lines:
        extra = re.search(r"extra == ['\"]([\w-]+)", line)
        extra = extra.group(1) if extra else ""
        if extra in NEEDED_EXTRAS:
            found[re.match(r"[\w.-]+", line).group()] = extra
    return found


def engine():
    """Draw one node, the way every picture is drawn."""
    try:
        drawn = draw_boxes((Box("parameter", None, 1.0, None, "x", (), None),)).svg
    except DarkError as error:
        return Finding("pictures", "missing", str(error).replace("\n", " "))
    return Finding("pictures", "here", f"a node was drawn ({len(drawn)} characters of SVG)")


def programs():
    """Look for the programs that some things can do without."""
    for names, purpose in OPTIONAL_PROGRAMS.items():
        path = next(filter(None, map(shutil.which, names)), None)
        says = path or f"not on the path; {purpose}"
        yield Finding(names[0], "here" if path else "optional", says)


def modules():
    """Look for the modules of the course."""
    try:
        names = library.modules()
    except DarkError as error:
        return Finding("modules", "missing", str(error).replace("\n", " "))
    return Finding("modules", "here" if names else "missing", ", ".join(map(str, names)) or "none")


def writable(folder):
    """Try to write a file into the folder, as progress and pictures are written."""
    try:
        with TemporaryFile(dir=folder):
            return Finding("writable folder", "here", str(folder))
    except OSError as error:
        return Finding("writable folder", "missing", f"{folder}: {error.strerror}")
