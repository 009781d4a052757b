"""Check that all required packages and programs are installed.

Each line is one check: ✓ found, ✗ missing and required, · missing and optional.
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

from dark.cli.setup_advice import setup_advice
from dark.course.lessons import library
from dark.draw import Box, draw_boxes
from dark.errors import DarkError
from dark.grading.sandbox.confinement import LEVELS, confinement, root_warning

SIGNS = {"found": "✓", "missing": "✗", "optional": "·"}
PROMISES = {
    "limits": "time, memory, size of files; protects from accidents, not from malice",
    "files": "only the files of Python and of the framework can be read, one empty folder can be written",
    "full": "no processes, programs, sockets, signals, shared memory",
}
NEEDED_EXTRAS = {"", "lab"}  # the other extras are for development
OPTIONAL_PROGRAMS = {
    ("dot",): "needed only for PNG and PDF pictures",
    ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"): "needed only for the browser tests",
}


@dataclass(frozen=True)
class Finding:
    """The result of a check: what was looked for, whether it was found, and details."""

    name: str
    status: str
    says: str


def add_arguments(parser):
    """Add the arguments of `dark doctor`."""
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--grading", action="store_true", help="check only how `dark grade` can confine submissions")


def run(arguments):
    """Print every finding; return 1 if something required is missing."""
    findings = grading() if arguments.grading else everything()
    if arguments.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2, ensure_ascii=False))
    else:
        for finding in findings:
            print(f"{SIGNS[finding.status]} {finding.name:<18} {finding.says}".rstrip())
    return 1 if any(finding.status == "missing" for finding in findings) else 0


def everything():
    """Check the installation."""
    return [python(), *packages(), engine(), *programs(), modules(), writable(Path.cwd())]


def grading():
    """Check each level of confinement, by entering it in a process of its own."""
    found = confinement()
    findings = []
    for level in LEVELS[1:]:
        reached = found.reaches(level)
        says = PROMISES[level] if reached else " ".join(found.missing)
        findings.append(Finding(level, "found" if reached else "optional", says))
    if warning := root_warning(found.level):
        findings.append(Finding("user", "optional", warning))
    return findings


def python():
    """Check the version of the running Python."""
    status = "found" if sys.version_info >= (3, 11) else "missing"
    return Finding("Python", status, f"{platform.python_version()} ({sys.executable})")


def packages():
    """Check each package that the framework and the course require."""
    try:
        wanted = requirements()
    except PackageNotFoundError:
        yield Finding("dark-course", "missing", f"not installed: {setup_advice(Path(__file__).parents[3])}")
        return
    for name, extra in wanted.items():
        try:
            yield Finding(name, "found", version(name))
        except PackageNotFoundError:
            install = f'"dark-course[{extra}]"' if extra else name
            yield Finding(name, "missing", f"not installed: pip install {install}")


def requirements(lines=None):
    """Map each required package to the extra that installs it ("" if no extra), from the package metadata.

    >>> requirements(["numpy>=2.0", "jupyterlab>=4.2; extra == 'lab'", "sphinx>=8; extra == 'book'"])
    {'numpy': '', 'jupyterlab': 'lab'}
    """
    found = {}
    for line in (requires("dark-course") or ()) if lines is None else lines:
        extra = re.search(r"extra == ['\"]([\w-]+)", line)
        extra = extra.group(1) if extra else ""
        if extra in NEEDED_EXTRAS:
            found[re.split(r"[^\w.-]", line, maxsplit=1)[0]] = extra
    return found


def engine():
    """Check that a picture can be drawn, by drawing one node."""
    try:
        drawn = draw_boxes((Box("parameter", None, 1.0, None, "x", (), None),)).svg
    except DarkError as error:
        return Finding("pictures", "missing", str(error).replace("\n", " "))
    return Finding("pictures", "found", f"a node was drawn ({len(drawn)} characters of SVG)")


def programs():
    """Check the optional programs."""
    for names, purpose in OPTIONAL_PROGRAMS.items():
        path = next(filter(None, map(shutil.which, names)), None)
        says = path or f"not on the PATH; {purpose}"
        yield Finding(names[0], "found" if path else "optional", says)


def modules():
    """Check that the modules of the course are found."""
    try:
        names = library.modules()
    except DarkError as error:
        return Finding("modules", "missing", str(error).replace("\n", " "))
    return Finding("modules", "found" if names else "missing", ", ".join(map(str, names)) or "none")


def writable(folder):
    """Check that files can be written to a folder, as the progress log and pictures are."""
    try:
        with TemporaryFile(dir=folder):
            return Finding("writable folder", "found", str(folder))
    except OSError as error:
        return Finding("writable folder", "missing", f"{folder}: {error.strerror}")
