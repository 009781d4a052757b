"""Generate values of draws: sequences of choices from short tables, simpler with fewer choices and earlier entries."""

from functools import lru_cache
from itertools import product
from typing import Any

from dark.course.exams.draws import ARITY, Array, Choice, Expression, Float, Integer, ListOf

TABLE = 97  # entries of a table of integers, at most
NEAR = 20  # a table of a wide range contains all integers up to this magnitude
AGAIN = 0.1  # of the random choices repeat an earlier one
DEGREE = 12  # largest degree of an expression as a polynomial, so that floats can represent its values
FRACTIONS = (0.0, 0.5, 0.25, 0.75, 0.1, 0.2, 0.3, 0.7, 0.125, 0.6, 0.9, 0.05, 0.371, 0.618, 0.943)
NUMBERS = (2.0, 3.0, 1.0, -1.0, 0.5, -2.0, 10.0)


class Choices:
    """Choose entries of tables: first by `given` indices, at most the last, then at random; or always the first.

    About every tenth random choice is the last one again that was made from a table of this length: bugs often show
    with equal values only. The others are drawn without replacement: at the same place of several sequences, every
    entry of a table comes once before one comes again, so that few inputs cover all entries: they share `drawn`.
    """

    def __init__(self, given=(), random=None, drawn=None):
        self.given, self.random, self.drawn = given, random, {} if drawn is None else drawn
        self.taken, self.last = [], {}

    def __call__(self, table):
        """Return an entry of a table."""
        if len(self.taken) < len(self.given):
            index = min(self.given[len(self.taken)], len(table) - 1)
        else:
            index = self._at_random(len(table)) if self.random else 0
        self.taken.append(index)
        self.last[len(table)] = index
        return table[index]

    def _at_random(self, length):
        if length in self.last and self.random.random() < AGAIN:
            return self.last[length]
        drawn = self.drawn.setdefault((len(self.taken), length), set())
        if len(drawn) == length:
            drawn.clear()
        while (index := int(length * self.random.random())) in drawn:
            pass
        drawn.add(index)
        return index


def inputs_from(draws, choose):
    """Return one value of each draw, by name."""
    return {name: value_of(draw, choose) for name, draw in draws.items()}


def value_of(draw, choose):
    """Return one value of a draw; `choose(table)` returns an entry."""
    return MAKERS[type(draw)](draw, choose)


def _float(draw, choose):
    return choose(draw.often if draw.often and choose((False, True)) else _numbers(draw.low, draw.high))


@lru_cache(maxsize=256)
def _numbers(low, high):
    """Return numbers of a closed interval; integers are the simplest."""
    if -(-low // 1) >= high // 1:  # at most one integer inside
        return _decimals(low, high)
    pairs = product(FRACTIONS, _integers(low // 1, high // 1))
    return list(dict.fromkeys(_inside(fraction, integer, low, high) for fraction, integer in pairs))


def _inside(fraction, integer, low, high):
    """Add the fraction, or subtract it where the sum is out of range."""
    for value in (integer + fraction, integer - fraction):
        if low <= value <= high:
            return float(round(value, 6))
    return float(max(integer, -(-low // 1)))


def _decimals(low, high):
    """Return numbers of a narrow interval, numbers with few digits first."""
    found = dict.fromkeys((float(low), float(high)) if low == high else ())
    for digits in range(8):
        unit = 10**digits
        steps = _integers(-(-low * unit // 1), high * unit // 1)
        found |= dict.fromkeys(step / unit for step in steps)
        if len(found) > TABLE // 3:
            break
    return list(found)[:TABLE]


@lru_cache(maxsize=256)
def _integers(low, high):
    """Return integers of a closed range, sorted by magnitude, at most `TABLE` of them."""
    low, high = int(low), int(high)
    if high - low < TABLE:
        numbers = range(low, high + 1)
    else:
        step = -(-(high - low) // (TABLE - 2 * NEAR - 3))
        numbers = {*range(max(low, -NEAR), min(high, NEAR) + 1), *range(low, high, step), high}
    return sorted(numbers, key=lambda n: (abs(n), n < 0))


def _array(draw, choose):
    added = choose(_numbers(-3, 3)) if choose((False, True)) else 0
    return _moved(choose(draw.tables), added)


def _moved(numbers, added):
    """Return nested lists with a number added to each of theirs."""
    if isinstance(numbers, list):
        return [_moved(each, added) for each in numbers]
    return round(numbers + added, 6) if added else numbers


def _list(draw, choose):
    """Return a list of items; the choice to continue precedes each item, so that both can be removed."""
    items: list[Any] = []
    while len(items) < draw.least or _goes_on(draw.most - len(items), choose):
        items.append(value_of(draw.item, choose))
    return items


def _goes_on(left, choose):
    """Choose between an end and `left` further lengths; also if none is left, so that every end is a choice."""
    return choose(range(left + 1)) > 0


def _expression(draw, choose):
    """Return a sequence of operations, each on the leaves and earlier results, often shared; the last is the root."""
    made = [(leaf, 1) for leaf in draw.leaves]
    longest = len(made) + draw.size
    while len(made) == len(draw.leaves) or _goes_on(longest - len(made), choose):
        made.append(_operation(draw.operations, made, choose))
    return _filled(draw.template, made[-1][0])


def _filled(template, drawn):
    if isinstance(template, list):
        return [_filled(part, drawn) for part in template]
    return drawn if template == "..." else template


def _operation(operations, made, choose):
    """Choose one operation on earlier results; return it with its degree as a polynomial."""
    name = choose(operations)
    operand, degree = choose([*made, *[made[-1]] * len(made)])
    if ARITY[name] == 1:
        return [name, operand], degree
    if name == "pow":
        exponent = choose((2.0, 3.0))
        return _within([name, operand, exponent], int(degree * exponent), made[0])
    other, other_degree = choose([*reversed(made), *((number, 0) for number in NUMBERS)])
    pair = [other, operand] if choose((False, True)) else [operand, other]
    total = max(degree, other_degree) if name in ("add", "sub") else degree + other_degree
    return _within([name, *pair], total, made[0])


def _within(expression, degree, leaf):
    """Return the expression, or a small one if its degree is too high."""
    return (expression, degree) if degree <= DEGREE else (["add", leaf[0], leaf[0]], 1)


MAKERS = {
    Array: _array,
    Choice: lambda draw, choose: choose(draw.values),
    Expression: _expression,
    Float: _float,
    Integer: lambda draw, choose: choose(_integers(draw.low, draw.high)),
    ListOf: _list,
}
