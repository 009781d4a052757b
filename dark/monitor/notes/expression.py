"""The language of `dark notes select`: conditions on the values of runs, such as ``lr<0.1 and accuracy>=0.95``.

Grammar, from what binds least::

    condition   either ("or" either)*, where either is: both ("and" both)*
    both        "not" both, or a comparison
    comparison  operand (operator operand)*, where several mean all of them: 0.01 < lr <= 0.1
    operator    <  <=  >  >=  ==  =  !=  in  "not" in
    operand     a number, a string in quotes, true, false, none, inf, nan, a key, a list [a, b] or (a, b), (condition)
    key         letters, digits and _ . / # : - ; anything else in backquotes: `samples/first 3/fc1`

A comparison with a key that a run does not have, or of values that cannot be compared, is neither true nor false; such
a run matches only if the rest of the condition decides: ``dropout > 0 or lr < 0.1``, but not ``not dropout > 0``.
"""

import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from dark.checks import brief
from dark.errors import UsageError, ValueTypeError
from dark.monitor.notes.comparing import AnyRun, all_of, any_of, check_keys, compared, negated, truth, value_of

MAX_DEPTH = 50  # of parentheses
CONSTANTS = {"true": True, "false": False, "none": None, "inf": float("inf"), "nan": float("nan")}
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


Values = Callable[[str], Any]


class Expression:
    """A condition on the values of a run."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise ValueTypeError(f"select: the condition must be a str, got {text!r}.", "a str.", '"lr<0.1"')
        self.text = text
        self.keys: list[str] = []
        self._tokens = tokens_of(text)
        self._position, self._depth = 0, 0
        self._condition = self._either()
        if self._next.kind != "end":
            raise self._wrong("and, or, an operator or the end")

    def __call__(self, values: Values) -> bool:
        """Return whether the condition holds."""
        return truth(self._condition(values)) is True

    @property
    def _next(self):
        return self._tokens[self._position]

    def _take(self, *texts):
        """Return whether the next token is one of these words or signs, which is consumed then."""
        found = self._next.kind in ("word", "sign") and self._next.text in texts
        self._position += found
        return found

    def _either(self):
        parts = [self._both()]
        while self._take("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else lambda values: any_of(truth(part(values)) for part in parts)

    def _both(self):
        parts = [self._negation()]
        while self._take("and"):
            parts.append(self._negation())
        return parts[0] if len(parts) == 1 else lambda values: all_of(truth(part(values)) for part in parts)

    def _negation(self):
        is_negated = False
        while self._take("not"):
            is_negated = not is_negated
        inner = self._comparison()
        return (lambda values: negated(truth(inner(values)))) if is_negated else inner

    def _comparison(self):
        operands, signs = [self._operand()], []
        while sign := self._operator():
            signs.append(sign)
            operands.append(self._operand())
        if not signs:
            return operands[0]
        pairs = list(zip(signs, operands, operands[1:]))
        return lambda values: all_of(compared(sign, a(values), b(values)) for sign, a, b in pairs)

    def _operator(self):
        token = self._next
        if self._take("<", "<=", ">", ">=", "==", "=", "!=", "in"):
            return token.text
        if token.text == "not" and self._tokens[self._position + 1].text == "in":
            self._position += 2
            return "not in"
        return None

    def _operand(self):
        token = self._next
        if self._take("(", "["):
            return self._parenthesis("]" if token.text == "[" else ")")
        self._position += 1
        if token.kind == "number":
            number = self._number(token.text)
            return lambda values: number
        if token.kind == "string":
            return lambda values: token.text[1:-1]
        if token.kind == "word" and token.text.lower() in CONSTANTS:
            return lambda values: CONSTANTS[token.text.lower()]
        if token.kind == "quoted" or (token.kind == "word" and token.text not in ("and", "or", "not", "in")):
            key = token.text.strip("`")
            self.keys += [key] if key not in self.keys else []
            return lambda values: values(key)
        self._position -= 1
        raise self._wrong("a key, a number or a string in quotes")

    def _number(self, text):
        if re.search(r"[.eEn]", text):
            return float(text)
        try:
            return int(text)
        except ValueError:  # Python converts no longer ones
            limit = sys.get_int_max_str_digits()
            message = f"select: the number {brief(text)} of {len(text)} characters is too long."
            raise UsageError(message, f"a number of at most {limit} digits.", "a float, such as 1e300.") from None

    def _parenthesis(self, closing):
        """Return a condition in parentheses, or a list."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._wrong(f"at most {MAX_DEPTH} parentheses in each other")
        items, is_list = [], closing == "]"
        while not (is_list and self._take(closing)):
            items.append(self._either())
            if self._take(","):
                is_list = True
            elif self._take(closing):
                break
            else:
                raise self._wrong(f"'{closing}'")
        self._depth -= 1
        return (lambda values: [item(values) for item in items]) if is_list else items[0]

    def _wrong(self, expected):
        token = self._next
        found = f"'{token.text}' at character {token.place + 1}" if token.text else "the end"
        wanted = f"{expected}."
        return UsageError(
            f"select: {found} of {brief(self.text)} is not expected.", wanted, "'lr<0.1 and accuracy>=0.95'"
        )


def select(runs: Iterable[AnyRun], condition: str) -> list[AnyRun]:
    """Return the runs for which a condition holds.

    It is on settings, criteria and the last values of scalars, see `dark.monitor.notes.expression`; at least
    one of the runs has each of its keys.
    """
    chosen, expression = list(runs), Expression(condition)
    check_keys(expression.keys, chosen, "select")
    return [run for run in chosen if expression(partial(value_of, run))]


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of an expression; the last one is its end."""
    found: list[Token] = []
    place = 0
    while not found or found[-1].kind != "end":
        match: Any = TOKEN.match(text, place)  # any character matches
        kind = match.lastgroup
        found.append(Token(kind, match[kind], match.start(kind)))
        place = match.end()
    return found
