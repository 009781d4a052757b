"""The modules that an answer may import: Python's standard library and NumPy, and others that are not used."""

import ast
import builtins
import sys

FRAMEWORK = __name__.partition(".")[0]
DRAW = "draw"  # to draw a graph is not to borrow
ALLOWED = sys.stdlib_module_names | {"numpy"}
SHOWING = {"IPython", "PIL", "graphviz", "ipywidgets", "matplotlib", "plotly", "seaborn"}
WHAT_IS_ALLOWED = "An answer may import Python's standard library and NumPy"

_import = builtins.__import__


class Silent:
    """Replaces a package that draws, its functions, and the objects that these return."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def _itself(self, *arguments, **options):
        return self

    def __iter__(self):
        return iter((self, self))  # figure, axes = plt.subplots()

    def __exit__(self, *error):
        """Let an exception of the block propagate."""

    __call__ = __enter__ = __getitem__ = _itself


class Unusable:
    """Replaces a package, or a part of it, that an answer may not use: every use is an error."""

    def __init__(self, name):
        self._name = name

    def _refuse(self, *arguments, **options):
        raise not_allowed(self._name)

    __getattr__ = __call__ = __iter__ = __mro_entries__ = _refuse


class _Framework(Unusable):
    """Replaces the framework; only its functions that draw are left."""

    draw = Silent()


def not_allowed(name):
    """Return the error for a module that an answer may not import."""
    why = "; the functions and classes of earlier cells are defined already" * name.startswith(FRAMEWORK)
    return ModuleNotFoundError(f"`{name}` cannot be imported here. {WHAT_IS_ALLOWED}{why}.", name=name)


def stand_in(name):
    """Return the object that an answer gets for a module that it may not import; None if it may."""
    package = name.partition(".")[0]
    if package in ALLOWED:
        return None
    if name == FRAMEWORK:
        return _Framework(name)
    return Silent() if package in SHOWING or name.startswith(f"{FRAMEWORK}.{DRAW}") else Unusable(name)


def bind_stand_ins(statement, namespace):
    """Bind the names that an import at the top of a cell may not import; return a statement with the rest, or None."""
    is_from, allowed = isinstance(statement, ast.ImportFrom), []
    for alias in statement.names:
        found = stand_in(statement.module or "" if is_from else alias.name)
        if found is None:
            allowed.append(alias)
        else:
            namespace[alias.asname or (alias.name if is_from else alias.name.partition(".")[0])] = found
    if allowed and not is_from:
        return ast.copy_location(ast.Import(allowed), statement)
    return statement if allowed else None


def allowed_imports(tree):
    """Return the import statements at the top of a cell, None if unreadable, that an answer may make, too, as source.

    >>> allowed_imports(ast.parse("import random, torch; from time import sleep; x = 1"))
    'import random\\nfrom time import sleep'
    """
    found: list[ast.stmt] = []
    for statement in tree.body if tree else ():
        if isinstance(statement, ast.ImportFrom) and stand_in(statement.module or ".") is None:
            found.append(statement)
        elif isinstance(statement, ast.Import):
            names = [alias for alias in statement.names if stand_in(alias.name) is None]
            found += [ast.Import(names)] if names else []
    return "\n".join(map(ast.unparse, found))


def import_of_an_answer(name, globals=None, locals=None, fromlist=(), level=0):
    """Import as `__import__` does; inside a function of an answer, a module that is not allowed is an error."""
    importer = sys._getframe(1).f_globals if globals is None else globals
    if level or importer.get("__name__") != "__main__" or (found := stand_in(name)) is None:
        return _import(name, globals, locals, fromlist, level)
    if type(found) is Unusable:
        raise not_allowed(name)
    return found
