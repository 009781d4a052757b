"""Claims that a process can make without running an answer: the data of right answers, with other numbers in them.

It sees the questions and their inputs. So a made-up claim has the fields of a right one, arrays of the right shapes,
and equal ones where the numbers of a right answer are equal.
"""

import json
from collections.abc import Callable
from itertools import count, repeat
from random import Random

MADE_UP: dict[str, Callable] = {  # the numbers of the k-th different array, one by one
    "one number for each array": lambda k: repeat(k + 1),
    "counted numbers": lambda k: count(k),
    "random numbers": lambda k: iter(Random(k).random, None),
    "not a number": lambda k: repeat({"number": "nan"}),
    "large random numbers": lambda k: iter(lambda rng=Random(k): rng.randint(-20, 20), None),
}


def made_up(answers, kind):
    """Return the answers of a question to several inputs, with numbers of a kind in their arrays."""
    return [_with_other_arrays(answer, MADE_UP[kind], {}) for answer in answers]


def short(answers):
    """Return the answers with one number in place of each array: another one where the arrays differ."""
    return [_with_other_arrays(answer, None, {}) for answer in answers]


def all_equal(answers):
    """Return the answers with the first of their arrays in place of each."""
    return [_with_first(answer, []) for answer in answers]


def one_made_up(answer, place):
    """Return an answer with large random numbers in the array at a place, and in those that are equal to it.

    Without so many different arrays it is the answer itself.
    """
    known = {}
    _with_other_arrays(answer, MADE_UP["large random numbers"], known)
    chosen = [text for text, k in known.items() if k == place]
    return _with_chosen(answer, chosen)


def _with_other_arrays(data, numbers, known):
    """Return data with made-up arrays: equal ones in place of equal ones."""
    if _is_array(data):
        k = known.setdefault(json.dumps(data), len(known))
        return _with_numbers(data, numbers(k)) if numbers else _of_one_number(data, k + 1)
    return _within(data, lambda part: _with_other_arrays(part, numbers, known))


def _with_first(data, first):
    if _is_array(data):
        first.append(data)
        return first[0]
    return _within(data, lambda part: _with_first(part, first))


def _with_chosen(data, chosen):
    if _is_array(data):
        return _with_numbers(data, MADE_UP["large random numbers"](0)) if json.dumps(data) in chosen else data
    return _within(data, lambda part: _with_chosen(part, chosen))


def _within(data, change):
    """Return data with changed parts."""
    if isinstance(data, list):
        return [change(part) for part in data]
    if isinstance(data, dict):
        return {key: change(part) for key, part in data.items()}
    return data


def _is_array(data):
    """Return whether encoded data is an array, or nested lists of numbers."""
    return isinstance(data, dict) and "array" in data or isinstance(data, list) and _has_numbers(data)


def _has_numbers(data):
    if isinstance(data, list):
        return bool(data) and all(map(_has_numbers, data))
    return type(data) in (int, float)


def _with_numbers(data, numbers):
    """Return an array with these numbers, of its own shape and kind."""
    if isinstance(data, dict):
        return data | {"list": _with_numbers(data["list"], numbers)}
    if isinstance(data, list):
        return [_with_numbers(part, numbers) for part in data]
    number = next(numbers)
    return number if isinstance(number, dict) else type(data)(number)


def _of_one_number(data, number):
    return data | {"shape": [1, 1], "list": [[number]]} if isinstance(data, dict) else [[number]]
