"""The classes of `dark`: their functions are methods, and their attributes are declared."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

# What must be an int and needs a field: `x.size` is a number, and `x.size()` is PyTorch's spelling of the shape.
INTS_WITH_FIELDS = {"ElementCount": {"_shape"}}


def trees():
    """Yield the path and the syntax tree of each file."""
    for path in sorted((ROOT / "dark").rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


TREES = dict(trees())
CLASSES = [(path, node) for path, tree in TREES.items() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def names(nodes):
    """Return the names of decorators or of base classes, without their arguments."""
    return {ast.unparse(node.func if isinstance(node, ast.Call) else node) for node in nodes}


def without_self(owner):
    """Return the functions of a class whose first parameter is not the instance, without a decorator that says so."""
    found = []
    for node in owner.body:
        if isinstance(node, FUNCTIONS) and not names(node.decorator_list) & {"staticmethod", "classmethod"}:
            first = [*node.args.posonlyargs, *node.args.args][:1]
            found += [f"{owner.name}.{node.name}"] if not first or first[0].arg not in ("self", "cls") else []
    return found


def set_by_object(tree):
    """Return the classes and names that ``object.__setattr__`` sets, and where: in which class and function."""
    found = []
    for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for function in (node for node in owner.body if isinstance(node, FUNCTIONS)):
            for call in (node for node in ast.walk(function) if is_set(node)):
                found.append((owner, function, call))
    return found


def is_set(node):
    """Return whether a node calls ``object.__setattr__``."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "object.__setattr__"


def declared(owner):
    """Return the names that the body of a class declares."""
    return {node.target.id for node in owner.body if isinstance(node, ast.AnnAssign)}


def names_in(call, function):
    """Return the names that a call sets: a constant, or the constants over which a loop around it runs."""
    name = call.args[1]
    if isinstance(name, ast.Constant):
        return {name.value}
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For) and ast.unparse(node.target) == name.id]
    return {item.value for loop in loops for item in loop.iter.elts}


def test_every_function_of_a_class_has_self_or_is_static():
    assert [f"{path}: {name}" for path, owner in CLASSES for name in without_self(owner)] == []


def test_a_function_without_self_is_found():
    (owner,) = ast.parse("class A:\n def _f(x): ...\n @staticmethod\n def _g(x): ...\n def h(self): ...").body
    assert without_self(owner) == ["A._f"]


def test_no_int_has_attributes_of_its_own_that_are_not_declared():
    for _path, owner in CLASSES:
        if "int" in names(owner.bases):
            stores = [n for n in ast.walk(owner) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
            assert declared(owner) == INTS_WITH_FIELDS.get(owner.name, set()), owner.name
            assert {store.attr for store in stores} <= declared(owner), owner.name


def test_object_setattr_sets_only_the_declared_fields_of_a_frozen_class_when_it_is_made():
    for path, tree in TREES.items():
        found = set_by_object(tree)
        assert len(found) == sum(is_set(node) for node in ast.walk(tree)), path
        for owner, function, call in found:
            assert function.name in ("__init__", "__post_init__") and ast.unparse(call.args[0]) == "self", path
            assert any("frozen=True" in ast.unparse(decorator) for decorator in owner.decorator_list), path
            assert names_in(call, function) <= declared(owner), path
