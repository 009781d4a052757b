"""The store: the database of a gradebook, opened by the one process that writes it.

Each result is a transaction. A process that is killed leaves a database that can be read, with all results
that were stored before; SQLite finishes or undoes the last one when the file is opened again.
"""

import json
import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path

from dark.errors import CourseError
from dark.grading.gradebook.database import opened, readable_rows
from dark.grading.gradebook.seal import is_sealed, seal

FILE = "gradebook.db"
BESIDE = ("", "-wal", "-shm")  # the files of a database in use


class Store:
    """The results of a class, in the folder of their report; `tell` reports damage, and rows of other users."""

    def __init__(self, folder, key, tell=lambda text: None):
        self.path, self._key, self._tell = Path(folder, FILE), key, tell
        with self._saying():
            try:
                self._connection = opened(self.path)
            except sqlite3.OperationalError:  # a full disk, a locked file
                raise
            except sqlite3.DatabaseError as error:
                self._replace(error)

    def close(self):
        """Close the file; after that, it is the only one of the database."""
        self._connection.close()

    def flush(self):
        """Write the stored data through to disk, so that it survives a crash of the machine, too."""
        with self._saying():
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def keep(self, record: dict, reports: dict[str, str], *, slug: str = "", changes=()):
        """Store the result of a submission, its feedback as HTML by exercise, and changes of marks for the history."""
        row = {"name": record["name"], "record": _json(record), "reports": _json(reports)}
        with self._transaction() as connection:
            self._insert("records", row)
            for change in changes:
                number = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM changes").fetchone()[0]
                self._insert("changes", {"id": number, "change": _json(change)})
            connection.execute("DELETE FROM started WHERE slug = ?", (slug,))

    def record(self, name):
        """Return the record of a submission; None if it is missing, or someone else has written it."""
        row = self._row("records", name)
        return row and json.loads(row["record"])

    def reports(self, name):
        """Return the feedback on each exercise of a submission."""
        row = self._row("records", name)
        return json.loads(row["reports"]) if row else {}

    def history(self):
        """Return all changes of marks, the oldest first."""
        with self._saying():
            rows = self._connection.execute("SELECT * FROM changes ORDER BY id").fetchall()
        return [json.loads(row["change"]) for row in rows if self._is_own("changes", dict(row))]

    def document(self, name):
        """Return the data kept under a name; None if there are none. What someone else has written is an error."""
        row = self._row("documents", name)
        if row is None and self._exists("documents", name):
            what = f"{self.path}: someone else has changed the {name} that is kept there."
            expected = f"the {name} as `dark grade` has stored it."
            raise CourseError(
                what, expected, f"run the same command with --{name} and your file: it replaces the stored one"
            )
        return row and json.loads(row["content"])

    def known(self, name):
        """Return reproducible data kept under a name; None if someone else has written them."""
        row = self._row("documents", name)
        return row and json.loads(row["content"])

    def set_document(self, name, content):
        """Keep plain data under a name."""
        with self._transaction():
            self._insert("documents", {"name": name, "content": _json(content)})

    def begin(self, slug):
        """Note that a submission is being graded, until `keep` is called."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO started VALUES (?)", (slug,))

    def end(self, slug):
        """Note that a submission is not being graded any more."""
        if self.was_interrupted(slug):
            with self._transaction() as connection:
                connection.execute("DELETE FROM started WHERE slug = ?", (slug,))

    def was_interrupted(self, slug):
        """Return whether an earlier batch ended while it graded this submission."""
        return self._exists("started", slug, "slug")

    @contextmanager
    def together(self):
        """Make one transaction of all that is stored in a block; an error in it stores nothing."""
        with self._saying():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite may have ended it already
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _transaction(self):
        if self._connection.in_transaction:
            yield self._connection
        else:
            with self.together():
                yield self._connection

    def _insert(self, table, row):
        row = row | {"seal": seal(row | {"table": table}, self._key)}
        marks = ", ".join("?" * len(row))
        self._connection.execute(
            f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values())
        )

    def _row(self, table, name):
        with self._saying():
            row = self._connection.execute(f"SELECT * FROM {table} WHERE name = ?", (name,)).fetchone()
        return dict(row) if row and self._is_own(table, dict(row)) else None

    def _exists(self, table, name, column="name"):
        with self._saying():
            found = self._connection.execute(f"SELECT 1 FROM {table} WHERE {column} = ?", (name,)).fetchone()
        return found is not None

    def _is_own(self, table, row):
        """Return whether a row has this key's seal; tell if not."""
        try:
            is_own = is_sealed(row | {"table": table}, self._key)
        except (TypeError, ValueError):  # a blob, which has no JSON
            is_own = False
        if not is_own:
            what = row.get("name", row.get("id"))
            self._tell(f"{self.path}: someone else has written the row {what!r} of {table}; it does not count.")
        return is_own

    def _replace(self, error):
        """Set a damaged file aside and begin a new one with the rows of it that can be read and are our own."""
        number = 1
        while (aside := self.path.with_name(f"gradebook-damaged-{number}.db")).exists():
            number += 1
        for end in BESIDE:
            with suppress(FileNotFoundError):
                Path(f"{self.path}{end}").rename(f"{aside}{end}")
        self._connection = opened(self.path)
        found = 0
        with self.together():
            for table, row in readable_rows(aside):
                if self._is_own(table, row):
                    row.pop("seal")
                    self._insert(table, row)
                    found += 1
        self._tell(f"{self.path}: the file was damaged ({error}); it is kept as {aside.name}, {found} rows are saved.")

    @contextmanager
    def _saying(self):
        """Turn an error of SQLite into one in three parts."""
        try:
            yield
        except sqlite3.Error as error:
            raise CourseError(
                f"{self.path}: the gradebook cannot be written or read ({error}).",
                "free disk space, a folder with write permission, and no other program that has locked the file.",
                "close other programs that have opened it, or use another folder for --out; the results are kept",
            ) from error


def _json(data):
    return json.dumps(data, allow_nan=False)
