"""Merge a new version of the course into a student's notebook; every cell of the student is kept."""

from bisect import bisect_left
from hashlib import sha256
from typing import Any

from dark.course.lessons.blank import printed_hash


def merge(student, printed):
    """Merge a new version into a student's notebook: cells that the student changed or added keep their order.

    So do the course's: an unchanged one that the student moved returns to its original position.
    """
    cells = [cell if "id" in cell else {**cell, "id": _new_id(cell, i)} for i, cell in enumerate(student["cells"])]
    kept = _kept(_ranked(cells, printed["cells"]))
    present = {rank for _, rank, _ in kept}
    cells = [(cell if own else _latest(cell, printed["cells"][rank]), rank, own) for cell, rank, own in kept]
    for rank, cell in enumerate(printed["cells"]):
        if rank not in present:
            cells.insert(_position(cells, rank), (cell, rank, False))
    course = {name: value for name, value in printed["metadata"].items() if name == "dark"}
    metadata = {**printed["metadata"], **student.get("metadata", {}), **course}
    return {**printed, "metadata": metadata, "cells": [cell for cell, _, _ in cells]}


def is_own(cell):
    """Return whether a cell is the student's: changed, or added."""
    course = cell.get("metadata", {}).get("dark", {})
    code = course.get("kind") != "prose"
    if "printed" not in course or code != (cell["cell_type"] == "code"):
        return True
    return course["printed"] != printed_hash(cell["source"])


def _latest(cell, printed):
    """Return a course cell in its new version: with the student's outputs if nothing else has changed."""
    same = all(cell["metadata"].get(name) == value for name, value in printed["metadata"].items())
    return {**cell, "id": printed["id"]} if same and cell["source"] == printed["source"] else printed


def _new_id(cell, index):
    """Return an id for a cell without one (notebooks before format 4.5)."""
    return "student-" + sha256(f"{index} {cell['source']}".encode()).hexdigest()[:8]


def _ranked(cells, printed):
    """Pair each cell with its rank in the new version, or None, by its id, or by its kind if the id is new."""
    ids = {cell["id"]: rank for rank, cell in enumerate(printed)}
    here = {cell["id"] for cell in cells}
    kinds = {_kind(cell): rank for rank, cell in enumerate(printed) if cell["id"] not in here}
    return [(cell, ids.get(cell["id"], kinds.get(_kind(cell)))) for cell in cells]


def _kind(cell):
    course = cell.get("metadata", {}).get("dark", {})
    return course.get("kind"), course.get("exercise") or course.get("printed")


def _kept(ranked):
    """Return the student's cells, and the course's that are in order, as (cell, new rank or None, is the student's)."""
    entries = []
    seen = {rank for cell, rank in ranked if is_own(cell)} | {None}
    for cell, rank in ranked:
        if is_own(cell) or rank not in seen:
            seen.add(rank)
            entries.append((cell, rank, is_own(cell)))
    in_order = _longest_increasing([rank for _, rank, own in entries if not own])
    return [entry for entry in entries if entry[2] or entry[1] in in_order]


def _longest_increasing(numbers):
    """Return the members of a longest increasing subsequence of distinct numbers."""
    ends: list[int] = []
    chains: list[Any] = []
    for number in numbers:
        length = bisect_left(ends, number)
        chain = (number, chains[length - 1] if length else None)
        ends[length : length + 1] = [number]
        chains[length : length + 1] = [chain]
    members, chain = set(), chains[-1] if chains else None
    while chain:
        members.add(chain[0])
        chain = chain[1]
    return members


def _position(cells, rank):
    """Return the position of a new course cell: between its neighbors, as late as the order allows."""
    course = [(index, other) for index, (_, other, own) in enumerate(cells) if not own]
    first = max((index + 1 for index, other in course if other < rank), default=0)
    last = min((index for index, other in course if other > rank), default=len(cells))
    answered = [(index, other) for index, (_, other, own) in enumerate(cells) if own and other is not None]
    first = max([first, *(i + 1 for i, other in answered if first <= i < last and other < rank)])
    return min([last, *(i for i, other in answered if first <= i < last and other > rank)])
