"""A list of calls as Python source, one line for each; arrays are written over after their last use.

Long elementwise calls, forward and backward together, run block by block, so that their arrays stay in the cache. A
sum of a whole array is cut where NumPy's pairwise summation cuts, so all bits are equal.
"""

from keyword import iskeyword

import numpy as np

from dark.recording.tape import SIGNS, Call, Variable, kind_of, mapped, plain, sum_all, variables

BLOCK = 32768  # elements; a few such arrays of float32 fit into a second-level cache of 1 MB


def compiled(arguments, calls, results):
    """Return calls as a function of the arguments that returns the results, and its source."""
    used, needed, blocks = {*variables(results)}, [], list[tuple]()
    for call in reversed(calls):
        if call.draws or not used.isdisjoint(variables(call.outs)):
            used.update(call.uses)
            needed.append(call)
    local = {x.name: x for x in (*arguments, *variables([call.outs for call in needed]))}
    blocks.insert(0, ("program", arguments, fused(needed[::-1], variables(results), blocks), results, ()))
    space = dict.fromkeys([*local, *[name for name, *_ in blocks]])  # of functions and constants, with other names
    source = "\n\n".join([_function(space, local | {x.name: x for x in block[1]}, *block) for block in blocks])
    exec(compile(source, "<recorded>", "exec"), space)
    return space["program"], source


def fused(calls, results, blocks):
    """Return calls, the long elementwise ones among them replaced by one that runs them on one block after another."""
    size = max([np.size(call.outs.value) for call in calls if call.is_ufunc], default=0)
    before, loop, after, made, late = [], [], list[Call](), set[Variable](), set[Variable]()
    for call in calls if size >= 1.5 * BLOCK else ():
        arrays = [x.value for x in (*variables(call.outs), *call.uses) if np.ndim(x.value)]
        is_long = call.is_ufunc and all(a.size == size and a.flags.c_contiguous for a in arrays)
        is_sum = call.function is sum_all and not made.isdisjoint(call.uses)
        if late.isdisjoint(call.uses) and (is_sum or (is_long and len({a.shape for a in arrays}) == 1)):
            loop.append(call)
            (late if is_sum else made).add(call.outs)
        elif late.union(made).isdisjoint(call.uses) and not (call.draws and any(c.draws for c in after)):
            before.append(call)
        else:
            after.append(call)
            late.update(variables(call.outs))
    if not loop:
        return calls
    elsewhere = {*results, *[x for call in (*before, *after) for x in call.uses]}
    given = dict.fromkeys([x for call in loop for x in call.uses if x not in made])
    outs, sums = ([call.outs for call in loop if call.outs in found] for found in (made & elsewhere, late))
    name, memory = f"block{len(blocks)}", [Call(np.empty, [x.shape, x.dtype], {}, x) for x in outs]
    for k, x in enumerate(given):  # no two arguments of a function have one name
        x.name = x.name if x.name != "constant" else f"constant_{k}_of_{name}"
    blocks.append((name, [*given, *outs], loop, sums, outs))
    block = Call(blockwise, [Name(name), 0, size, [*given, *outs]], {}, sums)
    return [*before, *memory, block, *fused(after, results, blocks)]


def blockwise(block, start, size, given):
    """Run a function on the blocks of NumPy's pairwise summation; return its sums, added up."""
    if size <= BLOCK:
        return block(*[a.reshape(-1)[start : start + size] if np.ndim(a) else a for a in given])
    half = size // 16 * 8
    halves = blockwise(block, start, half, given), blockwise(block, start + half, size - half, given)
    return [a + b for a, b in zip(*halves)]


class Name(str):
    """A name in source: written as it is, also inside of lists, tuples and dicts."""

    __repr__ = str.__str__


def _function(space, local, name, arguments, calls, results, over):
    """Return the source of a function; its names are added to `space`. Results `over` are written into arguments."""

    def text(x, hint=None):
        if type(x) in (int, bool, str, type(None), Name) or (type(x) is float and x - x == 0.0):
            return x
        hint = hint or getattr(x, "name", None) or getattr(x, "__name__", type(x).__name__)
        given = hint = hint if hint.isidentifier() and not iskeyword(hint) else "call"
        while local.get(given) is not x and space.setdefault(given, plain(x)) is not plain(x):
            given = f"{hint}_{len(space)}"
        return Name(given)

    lines = [f"def {name}({', '.join([x.name for x in arguments])}):"]
    for call, buffer in zip(calls, buffers(calls, variables(results), set(over))):
        given = [repr(mapped(x, text)) for x in call.arguments]
        given += [f"{key}={mapped(x, text)!r}" for key, x in call.settings.items()]
        given += [] if buffer is None else [f"out={buffer.name}"]
        line = f" {SIGNS.get(call.function)} ".join(given if given[1:] else ["", *given]).strip()
        line = line if call.function in SIGNS else f"{text(call.function, call.name)}({', '.join(given)})"
        lines.append(f"{mapped(call.outs, text)!r} = {line}")
    return "\n    ".join([*lines, f"return {mapped(results, text)!r}\n"])


def buffers(calls, results, over):
    """Return for each call the variable whose array its result is written into, or None for a new array.

    That is one of `over`, or a result that only functions of NumPy see, after its last use.
    """
    seen = {*results, *over, *[x for c in calls for x in c.uses if not c.is_ufunc and c.function is not sum_all]}
    own = {c.outs for c in calls if c.is_ufunc and np.ndim(c.outs.value)} - seen
    last, free, found = {x: call for call in calls for x in call.uses}, dict[tuple, list[Variable]](), []
    for call in calls:
        for x in [x for x in dict.fromkeys(call.uses) if x in own and last[x] is call]:
            free.setdefault(kind_of(x.value), []).append(x)
        out = call.outs if call.is_ufunc else None
        unused = free.get(kind_of(call.outs.value)) if out in own else None
        found.append(out if out in over else unused.pop() if unused else None)
    return found
