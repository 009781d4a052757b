"""Write the folder of a new project: a page, a program, the files that it uses, and its data."""

import os
from importlib.util import find_spec
from pathlib import Path

from dark.course.capstone.project import PAGE, RUN, SETTINGS, Package, find_package
from dark.course.lessons.library import working_folder
from dark.course.lessons.notebook_files import save_file
from dark.errors import UsageError

HERE = Path(__file__).parent
GIVEN = {"curves.py": HERE / "curves.py", "runs.py": HERE / "skeletons" / "runs.py.txt"}
TEXT_MODULES = ("textwrap", "heapq", "bisect", "shlex", "contextlib", "argparse")  # of the library of Python
TEXT_CHARACTERS = 120_000


def start(question, folder: Path | None = None, package: Path | None = None) -> tuple[Path, Package]:
    """Write a project into a folder, new and by default of the notebooks; return it, and a package that was found."""
    folder = folder or working_folder() / f"capstone-{question.name}"
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        others = (folder.with_name(f"{folder.name}-{k}") for k in range(2, 1000))
        free = next(path for path in others if not path.exists())
        says = f"{folder}: this folder is not empty, and nothing was written."
        raise UsageError(says, "a new folder.", f"dark capstone start {question.name} {free}")
    found = _package(package, folder)
    place = Path(os.path.relpath(found.folder.resolve(), folder.resolve())).as_posix()
    settings = f'question = "{question.name}"\npackage = "{place}"  # of `dark export`\n'
    files = {name: path.read_text(encoding="utf-8") for name, path in GIVEN.items()}
    files |= {PAGE: question.page(), RUN: question.program(found.name)}
    files |= {SETTINGS: f"# Of `dark capstone check`.\n{settings}"}
    files |= {"text.txt": library_text()} if question.name == "gpt" else {}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        save_file(folder / name, text)
    return folder, found


def library_text():
    """Return the source of some modules of Python's library: each computer with Python has it."""
    specs = filter(None, map(find_spec, TEXT_MODULES))
    paths = [Path(spec.origin) for spec in specs if spec.origin]
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    return "".join(letter for letter in text if letter == "\n" or " " <= letter <= "~")[:TEXT_CHARACTERS]


def _package(named, folder):
    """Return the package that is named, or the first that is found."""
    if named is not None:
        found = find_package(named) if named.is_dir() else None
        if found is None:
            says = f"--package {named}: this folder does not hold an exported package."
            raise UsageError(says, "the folder that dark export has written.", f"dark export {named}")
        return found
    places = [folder.parent, working_folder(), Path()]
    inside = [path for place in places if place.is_dir() for path in sorted(place.iterdir()) if path.is_dir()]
    found = next(filter(None, map(find_package, [Path(), *inside])), None)
    if found is None:
        expected = "a package of your own, from which the project runs."
        advice = f"dark export {working_folder() / 'mine'}"
        raise UsageError("capstone: no exported package was found.", expected, advice)
    return found
