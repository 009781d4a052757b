"""The error for a name of PyTorch or Ignite that `dark` does not have: it names the counterpart.

Nothing here is called for a name that exists. A module has a function `__getattr__`, which Python calls last. A class
would pay for that method at each access of an attribute, also of one that exists (Python 3.11 specializes none of a
class that has it); so nodes and modules have for each of the names a descriptor that raises.
"""

import sys
from collections.abc import Callable
from opcode import opmap

from dark.errors import MissingImportError, MissingNameError
from dark.spellings import ignite_names, package_names, tensor_names, torch_names
from dark.spellings.table import collect

IMPORT_FROM = opmap["IMPORT_FROM"]  # the instruction of `from module import name`
MODULES = collect(ignite_names.MODULES)
NAMES = {  # the home of names -> their rows
    "dark": collect(torch_names.TORCH),
    "dark.nn": collect(package_names.NN),
    "dark.nn.functional": collect(package_names.FUNCTIONAL),
    "dark.nn.utils": collect(package_names.NN_UTILS),
    "dark.nn.init": collect(package_names.INIT),
    "dark.optim": collect(package_names.OPTIM),
    "dark.optim.lr_scheduler": collect(package_names.LR_SCHEDULER),
    "dark.data": collect(package_names.DATA),
    "dark.losses": collect(package_names.LOSSES),
    "dark.engine": collect(ignite_names.ENGINE),
    "dark.trainers": collect(ignite_names.TRAINERS_ROWS),
    "dark.metrics": collect(ignite_names.METRICS),
    "dark.handlers": collect(ignite_names.HANDLERS),
    "dark.distributed": collect(ignite_names.DISTRIBUTED),
    "Node": collect(tensor_names.TENSOR),
    "Module": collect(tensor_names.MODULE),
}


def advice(row):
    """Return the parts "Expected" and "Try" of an error for a row of a table.

    >>> advice(NAMES["Node"]["acos"])
    ('a name of dark: operations are functions, as in NumPy.', 'np.arccos(x)')
    """
    return f"a name of dark: {row.why}".replace("`", ""), row.instead.replace("`", "")


def missing_error(home, name, caller):
    """Return the error for a name that a module does not have, looked up in the frame `caller`."""
    module, row = sys.modules.get(home), NAMES[home].get(name)
    if row is None:
        return AttributeError(f"module {home!r} has no attribute {name!r}", name=name, obj=module)
    if caller.f_code.co_code[caller.f_lasti] == IMPORT_FROM:  # for which Python hides an AttributeError
        return MissingImportError(f"cannot import name {name!r} from {home!r}.", *advice(row))
    return _missing(f"module {home!r}", name, module, row)


def missing_module(name):
    """Return the error for an import of a module of PyTorch or Ignite; None for any other name.

    >>> missing_module("dark.cuda").name, missing_module("dark.foo")
    ('dark.cuda', None)
    """
    row = MODULES.get(name.removeprefix("dark."))
    if row is None:
        return None
    error = MissingImportError(f"No module named {name!r}.", *advice(row))
    error.name = name
    return error


def _missing(owner, name, obj, row):
    error = MissingNameError(f"{owner} has no attribute {name!r}.", *advice(row))
    error.name, error.obj = name, obj
    return error


class MissingName:
    """A descriptor for a name of PyTorch's that a class does not have: it raises an `AttributeError` with advice.

    An attribute of the instance, or of a subclass, hides it.
    """

    __slots__ = ("home", "name")

    def __init__(self, home, name):
        self.home, self.name = home, name

    def __get__(self, instance, owner=None):
        known = getattr(instance, "__dict__", {})  # of a subclass without slots
        if self.name in known:
            return known[self.name]
        kind = owner if instance is None else type(instance)
        who = f"type object {kind.__name__!r}" if instance is None else f"{kind.__name__!r} object"
        raise _missing(who, self.name, instance if instance is not None else kind, NAMES[self.home][self.name])


class MissingField(MissingName):
    """Such a descriptor that refuses assignments, too: to objects with slots, where ``x.data = 1`` has no place."""

    __slots__ = ()

    def __set__(self, instance, value):
        if hasattr(instance, "__dict__"):
            instance.__dict__[self.name] = value
            return
        self.__get__(instance)


def describe_missing(cls: type, home: str, kind: Callable[[str, str], object]) -> None:
    """Give a class a descriptor for each name of a table that it does not have."""
    for name in NAMES[home]:
        if not hasattr(cls, name):
            setattr(cls, name, kind(home, name))


def present_names(instance):
    """Return the names that `dir` lists for an object: the ones that exist, without names that only have advice."""
    cls, own = type(instance), getattr(instance, "__dict__", ())
    return [name for name in object.__dir__(instance) if name in own or not _is_missing(cls, name)]


def _is_missing(cls, name):
    """Return whether the first class that defines a name has only advice for it."""
    found = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    return isinstance(found, MissingName)
