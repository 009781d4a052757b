"""`ModuleDict`: modules by name."""

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView

from dark.checks import describe, members
from dark.errors import UsageError, ValueTypeError, near_misses
from dark.nn.module import Module


class ModuleDict(Module):
    """Hold submodules in a dictionary, given as a mapping or as pairs (name, module); it has no `forward`.

    >>> from dark import nn
    >>> heads = ModuleDict({"digit": nn.Linear(8, 10), "even": nn.Linear(8, 2)})
    >>> "even" in heads, [name for name, p in heads.named_parameters()][0]
    (True, 'digit.weight')
    """

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None) -> None:
        super().__init__()
        self.update({} if modules is None else modules)

    def _here(self) -> dict[str, Module]:
        return dict(self.named_children(remove_duplicate=False))

    def __getitem__(self, name: str) -> Module:
        if name not in self._here():
            raise UsageError(f"ModuleDict has no module {name!r}.", "one of its keys.", near_misses(name, self._here()))
        return self._here()[name]

    def __setitem__(self, name: str, module: Module) -> None:
        self.add_module(name, module)

    def __delitem__(self, name: str) -> None:
        self[name]
        delattr(self, name)

    def __len__(self) -> int:
        return len(self._here())

    def __iter__(self) -> Iterator[str]:
        return iter(self._here())

    def __contains__(self, name: object) -> bool:
        return name in self._here()

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self._here().keys()

    def values(self) -> ValuesView[Module]:
        """Return the modules."""
        return self._here().values()

    def items(self) -> ItemsView[str, Module]:
        """Return the pairs of a name and a module."""
        return self._here().items()

    def update(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]]) -> None:
        """Add or replace modules, given as a mapping or as pairs of a name and a module."""
        given = modules.items() if hasattr(modules, "items") else modules
        pairs = members(given, "ModuleDict", "modules", "a dict.", '{"name": module}')
        if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
            raise ValueTypeError(
                f"ModuleDict: modules need names, got {describe(modules)}.", "a dict.", '{"name": module}'
            )
        for name, module in pairs:
            self[name] = module

    def clear(self) -> None:
        """Remove all modules."""
        for name in list(self):
            del self[name]

    def pop(self, name: str) -> Module:
        """Remove a module and return it."""
        module = self[name]
        del self[name]
        return module
