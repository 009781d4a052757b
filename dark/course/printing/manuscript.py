"""Manuscripts: `book/NN-name.md`, one MyST notebook for each module, read and validated.

The metadata of a code cell gives its kind: `exercise: id` with the data of the exercise, one of the tags `given`,
`predict`, `check`, or `repair: name` for a cell with a fault to find. Any other cell is a demonstration.
"""

import ast
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from dark.course.lessons.blank import predictions
from dark.course.lessons.code import code_of
from dark.course.printing.proofread import proofread, refuse
from dark.errors import CourseError, missing_extra

KINDS = ("given", "predict", "check")
FACTS = {"minutes": int, "milestone": str, "yours": str}  # of a module, in its front matter
EXERCISE_KEYS = ("defines", "minutes", "difficulty", "hints", "why")


@dataclass(frozen=True)
class ManuscriptCell:
    """One cell of a manuscript."""

    kind: str
    cell_type: str
    source: str
    line: int  # in the manuscript
    about: str | None  # the id of the exercise (kinds exercise, check), the repair or the prediction
    metadata: dict


@dataclass(frozen=True)
class Manuscript:
    """One manuscript: its cells in order, and the data of its exercises by id."""

    path: Path
    title: str
    cells: tuple[ManuscriptCell, ...]
    exercises: dict[str, dict]
    after: tuple[str, ...] = ()  # the numbers of the modules that this one builds on
    course: dict = field(default_factory=dict)  # `minutes`, `milestone` and `yours` of the front matter

    @property
    def stem(self):
        """The name of its files, such as `01-scalar-autodiff`."""
        return self.path.stem

    @property
    def module(self):
        """The number, such as `01`."""
        return self.stem[:2]

    @property
    def name(self):
        """The name without the number."""
        return self.stem[3:]


def read_manuscript(path) -> Manuscript:
    """Read and validate a manuscript; the error for a broken rule names file, line and cell."""
    path = Path(path)
    if not re.fullmatch(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*", path.stem):
        expected = "two digits, a hyphen, lowercase letters: 01-scalar-autodiff.md"
        raise CourseError(f"{path.name}: invalid name of a manuscript.", expected, "rename the file.")
    exercises = {}
    cells, course = _cells(path)
    for cell in [each for each in cells if each.kind == "exercise"]:
        if cell.about in exercises:
            refuse(path, cell, "duplicate exercise.", "a unique id.", "rename one")
        exercises[cell.about] = {key: cell.metadata.get(key) for key in EXERCISE_KEYS}
    title, after, facts = _title(path, cells), _after(path, course), _facts(path, course)
    manuscript = Manuscript(path, title, tuple(cells), exercises, after, facts)
    return proofread(manuscript, _names_before(manuscript))


def check_unique_exercises(manuscript):
    """Check that no other manuscript of the course has an exercise with the same id."""
    for path in sorted(manuscript.path.parent.glob("[0-9][0-9]-*.md")):
        others = {cell.about for cell in _cells(path)[0] if cell.kind == "exercise"} if path != manuscript.path else ()
        for cell in manuscript.cells:
            if cell.kind == "exercise" and cell.about in others:
                says = f"duplicate exercise: {path.name} has one with the same id."
                refuse(manuscript.path, cell, says, "an id that is unique in the course.", "rename one")


def _names_before(manuscript):
    """Return the names that earlier modules define."""
    names, seen, waiting = set(), set(), [*manuscript.after]
    while waiting:
        number = waiting.pop()
        if number not in seen:
            seen.add(number)
            path = next(manuscript.path.parent.glob(f"{number}-*.md"))
            cells, course = _cells(path)
            waiting += _after(path, course)
            for cell in cells:
                if cell.kind in ("given", "exercise"):
                    names.update(code_of(cell.source).names)
    return names


def _cells(path):
    """Return the cells of the file, and `dark` of the front matter."""
    try:
        from jupytext.myst import MystMetadataParsingError, myst_to_notebook
    except ImportError as error:
        raise missing_extra("jupytext", "lab") from error
    try:
        notebook = myst_to_notebook(path.read_text(encoding="utf-8"), add_source_map=True)
    except (OSError, UnicodeDecodeError, MystMetadataParsingError) as error:
        advice = "check the line above, and the YAML block between the two `---`."
        raise CourseError(f"{path.name}: cannot be read: {error}", "a MyST notebook in UTF-8.", advice) from error
    lines = notebook.metadata["source_map"]
    cells = [_cell(path, cell, line) for cell, line in zip(notebook.cells, lines, strict=True)]
    return cells, notebook.metadata.get("dark", {})


def _after(path, course):
    """Return the earlier modules that the front matter names: `dark: {after: "01"}` or a list of numbers."""
    after = course.get("after") if isinstance(course, dict) else course
    named = after if isinstance(after, list) else [] if after is None else [after]
    known = sorted(each.stem[:2] for each in path.parent.glob("[0-9][0-9]-*.md") if each.stem < path.stem)
    numbers = sorted({str(number) for number in named})
    if len(numbers) == len(named) and set(numbers) <= set(known):
        return tuple(numbers)
    says = f"{path.name}: invalid `after: {after!r}` in the front matter."
    expected = 'dark: {after: "NN"}, the number of an earlier module, or a list of different ones'
    raise CourseError(says, expected + (f": {', '.join(known)}" if known else "."), "write each number in quotes.")


def _facts(path, course):
    """Return the entries of the front matter about the module: minutes, milestone, and what the student owns then."""
    facts = {key: course[key] for key in FACTS if key in course} if isinstance(course, dict) else {}
    for key, value in facts.items():
        if not isinstance(value, FACTS[key]) or not value:
            says = f"{path.name}: invalid `{key}: {value!r}` in the front matter."
            advice = "dark: {minutes: 90, milestone: a line between two species, yours: a backward pass}"
            raise CourseError(says, "minutes: a positive integer; milestone, yours: text.", advice)
    return facts


def _cell(path, cell, line):
    metadata = dict(cell.metadata)
    kinds = [kind for kind in KINDS if kind in metadata.get("tags", [])]
    kinds += [kind for kind in ("exercise", "repair") if kind in metadata]
    kind = (kinds or ["code" if cell.cell_type == "code" else "prose"])[0]
    made = ManuscriptCell(kind, cell.cell_type, cell.source.rstrip(), line, None, metadata)
    if len(kinds) > 1:
        refuse(path, made, "one cell has the kinds " + " and ".join(kinds) + ".", "one kind.", "split the cell")
    return replace(made, about=_about(made))


def _about(cell):
    """Return the id of the exercise or the prediction of a cell."""
    if cell.kind in ("exercise", "repair"):
        return str(cell.metadata[cell.kind])
    if cell.kind == "check":
        found = re.search(r"""^check\((['"])(.*?)\1\)""", cell.source, re.MULTILINE)
        return found[2] if found else None
    if cell.kind == "predict":
        names = [call.args[0] for call in predictions(cell.source)]
        named = [name.value for name in names if isinstance(name, ast.Constant)]
        return str(named[0]) if named else None
    return None


def _title(path, cells):
    text = cells[0].source if cells else ""
    found = re.match(r"# (.+)", text)
    if not found:
        expected = "a heading `# Title` as the first line of the first cell."
        raise CourseError(f"{path.name}: the title is missing.", expected, "write the heading below the front matter.")
    return found[1].strip()
