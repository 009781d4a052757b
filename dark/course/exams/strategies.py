"""Hypothesis strategies for draws, and the search for the smallest failing input.

Numbers are sampled from short tables, the simplest first. Therefore the smallest counterexample is
easy to read, and the inputs depend on the seed alone: hypothesis mixes in constants of the loaded
modules, but only those above a hundred, and no table is that long.
"""

import json
import os
import tempfile
from functools import lru_cache
from random import Random

from dark.course.exams.draws import ARITY, Array, Choice, Expression, Float, Integer, ListOf
from dark.errors import missing_extra

TABLE = 97
NEAR = 20  # a table of a wide range contains all integers up to this magnitude
DEGREE = 12  # largest degree of an expression as a polynomial, so that floats can represent its values
FRACTIONS = (0.0, 0.5, 0.25, 0.75, 0.1, 0.2, 0.3, 0.7, 0.125, 0.6, 0.9, 0.05, 0.371, 0.618, 0.943)
NUMBERS = (2.0, 3.0, 1.0, -1.0, 0.5, -2.0, 10.0)


@lru_cache(maxsize=4096)
def inputs_of(question, seed):
    """Draw the inputs of a question, each once, the shortest first: the same for every answer of a class."""
    found = {}

    def passes(inputs):
        found.setdefault(json.dumps(inputs, sort_keys=True), inputs)
        return False

    search(question.draws, passes, examples=question.examples, seed=seed)
    return tuple([found[key] for key in sorted(found, key=len)])


def search(draws, fails, *, examples, seed):
    """Search for the smallest inputs for which `fails(inputs)` holds, in a number of examples; None without any.

    Examples
    --------
    >>> search({"x": Float(-3, 3)}, lambda inputs: inputs["x"] > 1, examples=50, seed=0)
    {'x': 2.0}
    """
    if not draws:
        return {} if fails({}) else None
    hypothesis = load_hypothesis()
    st = hypothesis.strategies
    strategy = st.fixed_dictionaries({name: strategy_of(draw, st) for name, draw in draws.items()})
    options = hypothesis.settings(
        database=None,
        deadline=None,
        max_examples=examples,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        verbosity=hypothesis.Verbosity.quiet,
    )
    try:
        return hypothesis.find(strategy, fails, settings=options, random=Random(seed))
    except hypothesis.errors.NoSuchExample:
        return None


def load_hypothesis():
    """Import hypothesis on first use: it is optional and slow to import."""
    # by default it writes to the current folder, which is the student's
    notes = os.path.join(tempfile.gettempdir(), "dark-hypothesis")
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", notes)
    try:
        import hypothesis
    except ModuleNotFoundError:
        raise missing_extra("hypothesis", "lab") from None
    return hypothesis


def strategy_of(draw, st):
    """Return the strategy of one draw; `st` is ``hypothesis.strategies``."""
    return MAKERS[type(draw)](draw, st)


def _float(draw, st):
    between = _between(draw, st)
    return between | st.sampled_from(draw.often) if draw.often else between


def _between(draw, st):
    integers = _integers(draw.low // 1, draw.high // 1)
    if -(-draw.low // 1) >= draw.high // 1:  # at most one integer inside
        return st.sampled_from(_decimals(draw.low, draw.high))
    pairs = st.tuples(st.sampled_from(FRACTIONS), st.sampled_from(integers))  # integers are the simplest
    return pairs.map(lambda pair: _inside(*pair, draw))


def _inside(fraction, integer, draw):
    """Add the fraction, or subtract it where the sum is out of range."""
    for value in (integer + fraction, integer - fraction):
        if draw.low <= value <= draw.high:
            return float(round(value, 6))
    return float(max(integer, -(-draw.low // 1)))


def _decimals(low, high):
    """Return numbers of a narrow interval, those with few digits first."""
    found = dict.fromkeys((float(low), float(high)) if low == high else ())
    for digits in range(8):
        unit = 10**digits
        steps = _integers(-(-low * unit // 1), high * unit // 1)
        found |= dict.fromkeys(step / unit for step in steps)
        if len(found) > TABLE // 3:
            break
    return list(found)[:TABLE]


def _integers(low, high):
    """Return integers of a closed range, sorted by magnitude, at most `TABLE` of them."""
    low, high = int(low), int(high)
    if high - low < TABLE:
        numbers = range(low, high + 1)
    else:
        step = -(-(high - low) // (TABLE - 2 * NEAR - 3))
        numbers = {*range(max(low, -NEAR), min(high, NEAR) + 1), *range(low, high, step), high}
    return sorted(numbers, key=lambda n: (abs(n), n < 0))


def _integer(draw, st):
    return st.sampled_from(_integers(draw.low, draw.high))


def _choice(draw, st):
    return st.sampled_from(draw.values)


def _array(draw, st):
    added = st.just(0) | _between(Float(-3, 3), st)
    return st.tuples(added, st.sampled_from(draw.tables)).map(lambda pair: _moved(pair[1], pair[0]))


def _moved(numbers, added):
    """Return nested lists with a number added to each of theirs."""
    if isinstance(numbers, list):
        return [_moved(each, added) for each in numbers]
    return round(numbers + added, 6) if added else numbers


def _list(draw, st):
    return st.lists(strategy_of(draw.item, st), min_size=draw.least, max_size=draw.most)


def _expression(draw, st):
    """A sequence of operations, each on the leaves and earlier results; the last is the root.

    Half of them use the newest result as an operand; the other operand is often an older one, which
    then becomes a shared node.
    """

    def write(choose):
        made = [(leaf, 1) for leaf in draw.leaves]
        for _ in range(choose(st.sampled_from(range(1, draw.size + 1)))):
            made.append(_operation(choose, st, draw.operations, made))
        return _filled(draw.template, made[-1][0])

    return st.composite(write)()


def _filled(template, drawn):
    """Replace the placeholder by the generated expression."""
    if isinstance(template, list):
        return [_filled(part, drawn) for part in template]
    return drawn if template == "..." else template


def _operation(choose, st, operations, made):
    """Draw one operation on earlier results; return it with its degree as a polynomial."""
    name = choose(st.sampled_from(operations))
    operand, degree = made[-1] if choose(st.booleans()) else choose(st.sampled_from(made))
    if ARITY[name] == 1:
        return [name, operand], degree
    if name == "pow":
        exponent = choose(st.sampled_from((2.0, 3.0)))
        return _within([name, operand, exponent], int(degree * exponent), made[0])
    numbers = [(number, 0) for number in NUMBERS]
    other, other_degree = choose(st.sampled_from([*reversed(made), *numbers]))
    pair = [other, operand] if choose(st.booleans()) else [operand, other]
    total = max(degree, other_degree) if name in ("add", "sub") else degree + other_degree
    return _within([name, *pair], total, made[0])


def _within(expression, degree, leaf):
    """Return the expression, or a small one if its degree is too high."""
    return (expression, degree) if degree <= DEGREE else (["add", leaf[0], leaf[0]], 1)


MAKERS = {
    Array: _array,
    Choice: _choice,
    Expression: _expression,
    Float: _float,
    Integer: _integer,
    ListOf: _list,
}
