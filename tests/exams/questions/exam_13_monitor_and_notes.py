"""Questions of module 13, monitor and notes.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Networks are one product each, twice that in training mode, so that a wrong mode shows as a wrong number. Monitors and
notes write down what is done to them. Files are written to temporary folders; generators are seeded by the questions,
and set back afterwards.
"""

import json
import random
import tempfile
import tracemalloc
from collections.abc import Iterable
from numbers import Real
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from dark.course.exams import Array, Choice, Exam, Float, Integer, ListOf

exam = Exam("13")


def array(numbers):
    """Make an array of floats."""
    return np.array(numbers, dtype=float)


def plain(thing):
    """Return numbers and arrays in one form each: a 0-d array is a number, integers are floats."""
    if isinstance(thing, (np.ndarray, np.generic)) and np.asarray(thing).dtype.kind in "fiu":
        return thing.astype(float) if thing.ndim else float(thing)
    if isinstance(thing, Real) and not isinstance(thing, bool):
        return float(thing)
    return f"of class {type(thing).__name__}"


def outcome(function, *args, error=ValueError):
    """Return what a function returns, or the name of the error that is asked for."""
    try:
        return function(*args)
    except NotImplementedError:
        raise
    except error:
        return error.__name__


# statistic

AVERAGES = ("average", "abs_average", "running_average")


def averages(statistic):
    """Read the three averages."""
    return [plain(getattr(statistic, name)) for name in AVERAGES]


@exam.question("statistic", points=3, examples=30)
def three_averages(dark, records: ListOf(Float(-9, 9), 1, 7), length: Choice(None, 1, 2, 3, 20)):
    """After each record: the mean of all, of their absolute values, and of the window."""
    statistic, seen = dark.Statistic(length), []
    for record in records:
        statistic.record(record)
        seen.append(averages(statistic))
    return seen


@exam.question("statistic", points=2)
def arrays_elementwise(
    dark, first: Array([1, -2], [[1, -2, 3], [-4, 0, 6]]), factors: ListOf(Integer(-3, 3), 1, 5),
    length: Choice(None, 2),
):  # fmt: skip
    """Arrays are averaged elementwise, in their shape."""
    statistic = dark.Statistic(max_length=length)
    for k, factor in enumerate(factors):
        statistic.record(factor * array(first) + k)
    return averages(statistic)


@exam.question("statistic", points=2)
def changed_in_place_afterwards(dark, first: Array([1, -2], [[3], [-4]]), more: Float(-5, 5), length: Choice(None, 3)):
    """A change of an array after it was recorded, or after it was returned, changes no result."""
    statistic, x = dark.Statistic(length), array(first)
    statistic.record(x)
    x += 10 + more
    statistic.record(x)
    x[...] = 99
    returned = [getattr(statistic, name) for name in AVERAGES]
    before = [plain(each) for each in returned]
    for each in returned:
        if isinstance(each, np.ndarray):
            each[...] = 77
    return {"averages": before, "read again": averages(statistic), "the array": plain(x)}


SHAPES = {"(2,)": [1, 2], "(3,)": [1, 2, 3], "(1, 2)": [[1, 2]], "(2, 1)": [[1], [2]], "(1,)": [5], "()": 4}


@exam.question("statistic", points=2, examples=30)
def another_shape(dark, first: Choice(*SHAPES), second: Choice(*SHAPES), more: Float(-5, 5), length: Choice(None, 3)):
    """A record of another shape is refused, also if it would broadcast, and changes nothing."""
    statistic = dark.Statistic(length)
    statistic.record(array(SHAPES[first]) + more)
    found = outcome(statistic.record, array(SHAPES[second]))
    seen = {"second record": "accepted" if found is None else found, "averages": averages(statistic)}
    statistic.record(array(SHAPES[first]) - more)
    return seen | {"after a third one": averages(statistic)}


@exam.question("statistic", points=2)
def small_integers(
    dark, dtype: Choice("int8", "uint8", "float32", "int64"), numbers: ListOf(Integer(50, 127), 2, 4),
    length: Choice(None, 3),
):  # fmt: skip
    """Records of any dtype are averaged as floats: sums above 127, and the absolute value of -128, are right."""
    statistic = dark.Statistic(length)
    lowest = 0 if dtype == "uint8" else -128
    for number in numbers:
        statistic.record(np.array([number, number + 1, lowest], dtype=np.int64).astype(dtype))
    return averages(statistic)


@exam.question("statistic", points=1)
def nothing_recorded(dark, first: Float(-5, 5), length: Choice(None, 2)):
    """Without a record, each average is a RuntimeError; a record of 0 is one."""
    empty, other = dark.Statistic(length), dark.Statistic()
    other.record(first)
    other.record(2.0)
    zero = dark.Statistic(length)
    zero.record(0.0)
    none = [outcome(getattr, empty, name, error=RuntimeError) for name in AVERAGES]
    return {"nothing": [plain(x) if not isinstance(x, str) else x for x in none], "zero": averages(zero),
            "another one": averages(other)}  # fmt: skip


@exam.question("statistic", points=2)
def memory(dark, first: Float(-5, 5), length: Choice(None, 2)):
    """The memory does not grow with the number of records."""
    statistic, x = dark.Statistic(length), np.full(2000, first)
    statistic.record(x)
    tracemalloc.start()
    try:
        for _ in range(300):
            statistic.record(x)
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    return {"kept": "much" if kept > 1_000_000 else "little", "average": plain(np.mean(statistic.average))}


@exam.question("statistic", points=1)
def a_record_that_is_nan(dark, records: ListOf(Float(-9, 9), 2, 3), later: ListOf(Float(-9, 9), 2, 2)):
    """NaN stays in the averages over everything, and leaves the window again."""
    statistic, seen = dark.Statistic(2), []
    for record in [*records, np.nan, *later]:
        statistic.record(record)
        seen.append(averages(statistic))
    return seen


# exponential

GAPS = ListOf(Integer(1, 9), 6, 6)


def weighted(average, steps, values):
    """Record values at steps; return the average after each."""
    seen = []
    for step, value in zip(steps, values):
        average.record(step, value)
        seen.append(plain(average.value))
    return seen


@exam.question("exponential", points=4, examples=30)
def with_gaps(dark, values: ListOf(Float(-9, 9), 1, 6), gaps: GAPS, decay: Float(0.1, 0.99), start: Integer(0, 40)):
    """A record fades by the decay for each step that has passed since."""
    steps = start + np.cumsum([0, *gaps])
    return weighted(dark.ExponentialAverage(decay), steps.tolist(), values)


@exam.question("exponential", points=2)
def one_record_a_step(dark, values: ListOf(Float(-9, 9), 1, 6), decay: Choice(0.5, 0.9, 0.99, 0.999)):
    """With a record at each step, it is the average of Adam, after its correction."""
    return weighted(dark.ExponentialAverage(decay=decay), range(1, 7), values)


@exam.question("exponential", points=2)
def arrays_that_fade(dark, first: Array([1, -2], [[1, -2, 3], [-4, 0, 6]]), gaps: GAPS, decay: Float(0.1, 0.9)):
    """Arrays are averaged elementwise; they may change in place afterwards, and so may what was returned."""
    average, x, seen, step = dark.ExponentialAverage(decay), array(first), [], 3
    for gap in gaps[:3]:
        step += gap
        average.record(step, x)
        x += gap
        found = average.value
        seen.append(plain(found))
        if isinstance(found, np.ndarray):
            found[...] = 77
    return {"averages": seen, "the array": plain(x)}


@exam.question("exponential", points=1)
def a_decay_of_zero(dark, values: ListOf(Float(-9, 9), 1, 4), gaps: GAPS):
    """With the decay 0, it is the last record."""
    return weighted(dark.ExponentialAverage(0), np.cumsum(gaps).tolist(), values)


@exam.question("exponential", points=1)
def no_record_yet(dark, first: Float(-9, 9), decay: Float(0.1, 0.9)):
    """Without a record, the value is a RuntimeError; a record of 0 at step 0 is one."""
    empty, zero, other = (dark.ExponentialAverage(decay) for _ in range(3))
    zero.record(0, 0.0)
    other.record(0, first)
    found = outcome(getattr, empty, "value", error=RuntimeError)
    return {"nothing": found if isinstance(found, str) else plain(found), "zero": plain(zero.value),
            "first": plain(other.value)}  # fmt: skip


@exam.question("exponential", points=1)
def two_averages(dark, values: ListOf(Float(-9, 9), 3, 5), decay: Float(0.1, 0.9)):
    """Each average has its own records, and its own decay."""
    first, second = dark.ExponentialAverage(decay), dark.ExponentialAverage(decay / 2)
    seen = weighted(first, range(0, 50, 10), values)
    return [seen, weighted(second, range(7), values[::-1]), plain(first.value)]


# forward_hook


def network(dark, factor, forward=None):
    """Make a module with a single parameter: x times factor, twice that in training mode."""

    def product(self, x):
        y = dark.mul(x, self.weight)
        return dark.mul(y, 2.0) if self.training else y

    made = type("Network", (dark.Module,), {"forward": forward or product})()
    made.weight = dark.Parameter(array([factor]))
    return made


def value(thing):
    """Return the value of a node, and anything else as it is."""
    return plain(getattr(thing, "value", thing))


def pair(dark, a, b):
    """Make a network of two children, one after the other."""
    made = network(dark, 1.0, lambda self, x: self.second(self.first(x)))
    made.first, made.second = network(dark, a), network(dark, b)
    return made


def writer(log, name):
    """Make a hook that writes down its name, and the values of the inputs and of the output."""
    return lambda module, inputs, output: log.append([name, *map(value, inputs), value(output)])


@exam.question("forward_hook", points=3)
def what_a_hook_gets(dark, x: Array([1, -2], [3, 0.5]), a: Float(-3, 3), b: Float(-3, 3)):
    """A hook gets the module, the tuple of the inputs and the output, after forward; the output is returned."""
    log, given, x = [], [], dark.Constant(array(x))

    def forward(self, x, factor):
        log.append(["forward"])
        return dark.mul(dark.mul(x, self.weight), factor)

    module = network(dark, a, forward)

    def hook(module_of_hook, inputs, output):
        log.append(["hook", value(output)])
        kind = "a tuple" if isinstance(inputs, tuple) else f"of class {type(inputs).__name__}"
        given.append([module_of_hook is module, kind, len(inputs), inputs[0] is x, value(inputs[1])])
        outputs.append(output)

    outputs = []
    module.register_forward_hook(hook)
    y = module(x, b)
    return {"log": log, "given": given, "returned": value(y), "the same node": outputs[0] is y}


RETURNED = Choice("a number", "a node", "False")


@exam.question("forward_hook", points=2)
def what_a_hook_returns(
    dark, x: Array([1, -2], [3, 0.5]), a: Float(-3, 3), kind: RETURNED, training: Choice(True, False)
):
    """The value that a hook returns is ignored; the next hook gets the output of forward, in both modes."""
    module, log = network(dark, a).train(training), []
    other = {"a number": 5.0, "a node": dark.Constant(array([7.0])), "False": False}[kind]
    module.register_forward_hook(lambda module, inputs, output: other)
    module.register_forward_hook(writer(log, "second"))
    return {"returned": value(module(dark.Constant(array(x)))), "log": log}


@exam.question("forward_hook", points=3)
def hooks_of_one_module(
    dark, x: Array([1, -2], [3, 0.5]), a: Float(-3, 3), b: Float(-3, 3), where: Choice("first", "second")
):
    """A hook belongs to one module, not to others of its class, its parent or its children; hooks come in order."""
    net, other, log = pair(dark, a, b), pair(dark, b, a), []
    other.first = type(getattr(net, where))()
    other.first.weight = dark.Parameter(array([b]))
    getattr(net, where).register_forward_hook(writer(log, "one"))
    getattr(net, where).register_forward_hook(writer(log, "two"))
    net.register_forward_hook(writer(log, "parent"))
    x = dark.Constant(array(x))
    return {"returned": [value(net(x)), value(other(x))], "log": log}


def take_off(handle, log):
    """Remove what a handle stands for; a failure is written down."""
    try:
        handle.remove()
    except (KeyError, ValueError, IndexError):
        log.append("removing failed")


@exam.question("forward_hook", points=2)
def handles(dark, x: Float(-3, 3), a: Float(-3, 3), first: Integer(0, 2)):
    """A handle removes what its call registered, also of a hook that is there three times; twice does nothing more."""
    module, log = network(dark, a), []
    hook = writer(log, "thrice")
    found = [module.register_forward_hook(hook) for _ in range(3)]
    module.register_forward_hook(writer(log, "other"))
    counts = []
    for k in (first, first, (first + 1) % 3):
        take_off(found[k], counts)
        module(dark.Constant(x))
        counts.append([each[0] for each in log])
        log.clear()
    module.register_forward_hook(writer(log, "new"))
    module(dark.Constant(x))
    counts.append([each[0] for each in log])
    return {"called": counts, "returned": value(module(dark.Constant(x)))}


@exam.question("forward_hook", points=1)
def in_a_with_statement(dark, x: Float(-3, 3), a: Float(-3, 3), fails: Choice(False, True)):
    """The end of a with block removes the hook, also after an exception."""
    module, log = network(dark, a), []
    try:
        with module.register_forward_hook(writer(log, "within")) as handle:
            module(dark.Constant(x))
            if fails:
                raise KeyError("in the block")
            handle.remove()
            module(dark.Constant(x))
    except KeyError:
        log.append("KeyError")
    module(dark.Constant(x))
    return log


@exam.question("forward_hook", points=2)
def hooks_that_come_and_go(dark, x: Float(-3, 3), a: Float(-3, 3), which: Integer(0, 2)):
    """A hook that removes itself, or another one, or registers one: all of the call are called, as it began."""
    module, log = network(dark, a), []
    handles = []

    def removes_itself(module, inputs, output):
        log.append("removes")
        take_off(handles[which], log)

    def registers(module, inputs, output):
        log.append("registers")
        module.register_forward_hook(writer(log, "new"))

    handles += [module.register_forward_hook(hook) for hook in (removes_itself, registers, writer(log, "last"))]
    for _ in range(2):
        module(dark.Constant(x))
        log.append("end of the call")
    return log


@exam.question("forward_hook", points=1)
def parameters_and_children(dark, x: Float(-3, 3), a: Float(-3, 3), b: Float(-3, 3)):
    """A hook, also one that is a module, adds no parameter and no child; a forward that fails calls none."""
    net, log = pair(dark, a, b), []
    hook = network(dark, b, lambda self, module, inputs, output: log.append("module"))
    before = [name for name, _ in net.named_parameters()]
    net.register_forward_hook(hook)
    net(dark.Constant(x))
    after = [[name for name, _ in net.named_parameters()], [name for name, _ in net.named_children()]]
    failing = network(dark, a, lambda self, x: x / 0 if x == 0 else dark.mul(x, self.weight))
    failing.register_forward_hook(writer(log, "failing"))
    return {"before": before, "after": after, "0": outcome(failing, 0, error=ZeroDivisionError),
            "x": value(failing(x or 1.0)), "log": log}  # fmt: skip


# rules

PATHS = ("conv", "conv.relu", "block.conv", "block.relu", "block.Relu", "relu2", "head")
RULES = (
    ["*relu", 1], ["*", 2], ["block.*", 0], ["conv", 1], ["head", 0], ["*.relu", 2], ["relu?", 1], ["*[Rr]elu", 2],
    ["block.relu", 1], ["x*", 2],
)  # fmt: skip
CODES = (None, 3, -1, "1", "TYPE_I", 0.5, [1])


def modules(paths, sizes=()):
    """Make pairs of paths and things that stand for modules."""
    sizes = [*sizes, *range(len(paths))]
    return [(path, SimpleNamespace(path=path, size=size)) for path, size in zip(paths, sizes)]


def kept(found):
    """Return the pairs of a dict in order."""
    return [[path, code] for path, code in found.items()] if isinstance(found, dict) else found


@exam.question("rules", points=3, examples=30)
def the_first_that_matches(dark, rules: ListOf(Integer(0, len(RULES) - 1), 0, 4), order: Integer(0, 6)):
    """The first pattern that matches decides; a module without a rule is ignored."""
    paths = [*PATHS[order:], *PATHS[:order]]
    return kept(dark.choose(modules(paths), [tuple(RULES[k]) for k in rules]))


@exam.question("rules", points=3, examples=20)
def functions_decide(dark, sizes: ListOf(Integer(0, 2), 7, 7), rule: Integer(0, len(RULES) - 1)):
    """A function gets path and module, and decides for each that comes to it; later rules are not asked."""
    asked = []

    def by_size(path, module):
        asked.append([path, module.path == path])
        return module.size

    never = lambda path, module: asked.append("a later rule") or 1
    found = dark.choose(modules(PATHS, sizes), [tuple(RULES[rule]), by_size, never, ("*", 2)])
    return {"kept": kept(found), "asked": sorted(asked, key=str)}


@exam.question("rules", points=3, examples=24)
def codes_that_are_refused(
    dark, code: Integer(0, len(CODES) - 1), sizes: ListOf(Integer(0, 2), 7, 7), at: Integer(0, 6)
):
    """A code other than 0, 1 and 2 is refused: of a pair, also if it matches nothing, and of a function."""
    code, found = CODES[code], modules(PATHS, sizes)
    rules = {
        "of a pair": [("*", code)], "of a pair that matches nothing": [("nothing", code)],
        "of a pair behind": [("*", 1), ("*", code)],
        "of a function for one path": [lambda path, module: code if path == PATHS[at] else module.size],
        "of no pair": [("*", 1)], "of a function, not asked": [("*", 2), lambda path, module: code],
    }  # fmt: skip
    seen = {name: kept(outcome(dark.choose, found, each)) for name, each in rules.items()}
    return seen | {"sizes": kept(dark.choose(found, [lambda path, module: module.size]))}


@exam.question("rules", points=2)
def two_modules_of_one_path(dark, twice: Integer(0, 6), code: Integer(0, 2), rule: Integer(0, len(RULES) - 1)):
    """Two modules with one path are refused, whatever the rules say about them."""
    paths = [*PATHS, PATHS[twice]]
    rules = {"all": [("*", code)], "no rules": [], "one": [tuple(RULES[rule])]}
    seen = {name: kept(outcome(dark.choose, modules(paths), each)) for name, each in rules.items()}
    return seen | {"once": kept(dark.choose(modules(PATHS), [("*", code), ("x", 1)]))}


@exam.question("rules", points=1)
def in_order_and_without_rules(dark, order: Integer(0, 6), code: Integer(1, 2)):
    """The dict has the order of the modules; without rules, or without modules, it is empty."""
    paths = [*PATHS[order:], *PATHS[:order]]
    found = kept(dark.choose(modules(paths), [("*e*", code), ("conv", 3 - code)]))
    return [found, kept(dark.choose(modules(paths), [])), kept(dark.choose([], [("*", code)]))]


# take_note


def not_json(constant):
    """Refuse what JSON does not have."""
    raise ValueError(constant)


def content(path):
    """Return the records of a file: lines as data, "not JSON" for others; empty lines do not count."""
    found = []
    for line in path.read_bytes().split(b"\n"):
        try:
            found += [json.loads(line, parse_constant=not_json)] if line.strip() else []
        except ValueError:
            found.append("not JSON")
    return found


def sorted_record(record):
    """Return a record with its names in order, and integers as floats."""
    if isinstance(record, dict):
        return {str(name): sorted_record(record[name]) for name in sorted(record)}
    if isinstance(record, list):
        return [sorted_record(each) for each in record]
    return float(record) if isinstance(record, Real) and not isinstance(record, bool) else record


def taken(dark, entries, before=None, notes=1):
    """Take entries down, and read the file after each; `before` are bytes that are there, `notes` objects write."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        if before is not None:
            path.write_bytes(before)
        old, seen, note = before or b"", [], None
        for k, entry in enumerate(entries):
            if k % -(-len(entries) // notes) == 0:
                note = dark.Note(str(path) if k else path)
            note.take_down_scalars_and_tensors(*entry)
            new = path.read_bytes()
            seen.append({"as it was before": new.startswith(old), "ends a line": new.endswith(b"\n")})
            old = new
        empty = path.read_bytes().rstrip(b"\n").split(b"\n").count(b"")
        return {"records": [sorted_record(each) for each in content(path)], "after each": seen, "empty lines": empty}


STEPS = ListOf(Integer(1, 999), 1, 4)


@exam.question("take_note", points=3)
def a_line_for_each_step(dark, steps: STEPS, loss: Float(-9, 9), rows: Array([1, -2], [[0.5, 2], [3, -4]])):
    """Each step is a line, which is in the file at once; what was there before is unchanged."""
    return taken(dark, [(step, {"loss": loss + k, "more": k}, {"w": array(rows) * k}) for k, step in enumerate(steps)])


@exam.question("take_note", points=2)
def what_json_lacks(dark, step: Integer(1, 999), loss: Float(-9, 9), place: Integer(0, 2)):
    """NaN and infinity are strings, among scalars and in arrays."""
    odd, x = [np.nan, np.inf, -np.inf], array([[loss, 1, 2], [3, 4, 5]])
    x[1, place] = odd[place]
    return taken(dark, [(step, {"a": odd[place], "b": loss, "c": -np.inf}, {"x": x, "y": np.full(2, odd[place - 1])})])


@exam.question("take_note", points=2)
def numbers_of_numpy(
    dark, step: Integer(1, 999), number: Integer(-99, 99), dtype: Choice("float32", "int64", "float64")
):
    """Scalars and arrays of any dtype, 0-d arrays and arrays of three axes are taken."""
    scalars = {"a": np.dtype(dtype).type(number), "b": np.array(number, dtype), "c": number}
    tensors = {"cube": np.arange(8).reshape(2, 2, 2).astype(dtype) + number, "list": [number, 2], "one": array(number)}
    return taken(dark, [(np.int64(step), scalars, tensors)])


@exam.question("take_note", points=2)
def other_names_each_time(dark, steps: STEPS, number: Float(-9, 9)):
    """A series may come late, and go; names may hold any character; a step may come twice."""
    names = ('accuracy/"best"\n', "π/w", "loss")
    entries = [(step, {names[k % 3]: number + k}, {names[-k % 3]: [number] * k}) for k, step in enumerate(steps)]
    return taken(dark, [*entries, (steps[0], {}, {})])


LINE = b'{"step": 7, "scalars": {"loss": 0.25}, "tensors": {"w": [1.0, 2.0]}}\n'


@exam.question("take_note", points=3, examples=24)
def continued(dark, cut: Integer(1, len(LINE) - 1), lines: Integer(0, 2), step: Integer(1, 999)):
    """After a torn line, a new one begins; a complete file is continued as it is, and so is an empty one."""
    entries = [(step, {"loss": 1.5}, {}), (step + 1, {}, {"w": [1.0]})]
    torn = taken(dark, entries, LINE * lines + LINE[:cut])
    whole = taken(dark, entries, LINE * lines)
    return {"torn": torn, "whole": whole, "other lines": torn["records"][:lines]}


@exam.question("take_note", points=1)
def two_notes_of_one_file(dark, steps: ListOf(Integer(1, 999), 2, 4), number: Float(-9, 9)):
    """Another object, also with the path as a string, continues the file."""
    return taken(dark, [(step, {"loss": number * k}, {}) for k, step in enumerate(steps)], notes=2)


@exam.question("take_note", points=1)
def values_of_that_moment(dark, step: Integer(1, 99), rows: Array([1, -2], [[3], [-4]]), more: Float(1, 9)):
    """Values that change in place afterwards are noted as they were."""
    x, scalars = array(rows), {"loss": more}
    with tempfile.TemporaryDirectory() as folder:
        note = dark.Note(Path(folder) / "run.jsonl")
        note.take_down_scalars_and_tensors(step, scalars, {"x": x})
        x += more
        scalars["loss"] = 99.0
        note.take_down_scalars_and_tensors(step + 1, {}, {})
        return [sorted_record(each) for each in content(note_path(folder))]


def note_path(folder):
    """Return the path of the only file of a folder, whatever its name."""
    return next(iter(sorted(Path(folder).iterdir())))


# read_note


def line_of(step, scalars, tensors):
    """Make a line of a note."""
    return json.dumps({"step": step, "scalars": scalars, "tensors": tensors}).encode() + b"\n"


def read(dark, data, form=Path):
    """Read a file of these bytes with the answer's function, its path in a form; return both dicts in one form."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        path.write_bytes(data)
        found = dark.read_note(form(path))
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            return f"of class {type(found).__name__}"
        return [{str(name): series(each) for name, each in sorted(kind.items())} for kind in found]


def series(found):
    """Return the steps and the values of a series."""
    if not isinstance(found, (tuple, list)) or len(found) != 2 or not all(isinstance(each, Iterable) for each in found):
        return f"of class {type(found).__name__}"
    steps, values = found
    return {"steps": [plain(step) for step in steps], "values": [plain(each) for each in values]}


@exam.question("read_note", points=3)
def each_series_its_steps(dark, steps: STEPS, number: Float(-9, 9), rows: Array([1, -2], [[0.5, 2], [3, -4]])):
    """Each name is a series with steps of its own; scalars are floats, tensors are arrays of floats."""
    lines, at = [], np.cumsum(steps).tolist()
    for k, step in enumerate(at):
        tensors = {"w": (array(rows) + k).tolist(), "b": [k], "c": [[number]]}
        tensors |= {"late": [k, 2 * k]} if k > 1 else {}
        scalars = {"loss": number + k, "a": 2 * k, "b": -k} | ({"accuracy": k} if k % 2 else {})
        lines.append(line_of(step, scalars, tensors))
    return read(dark, b"".join(lines))


@exam.question("read_note", points=3, examples=24)
def a_torn_last_line(dark, step: Integer(1, 99), number: Float(-9, 9), cut: Integer(1, 80)):
    """Of a file whose last line is torn, all others are read."""
    last = line_of(step + 2, {"loss": number, "accuracy": 0.5}, {"w": [number, 1.0, 2.0], "late": [1.0]})
    lines = [line_of(step + k, {"loss": number + k}, {"w": [number, k]}) for k in range(2)]
    return read(dark, b"".join([*lines, last[: min(cut, len(last) - 2)]]))


DAMAGE = (b"\xff\xfe\x00", b'{"step": 3, "sca', b"nonsense", b"", b'{"step": 5}}', b"\xc3")


@exam.question("read_note", points=3, examples=24)
def damage_in_the_middle(
    dark, damage: ListOf(Integer(0, len(DAMAGE) - 1), 1, 3), number: Float(-9, 9), at: Integer(0, 3)
):
    """Lines that cannot be read, whatever bytes they have, are left out; those behind them are read."""
    lines = [line_of(k, {"loss": number + k}, {"w": [k, number]}) for k in range(3)]
    return read(dark, b"".join([*lines[:at], *(DAMAGE[k] + b"\n" for k in damage), *lines[at:]]))


@exam.question("read_note", points=2)
def nan_is_read_back(dark, number: Float(-9, 9), place: Integer(0, 3)):
    """The strings "nan", "inf" and "-inf" are floats again, among scalars and in arrays."""
    odd = ["nan", "inf", "-inf", number]
    row = [odd[place], number, 1.0]
    return read(dark, line_of(1, {"loss": odd[place], "b": number}, {"w": [row, [2.0, 3.0, odd[place - 1]]], "v": odd}))


@exam.question("read_note", points=2)
def steps_that_come_twice(dark, steps: ListOf(Integer(1, 4), 2, 8), number: Float(-9, 9)):
    """Of equal steps, the last value counts; the steps of a series increase."""
    lines = []
    for k, step in enumerate([*steps, 11, 9]):
        scalars = {"loss": number + k} if k % 3 else {"other": k}
        lines.append(line_of(step, scalars, {"w": [k, number]} if k % 2 else {}))
    return read(dark, b"".join(lines))


@exam.question("read_note", points=1)
def tensors_of_any_shape(dark, number: Float(-9, 9), more: Integer(1, 3)):
    """A series may change its shape; an array may have no axis, or three."""
    cube = (np.arange(8).reshape(2, 2, 2) + number).tolist()
    return read(dark, line_of(1, {}, {"a": cube, "b": number}) + line_of(2, {}, {"a": [number] * more, "b": more}))


@exam.question("read_note")
def a_file_without_records(dark, number: Float(-9, 9), damage: Integer(0, len(DAMAGE) - 1)):
    """A file without a record has no series; one record without values neither."""
    lines = line_of(1, {}, {}) + line_of(2, {"a": number}, {})
    return [read(dark, b""), read(dark, DAMAGE[damage], str), read(dark, lines)]


# weight_records

SHAPED = Array([1, -2, 0.5], [[3, -4], [0.25, 2]])


def named(dark, **values):
    """Make parameters by name."""
    return {name.replace("_", "."): dark.Parameter(array(each)) for name, each in values.items()}


def told(records):
    """Return what records tell: scalars and arrays, by name."""
    scalars, tensors = records.scalars(), records.tensors()
    wrong = [name for name, each in scalars.items() if not isinstance(each, Real) or np.ndim(each)]
    return {"scalars": {name: plain(scalars[name]) for name in sorted(scalars)}, "not numbers": sorted(wrong),
            "tensors": {name: plain(tensors[name]) for name in sorted(tensors)}}  # fmt: skip


def one_step(records, parameters, gradient, step, in_place=False):
    """Let records observe a step: a gradient for each parameter, and a change."""
    records.begin()
    for p in parameters.values():
        p.grad = gradient * np.ones(np.shape(p.value))
        if in_place:
            p.value[...] -= step
            continue
        p.value = p.value - step * np.ones(np.shape(p.value))
    records.record()


@exam.question("weight_records", points=4)
def ratios_and_norms(dark, w: SHAPED, b: Array([0.5, 1], [2, -1]), gradient: Float(0.5, 3), step: Float(0.01, 1)):
    """The ratio is the norm of the step over the norm of the weight before it; the norm is the norm of the gradient."""
    parameters = named(dark, w=w, layer_b=b, c=[step, 2, -1])
    records = dark.WeightRecords(parameters.items())
    before = told(records)
    one_step(records, parameters, gradient, step)
    first = told(records)
    one_step(records, parameters, -gradient, 3 * step)
    return {"before": before, "first": first, "second": told(records)}


@exam.question("weight_records", points=3, examples=30)
def flips_of_signs(
    dark, first: ListOf(Integer(-1, 1), 2, 6), second: ListOf(Integer(-2, 2), 6, 6), small: Float(0.001, 2)
):
    """A sign that is opposite to the last one that was not 0 is a flip: a way through 0 is one, or none."""
    p = dark.Parameter(array([0, 0]))
    records, seen = dark.WeightRecords([("w", p)]), []
    for a, b in zip(first, second):
        records.begin()
        p.value = small * array([a, b])
        records.record()
        seen.append(plain(records.tensors()["flips/w"]))
    return seen


@exam.question("weight_records", points=2)
def averages_of_gradients(dark, gradients: ListOf(Integer(-3, 3), 1, 5), length: Integer(1, 3), first: SHAPED):
    """Gradients are averaged signed and absolute; they may change in place afterwards."""
    p = dark.Parameter(array(first))
    records = dark.WeightRecords([("w", p)], length)
    for gradient in gradients:
        records.begin()
        p.grad = gradient * array(first)
        records.record()
        p.grad *= 100
    return told(records)


@exam.question("weight_records")
def twenty_records(dark, gradients: ListOf(Integer(-3, 3), 19, 22), first: Float(-3, 3)):
    """By default, the averages run over 20 records."""
    p = dark.Parameter(array([first]))
    records = dark.WeightRecords([("w", p)])
    for gradient in gradients:
        records.begin()
        p.grad = array([gradient + first])
        records.record()
    return told(records)


@exam.question("weight_records", points=2)
def without_a_gradient(dark, w: SHAPED, gradient: Float(0.5, 3), step: Float(0.01, 1), later: Integer(0, 1)):
    """A parameter without gradient is left out of gradients and norms; its ratio and its flips are there."""
    parameters = named(dark, w=w, frozen=[1, -1])
    records = dark.WeightRecords(parameters.items())
    seen = []
    for k in range(2):
        records.begin()
        parameters["w"].grad = gradient * array(w)
        parameters["frozen"].grad = array([gradient, k]) if k < later else None
        parameters["w"].value = parameters["w"].value - step
        records.record()
        seen.append(told(records))
    return seen


@exam.question("weight_records", points=2)
def weights_that_are_zero(dark, w: SHAPED, gradient: Float(0.5, 3), step: Float(0.01, 1)):
    """A weight that was 0 before the step has no ratio; after it, it has one."""
    parameters = named(dark, w=w, bias=[0, 0])
    records = dark.WeightRecords(parameters.items())
    one_step(records, parameters, gradient, step)
    first = told(records)
    one_step(records, parameters, gradient, step)
    return {"first": first, "second": told(records)}


@exam.question("weight_records", points=2)
def steps_in_place(dark, w: SHAPED, gradient: Float(0.5, 3), step: Float(0.01, 1)):
    """An optimizer may change the values in place."""
    parameters = named(dark, w=w)
    records, seen = dark.WeightRecords(parameters.items()), []
    for k in range(2):
        one_step(records, parameters, gradient, step + k, in_place=True)
        seen.append(told(records))
    return seen


@exam.question("weight_records", points=2)
def records_without_a_beginning(dark, w: SHAPED, gradient: Float(0.5, 3), step: Float(0.01, 1)):
    """Without begin since the last record no ratio is found; gradients and flips are recorded all the same."""
    parameters = named(dark, w=w)
    records = dark.WeightRecords(parameters.items())
    records.record()
    first = told(records)
    one_step(records, parameters, gradient, step)
    parameters["w"].value = -parameters["w"].value
    parameters["w"].grad = None
    records.record()
    second = told(records)
    one_step(records, parameters, gradient, step)
    return {"first": first, "second": second, "third": told(records)}


# attach


def noisy(dark, factor):
    """Make a module that draws random numbers in any mode, and multiplies."""

    def forward(self, x):
        return dark.mul(x, self.weight.value + np.random.random() + random.random())

    return network(dark, factor, forward)


def nest(dark, a, b, last=None):
    """Make a network of a block of two children, and a child behind it."""
    net = network(dark, 1.0, lambda self, x: self.last(self.block(dark.mul(x, 3.0) if self.training else x)))
    net.block, net.last = pair(dark, a, b), last or network(dark, a + b)
    return net


def modes(net):
    """List the modes of a net and of its parts."""
    parts = [net, net.block, net.block.first, net.block.second, net.last]
    return [bool(part.training) for part in parts]


def arrays(found):
    """Return a dict of arrays by name, sorted."""
    if not isinstance(found, dict):
        return f"of class {type(found).__name__}"
    return {name: plain(found[name]) for name in sorted(found)}


ALL = ("block", "block.first", "block.second", "last")


def wanted(numbers):
    """Return paths by their numbers, each once."""
    return [ALL[k] for k in dict.fromkeys(numbers)]


def keeping_generators(body):
    """Call a function with both generators seeded; afterwards they are as before."""
    states = random.getstate(), np.random.get_state()
    try:
        random.seed(0)
        np.random.seed(0)
        return body()
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


@exam.question("attach", points=3)
def outputs_in_evaluation_mode(
    dark, x: Array([1, -2], [3, 0.5]), a: Float(0.5, 3), b: Float(-3, -0.5), paths: ListOf(Integer(0, 3), 0, 4),
    training: Choice(True, False),
):  # fmt: skip
    """The outputs of the wanted modules, in evaluation mode, whatever the mode was; afterwards it is as before."""
    net = nest(dark, a, b).train(training)
    found = dark.outputs_of(net, wanted(paths), dark.Constant(array(x)))
    return {"found": arrays(found), "modes": modes(net), "y": value(net(dark.Constant(array(x))))}


@exam.question("attach", points=2, examples=20)
def each_its_own_mode(
    dark, x: Float(-3, 3), off: ListOf(Integer(0, 4), 1, 4), a: Float(0.5, 3), training: Choice(True, False)
):
    """A part that was in another mode than the rest is so afterwards."""
    net = nest(dark, a, 2.0).train(training)
    for k in off:
        part = (net, net.block, net.block.first, net.block.second, net.last)[k]
        part.training = not training
    found = dark.outputs_of(net, ["block.first", "last"], dark.Constant(x))
    return {"found": arrays(found), "modes": modes(net)}


@exam.question("attach", points=2)
def generators_as_before(dark, x: Float(-3, 3), a: Float(0.5, 3), draws: Integer(0, 3)):
    """A net that draws random numbers leaves both generators as they were."""

    def body():
        net = nest(dark, a, 1.0, noisy(dark, a))
        numbers = [random.random() + np.random.random() for _ in range(draws)]
        found = dark.outputs_of(net, ["block", "last"], dark.Constant(x))
        return {"before": numbers, "found": arrays(found), "after": [random.random(), np.random.random()]}

    return keeping_generators(body)


@exam.question("attach", points=2)
def a_net_that_fails(dark, x: Float(0.5, 3), a: Float(0.5, 3), training: Choice(True, False)):
    """If the net raises, hooks are removed, and modes and generators are as before."""

    def fail(self, x):
        raise KeyError(np.random.random())

    def body():
        net = nest(dark, a, 1.0).train(training)
        net.block.second.training = not training
        works, net.last = net.last, network(dark, a, fail)
        failed = outcome(dark.outputs_of, net, ["block", "block.first"], dark.Constant(x), error=KeyError)
        net.last = works
        first = dark.outputs_of(net, ["block.first"], dark.Constant(x))
        number = np.random.random()
        y = value(net(dark.Constant(x + 1)))
        return {"failed": failed, "modes": modes(net), "found": arrays(first), "y": y, "number": number}

    return keeping_generators(body)


@exam.question("attach")
def arrays_of_that_moment(dark, x: Float(0.5, 3), a: Float(0.5, 3), b: Float(0.5, 3)):
    """Hooks are gone afterwards: what the net returns later does not change what was found; arrays are copies."""
    net = nest(dark, a, b, network(dark, a, lambda self, x: self.weight))
    found = dark.outputs_of(net, ALL, dark.Constant(array([x])))
    before = arrays(found)
    net.last.weight.value[...] = 99.0
    net(dark.Constant(array([5.0])))
    again = dark.outputs_of(net, ["block"], dark.Constant(array([x + 1])))
    return {"before": before, "later": arrays(found), "again": arrays(again)}


def observed(dark, every, length, epochs, samples=None, codes=None, remove_after=None, factor=1.0):
    """Attach a monitor that writes down what is done to it, run an engine, and return the log."""
    log, net = [], nest(dark, factor, 2.0)
    monitor = SimpleNamespace(
        net=net, codes=codes or {}, begin=lambda: log.append("begin"), end=lambda: log.append("end"),
        scalars=lambda: log.append("scalars") or {"update_ratio/w": factor},
        tensors=lambda: log.append("tensors") or {"flips/w": array([factor, 0])},
    )  # fmt: skip

    def take(step, scalars, tensors):
        log.append({"step": plain(step), "scalars": arrays(dict(scalars)), "tensors": arrays(dict(tensors))})

    engine = dark.Engine(lambda engine, batch: log.append(f"step {engine.state.iteration}") or factor * batch)
    handles = dark.attach(monitor, engine, SimpleNamespace(take_down_scalars_and_tensors=take), every, **(
        {} if samples is None else {"samples": array(samples)}))  # fmt: skip
    if remove_after is not None:
        remover = lambda: [handle.remove() for handle in handles] if engine.state.iteration == remove_after else None
        engine.add_event_handler(dark.Events.EPOCH_COMPLETED, remover)
    engine.run(list(range(1, length + 1)), max_epochs=epochs)
    order = [each if isinstance(each, str) else f"note {each['step']:.0f}" for each in log]
    order = [each for each in order if each not in ("scalars", "tensors")]
    return {"order": order, "notes": [each for each in log if isinstance(each, dict)]}


@exam.question("attach", points=4, examples=24)
def the_steps_that_are_noted(
    dark, every: Integer(1, 5), length: Integer(1, 4), epochs: Integer(1, 3), factor: Float(0.5, 3)
):
    """The first iteration, and each that `every` divides: begin before the step, end after it, then the note."""
    return observed(dark, every, length, epochs, factor=factor)


@exam.question("attach", points=3)
def what_is_noted(
    dark, x: Array([1, -2], [3, 0.5]), codes: ListOf(Integer(0, 2), 4, 4), factor: Float(0.5, 3), length: Integer(1, 3)
):
    """Scalars, the output as "loss", arrays, and of modules with code 2 the outputs for the samples."""
    of_paths = {path: code for path, code in zip(ALL, codes) if code}
    return observed(dark, 2, length, 1, x, of_paths, factor=factor)


@exam.question("attach")
def without_samples(dark, codes: ListOf(Integer(1, 2), 4, 4), factor: Float(0.5, 3)):
    """Without samples, none are noted."""
    return observed(dark, 3, 3, 1, None, dict(zip(ALL, codes)), factor=factor)


@exam.question("attach", points=1)
def detached(dark, every: Integer(1, 3), length: Integer(1, 3), factor: Float(0.5, 3)):
    """Both handles removed, nothing more is noted."""
    return observed(dark, every, length, 3, remove_after=length, factor=factor)


@exam.question("attach", points=1)
def the_dicts_of_the_monitor(dark, x: Array([1, -2], [3, 0.5]), factor: Float(0.5, 3)):
    """The values that the monitor returns are not changed."""
    own = {"scalars": {"a": factor}, "tensors": {"b": array([factor])}}
    monitor = SimpleNamespace(
        net=nest(dark, factor, 2.0), codes={"last": 2}, begin=lambda: None, end=lambda: None,
        scalars=lambda: own["scalars"], tensors=lambda: own["tensors"],
    )  # fmt: skip
    engine, seen = dark.Engine(lambda engine, batch: batch), []
    note = SimpleNamespace(take_down_scalars_and_tensors=lambda step, s, t: seen.append([sorted(s), sorted(t)]))
    dark.attach(monitor, engine, note, 1, dark.Constant(array(x)))
    engine.run([1.0, 2.0])
    return {"noted": seen, "the monitor's": {name: arrays(each) for name, each in own.items()}}


# diagnose


class Descent:
    """Gradient descent in place that counts its steps."""

    def __init__(self, parameters, lr, log):
        self.parameters, self.lr, self.log = list(parameters), lr, log
        log.append(len(self.parameters))

    def zero_grad(self):
        """Set all gradients to None."""
        for p in self.parameters:
            p.grad = None

    def step(self):
        """Update the parameters."""
        self.log.append("step")
        for p in self.parameters:
            if p.grad is not None:
                p.value[...] -= self.lr * p.grad


def checked(dark, start, target, lr, classes, steps=None, floor=0.0):
    """Check a network with a single parameter and the loss (w - y)² + floor; return the messages and the steps."""
    net = network(dark, start, lambda self, x: dark.add(dark.mul(x, self.weight), dark.mul(self.other, 0.0)))
    net.other, log, asked = dark.Parameter(array([target])), [], []

    def loss_of(out, y):
        asked.append([value(out), y is given_y])
        d = dark.sub(out, y)
        return dark.mean(dark.add(dark.mul(d, d), floor))

    x, given_y = dark.Constant(array([1.0])), dark.Constant(array([target]))
    net.weight.grad = array([99.0])
    given = {} if steps is None else {"steps": steps}
    make_optimizer = lambda parameters: Descent(parameters, lr, log)
    found = dark.checks_before(net, loss_of, make_optimizer, x, given_y, classes, **given)
    said = [bool(each) if isinstance(each, (bool, np.bool_)) else plain(each) for each in found]
    gradients = ["none" if p.grad is None else plain(p.grad) for p in (net.weight, net.other)]
    return {"said": said, "optimizer": [log[:1], log.count("step")], "first": asked[0],
            "targets": all(is_y for _, is_y in asked),
            "value": value(net.weight), "gradients": gradients}  # fmt: skip


@exam.question("diagnose", points=4, examples=24)
def the_first_loss(
    dark, classes: Integer(2, 50), share: Choice(0.9, 1.1, 0.7, 1.4, 0.6, 1.7, 0.1, 5.0), target: Float(-3, 3)
):
    """The first loss is near ln(classes), within a factor of 1.5, or it is not."""
    first = float(np.sqrt(share * np.log(classes)))
    return checked(dark, target + first, target, 0.1, classes, 30)


@exam.question("diagnose", points=3, examples=20)
def one_batch_is_learned(dark, lr: Float(0.02, 0.3), target: Float(-3, 3)):
    """It is learned if the loss after the steps is below a tenth of ln(classes): after one step more, not one less."""
    enough = int(np.ceil(np.log(np.log(10) / 10 / 1.5**2) / np.log((1 - 2 * lr) ** 2)))
    return [checked(dark, target + 1.5, target, lr, 10, steps) for steps in (enough - 1, enough, enough + 9)]


@exam.question("diagnose", points=2)
def a_hundred_steps(dark, target: Float(-3, 3), floor: Choice(0.0, 0.2, 0.24, 5.0), classes: Choice(10, 3)):
    """By default there are 100 steps; a loss that stays above is not learned."""
    return checked(dark, target + 1.5, target, 0.04, classes, floor=floor)


@exam.question("diagnose", points=1)
def a_training_that_diverges(dark, target: Float(1, 3), steps: Integer(4, 6)):
    """A loss that becomes infinite or NaN is not learned; the parameters have their values again."""
    with np.errstate(all="ignore"):
        return checked(dark, target + 1.5, target, 1e200, 10, steps)


SIZES = Integer(0, 99)


def units(count, share, special, others):
    """Make an array of units: a share of them special."""
    return np.where(np.arange(count) < share * count, special, others)


def healthy(size):
    """Make the series of a healthy run: every number differs with `size`, from 0 to 99, within what is healthy."""
    part = size / 100
    steps, fade = [1, 20, 40, 60], array([1.0, 0.9, 0.5, 0.2])
    unit, (one, other) = 0.1 + 20 * part, (20, 1) if size % 2 else (1, 20)
    scalars = {
        "loss": (2.3 + part) * fade, "update_ratio/fc1.weight": (0.01 + 0.02 * part) * fade,
        "update_ratio/fc1.bias": array([3.0, 1 + part, 0.2, 0.1]),
        "update_ratio/fc2.weight": (0.005 + 0.01 * part) * fade, "update_ratio/fc3.weight": 0.01 * fade,
        "gradient_norm/fc1.weight": one * unit * array([1.0, 0.04, 0.9, 0.03]),
        "gradient_norm/fc1.bias": unit * array([1e-9, 0.03, 0.2, 0.1]),
        "gradient_norm/fc2.weight": other * unit * array([1.0, 0.04, 1.2, 0.03]),
        "accuracy/validation": 0.98 * (1 - 0.1 * part) * array([0.9, 0.95, 1.0, 0.99]),
    }  # fmt: skip
    alive = array([0.0, *np.linspace(0.1, 1 + part, 7)])
    bounded = array([0.995, *np.linspace(0.2, 0.8 + 0.1 * part, 7)])
    tensors = {
        "activations/relu2": [alive] * 4, "activations_abs/relu2": [alive + 1] * 4,
        "activations/tanh1": [units(8, 0.8, 0.0, 0.1 + part)] * 4, "activations_abs/tanh1": [bounded] * 4,
        "flips/fc1.weight": [np.zeros(3)] * 4,
    }  # fmt: skip
    made = [{name: (steps, list(values)) for name, values in kind.items()} for kind in (scalars, tensors)]
    made[0]["accuracy/validation"] = ([15, 30, 45, 60], made[0]["accuracy/validation"][1])
    return made


def change(series, start, function, part=""):
    """Change the values of the series of these names."""
    for name, (steps, values) in series.items():
        if name.startswith(start) and part in name:
            series[name] = (steps, list(function(values)))


def first_norm(scalars):
    """Return the largest gradient norm of the first note."""
    return max(values[0] for name, (_, values) in scalars.items() if name.startswith("gradient_norm/"))


FAULTS = {
    "leak": lambda s, t, p: change(s, "accuracy/", lambda v: [0.99, 1.0, 1.0, 0.98 + 0.02 * p]),
    "rate too large": lambda s, t, p: change(s, f"update_ratio/fc{1 + round(2 * p)}", lambda v: [1.7 + p, *v[1:]]),
    "exploding": lambda s, t, p: change(
        s, f"gradient_norm/fc{1 + round(p)}.weight", lambda v: [v[0], v[1], (45 + 20 * p) * first_norm(s), v[3]]
    ),
    "saturated": lambda s, t, p: change(
        t, "activations_abs/tanh", lambda v: [*v[:-1], units(8, 0.6 + 0.3 * p, 0.99, 0.1)]),
    "dead": lambda s, t, p: change(t, "activations/relu", lambda v: [*v[:-1], units(8, 0.6 + 0.02 * p, 0.0, 9.0 + p)]),
    "rate too small": lambda s, t, p: change(
        s, "update_ratio/", lambda v: [(1e-6 + 4e-6 * p) * (k + 1) / 4 for k in range(4)], ".weight"),
}  # fmt: skip


def said_of(dark, size, *faults, part=0.5):
    """Return what is said of a healthy run after some faults."""
    scalars, tensors = healthy(size)
    for fault in faults:
        FAULTS[fault](scalars, tensors, part) if isinstance(fault, str) else fault(scalars, tensors)
    found = dark.diagnose(scalars, tensors)
    return found if isinstance(found, str) else f"of class {type(found).__name__}"


FAULT = Integer(0, len(FAULTS) - 1)


@exam.question("diagnose", points=3, examples=24)
def one_fault(dark, fault: FAULT, size: SIZES, part: Float(0, 1)):
    """Each fault has its name, and the same run without it is healthy."""
    return [said_of(dark, size, [*FAULTS][fault], part=part), said_of(dark, size)]


CAUSES = (
    ("rate too large", "dead"), ("rate too large", "saturated"), ("exploding", "dead"), ("exploding", "saturated"),
    ("rate too large", "exploding"), ("saturated", "rate too small"), ("dead", "rate too small"),
    ("rate too large", "exploding", "saturated", "dead"), ("exploding", "saturated", "dead"),
)  # fmt: skip


@exam.question("diagnose", points=3, examples=24)
def the_cause(dark, which: Integer(0, len(CAUSES) - 1), size: SIZES, part: Float(0, 1)):
    """Of several, the one that causes the others is named."""
    causes = CAUSES[which]
    return [said_of(dark, size, *causes, part=part), said_of(dark, size, *reversed(causes), part=part)]


def few(kind, at):
    """Make a change to a layer: one half is sick, though the mean looks like it, or in an early note."""

    def changed(scalars, tensors):
        if kind == "dead":
            layer = units(8, 0.5, 0.0, 0.001)
            change(tensors, "activations/relu", lambda v: [layer if k >= at else 0 * v[k] for k in range(4)])
        else:
            layer = units(8, 0.5, 0.9999, 0.97)
            change(tensors, "activations_abs/tanh", lambda v: [layer if k >= at else 0 * v[k] + 1 for k in range(4)])

    return changed


@exam.question("diagnose", points=2)
def shares_not_means(dark, size: SIZES, at: Integer(0, 3), fault: FAULT):
    """One half of the units, a low mean, an early note, frozen layers are not sick; three units of four are."""
    names = ("saturated", "dead")
    seen = {name: said_of(dark, size, few(name, at)) for name in names}
    bounded = lambda s, t: change(t, "activations_abs/tanh", lambda v: [array([0.99, 0.985, 0.999, 0.0])] * 4)
    sparse = lambda s, t: change(t, "activations/relu", lambda v: [array([0.0, 0.0, 0.0, 40.0])] * 4)

    def frozen(scalars, tensors):
        for k in {0, 1, 2} - {size % 3}:
            change(scalars, f"update_ratio/fc{k + 1}.weight", lambda v: [0.0] * 4)

    warm_up = lambda s, t: change(s, "update_ratio/", lambda v: [1e-6, 1e-5, *v[2:]], ".weight")
    cool_down = lambda s, t: change(s, "update_ratio/", lambda v: [*v[:2], 1e-5, 1e-6], ".weight")
    seen["small steps at times"] = [said_of(dark, size, each) for each in (frozen, warm_up, cool_down)]
    return seen | {"three of four": [said_of(dark, size, bounded), said_of(dark, size, sparse)],
                   "another run": said_of(dark, size, [*FAULTS][fault])}  # fmt: skip


def not_finite(kind, number):
    """Make a run whose loss, ratios and norms become NaN or infinite, or its loss alone."""

    def changed(scalars, tensors):
        change(scalars, "loss", lambda v: [*v[:-2], number, number])
        if kind == "all":
            change(scalars, "update_ratio/", lambda v: [v[0], 2.0, number, number])
            change(scalars, "gradient_norm/", lambda v: [*v[:-2], number, number])

    return changed


@exam.question("diagnose", points=2)
def numbers_that_are_not_finite(dark, size: SIZES, number: Choice(np.nan, np.inf, -np.inf), fault: FAULT):
    """A loss that is not finite is "exploding"; if a step was too large before, that is the cause."""
    seen = {kind: said_of(dark, size, not_finite(kind, number)) for kind in ("loss", "all")}
    return seen | {"another run": said_of(dark, size, [*FAULTS][fault])}


@exam.question("diagnose", points=2, examples=20)
def series_that_are_missing(dark, size: SIZES, missing: Integer(0, 5), fault: FAULT):
    """A series that is missing says nothing; further layers and series are looked at like the first."""
    names = ("accuracy/", "update_ratio/", "gradient_norm/", "loss", "activations_abs/tanh", "activations/relu")
    start = names[missing]

    def without(scalars, tensors):
        for kind in (scalars, tensors):
            for name in [name for name in kind if name.startswith(start)]:
                del kind[name]

    def more_layers(scalars, tensors):
        for kind in (scalars, tensors):
            own = dict(kind)
            kind.clear()
            for block in ("a.", "b.", ""):
                kind.update({"/".join([*name.split("/")[:-1], block + name.split("/")[-1]]): own[name] for name in own})

    empty = dark.diagnose({}, {})
    seen = [said_of(dark, size, [*FAULTS][fault], without), said_of(dark, size, more_layers, [*FAULTS][fault])]
    return [*seen, said_of(dark, size, without), empty if isinstance(empty, str) else "not a string"]


@exam.repair("published_averages")
def both_averages(dark, records: ListOf(Float(-9, 9), 1, 6), rows: Array([[1, -2], [3, 4]], [[0, -1], [-2, 5]])):
    """The mean of the records, and the mean of their absolute values; records may be arrays."""
    return [[plain(each) for each in dark.published_averages(given)] for given in (records, list(array(rows)))]
