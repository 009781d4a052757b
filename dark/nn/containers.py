"""`Sequential` and `ModuleList`: modules in a fixed order."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self

from dark.checks import describe, integer, is_bool
from dark.errors import IndexingError, ValueTypeError
from dark.nn.function import as_module
from dark.nn.module import Module


class OrderedModules(Module, ABC):
    """Base class of containers with an order: submodules named "0", "1", …, or by names of their own."""

    @staticmethod
    @abstractmethod
    def _from_pairs(pairs):
        """Create a container of some of the submodules, given as pairs of a name and a module."""

    @staticmethod
    def _as_module(part):
        """Convert a new element to a module; `add_module` raises if it is not one."""
        return part

    def _pairs(self):
        return [(name, value) for name, value in vars(self).items() if isinstance(value, Module)]

    def _index(self, k):
        """Return the index of a submodule, given by its index or its name."""
        names = [name for name, _ in self._pairs()]
        if isinstance(k, str) and k in names:
            return names.index(k)
        try:
            if is_bool(k):
                raise TypeError
            return range(len(names))[k]
        except (IndexError, TypeError):
            raise IndexingError(
                f"{type(self).__name__} has no module {k!r}; its length is {len(names)}.",
                f"an index from {-len(names)} to {len(names) - 1}." if names else "a container that is not empty.",
                "print the container, which shows the indices.",
            ) from None

    def _replace_all(self, pairs):
        """Replace all submodules, and number them again."""
        for name, _ in self._pairs():
            delattr(self, name)
        for k, (name, module) in enumerate(pairs):
            self.add_module(str(k) if name.isdecimal() else name, module)

    def __getitem__(self, k: int | str | slice) -> Any:
        pairs = self._pairs()
        if not isinstance(k, slice):
            return pairs[self._index(k)][1]
        part = self._from_pairs(pairs[k])
        part.training = self.training
        return part

    def __setitem__(self, k: int | str, module: Any) -> None:
        name = self._pairs()[self._index(k)][0]
        self.add_module(name, self._as_module(module))

    def __delitem__(self, k: int | str | slice) -> None:
        pairs = self._pairs()
        del pairs[k if isinstance(k, slice) else self._index(k)]
        self._replace_all(pairs)

    def __len__(self) -> int:
        return len(self._pairs())

    def __iter__(self) -> Iterator[Module]:
        return iter([module for _, module in self._pairs()])

    def __contains__(self, module: object) -> bool:
        return any(module is part for _, part in self._pairs())

    def append(self, module: Any) -> Self:
        """Append a module; return the container."""
        self.add_module(str(len(self)), self._as_module(module))
        return self

    def extend(self, modules: Iterable[Any]) -> Self:
        """Append several modules; return the container."""
        if isinstance(modules, Module) and not isinstance(modules, OrderedModules) or not hasattr(modules, "__iter__"):
            raise ValueTypeError(
                f"{type(self).__name__}: {describe(modules)} is not a list.", "a list of modules.", "[module], for one."
            )
        for module in [*modules]:  # a copy: a container may be appended to itself
            self.append(module)
        return self

    def __add__(self, modules: Iterable[Any]) -> Self:
        result = self[:]
        return result.extend(modules)

    def __iadd__(self, modules: Iterable[Any]) -> Self:
        return self.extend(modules)

    def pop(self, k: int | str = -1) -> Module:
        """Remove a module, by default the last one, and return it."""
        module = self[self._index(k)]
        del self[k]
        return module

    def insert(self, k: int, module: Any) -> Self:
        """Insert a module before an index; return the container."""
        pairs = self._pairs()
        pairs.insert(integer(k, type(self).__name__, "k"), ("0", self._as_module(module)))
        self._replace_all(pairs)
        return self


class Sequential(OrderedModules):
    """A sequential container: each module receives the output of the previous one.

    The modules are given in order, or as one dict that names them. A callable that is not a module, such as `dark.relu`
    or an object of a custom class, is wrapped in a `Function`.

    >>> import dark
    >>> net = Sequential({"up": lambda x: x + 1, "cut": dark.relu})
    >>> net(-3.0).value, net[0](-3.0)
    (0.0, -2.0)
    """

    _as_module = staticmethod(as_module)

    def __init__(self, *modules: Module | Callable[..., Any] | Mapping[str, Module | Callable[..., Any]]) -> None:
        super().__init__()
        named = modules[0] if len(modules) == 1 and isinstance(modules[0], Mapping) else None
        for name, module in named.items() if named is not None else enumerate(modules):
            self.add_module(str(name), as_module(module))

    @staticmethod
    def _from_pairs(pairs):
        part = Sequential()
        part._replace_all(pairs)
        return part

    def forward(self, x: Any) -> Any:
        """Pass the input through all modules in order."""
        for name, module in self._pairs():
            try:
                x = module(x)
            except Exception as error:
                error.add_note(f"in submodule {name!r} of Sequential")
                raise
        return x


class ModuleList(OrderedModules):
    """Hold submodules in a list; it has no `forward`.

    >>> from dark import nn
    >>> layers = ModuleList([nn.Linear(2, 3), nn.Linear(3, 1)])
    >>> len(layers), layers[-1]
    (2, Linear(in_features=3, out_features=1, bias=True))
    """

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        self.extend(modules)

    @staticmethod
    def _from_pairs(pairs):
        return ModuleList([module for _, module in pairs])
