"""The folder of a project, and the exported package from which it runs."""

import hashlib
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from dark.errors import UsageError

SETTINGS, PAGE, RESULTS, RUN = "capstone.toml", "page.md", "results.json", "run.py"
MODULE_FILES = "_[0-9][0-9]_*.py"  # of the exported package, one for each module
GENERATED = {PAGE, RESULTS, "curves.svg"}


@dataclass(frozen=True)
class Package:
    """An exported package: the folder with its pyproject.toml, and the name by which it is imported."""

    folder: Path
    name: str


def find_package(folder: Path) -> Package | None:
    """Return the package that `dark export` has written into a folder, or None."""
    if not (folder / "pyproject.toml").is_file():
        return None
    inner = sorted(path for path in folder.iterdir() if (path / "__init__.py").is_file())
    return next((Package(folder, path.name) for path in inner if any(path.glob(MODULE_FILES))), None)


@dataclass(frozen=True)
class Project:
    """A project: a folder with a page and a program, and the package from which it runs."""

    folder: Path
    package: Package
    question: str

    @property
    def page(self):
        """The text of the page; empty without one."""
        path = self.folder / PAGE
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def results(self):
        """Return the recorded results, or None if nothing is recorded."""
        path = self.folder / RESULTS
        if not path.is_file():
            return None
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            valid = isinstance(found["metric"], str) and all(map(is_run, found["runs"])) and found["runs"]
        except (ValueError, KeyError, TypeError, RecursionError):
            valid = False
        if not valid:
            says, expected = f"{path}: these are not recorded results.", "the file that run.py writes."
            raise UsageError(says, expected, "python run.py --again")
        return found

    def sources(self):
        """Return the Python files of the project and of the package."""
        own = [path for path in sorted(self.folder.rglob("*.py")) if not _is_hidden(path, self.folder)]
        return own, sorted((self.package.folder / self.package.name).rglob("*.py"))

    def stamp(self):
        """Return a hash of all that a run depends on: code, settings and data of the project, code of the package."""
        digest = hashlib.sha256()
        own = [path for path in sorted(self.folder.rglob("*")) if path.is_file()]
        own = [path for path in own if path.name not in GENERATED and not _is_hidden(path, self.folder)]
        for path in [*own, *self.sources()[1]]:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()[:16]


def is_run(run):
    """Return whether a value is one recorded run."""
    curve = run["curve"]
    named = isinstance(run["variant"], str) and type(run["seed"]) is int and isinstance(run["seconds"], int | float)
    numbers = [number for point in curve for number in point]
    is_numeric = all(len(point) == 2 for point in curve) and all(isinstance(each, int | float) for each in numbers)
    return named and bool(curve) and is_numeric


def _is_hidden(path, folder):
    parts = path.relative_to(folder).parts
    return parts[0] == "runs" or any(part.startswith(".") or part == "__pycache__" for part in parts)


def open_project(folder):
    """Return the project in a folder."""
    if not (folder / RUN).is_file():
        says, expected = (
            f"this folder is not a project; {RUN} is missing",
            f"a folder with {RUN}, {PAGE} and {SETTINGS}.",
        )
        raise UsageError(f"{folder}: {says}.", expected, "dark capstone start gpt")
    settings = _settings(folder / SETTINGS)
    place = (folder / settings["package"]).resolve()
    package = find_package(place) if place.is_dir() else None
    if package is None:
        says = f"{folder / SETTINGS}: {place} does not hold an exported package."
        expected = "the folder that dark export has written, relative to the project."
        raise UsageError(says, expected, f"dark export {place}")
    return Project(folder, package, str(settings.get("question", "")))


def _settings(path):
    problem = "it names no package"
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        if isinstance(found.get("package"), str):
            return found
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", str(error))
    expected = "a line that names the package."
    raise UsageError(f"{path}: cannot be used ({problem}).", expected, 'package = "../mine"')
