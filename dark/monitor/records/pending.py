"""`Pending`: records that wait until they are evaluated together."""

from collections import deque
from typing import Any

AT_ONCE = 16  # records that are evaluated together
MOST_BYTES = 4_000_000  # of the records that wait
QUIET: Any = {"over": "ignore", "invalid": "ignore"}  # NaN and infinity are recorded, not warned of


class Pending:
    """Records in their order.

    Results depend on the last `length` records: earlier ones are forgotten, and nothing is evaluated before a result is
    read, as long as there is memory. None: they depend on all.
    """

    def __init__(self, length: int | None = None) -> None:
        self.length = length
        self._records: deque[tuple[Any, int]] = deque(maxlen=length)
        self._size_bytes = 0

    def add(self, record: Any, size_bytes: int) -> bool:
        """Add a record of a size; return whether it is time to evaluate all."""
        if len(self._records) == self.length:
            self._size_bytes -= self._records[0][1]
        self._records.append((record, size_bytes))
        self._size_bytes += size_bytes
        return self._size_bytes > MOST_BYTES or (self.length is None and len(self._records) >= AT_ONCE)

    def take(self) -> list[Any]:
        """Return all records, which then wait no longer."""
        records = [record for record, _ in self._records]
        self._records.clear()
        self._size_bytes = 0
        return records
