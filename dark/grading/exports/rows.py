"""The rows of results that are exported, and the mark of each."""

from functools import partial


def counting(results: dict, system: str | None = None) -> list[dict]:
    """Return the records that count; for a system, with their owners in it, students of the roster where known."""
    rows = [record for record in results["submissions"] if record.get("counts", True) and "exercises" in record]
    if system is None:
        return rows
    owned = [row for row in map(partial(_owned, system=system), rows) if row]
    known = {row["owner"]["id"] for row in owned if row.get("student")}
    return [row for row in owned if row.get("student") or row["owner"]["id"] not in known]


def _owned(row, system):
    """Return a row with its owner in a system; None if it has none there, or it is in doubt."""
    owner, student = row.get("owner") or {}, row.get("student")
    own = owner if owner.get("system") == system and not row.get("doubt") else {}
    if student:
        is_known = student.get(system) or row.get("group") or not own
        number = student.get(system) if is_known else own["id"]  # also of a member of a group
        return number and row | {"owner": {"system": system, "id": number, "name": student["name"] or row["name"]}}
    return row if own else None


def mark(row):
    """Return the final mark of a row, or the points without a policy; empty if it has none.

    >>> mark({"earned": 9, "points": 10}), mark({"earned": 9, "points": 10, "final": 8.1}), mark({"points": 0})
    (9, 8.1, '')
    """
    found = row.get("final") if "final" in row else row["earned"] if row["points"] else None
    return "" if found is None else found
