"""A list of calls as Python source, one line for each; arrays that nobody needs any more are written over.

Long elementwise calls, forward and backward together, run block by block, so that their arrays stay in the cache. A
sum of a whole array is cut where NumPy's pairwise summation cuts: all bits are those of the whole.
"""

import itertools
import keyword

import numpy as np

from dark.recording.tape import SIGNS, Variable, mapped, plain, sum_all

BLOCK = 32768  # elements; a few such arrays of float32 fit into a second-level cache of 1 MB


def compiled(arguments, calls, value, gradients):
    """Return calls as a function of the arguments that returns value and gradients, and its source."""
    results = {x for x in (value, *gradients) if isinstance(x, Variable)}
    used, needed = {*results}, []
    for call in reversed(calls):
        if call.draws or not used.isdisjoint(call.outs):
            used.update(call.uses)
            needed.append(call)
    writer, parts = Writer(used), [*split(needed[::-1])]
    lines = [f"def program({', '.join([writer.new(v, v.name) for v in arguments])}):"]
    for k, part in enumerate(parts):  # the second, fourth ... are loops
        others = [call.uses for other in (*parts[:k], *parts[k + 1 :]) for call in other]
        lines += writer.part(part, k % 2 == 1, results.union(*others))
    own = [writer.text(g) + (".copy()" if type(plain(g)) is np.ndarray and not g.made else "") for g in gradients]
    lines.append(f"return {writer.text(value)}, [{', '.join(own)}]")
    source = "\n    ".join(lines) + "\n"
    exec(compile(source, "<recorded>", "exec"), writer.space)
    return writer.space["program"], source


def split(calls):
    """Return calls in parts: before a loop over blocks, the long elementwise ones in it, after it, and so on."""
    size = max([np.size(call.outs[0].value) for call in calls if isinstance(call.function, np.ufunc)], default=0)
    if size < 1.5 * BLOCK:
        return [calls]
    before, loop, after, made, late, draws = [], [], [], set(), set(), False
    for call in calls:
        arrays = [a for a in map(plain, (*call.outs, *call.arguments)) if np.ndim(a)]
        is_long = isinstance(call.function, np.ufunc) and np.size(call.outs[0].value) == size
        is_long = is_long and all(a.shape == arrays[0].shape and a.flags.c_contiguous for a in arrays)
        is_sum = call.function is sum_all and not made.isdisjoint(call.uses)
        if late.isdisjoint(call.uses) and (is_long or is_sum):
            loop.append(call)
            (late if is_sum else made).update(call.outs)
        elif late.isdisjoint(call.uses) and made.isdisjoint(call.uses) and not (call.draws and draws) and call.outs:
            before.append(call)
        else:
            after.append(call)
            late.update(call.outs)
            draws |= call.draws  # random numbers are drawn in the same order, effects last
    return [before, loop, *split(after)] if loop else [calls]


def pairwise(leaf, size, start=0):
    """Return the sum of a function of all blocks of an array, cut and joined as NumPy's pairwise sum does."""
    if size <= BLOCK:
        return leaf(slice(start, start + size))
    half = size // 16 * 8
    return pairwise(leaf, half, start) + pairwise(leaf, size - half, start + half)


class Name(str):
    """A name in source: written as it is, also inside of lists, tuples and dicts."""

    __repr__ = str.__str__


class Writer:
    """Writes calls as lines; `space` holds the functions and constants that they name."""

    def __init__(self, used):
        self.space, self._used, self._names, self._count = {"empty": np.empty, "pairwise": pairwise}, used, {}, {}
        self._numbers = itertools.count(1)
        self._taken = {*keyword.kwlist, *self.space, "program", "at", "_"}

    def new(self, x, hint):
        """Return a new name for a variable, a function or a constant."""
        hint = name = hint if hint.isidentifier() else "value"
        while name in self._taken:
            self._count[hint] = self._count.get(hint, 1) + 1
            name = f"{hint}_{self._count[hint]}"
        self._taken.add(name)
        self._names[id(x)] = name
        return name

    def text(self, x, own=None):
        """Return the text of an argument; in a loop, whose own variables are given, of a block of all other arrays."""
        return repr(mapped(x, lambda part: self._text(part, own)))

    def _text(self, x, own, hint=None):
        if type(x) in (int, bool, str, type(None)) or (type(x) is float and x - x == 0.0):
            return x
        if id(x) not in self._names:
            hint = hint or getattr(x, "name", None) or getattr(x, "__name__", type(x).__name__)
            self.space[self.new(x, hint)] = plain(x)
        is_cut = own is not None and isinstance(x, Variable) and x not in own and np.ndim(x.value)
        return Name(self._names[id(x)] + (("[at]" if x.ndim == 1 else "_flat[at]") if is_cut else ""))

    def call(self, call, over=None, own=None):
        """Return a call as an expression."""
        given = [self.text(x, own) for x in call.arguments]
        if call.function in SIGNS:
            return f" {SIGNS[call.function]} ".join(given if given[1:] else ["", *given]).strip()
        given += [f"{name}={self.text(x)}" for name, x in call.settings.items()]
        given += [] if over is None else [f"out={self.text(over, own)}"]
        return f"{self._text(call.function, None, call.name)}({', '.join(given)})"

    def part(self, calls, is_loop, elsewhere):
        """Return calls as lines. An array that only functions of NumPy see is written over when its use has ended."""
        others = [c for c in calls if not isinstance(c.function, np.ufunc) and c.function is not sum_all]
        seen = elsewhere.union(*[call.uses for call in others])
        own = {x for call in calls if isinstance(call.function, np.ufunc) for x in call.outs if np.ndim(x.value)} - seen
        last, free = {x: call for call in calls for x in call.uses}, {}
        head, body, tail, size = [], [], [], calls[0].outs[0].value.size if is_loop else 0
        for call in calls:
            for x in dict.fromkeys(call.uses):
                if x in own and last[x] is call:
                    free.setdefault((x.shape, x.value.strides, x.dtype), []).append(x)
            over = [free.get((x.shape, x.value.strides, x.dtype)) for x in call.outs if x in own]
            text = self.call(call, over[0].pop() if over and over[0] else None, own if is_loop else None)
            names = ", ".join([self.new(x, f"t{next(self._numbers)}") if x in self._used else "_" for x in call.outs])
            names += "," if call.returns_list and len(call.outs) == 1 else ""
            if is_loop and call.function is sum_all:
                head.append(f"{names}_parts = {{}}")
                body.append(f"{names}_parts[at.start] = {text}")
                tail.append(f"{names} = pairwise(lambda at: {names}_parts[at.start], {size})")
            elif is_loop and not own.intersection(call.outs):
                head.append(f"{names} = empty({call.outs[0].shape}, {self.text(call.outs[0].dtype)})")
                body.append(self.call(call, call.outs[0], own))
            else:
                body.append(f"{names} = {text}" if names else text)
        if is_loop:
            arrays = [x for call in calls for x in (*call.outs, *call.uses) if x not in own and np.ndim(x.value) > 1]
            names = [self.text(x) for x in dict.fromkeys(arrays)]
            head += [f"{name}_flat = {name}.reshape(-1)" for name in names]
            blocks = self._text(pairwise(lambda at: [at], size), None, "blocks")
            body = [f"for at in {blocks}:", *[f"    {line}" for line in body]]
        return [*head, *body, *tail]
