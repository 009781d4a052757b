"""Modules that hold modules: one after another, or in a list."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from dark.errors import IndexingError, ValueTypeError
from dark.nn.function import as_module
from dark.nn.module import Module
from dark.nodes.values import describe


class Row(Module, ABC):
    """Modules in a row, each under its place, "0", "1", …, or under a name that was given to it."""

    @staticmethod
    @abstractmethod
    def _part_of(pairs):
        """Make a row of some of the modules."""

    @staticmethod
    def _door(part):
        """Make what is put into the row a module; `add_module` refuses what is none."""
        return part

    def _pairs(self):
        return [(name, value) for name, value in vars(self).items() if isinstance(value, Module)]

    def _place(self, k):
        """Return the number of a place, given by that or by a name."""
        names = [name for name, _ in self._pairs()]
        if isinstance(k, str) and k in names:
            return names.index(k)
        try:
            return range(len(names))[k]
        except (IndexError, TypeError):
            raise IndexingError(
                f"{type(self).__name__}: there is no module {k!r} among {len(names)}.",
                f"a place from {-len(names)} to {len(names) - 1}." if names else "a module to be there.",
                "print the module, which shows the places.",
            ) from None

    def _refill(self, pairs):
        """Let these modules stand here, in place of those that do; places are numbered again."""
        for name, _ in self._pairs():
            delattr(self, name)
        for k, (name, module) in enumerate(pairs):
            self.add_module(str(k) if name.isdecimal() else name, module)

    def __getitem__(self, k):
        pairs = self._pairs()
        if not isinstance(k, slice):
            return pairs[self._place(k)][1]
        part = self._part_of(pairs[k])
        part.training = self.training
        return part

    def __setitem__(self, k, module):
        name = self._pairs()[self._place(k)][0]
        self.add_module(name, self._door(module))

    def __delitem__(self, k):
        pairs = self._pairs()
        del pairs[k if isinstance(k, slice) else self._place(k)]
        self._refill(pairs)

    def __len__(self):
        return len(self._pairs())

    def __iter__(self):
        return iter([module for _, module in self._pairs()])

    def __contains__(self, module):
        return any(module is part for _, part in self._pairs())

    def append(self, module):
        """Put a module at the end; return the row."""
        self.add_module(str(len(self)), self._door(module))
        return self

    def extend(self, modules):
        """Put several modules at the end; return the row."""
        if isinstance(modules, Module) and not isinstance(modules, Row) or not hasattr(modules, "__iter__"):
            raise ValueTypeError(
                f"{type(self).__name__}: {describe(modules)} is no list.", "a list of modules.", "[module] around one."
            )
        for module in [*modules]:  # a copy: a row may be put behind itself
            self.append(module)
        return self

    def __add__(self, modules):
        row = self[:]
        return row.extend(modules)

    def __iadd__(self, modules):
        return self.extend(modules)

    def pop(self, k=-1):
        """Take a module out and return it; the last one, if no place is given."""
        module = self[self._place(k)]
        del self[k]
        return module

    def insert(self, k, module):
        """Put a module before a place; return the row."""
        pairs = self._pairs()
        pairs.insert(k, ("0", self._door(module)))
        self._refill(pairs)
        return self


class Sequential(Row):
    """Modules one after another: the result of each is the input of the next.

    Parameters
    ----------
    *modules : Module or callable
        In their order, or one dict that gives them names. A callable that is no module, such as `dark.relu`
        or a layer of a student's own, becomes a `Function`.

    Raises
    ------
    IndexingError
        If there is no module at a place.
    ValueTypeError
        If something cannot be called.

    Examples
    --------
    >>> import dark
    >>> net = Sequential({"up": lambda x: x + 1, "cut": dark.relu})
    >>> net(-3.0).value, net[0](-3.0)
    (0.0, -2.0)
    """

    _door = staticmethod(as_module)

    def __init__(self, *modules):
        super().__init__()
        named = modules[0] if len(modules) == 1 and isinstance(modules[0], Mapping) else None
        for name, module in named.items() if named is not None else enumerate(modules):
            self.add_module(str(name), as_module(module))

    @staticmethod
    def _part_of(pairs):
        part = Sequential()
        part._refill(pairs)
        return part

    def forward(self, x):
        """Hand the input through all modules."""
        for name, module in self._pairs():
            try:
                x = module(x)
            except Exception as error:
                error.add_note(f"at place {name!r} of Sequential")
                raise
        return x


class ModuleList(Row):
    """Modules in a list: they are parts of the module that holds the list, and called by hand.

    Parameters
    ----------
    modules : iterable of Module, optional

    Raises
    ------
    IndexingError
        If there is no module at a place.
    ValueTypeError
        If something is no module.

    Examples
    --------
    >>> from dark import nn
    >>> layers = ModuleList([nn.Linear(2, 3), nn.Linear(3, 1)])
    >>> len(layers), layers[-1]
    (2, Linear(in_features=3, out_features=1, bias=True))
    """

    def __init__(self, modules=()):
        super().__init__()
        self.extend(modules)

    @staticmethod
    def _part_of(pairs):
        return ModuleList([module for _, module in pairs])
