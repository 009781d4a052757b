"""`Pending`: records that wait until they are evaluated together."""

from __future__ import annotations

from typing import Any

AT_ONCE = 16  # records that are evaluated together
MOST_BYTES = 4_000_000  # of the records that wait
QUIET: Any = {"over": "ignore", "invalid": "ignore"}  # NaN and infinity are recorded, not warned of


class Pending:
    """Records in their order.

    Examples
    --------
    >>> pending = Pending()
    >>> pending.add("first", 100), pending.add("second", 5_000_000)
    (False, True)
    >>> pending.take(), pending.take()
    (['first', 'second'], [])
    """

    def __init__(self) -> None:
        self._records: list[Any] = []
        self._size_bytes = 0

    def add(self, record: Any, size_bytes: int) -> bool:
        """Add a record of a size; return whether it is time to evaluate all."""
        self._records.append(record)
        self._size_bytes += size_bytes
        return len(self._records) >= AT_ONCE or self._size_bytes > MOST_BYTES

    def take(self) -> list[Any]:
        """Return all records, which then wait no longer."""
        records, self._records, self._size_bytes = self._records, [], 0
        return records
