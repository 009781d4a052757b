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
    """An exported package."""

    folder: Path
    name: str


def find_package(folder):
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
            raise UsageError(
                f"{path}: these are not recorded results.", "the file that run.py writes.", "python run.py --again"
            )
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
    return named and bool(curve) and all(map(_is_point, curve))


def _is_point(point):
    return len(point) == 2 and all(isinstance(number, int | float) for number in point)


def _is_hidden(path, folder):
    parts = path.relative_to(folder).parts
    return parts[0] == "runs" or any(part.startswith(".") or part == "__pycache__" for part in parts)


def open_project(folder):
    """Return the project in a folder."""
    if not (folder / RUN).is_file():
        raise UsageError(
            f"{folder}: this folder is not a project; {RUN} is missing.",
            f"a folder with {RUN}, {PAGE} and {SETTINGS}.",
            "dark capstone start gpt",
        )
    settings = _settings(folder / SETTINGS)
    place = (folder / settings["package"]).resolve()
    package = find_package(place) if place.is_dir() else None
    if package is None:
        raise UsageError(
            f"{folder / SETTINGS}: {place} does not hold an exported package.",
            "the folder that dark export has written, relative to the project.",
            f"dark export {place}",
        )
    return Project(folder, package, str(settings.get("question", "")))


def _settings(path):
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        valid = isinstance(found.get("package"), str)
        problem = "it names no package"
    except OSError as error:
        valid, problem = False, error.strerror
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        valid, problem = False, str(error)
    if not valid:
        expected = "a line that names the package."
        raise UsageError(f"{path}: cannot be used ({problem}).", expected, 'package = "../mine"')
    return found
