"""The whole export: choose the code, make the texts of all files, try the package, and write it."""

import keyword
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from dark.course.exams.questions import load_exam
from dark.course.export.chosen import YOURS, ChosenModule, chosen_modules, wanted_modules
from dark.course.export.module_file import helper_files, module_files
from dark.course.export.project import dependencies, pyproject, readme, test_text
from dark.course.export.public_files import public_files, public_names
from dark.course.export.question_files import expected_answers, judges_text, packed, questions_text, support_files
from dark.course.export.together import settle
from dark.course.export.writing import check_folder, write_files
from dark.course.lessons.imports import FRAMEWORK
from dark.errors import CourseError, UsageError

TAKEN = {*sys.stdlib_module_names, FRAMEWORK, "numpy", "exam", "tests"}
SECONDS = 120  # for the trial import


@dataclass(frozen=True)
class Exported:
    """The result of an export: the package that it has written."""

    name: str
    folder: Path
    chosen: list[ChosenModule] = field(default_factory=list)  # with the code of each exercise
    kept: list[Path] = field(default_factory=list)  # the copies of files that had been edited

    @property
    def is_right(self):
        """Whether the package answers all its tests."""
        return not any(each.failing for each in self.chosen)

    def __str__(self):
        cells = [(each, cell) for each in self.chosen for cell in each.exercises]
        count = sum(cell.whose == YOURS for _, cell in cells)
        lines = [f"{self.folder}: the package {self.name}; {count} of {len(cells)} answers are yours."]
        for each in self.chosen:
            others = [f"{cell.exercise} ({cell.status})" for cell in each.exercises if cell.whose != YOURS]
            if len(others) == len(each.exercises) and others:
                lines.append(f"  {each.module.id}: the reference answers of the course.")
            elif others:
                lines.append(f"  {each.module.id}: the reference answers for {', '.join(others)}.")
            if each.failing:
                named = ", ".join(each.failing)
                lines.append(f"  {each.module.id}: some tests of {named} fail with your answers to earlier modules.")
        lines += [f"  You had edited a file; a copy is {path}." for path in self.kept]
        return "\n".join(lines)


def export_course(folder, names=(), *, work=None, name=None, force=False, progress=None) -> Exported:
    """Write the answers of a student as a package, into a `folder` whose name is by default its `name`.

    The `names` are modules, by number or name, and those that they build on are added; by default all. `work` is the
    folder of the notebooks; `force` renews an earlier export; ``progress(list, text)`` wraps what takes time, such as
    `tqdm`. A folder or name that is not possible is a `UsageError`; a module that does not exist, or a package that
    cannot be imported, a `CourseError`.
    """
    name, progress = package_name(folder, name), progress or (lambda items, text: items)
    check_folder(folder, force)
    wanted = wanted_modules(names)
    chosen = chosen_modules(wanted, work, lambda items: progress(items, "your answers"))
    settle(chosen, lambda items: progress(items, "all answers together"))
    files = package_files(name, chosen, lambda items: progress(items, "expected answers"))
    _try(name, files)
    return Exported(name, Path(folder), chosen, write_files(folder, files))


def package_name(folder, name=None):
    """Return the name of the package: the given one, or the last part of the folder made an identifier."""
    found = name or re.sub(r"\W+", "_", Path(folder).resolve().name, flags=re.ASCII).strip("_").lower()
    if found.isascii() and found.isidentifier() and not keyword.iskeyword(found) and found not in TAKEN:
        return found
    taken = found in TAKEN or keyword.iskeyword(found)
    why = "is a name that Python, the course or the tests use" if taken else "is not a name of Python"
    expected = "an identifier of ASCII letters, digits and underscores that is not taken."
    raise UsageError(f"export: the package cannot be called {found!r}: it {why}.", expected, "--name my_framework")


def package_files(name, chosen, progress=iter):
    """Return the files of a project, by path, as bytes."""
    modules = module_files(chosen)
    names = public_names(chosen, modules)
    texts = {f"{name}/{each.name}.py": each.text for each in modules.values()}
    texts |= {f"{name}/{file}": text for file, text in helper_files(texts.values()).items()}
    order = [each.name for each in modules.values()]
    texts |= {f"{name}/{file}": text for file, text in public_files(names, order).items()}
    needed = dependencies(texts.values())
    texts["pyproject.toml"] = pyproject(name, needed, chosen)
    texts["README.md"] = readme(name, chosen, modules, names, needed)
    texts[".gitignore"] = "__pycache__/\n*.egg-info/\nbuild/\ndist/\n.pytest_cache/\n"
    texts["tests/exam/__init__.py"] = '"""The exams of the course: questions, judges, and what is expected."""\n'
    texts |= {f"tests/exam/{file}": text for file, text in support_files().items()}
    files = {path: text.encode() for path, text in texts.items()}
    for each in progress([each for each in chosen if each.module.exercises]):
        files |= _tests(name, each)
    return files


def _tests(name, each):
    exam, stem = load_exam(each.module.id), each.file.removeprefix("_")
    judges = judges_text(exam, each.module)
    texts = {f"test_{stem}.py": test_text(name, each, judges is not None)}
    texts |= {f"exam/questions_{stem}.py": questions_text(exam, each.module)}
    texts |= {f"exam/judges_{stem}.py": judges} if judges else {}
    files = {f"tests/{path}": text.encode() for path, text in texts.items()}
    return files | {f"tests/exam/expected/{stem}.json.gz": packed(expected_answers(each.module))}


def _try(name, files):
    """Import the package in a process of its own, before anything is written to the folder."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            if path.startswith(f"{name}/"):
                target = Path(folder, path)
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(content)
        code = f"import sys; sys.path.insert(0, {folder!r}); import {name}; assert {FRAMEWORK!r} not in sys.modules"
        try:
            ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise _not_imported(name, f"it runs for more than {SECONDS} seconds") from None
    if ran.returncode:
        told = [line.strip().replace(f"{folder}/", "") for line in ran.stderr.splitlines() if line.strip()]
        place = next((line for line in reversed(told) if line.startswith("File ")), "")
        raise _not_imported(name, f"{told[-1] if told else 'it ends the process'} {place and f'({place})'}".strip())


def _not_imported(name, why):
    expected = "answers that define functions and classes, and can be imported."
    advice = "move what tries an answer out into a cell of its own, then dark check"
    return CourseError(f"export: the package {name} cannot be imported: {why}.", expected, advice)
