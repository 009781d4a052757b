"""Strategies: draws made into hypothesis strategies, and the search for the smallest input.

Numbers come from short tables, simplest first. So the smallest counterexample reads well, and the
draws depend on the seed alone: hypothesis mixes in constants of the modules it finds loaded, but
none below a hundred, and no table is longer.
"""

import os
import tempfile
from random import Random

from dark.course.exams.draws import ARITY, Choice, Expression, Float, Integer, ListOf
from dark.errors import missing_extra

TABLE = 97
NEAR = 20  # whole numbers that a wide table holds all of
DEGREE = 12  # of an expression as a polynomial: its values stay within what floats tell apart
FRACTIONS = (0.0, 0.5, 0.25, 0.75, 0.1, 0.2, 0.3, 0.7, 0.125, 0.6, 0.9, 0.05, 0.371, 0.618, 0.943)
NUMBERS = (2.0, 3.0, 1.0, -1.0, 0.5, -2.0, 10.0)


def search(draws, fails, *, examples, seed):
    """Look for the smallest inputs on which something fails.

    Parameters
    ----------
    draws : dict
        What is drawn for each input.
    fails : callable
        ``fails(inputs)`` says whether it fails there.
    examples : int
        How many inputs are tried.
    seed : int
        The same seed tries the same inputs.

    Returns
    -------
    dict or None
        The smallest inputs found on which it fails; None where there are none.

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
    """Import hypothesis, which is optional and takes a while, when something is judged.

    Returns
    -------
    module

    Raises
    ------
    MissingExtraError
        Where it is not installed.
    """
    # it keeps notes in the current folder unless told otherwise; a student's is not ours
    notes = os.path.join(tempfile.gettempdir(), "dark-hypothesis")
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", notes)
    try:
        import hypothesis
    except ModuleNotFoundError:
        raise missing_extra("hypothesis", "lab") from None
    return hypothesis


def strategy_of(draw, st):
    """Give the strategy of one draw.

    Parameters
    ----------
    draw : Float, Integer, Choice, ListOf or Expression
        The annotation.
    st : module
        ``hypothesis.strategies``.

    Returns
    -------
    hypothesis.strategies.SearchStrategy
    """
    return MAKERS[type(draw)](draw, st)


def _float(draw, st):
    wholes = _spread(-(-draw.low // 1), draw.high // 1)
    if len(wholes) < 2:
        return st.sampled_from(_decimals(draw.low, draw.high))
    pairs = st.tuples(st.sampled_from(FRACTIONS), st.sampled_from(wholes))  # whole numbers are simplest
    return pairs.map(lambda pair: _inside(*pair, draw))


def _inside(fraction, whole, draw):
    """Add the fraction, or take it off where the sum would be too large."""
    for value in (whole + fraction, whole - fraction):
        if draw.low <= value <= draw.high:
            return float(round(value, 6))
    return float(whole)


def _decimals(low, high):
    """Numbers of a narrow interval, those of few digits first."""
    found = dict.fromkeys((float(low), float(high)) if low == high else ())
    for digits in range(8):
        unit = 10**digits
        steps = _spread(-(-low * unit // 1), high * unit // 1)
        found |= dict.fromkeys(step / unit for step in steps)
        if len(found) > TABLE // 3:
            break
    return list(found)[:TABLE]


def _spread(low, high):
    """Whole numbers between two ends, the smallest first, at most as many as a table holds."""
    low, high = int(low), int(high)
    if high - low < TABLE:
        numbers = range(low, high + 1)
    else:
        step = -(-(high - low) // (TABLE - 2 * NEAR - 3))
        numbers = {*range(max(low, -NEAR), min(high, NEAR) + 1), *range(low, high, step), high}
    return sorted(numbers, key=lambda n: (abs(n), n < 0))


def _integer(draw, st):
    return st.sampled_from(_spread(draw.low, draw.high))


def _choice(draw, st):
    return st.sampled_from(draw.values)


def _list(draw, st):
    return st.lists(strategy_of(draw.item, st), min_size=draw.least, max_size=draw.most)


def _expression(draw, st):
    """Operations one after another, each on what is there; the last is the root.

    Half of them take the newest value as an operand, so that it counts; the other operand is often
    an older one, which is then shared.
    """

    def write(choose):
        made = [(leaf, 1) for leaf in draw.leaves]
        for _ in range(choose(st.sampled_from(range(1, draw.size + 1)))):
            made.append(_operation(choose, st, draw.operations, made))
        return _filled(draw.whole, made[-1][0])

    return st.composite(write)()


def _filled(whole, drawn):
    """Put what was drawn in the place of the three dots."""
    if isinstance(whole, list):
        return [_filled(part, drawn) for part in whole]
    return drawn if whole == "..." else whole


def _operation(choose, st, operations, made):
    """Draw one operation on what is made; give it with its degree as a polynomial."""
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
    """Put the leaf where an expression would grow too fast."""
    return (expression, degree) if degree <= DEGREE else (["add", leaf[0], leaf[0]], 1)


MAKERS = {Float: _float, Integer: _integer, Choice: _choice, ListOf: _list, Expression: _expression}
