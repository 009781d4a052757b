"""The settings of operations in few words, for their boxes: `axis=1, keepdims=0`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

LONGEST, LONGEST_IN_ALL = 26, 44  # characters of a setting, and of a line of settings


def in_words(settings: Mapping[str, Any]) -> str:
    """Return the settings that are short and not empty, as a line; "" if there are none.

    Examples
    --------
    >>> in_words({"axes": (0, 1), "keepdims": 0, "out_sharding": None, "name": ""})
    'axes=(0, 1), keepdims=0'
    """
    line = ""
    for name, value in settings.items():
        is_plain = isinstance(value, (bool, int, float, str, tuple, list, np.dtype))
        if (
            not is_plain
            or value is False
            or (not isinstance(value, (int, float)) and len(str(value).strip("()[]")) == 0)
        ):
            continue
        words = f"{name}={_short(value)}"
        longer = f"{line}, {words}" if line else words
        if len(words) <= LONGEST and len(longer) <= LONGEST_IN_ALL:
            line = longer
    return line


def _short(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)
