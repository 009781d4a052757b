"""A finding: a node of a graph, and what was found there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A node and what was found there.

    Parameters
    ----------
    place : int
        Its position in the record.
    kind : {"value", "gradient"}
        What it concerns, which gives the color.
    sign, words : str
    begins : bool
        Whether it begins here.
    """

    place: int
    kind: str
    sign: str
    words: str
    begins: bool = True
