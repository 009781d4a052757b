"""The words of the language of `dark notes select`."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

TOKEN = re.compile(
    r"""\s*(?:
    (?P<number> [+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]) | [+-]inf\b)
  | (?P<string> '[^']*' | "[^"]*")
  | (?P<quoted> `[^`]+`)
  | (?P<word> [^\W\d][\w./\#:-]*)
  | (?P<sign> <=|>=|==|!=|<|>|=|\(|\)|\[|\]|,)
  | (?P<wrong> \S)
  | (?P<end> $))""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word of an expression, and where it begins."""

    kind: str
    text: str
    place: int


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of an expression; the last one is its end.

    Examples
    --------
    >>> [token.text for token in tokens_of("lr < 0.1")]
    ['lr', '<', '0.1', '']
    """
    found: list[Token] = []
    place = 0
    while not found or found[-1].kind != "end":
        match: Any = TOKEN.match(text, place)  # any character matches
        kind = match.lastgroup
        found.append(Token(kind, match[kind], match.start(kind)))
        place = match.end()
    return found
