"""Answers of module 13, monitor and notes: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import json
import random
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("13")

# the reference: parts of `dark` that its facade does not hold, and what has other names or signatures there

for name in ("Engine", "Events"):
    answers.reference(getattr(dark.engine, name))


@answers.reference
class Module(dark.nn.Module):
    """A module whose hooks only look."""

    def register_forward_hook(self, hook):
        """Add a pair of a key and the hook to the list of this module."""
        if "_lookers" not in self.__dict__:
            self.__dict__["_lookers"] = []
        entry = (object(), hook)
        self.__dict__["_lookers"].append(entry)
        return Handle(self.__dict__["_lookers"], entry)

    def __call__(self, *inputs):
        """Call forward, then all hooks of this moment."""
        output = self.forward(*inputs)
        for _, hook in tuple(self.__dict__.get("_lookers", ())):
            hook(self, inputs, output)
        return output


class Handle:
    """Removes an entry from a list, once."""

    def __init__(self, entries, entry):
        self.entries, self.entry = entries, entry

    def remove(self):
        """Remove it, if it is there."""
        self.entries[:] = [each for each in self.entries if each[0] is not self.entry[0]]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remove()


@answers.reference
class Statistic:
    """Sums of the same kind for all: pairs of a total and a count."""

    def __init__(self, max_length=None):
        self.length, self.count, self.last = max_length, 0, []

    def record(self, value):
        """Add a record."""
        value = np.asarray(value, float) + 0.0
        if self.count == 0:
            self.sums = np.zeros((2, *value.shape))
        if value.shape != self.sums.shape[1:]:
            raise ValueError(value.shape)
        self.sums = self.sums + np.array([value, np.abs(value)])
        self.count += 1
        self.last = [*self.last, value][-self.length :] if self.length else []

    def mean(self, k):
        """Return one of both means."""
        if self.count == 0:
            raise RuntimeError
        return self.sums[k] / self.count

    @property
    def average(self):
        """The mean."""
        return self.mean(0)

    @property
    def abs_average(self):
        """The mean of the absolute values."""
        return self.mean(1)

    @property
    def running_average(self):
        """The mean of the window."""
        return sum(self.last) / len(self.last) if self.last else self.mean(0)


@answers.reference
class ExponentialAverage:
    """A list of all records, weighted when it is read."""

    def __init__(self, decay):
        self.decay, self.records = decay, []

    def record(self, step, value):
        """Add a record."""
        self.records.append((step, np.array(value, float)))

    @property
    def value(self):
        """The weighted mean."""
        if not self.records:
            raise RuntimeError
        weights = [float(self.decay) ** (self.records[-1][0] - step) for step, _ in self.records]
        return sum(weight * value for weight, (_, value) in zip(weights, self.records)) / sum(weights)


@answers.reference
def choose(modules, rules):
    """Return the codes of the modules that are kept."""
    if len(dict(modules)) != len(modules):
        raise ValueError(modules)
    for rule in rules:
        code_or_error(0 if callable(rule) else rule[1])
    found = {}
    for path, module in modules:
        codes = (rule(path, module) if callable(rule) else rule[1] for rule in rules
                 if callable(rule) or fnmatchcase(path, rule[0]))  # fmt: skip
        if code := code_or_error(next(codes, 0)):
            found[path] = code
    return found


def code_or_error(code):
    """Return a code that is one."""
    if type(code) is not int or not 0 <= code <= 2:
        raise ValueError(code)
    return code


@answers.reference
class Note:
    """A file of lines."""

    def __init__(self, path):
        self.path = Path(path)
        self.path.touch()
        content = self.path.read_bytes()
        if content and content[-1] != 10:
            self.append(b"")

    def append(self, line):
        """Append a line."""
        with open(self.path, "ab") as file:
            file.write(line + b"\n")

    def take_down_scalars_and_tensors(self, step, scalars, tensors):
        """Append a record."""
        scalars, tensors = ({name: as_json(value) for name, value in each.items()} for each in (scalars, tensors))
        self.append(json.dumps({"step": int(step), "scalars": scalars, "tensors": tensors}, allow_nan=False).encode())


def as_json(value):
    """Return nested lists of floats, or a float; strings for what is not finite."""
    value = np.asarray(value, float)
    if value.ndim:
        return list(map(as_json, value))
    return value.item() if np.isfinite(value) else repr(value.item())


@answers.reference
def read_note(path):
    """Return the series of all lines that can be read."""
    records = []
    for line in Path(path).read_bytes().splitlines():
        with suppress(ValueError):
            records.append(json.loads(line.decode()))
    return series_of(records, "scalars", float), series_of(records, "tensors", lambda rows: np.array(rows, float))


def series_of(records, kind, convert):
    """Return the series of a kind."""
    found = {}
    for record in records:
        for name, value in record[kind].items():
            found.setdefault(name, {})[record["step"]] = convert(value)
    ordered = {name: sorted(each.items(), key=lambda pair: pair[0]) for name, each in found.items()}
    return {name: tuple(map(list, zip(*pairs))) for name, pairs in ordered.items()}


@answers.reference
class WeightRecords:
    """Records of parameters."""

    def __init__(self, parameters, max_length=20):
        self.weights, self.before = dict(parameters), None
        self.statistics = {name: Statistic(max_length) for name in self.weights}
        self.seen = {name: [] for name in self.weights}
        self.found = {}

    def begin(self):
        """Copy the values."""
        self.before = {name: np.copy(p.value) for name, p in self.weights.items()}

    def record(self):
        """Record the step."""
        self.found = {}
        for name, p in self.weights.items():
            self.seen[name].append(np.copy(p.value))
            if p.grad is not None:
                self.statistics[name].record(p.grad)
                self.found[f"gradient_norm/{name}"] = float(np.sqrt(np.sum(np.square(p.grad))))
            if self.before is not None and np.any(self.before[name]):
                change, size = np.square(p.value - self.before[name]).sum(), np.square(self.before[name]).sum()
                self.found[f"update_ratio/{name}"] = float(np.sqrt(change / size))
        self.before = None

    def scalars(self):
        """Return what was found in the last record."""
        return dict(self.found)

    def tensors(self):
        """Return averages and flips."""
        known = {name: each for name, each in self.statistics.items() if each.count}
        found = {f"gradients/{name}": each.running_average for name, each in known.items()}
        found |= {f"gradients_abs/{name}": each.abs_average for name, each in known.items()}
        flips = {name: flips_of(self.seen[name], np.shape(p.value)) for name, p in self.weights.items()}
        return found | {f"flips/{name}": each for name, each in flips.items()}


def flips_of(values, shape):
    """Count the changes of sign of each element in a list of arrays, zeros left out."""
    if not values:
        return np.zeros(shape)
    signs = np.sign(values).reshape(len(values), -1).T
    rows = [row[row != 0] for row in signs]
    return array_of([float(np.sum(row[1:] != row[:-1])) for row in rows], shape)


def array_of(numbers, shape):
    """Return an array of a shape."""
    return np.array(numbers).reshape(shape)


@answers.reference
def outputs_of(net, paths, x):
    """Return outputs in evaluation mode, with everything as before afterwards."""
    parts, found = dict(net.named_modules()), {}
    before = [(part, part.training) for part in parts.values()]
    states = random.getstate(), np.random.get_state()
    handles = [
        parts[path].register_forward_hook(lambda module, inputs, y, path=path: found.update({path: np.copy(y.value)}))
        for path in paths
    ]
    try:
        net.eval()(x)
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
        for part, mode in before:
            part.training = mode
        for handle in handles:
            handle.remove()
    return found


@answers.reference
def attach(monitor, engine, note, every, samples=None):
    """Attach two handlers."""
    events = dark.engine.Events

    def chosen(event):
        return event(event_filter=lambda engine, number: number in (1, every) or number % every == 0)

    def take():
        monitor.end()
        paths = [path for path, code in monitor.codes.items() if code == 2]
        outputs = {} if samples is None else outputs_of(monitor.net, paths, samples)
        scalars, tensors = dict(monitor.scalars()), dict(monitor.tensors())
        scalars["loss"] = engine.state.output
        tensors.update({f"samples/{path}": y for path, y in outputs.items()})
        note.take_down_scalars_and_tensors(engine.state.iteration, scalars, tensors)

    return [
        engine.add_event_handler(chosen(events.ITERATION_STARTED), lambda: monitor.begin()),
        engine.add_event_handler(chosen(events.ITERATION_COMPLETED), take),
    ]


@answers.reference
def checks_before(net, loss_of, make_optimizer, x, y, classes, steps=100):
    """Return both checks."""
    before, losses = [(p, np.copy(p.value)) for p in net.parameters()], []
    optimizer = make_optimizer(net.parameters())
    for k in range(steps + 1):
        for p in net.parameters():
            p.grad = None
        loss = loss_of(net(x), y)
        losses.append(float(loss.value))
        if k < steps:
            loss.backward()
            optimizer.step()
    for p, array in before:
        p.value, p.grad = array, None
    share = np.array([losses[0], losses[-1]]) / np.log(classes)
    return bool(2 / 3 < share[0] < 1.5), bool(share[1] < 0.1)


@answers.reference
def diagnose(scalars, tensors):
    """Ask one rule after the other, the causes first."""

    def found(series, start, part=""):
        return [np.array(values) for name, (_, values) in series.items() if name.startswith(start) and part in name]

    ratios, norms = found(scalars, "update_ratio/", ".weight"), found(scalars, "gradient_norm/")
    losses = [value for each in found(scalars, "loss") for value in each]
    with np.errstate(invalid="ignore"):
        first = max((each[0] for each in norms), default=1.0)
        rules = {
            "leak": any(each.max() > 0.993 for each in found(scalars, "accuracy/validation")),
            "rate too large": any((each > 0.3).any() for each in ratios),
            "exploding": any((each > 8 * first).any() for each in norms) or not np.all(np.isfinite(losses)),
            "saturated": any((each[-1] > 0.98).mean() > 0.5 for each in found(tensors, "activations_abs/", "tanh")),
            "dead": any((each[-1] == 0).mean() > 0.5 for each in found(tensors, "activations/", "relu")),
            "rate too small": bool(ratios) and all(each.max() < 1e-3 for each in ratios),
        }
    return next((name for name, is_true in rules.items() if is_true), "healthy")


# predictions


@answers.prediction("13.0a")
def multiples_of_twenty(dark):
    """Iterations are counted over the run, 135 of them: 20, 40, …, 120 are six."""
    return 135 // 20


@answers.prediction("13.1a")
def one_hundredth(dark):
    """0.99 · 0 + 0.01 · 1 is 0.01, a hundredth of the only record there is."""
    return 0.01


@answers.prediction("13.2a")
def none_is_two(dark):
    """A function without `return` returns None, which is neither 0 nor 1: code 2, a forward pass for every note."""
    return 2


@answers.prediction("13.3a")
def all_but_the_last(dark):
    """Each of 99 lines was complete before the next one began; the torn one is left out."""
    return 99


@answers.prediction("13.4a")
def as_large_as_the_bias(dark):
    """After the first step the bias is 0.003, and the second step is 0.003: a ratio of 1, in a healthy training."""
    return 1


@answers.prediction("13.6a")
def absolute_values_in_the_total(dark):
    """Line 2 adds 6 to the signed total, which is 2, and nothing to the other: 8 / 3 in the place of 2 / 3."""
    return 8 / 3


@answers.prediction("13.7a")
def too_good(dark):
    """The leak: its loss falls fastest of all, as the label is among its inputs. All other faults slow the training."""
    return "leak"


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_averages(records):
    """The absolute values belong into the other total."""
    records = np.asarray(records, float)
    return records.mean(axis=0), np.abs(records).mean(axis=0)
