"""From recorded calls to a function: what nobody uses is left out, arrays are written into buffers that are used again.

Long elementwise calls, forward and backward together, run block by block, so that their arrays stay in the cache. A
sum of a whole array is cut where NumPy's pairwise summation cuts: all bits are those of the whole.
"""

import operator

import numpy as np

from dark.recording.source import Variable
from dark.recording.trace import SIGNS, sum_all

BLOCK = 32768  # elements; a few such arrays of float32 fit into a second-level cache of 1 MB


def compiled(tape, value, gradients, effects):
    """Return the program as a function of the arguments of the tape, and its source."""
    results = (value, list(gradients), effects)
    steps, space = _needed(tape, results), {"empty": np.empty}
    lines, rest, writer = [], steps, _Writer(tape, results, steps, space)
    while rest:
        before, group, rest = _group(rest) if not tape.in_order else (rest, [], [])
        lines += [writer.line(step) for step in before]
        if group:
            lines += writer.loop(group)
    own = [f"{tape.text(g, space)}.copy()" if type(g) is np.ndarray else tape.text(g, space) for g in gradients]
    lines.append(f"return {tape.text(value, space)}, [{', '.join(own)}], {tape.text(effects, space)}")
    head = f"def program({', '.join(v.name for v in tape.arguments)}):\n"
    source = head + "".join(f"    {line}\n" for line in lines)
    exec(compile(source, "<recorded>", "exec"), space)
    return space["program"], source


def _needed(tape, results):
    """Return the calls whose results are used, each once."""
    seen, same, steps = {}, {}, []
    for outs, function, arguments, settings in tape.steps:
        arguments, settings = tape.replaced(arguments, same), tape.replaced(settings, same)
        if isinstance(function, np.ufunc):
            key = (function, *[x if isinstance(x, (Variable, float)) else id(x) for x in arguments])
            if key in seen and not {outs[0]} & set(tape.variables_in(results)):
                same[outs[0]] = seen[key]
                continue
            seen.setdefault(key, outs[0])
        steps.append((outs, function, arguments, settings))
    used, found = set(tape.variables_in(results)), []
    for step in reversed(steps):
        if not used.isdisjoint(step[0]) or tape.in_order:
            used |= set(tape.variables_in(step[2:]))
            found.append(step)
    return found[::-1]


def _is_long(step, size):
    """Return whether a call is elementwise, on contiguous arrays of this size and on numbers."""
    outs, function, arguments, _ = step
    if not isinstance(function, np.ufunc):
        return False
    arrays = [x.value if isinstance(x, Variable) else x for x in (*outs, *arguments)]
    shape = np.shape(arrays[0])
    return np.size(arrays[0]) == size and all(
        not np.ndim(a) or (np.shape(a) == shape and a.flags.c_contiguous) for a in arrays
    )


def _is_sum(step, made):
    x = step[2][0] if step[1] is sum_all else None
    return isinstance(x, Variable) and x in made and x.value.dtype.char in "fd"


def _group(steps):
    """Split calls into those before a loop over blocks, those in it, and those that need its sums."""
    sizes = [np.size(outs[0].value) for outs, function, _, _ in steps if isinstance(function, np.ufunc)]
    size = max(sizes, default=0)
    if size < 1.5 * BLOCK:
        return steps, [], []
    before, group, after, made, late = [], [], [], set(), set()
    for step in steps:
        uses = {x for part in step[2] for x in _variables(part)} | {x for v in step[3].values() for x in _variables(v)}
        is_sum = _is_sum(step, made)
        if not uses & late and (is_sum or _is_long(step, size)):
            group.append(step)
            (late if is_sum else made).update(step[0])
        elif uses & (made | late):
            after.append(step)
            late.update(step[0])
        else:
            before.append(step)
    return before, group, after


def _variables(x):
    if isinstance(x, Variable):
        yield x
    for part in x.values() if isinstance(x, dict) else x if isinstance(x, (tuple, list)) else ():
        yield from _variables(part)


class _Writer:
    """Writes calls as lines, and assigns buffers by liveness; gradients and the value are new arrays in each run."""

    def __init__(self, tape, results, steps, space):
        self.tape, self.space, self.steps = tape, space, steps
        self.roots, self.last, self.free, self.buffer = {}, {}, {}, {}
        self.position = {id(step): k for k, step in enumerate(steps)}
        for k, (outs, function, arguments, settings) in enumerate(steps):
            used = [*tape.variables_in((arguments, settings))]
            for x in used:
                for root in self.roots.get(x, ()):
                    self.last[root] = k
            for out in outs:
                is_own = isinstance(function, np.ufunc) and np.ndim(out.value)
                self.roots[out] = {out} if is_own else set().union(*[self._shared(x, out) for x in used])
                self.last.setdefault(out, k)
        self.used = set(tape.variables_in([step[2:] for step in steps])) | set(tape.variables_in(results))
        self.kept = {root for x in tape.variables_in(results) for root in self.roots.get(x, ())}

    def _shared(self, x, out):
        """Return the buffers of an argument that a result may be a view of."""
        both = type(x.value) is np.ndarray and isinstance(out.value, (np.ndarray, np.generic, float))
        return self.roots.get(x, set()) if not both or np.may_share_memory(x.value, out.value) else set()

    def line(self, step):
        """Return one call as a line."""
        outs, function, arguments, settings = step
        k = self.position[id(step)]
        given = [self.tape.text(x, self.space) for x in arguments]
        if getattr(operator, function.__name__, None) is function and len(given) < 3:
            sign = SIGNS[function.__name__]
            return f"{outs[0].name} = " + (f"{given[0]} {sign} {given[1]}" if given[1:] else f"{sign}{given[0]}")
        called = self.tape.named(self.tape.labels.get(function) or function.__name__, function, self.space)
        given += [f"{name}={self.tape.text(v, self.space)}" for name, v in settings.items()]
        dying = [r for x in dict.fromkeys(self.tape.variables_in((arguments, settings))) for r in self.roots.get(x, ())]
        dying = [r for r in dict.fromkeys(dying) if self.last[r] == k and r in self.buffer]
        out = outs[0]
        if self.roots[out] == {out} and out not in self.kept and isinstance(function, np.ufunc):
            given.append("out=" + self._buffer_for(out, [r for r in dying if any(r is x for x in arguments)]))
            dying = [r for r in dying if self.buffer[r] != self.buffer[out]]
        for r in dying:
            self.free.setdefault(_kind(r.value), []).append(self.buffer[r])
        names = ", ".join(out.name if out in self.used else "_" for out in outs)
        names += "," if len(outs) == 1 and outs[0].name.endswith("_0") else ""  # one of several
        return f"{names} = {called}({', '.join(given)})"

    def _buffer_for(self, out, dying):
        """Return the name of a buffer: that of an input that nobody needs any more, a free one, or a new one."""
        same = [r for r in dying if _kind(r.value) == _kind(out.value)]
        free = self.free.get(_kind(out.value))
        if same:
            self.buffer[out] = self.buffer[same[0]]
        elif free:
            self.buffer[out] = free.pop()
        else:
            self.buffer[out] = self.tape.named("b", np.empty_like(out.value), self.space)
        return self.buffer[out]

    def loop(self, group):
        """Return a loop over blocks as lines."""
        tape, space, size = self.tape, self.space, group[0][0][0].value.size
        inside = {step[0][0] for step in group if isinstance(step[1], np.ufunc)}
        outside = set(tape.variables_in([s[2:] for s in self.steps if s not in group])) | self.kept
        ends = {x: k for k, step in enumerate(group) for x in tape.variables_in(step[2])}
        halves, lines, body, sums, where, free, kinds = _halves(size), [], [], [], {}, {}, []
        texts: dict = {}

        def block(x):
            """Return the text of an argument in the loop."""
            array = x.value if isinstance(x, Variable) else x
            key = x if isinstance(x, Variable) else id(x)
            if not np.ndim(array):
                return tape.text(x, space)
            if key not in texts:
                whole = tape.text(x, space)
                lines.append(f"{whole}_all = {whole}.reshape(-1)")
                body.insert(0, f"{whole}_here = {whole}_all[at]")
                texts[key] = f"{whole}_here"
            return texts[key]

        for k, (outs, function, arguments, _) in enumerate(group):
            given, out = [block(x) for x in arguments], outs[0]
            called = tape.named(tape.labels.get(function) or function.__name__, function, space)
            if out not in inside:
                sums.append(out)
                body.append(f"{out.name}_parts.append({called}({given[0]}))")
                continue
            dead = [x for x in dict.fromkeys(tape.variables_in(arguments)) if x in where and ends[x] == k]
            if out in outside:
                lines.append(f"{out.name} = empty({out.value.shape}, {tape.named('dtype', out.value.dtype, space)})")
                given.append(f"out={block(out)}")
            else:
                kind = out.value.dtype
                same = [x for x in dead if where[x][1] == kind]
                if same:
                    where[out] = where[same[0]]
                    dead.remove(same[0])
                elif free.get(kind):
                    where[out] = free[kind].pop()
                else:
                    where[out] = (f"s{len(kinds)}", kind)
                    kinds.append(kind)
                texts[out] = where[out][0]
                given.append(f"out={texts[out]}")
            body.append(f"{called}({', '.join(given)})")
            for x in dead:
                free.setdefault(where[x][1], []).append(where[x])
        longest = max(stop - start for start, stop in _spans(halves))
        scratch = [np.empty(longest, kind) for kind in kinds]
        blocks = [(slice(a, b), *[s[: b - a] for s in scratch]) for a, b in _spans(halves)]
        lines += [f"{out.name}_parts = []" for out in sums]
        names = ", ".join(["at", *[f"s{k}" for k in range(len(kinds))]]) + ("" if kinds else ",")
        lines.append(f"for {names} in {tape.named('blocks', blocks, space)}:")
        lines += [f"    {line}" for line in body]
        tree, join = tape.named("halves", halves, space), tape.named("joined", joined, space)
        return lines + [f"{out.name} = {join}({tree}, iter({out.name}_parts))" for out in sums]


def _kind(a):
    return a.shape, a.strides, a.dtype


def _halves(size, start=0):
    """Return the blocks of an array as nested pairs, halved as NumPy's pairwise sum halves."""
    if size <= BLOCK:
        return start, start + size
    half = size // 2
    half -= half % 8
    return [_halves(half, start), _halves(size - half, start + half)]


def _spans(halves):
    return [halves] if type(halves) is tuple else [*_spans(halves[0]), *_spans(halves[1])]


def joined(halves, parts):
    """Return the sum of the parts in the order of the pairwise sum of the whole."""
    return next(parts) if type(halves) is tuple else joined(halves[0], parts) + joined(halves[1], parts)
