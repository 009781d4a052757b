"""`Kind`: how a monitor records an output of a module, and the codes that stand for it."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from dark.checks import describe, is_bool, is_integer
from dark.errors import ValueTypeError


class Kind(IntEnum):
    """How a monitor records an output of a module.

    ========  ================================================================================================
    IGNORE    0: nothing
    TYPE_I    1: keeps statistics of its values in training, over examples; they need no data
    TYPE_II   2: keeps its values for the examples of sample sets, computed in evaluation mode
    ========  ================================================================================================

    Examples
    --------
    >>> Kind(2)
    <Kind.TYPE_II: 2>
    """

    IGNORE = 0
    TYPE_I = 1
    TYPE_II = 2


def kind_of(answer: Any, who: str) -> Kind:
    """Return the kind that a rule answered: a `Kind`, or its code 0, 1 or 2; also False for 0 and True for 1.

    Examples
    --------
    >>> kind_of(True, "rule"), kind_of(2, "rule")
    (<Kind.TYPE_I: 1>, <Kind.TYPE_II: 2>)
    """
    if is_bool(answer) or (is_integer(answer) and 0 <= answer <= 2):
        return Kind(int(answer))
    raise ValueTypeError(
        f"{who}: {describe(answer)} is not a kind of recording.",
        "Kind.IGNORE, Kind.TYPE_I or Kind.TYPE_II; or 0, 1 or 2.",
        "Kind.TYPE_I, for statistics; a function that decides must return one of them in every case.",
    )
