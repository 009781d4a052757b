"""A module of the course as data: its exercises, hints and code, read from a printed notebook."""

from dataclasses import dataclass, field
from functools import cached_property

from dark.course.lessons.blank import blank, blank_notebook, printed_hash
from dark.course.lessons.code import code_of
from dark.course.lessons.imports import allowed_imports
from dark.errors import CourseError

FACTS = ("minutes", "milestone", "yours")  # of a module; the last are what runs at its end, and what is written then


@dataclass(frozen=True)
class Hint:
    """One hint: its text, and code whose last value is a picture, or None."""

    text: str
    draw: str | None = None


@dataclass(frozen=True)
class Exercise:
    """One exercise; `solution` is None if only the student's notebook is available."""

    id: str
    module: str
    title: str
    defines: tuple[str, ...]
    minutes: int
    difficulty: int
    hints: tuple[Hint, ...]
    why: str
    stub: str
    solution: str | None

    @cached_property
    def own_names(self):
        """The names that it requires, and the names that its stub defines."""
        return {*self.defines, *code_of(self.stub).names}

    def is_answered_by(self, definition):
        """Return whether a definition answers the exercise; an assignment only if it asks for a value."""
        if definition.name not in self.defines or definition.how != "value":
            return definition.name in self.defines
        return [each.how for each in code_of(self.stub).definitions if each.name == definition.name] == ["value"]


@dataclass(frozen=True)
class Repair:
    """A cell with a fault for the student to find: `id` is the name that it defines, or one of them."""

    id: str
    module: str
    source: str


@dataclass(frozen=True)
class Part:
    """One cell of the code of a module; of an exercise the solution if available, else the stub."""

    kind: str  # given, exercise or, for the code of earlier modules, earlier
    exercise: str | None
    source: str

    @cached_property
    def names(self):
        """The names that it defines."""
        return code_of(self.source).names


@dataclass(frozen=True)
class Module:
    """One module: its code in order, its exercises by id, the student's notebook, and the modules it builds on."""

    id: str
    name: str
    title: str
    parts: tuple[Part, ...]
    exercises: dict[str, Exercise]
    blank: dict
    after: tuple[str, ...] = ()
    minutes: int | None = None
    milestone: str = ""
    yours: str = ""
    repairs: dict[str, Repair] = field(default_factory=dict)

    @property
    def stem(self):
        """The name of its files, such as `01-scalar-autodiff`."""
        return f"{self.id}-{self.name}"

    @cached_property
    def course_sources(self):
        """The sources of the printed code cells that are not exercises."""
        cells = [cell for cell in self.blank["cells"] if cell["metadata"].get("dark", {}).get("kind") != "exercise"]
        return {cell["source"].strip() for cell in cells}

    def mark_of(self, cell):
        """Return the exercise that the metadata of a cell name, or None."""
        metadata = cell.get("metadata", {})
        course, grading = metadata.get("dark", {}), metadata.get("nbgrader", {})
        marks = (
            course.get("exercise") if course.get("kind") == "exercise" else None,
            str(cell.get("id", "")).removeprefix("exercise-"),
            grading.get("grade_id") if grading.get("solution") else None,
        )
        return next((mark for mark in marks if isinstance(mark, str) and mark in self.exercises), None)

    def exercise_of(self, code, mark=None):
        """Return the exercise that a cell answers, by its mark unless its names are clearly another's; or None."""
        names, found = set(code.names), code.definitions
        if code.source.strip() in self.course_sources or mark and names & self.exercises[mark].own_names:
            return mark
        hits = {
            each.id: len({d.name for d in found if each.is_answered_by(d)} if found else names & set(each.defines))
            for each in self.exercises.values()
        }
        best = max(hits, key=hits.__getitem__, default=None)
        if best and hits[best]:
            return best
        for each in self.exercises.values():  # it may have lost the line that attaches the function to its class
            attached = {name.split(".")[-1] for name in each.defines if "." in name}
            if names & attached & each.own_names:
                return each.id
        return mark


def module_of(notebook, name="notebook"):
    """Read a module from a printed notebook, solved or blank."""
    try:
        return _module_of(notebook)
    except (KeyError, TypeError, AttributeError) as error:
        says = f"{name}: the course metadata is damaged ({type(error).__name__}: {error})."
        advice = "write it again with `dark build`, or reinstall the course."
        raise CourseError(says, "a notebook written by `dark build`.", advice) from error


def _module_of(notebook):
    course = notebook["metadata"]["dark"]
    exercises, repairs = {}, {}
    parts: list[Part] = []
    for cell in notebook["cells"]:
        kind = cell["metadata"].get("dark", {}).get("kind")
        if kind == "code" and not parts and (imports := allowed_imports(code_of(cell["source"]).tree)):
            parts.append(Part("given", None, imports))  # what a notebook imports first, every answer has
        elif kind == "given":
            parts.append(Part("given", None, cell["source"]))
        elif kind == "exercise":
            exercise = _exercise(cell, course)
            exercises[exercise.id] = exercise
            parts.append(Part("exercise", exercise.id, exercise.solution or exercise.stub))
        elif kind == "repair":
            name = cell["metadata"]["dark"]["repair"]
            repairs[name] = Repair(name, course["module"], cell["source"])
    numbers = course.get("after") or ()
    after = (numbers,) if isinstance(numbers, str) else tuple(map(str, numbers))
    facts = {key: course[key] for key in FACTS if key in course}
    names = {key: course[key] for key in ("name", "title")}
    made = {"parts": tuple(parts), "exercises": exercises, "repairs": repairs, "blank": blank_notebook(notebook)}
    return Module(id=course["module"], after=after, **names, **made, **facts)


def _exercise(cell, course):
    name, source = cell["metadata"]["dark"]["exercise"], cell["source"]
    data, stub = course["exercises"][name], blank(source)
    if printed_hash(source) != cell["metadata"]["dark"]["printed"]:
        stub = ""  # a student's answer, without a solved notebook: the stub is unknown
    facts = {key: data[key] for key in ("minutes", "difficulty", "why")} | {"defines": tuple(data["defines"])}
    hints = tuple(Hint(hint["text"], hint["draw"]) for hint in data["hints"])
    solution = source if stub and stub != source else None
    return Exercise(name, course["module"], title=name, hints=hints, stub=stub, solution=solution, **facts)
