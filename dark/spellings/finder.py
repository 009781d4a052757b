"""The last finder of modules: `import dark.utils.data`, as PyTorch spells it, is refused with advice."""

from dark.errors import MissingImportError
from dark.spellings.missing import MODULES, advice


class MissingModuleFinder:
    """Refuses modules that PyTorch or Ignite have and `dark` has not; Python asks it last, after all others."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Raise for a module of the table; return None, which leaves the error to Python, for any other."""
        package, _, rest = name.partition(".")
        if package != "dark" or rest not in MODULES:
            return None
        error = MissingImportError(f"No module named {name!r}.", *advice(MODULES[rest]))
        error.name = name
        raise error
