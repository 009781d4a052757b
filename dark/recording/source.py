"""A list of calls as Python source, one line for each; arrays that nobody needs any more are written over.

Long elementwise calls, forward and backward together, run block by block, so that their arrays stay in the cache. A
sum of a whole array is cut where NumPy's pairwise summation cuts: all bits are those of the whole.
"""

import keyword

import numpy as np

from dark.recording.tape import SIGNS, Call, kind_of, mapped, plain, sum_all, variables

BLOCK = 32768  # elements; a few such arrays of float32 fit into a second-level cache of 1 MB


def compiled(arguments, calls, results):
    """Return calls as a function of the arguments that returns the results, and its source."""
    used, needed = {*variables(results)}, []
    for call in reversed(calls):
        if call.draws or not used.isdisjoint(variables(call.outs)):
            used.update(call.uses)
            needed.append(call)
    blocks = []
    calls = fused(needed[::-1], variables(results), blocks)
    writer = Writer({"program", *[name for name, *_ in blocks]})
    functions = [writer.function(*each) for each in (("program", arguments, calls, results), *blocks)]
    source = "\n\n".join(functions)
    exec(compile(source, "<recorded>", "exec"), writer.space)
    return writer.space["program"], source


def fused(calls, results, blocks):
    """Return calls, the long elementwise ones among them replaced by one call that runs them block by block."""
    size = max([np.size(call.outs.value) for call in calls if call.is_elementwise], default=0)
    before, loop, after, made, late, draws = [], [], [], set(), set(), False
    for call in calls if size >= 1.5 * BLOCK else ():
        arrays = [x.value for x in (*variables(call.outs), *call.uses) if np.ndim(x.value)]
        is_long = call.is_elementwise and np.size(call.outs.value) == size
        is_long = is_long and all(a.shape == arrays[0].shape and a.flags.c_contiguous for a in arrays)
        is_sum = call.function is sum_all and not made.isdisjoint(call.uses)
        if late.isdisjoint(call.uses) and (is_long or is_sum):
            loop.append(call)
            (late if is_sum else made).add(call.outs)
        elif late.isdisjoint(call.uses) and made.isdisjoint(call.uses) and not (call.draws and draws):
            before.append(call)
        else:
            after.append(call)
            late.update(variables(call.outs))
            draws |= call.draws  # random numbers are drawn in the same order
    if not loop:
        return calls
    elsewhere = {*results, *[x for call in (*before, *after) for x in call.uses]}
    outs = [call.outs for call in loop if call.outs in made and call.outs in elsewhere]
    sums = [call.outs for call in loop if call.outs in late]
    given = [x for x in dict.fromkeys([x for call in loop for x in call.uses]) if x not in made]
    arrays = [x for x in given if np.ndim(x.value)]
    others = [x for x in given if not np.ndim(x.value)]
    name, kinds = f"block_{len(blocks) + 1}", [(x.shape, x.dtype) for x in outs]
    blocks.append((name, [*arrays, *outs, *others], loop, sums, {*outs}))
    block = Call(blockwise, [Name(name), arrays, kinds, others], {}, [*outs, *sums])
    return [*before, block, *fused(after, results, blocks)]


def blockwise(block, arrays, kinds, others):
    """Run a function on all blocks of some arrays; return the arrays that it fills, and the sums of its results.

    The blocks are those of NumPy's pairwise summation, and their sums are added in its order.
    """
    outs = [np.empty(*kind) for kind in kinds]
    flat = [a.reshape(-1) for a in (*arrays, *outs)]

    def part(start, size):
        if size <= BLOCK:
            return block(*[a[start : start + size] for a in flat], *others)
        half = size // 16 * 8
        return [a + b for a, b in zip(part(start, half), part(start + half, size - half))]

    return [*outs, *part(0, arrays[0].size)]


class Name(str):
    """A name in source: written as it is, also inside of lists, tuples and dicts."""

    __repr__ = str.__str__


class Writer:
    """Writes calls as lines; `space` holds the functions and constants that they name."""

    def __init__(self, taken):
        self.space, self._taken, self._names, self._count = {}, taken, {}, {}

    def _new(self, x, hint=None):
        """Return a new name for a variable, a function or a constant."""
        hint = hint or getattr(x, "name", None) or getattr(x, "__name__", type(x).__name__)
        hint = name = hint if hint.isidentifier() and not keyword.iskeyword(hint) else "value"
        while name in self._taken:
            self._count[hint] = self._count.get(hint, 1) + 1
            name = f"{hint}{self._count[hint]}"
        self._taken.add(name)
        self._names[id(x)] = Name(name)
        return name

    def _text(self, x, hint=None):
        if type(x) in (int, bool, str, type(None), Name) or (type(x) is float and x - x == 0.0):
            return x
        if id(x) not in self._names:
            self.space[self._new(x, hint)] = plain(x)
        return self._names[id(x)]

    def text(self, x):
        """Return the text of variables and constants, also in lists."""
        return repr(mapped(x, self._text))

    def call(self, call, over):
        """Return a call as an expression."""
        given = [self.text(x) for x in call.arguments]
        if call.function in SIGNS:
            return f" {SIGNS[call.function]} ".join(given if given[1:] else ["", *given]).strip()
        given += [f"{name}={self.text(x)}" for name, x in call.settings.items()]
        given += [] if over is None else [f"out={self.text(over)}"]
        return f"{self._text(call.function, call.name)}({', '.join(given)})"

    def function(self, name, arguments, calls, results, over=frozenset()):
        """Return the source of a function, in which arrays are written over after their last use: see `buffers`."""
        for x in arguments:
            self._new(x) if id(x) not in self._names else None
        lines = [f"def {name}({', '.join(map(self.text, arguments))}):"]
        for call, buffer in zip(calls, buffers(calls, variables(results), over)):
            text = self.call(call, buffer)
            for x in variables(call.outs):
                self._new(x) if id(x) not in self._names else None
            lines.append(f"{self.text(call.outs)} = {text}")
        return "\n    ".join([*lines, f"return {self.text(results)}"]) + "\n"


def buffers(calls, results, over):
    """Return for each call the variable whose array its result is written into, or None for a new array.

    That is one of the variables `over`, or an earlier result that only functions of NumPy see, after its last use.
    """
    seen = {*results, *over, *[x for c in calls for x in c.uses if not c.is_elementwise and c.function is not sum_all]}
    own = {c.outs for c in calls if c.is_elementwise and np.ndim(c.outs.value)} - seen
    last, free, found = {x: call for call in calls for x in call.uses}, {}, []
    for call in calls:
        for x in dict.fromkeys(call.uses):
            if x in own and last[x] is call:
                free.setdefault(kind_of(x.value), []).append(x)
        out = call.outs if call.is_elementwise else None
        unused = free.get(kind_of(out.value)) if out in own else None
        found.append(out if out in over else unused.pop() if unused else None)
    return found
