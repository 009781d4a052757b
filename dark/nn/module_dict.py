"""`ModuleDict`: modules by names."""

from dark.errors import UsageError, ValueTypeError, near_misses
from dark.nn.module import Module
from dark.nodes.values import describe


class ModuleDict(Module):
    """Modules by names: they are parts of the module that holds the dict, and called by hand.

    Parameters
    ----------
    modules : mapping of str to Module, or iterable of pairs (name, module), optional

    Raises
    ------
    UsageError
        If there is no module of a name, or a name cannot be one.
    ValueTypeError
        If something is no module.

    Examples
    --------
    >>> from dark import nn
    >>> heads = ModuleDict({"digit": nn.Linear(8, 10), "even": nn.Linear(8, 2)})
    >>> "even" in heads, [name for name, p in heads.named_parameters()][0]
    (True, 'digit.weight')
    """

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or {})

    def _here(self):
        return dict(self.named_children(remove_duplicate=False))

    def __getitem__(self, name):
        if name not in self._here():
            raise UsageError(
                f"ModuleDict: there is no module {name!r}.", "a name that it has.", near_misses(name, self._here())
            )
        return self._here()[name]

    def __setitem__(self, name, module):
        self.add_module(name, module)

    def __delitem__(self, name):
        self[name]
        delattr(self, name)

    def __len__(self):
        return len(self._here())

    def __iter__(self):
        return iter(self._here())

    def __contains__(self, name):
        return name in self._here()

    def keys(self):
        """Return the names."""
        return self._here().keys()

    def values(self):
        """Return the modules."""
        return self._here().values()

    def items(self):
        """Return pairs of a name and a module."""
        return self._here().items()

    def update(self, modules):
        """Take in the modules of a mapping, or of pairs of a name and a module."""
        pairs = list(modules.items() if hasattr(modules, "items") else modules)
        if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
            raise ValueTypeError(f"ModuleDict: {describe(modules)} has no names.", "a dict.", '{"name": module}')
        for name, module in pairs:
            self[name] = module

    def clear(self):
        """Take all modules out."""
        for name in list(self):
            del self[name]

    def pop(self, name):
        """Take a module out and return it."""
        module = self[name]
        del self[name]
        return module
