"""The form of the tables: names of PyTorch and Ignite that `dark` does not have, with reason and counterpart."""

from typing import NamedTuple


class Row(NamedTuple):
    """Some names, with spaces between them, that share a reason, which ends in a full stop, and an alternative.

    Code in the alternative is in backticks, and `{name}` is the name: `arccos` for `acos:arccos`.

    >>> Row("acos:arccos exp", "operations are functions.", "`np.{name}(x)`").by_name()["acos"].instead
    '`np.arccos(x)`'
    """

    names: str
    why: str
    instead: str

    def by_name(self):
        """Return for each name a row of its own."""
        pairs = [entry.partition(":") for entry in self.names.split()]
        return {n: Row(n, self.why, self.instead.replace("{name}", other or n)) for n, _, other in pairs}


def in_place(names):
    """Return names with the underscore of PyTorch's operations in place.

    >>> in_place("add exp")
    'add_ exp_'
    """
    return " ".join(f"{name}_" for name in names.split())


def collect(rows):
    """Return the rows of a table by name.

    >>> sorted(collect([Row("a b", "why.", "c")]))
    ['a', 'b']
    """
    return {name: row for rows_ in rows for name, row in rows_.by_name().items()}
