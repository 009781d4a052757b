"""A list of calls as Python source, one line for each; arrays that nobody needs any more are written over.

Long elementwise calls, forward and backward together, run block by block, so that their arrays stay in the cache. A
sum of a whole array is cut where NumPy's pairwise summation cuts: all bits are those of the whole.
"""

import keyword
import operator

import numpy as np

from dark.recording.tape import Variable, mapped, plain, sum_all

BLOCK = 32768  # elements; a few such arrays of float32 fit into a second-level cache of 1 MB
SIGNS = {operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.ne: "!=",
         operator.gt: ">", operator.lt: "<"}  # fmt: skip


def compiled(arguments, calls, effects, value, gradients):
    """Return calls as a function of the arguments that returns value and gradients, and its source."""
    results = {x for x in (value, *gradients) if isinstance(x, Variable)}
    used, needed = results.union(*[call.uses for call in effects]), []
    for call in reversed(calls):
        if call.draws or not used.isdisjoint(call.outs):
            used.update(call.uses)
            needed.append(call)
    writer = Writer(used)
    lines, parts = [f"def program({', '.join([writer.new(v, v.name) for v in arguments])}):"], [*split(needed[::-1]), effects]
    for part in parts:
        elsewhere = results.union(*[call.uses for other in parts if other is not part for call in other])
        own, over = written_over(part, elsewhere)
        lines += writer.loop(part, own, over) if isinstance(part, Loop) else [writer.line(c, over.get(c)) for c in part]
    texts = [writer.text(g) + ("" if type(plain(g)) is not np.ndarray or g.made else ".copy()") for g in gradients]
    lines.append(f"return {writer.text(value)}, [{', '.join(texts)}]")
    source = "\n    ".join(lines) + "\n"
    exec(compile(source, "<recorded>", "exec"), writer.space)
    return writer.space["program"], source


class Loop(list):
    """Calls that are run block by block."""


def split(calls):
    """Return the calls in parts: long elementwise ones as a loop, after those that it needs, before those that need it."""
    size = max([np.size(call.outs[0].value) for call in calls if isinstance(call.function, np.ufunc)], default=0)
    if size < 1.5 * BLOCK:
        return [calls]
    before, loop, after, made, late, draws = [], Loop(), [], set(), set(), False
    for call in calls:
        arrays = [a for a in map(plain, (*call.outs, *call.arguments)) if np.ndim(a)]
        is_long = isinstance(call.function, np.ufunc) and all(
            a.size == size and a.shape == arrays[0].shape and a.flags.c_contiguous for a in arrays
        )
        is_sum = call.function is sum_all and not made.isdisjoint(call.uses)
        if late.isdisjoint(call.uses) and (is_sum or (is_long and arrays)):
            loop.append(call)
            (late if is_sum else made).update(call.outs)
        elif late.union(made).isdisjoint(call.uses) and not (call.draws and draws):
            before.append(call)
        else:
            after.append(call)
            late.update(call.outs)
            draws |= call.draws  # the order in which random numbers are drawn stays
    return [before, loop, *split(after)] if loop else [calls]


def written_over(calls, elsewhere):
    """Return the arrays that only functions of NumPy see, and for each call one of them whose use has ended."""
    are_arrays = [isinstance(call.function, np.ufunc) and np.ndim(call.outs[0].value) for call in calls]
    others = [c for c in calls if not isinstance(c.function, np.ufunc) and c.function is not sum_all]
    whole = set().union(*[call.uses for call in others])
    own = {call.outs[0] for call, is_array in zip(calls, are_arrays) if is_array} - elsewhere - whole
    last, over, free = {x: call for call in calls for x in call.uses}, {}, {}
    for call in calls:
        for x in own.intersection(call.uses):
            if last[x] is call:
                free.setdefault((x.shape, x.value.strides, x.dtype), []).append(x)
        for x in own.intersection(call.outs):
            ended = free.get((x.shape, x.value.strides, x.dtype))
            if ended:
                over[call] = ended.pop()
    return own, over


class Name(str):
    """A name in source: written as it is, also inside of lists, tuples and dicts."""

    __repr__ = str.__str__


class Writer:
    """Writes calls as lines; `space` holds the functions and constants that they name."""

    def __init__(self, used):
        self.space, self._used, self._names, self._count = {"empty": np.empty, "joined": joined}, used, {}, {}
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

    def known(self, x, hint):
        """Return the name of a function, a constant or a variable."""
        if id(x) not in self._names:
            self.space[self.new(x, hint)] = plain(x)
        return self._names[id(x)]

    def text(self, x, own=None):
        """Return the text of an argument; in a loop with its own variables, of a block of all other arrays."""
        return repr(mapped(x, lambda part: self._text(part, own)))

    def _text(self, x, own):
        if type(x) in (int, bool, str, type(None)) or (type(x) is float and x - x == 0.0):
            return x
        name = self.known(x, x.name if isinstance(x, Variable) else getattr(x, "__name__", type(x).__name__))
        is_cut = own is not None and isinstance(x, Variable) and x not in own and np.ndim(x.value)
        return Name(name + (("[at]" if x.ndim == 1 else ".reshape(-1)[at]") if is_cut else ""))

    def call(self, call, out=None, own=None):
        """Return a call as an expression."""
        given = [self.text(x, own) for x in call.arguments]
        if call.function in SIGNS:
            return f" {SIGNS[call.function]} ".join(given)
        given += [f"{name}={self.text(x)}" for name, x in call.settings.items()]
        given += [] if out is None else [f"out={self.text(out, own)}"]
        return f"{self.known(call.function, call.name)}({', '.join(given)})"

    def outs(self, call):
        """Return the names of the results of a call."""
        return ", ".join([self.new(x, f"t{len(self._names)}") if x in self._used else "_" for x in call.outs])

    def line(self, call, over=None, own=None):
        """Return a call as a line."""
        expression = self.call(call, over, own)
        return f"{self.outs(call)} = {expression}" if call.outs else expression

    def loop(self, calls, own, over):
        """Return a loop over blocks."""
        size, head, body, tail = calls[0].outs[0].size, [], [], []
        for call in calls:
            x = call.outs[0]
            if x in own:
                body.append(self.line(call, over.get(call), own))
                continue
            name = self.outs(call)
            if call.function is sum_all:
                head.append(f"{name}_parts = []")
                body.append(f"{name}_parts.append({self.call(call, None, own)})")
                tail.append(f"{name} = joined({size}, iter({name}_parts))")
            else:
                head.append(f"{name} = empty({x.shape}, {self.text(x.dtype)})")
                body.append(self.call(call, x, own))
        return [*head, f"for at in {self.known(blocks_of(size), 'blocks')}:", *[f"    {line}" for line in body], *tail]


def halves(size):
    """Return the sizes of the two parts in which NumPy's pairwise sum cuts an array."""
    half = size // 2 - size // 2 % 8
    return half, size - half


def blocks_of(size, start=0):
    """Return the blocks of an array as slices."""
    if size <= BLOCK:
        return [slice(start, start + size)]
    first, second = halves(size)
    return [*blocks_of(first, start), *blocks_of(second, start + first)]


def joined(size, parts):
    """Return the sum of the sums of all blocks, in the order of the pairwise sum of the whole."""
    return next(parts) if size <= BLOCK else operator.add(*[joined(half, parts) for half in halves(size)])
