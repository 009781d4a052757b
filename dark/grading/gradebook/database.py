"""The file of a gradebook: made, opened and verified, and read as far as it can be when it is damaged."""

import sqlite3
from contextlib import closing, suppress
from functools import cache

from dark.errors import UsageError
from dark.grading.gradebook.database_schema import APPLICATION, TABLES, VERSION

BUSY_SECONDS = 20  # how long to wait for another program that has locked the file


def _connected(path):
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda content: content.decode("utf-8", "replace")  # what is damaged has no seal
    return connection


def opened(path):
    """Open a database and verify it; make the tables if it is new."""
    connection = _connected(path)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA journal_mode = WAL")  # where the disk cannot, SQLite keeps its older journal
        connection.execute("PRAGMA synchronous = NORMAL")
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            pragmas = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            connection.executescript(f"BEGIN IMMEDIATE; {pragmas} {TABLES} COMMIT;")
        _check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection, path):
    names = ("application_id", "user_version")
    application, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    if (application, version) != (APPLICATION, VERSION):
        known = application == APPLICATION
        what = f"{path}: " + (f"a gradebook of version {version}." if known else "a database of another program.")
        expected = f"a gradebook of version {VERSION}, or no such file."
        raise UsageError(what, expected, "use the `dark` that has written it; or another folder for --out")
    said = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    if said != ["ok"]:
        raise sqlite3.DatabaseError(f"integrity check: {said[0]}")
    if _schema(connection) != _schema_of_ours():
        raise sqlite3.DatabaseError("its tables are not a gradebook's")


def _schema(connection):
    return sorted(tuple(row) for row in connection.execute("SELECT type, name, sql FROM sqlite_master"))


@cache
def _schema_of_ours():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        return _schema(connection)


def readable_rows(path):
    """Yield the rows of a damaged database that can still be read, each as its table and a dict."""
    with closing(_connected(path)) as connection:
        for table in ("records", "changes", "documents"):
            with suppress(sqlite3.Error):
                for row in connection.execute(f"SELECT * FROM {table}"):
                    yield table, dict(row)
