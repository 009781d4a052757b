"""The form of the tables: names of PyTorch and Ignite that `dark` does not have, with reason and counterpart."""

from typing import NamedTuple


class Row(NamedTuple):
    """Some names that share a reason and an alternative.

    Attributes
    ----------
    names : str
        Names with spaces between them; `acos:arccos` has the name `arccos` in the alternative.
    why : str
        The reason, which ends in a full stop.
    instead : str
        What to write; code is in backticks, and `{name}` is the name.

    Examples
    --------
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

    Examples
    --------
    >>> in_place("add exp")
    'add_ exp_'
    """
    return " ".join(f"{name}_" for name in names.split())


def collect(rows):
    """Return the rows of a table by name.

    Examples
    --------
    >>> sorted(collect([Row("a b", "why.", "c")]))
    ['a', 'b']
    """
    return {name: row for rows_ in rows for name, row in rows_.by_name().items()}
