"""Questions of module 08, metrics and resuming.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Engines run small programs, and handlers write down where the run was when they were called: the epoch and
the iteration. Files are written to temporary folders; their names are free. Random generators are seeded by
the questions, and set back afterwards.
"""

import os
import pickle
import random
import tempfile
from contextlib import chdir, contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from dark.course.exams import Array, Choice, Exam, Float, Integer, ListOf

exam = Exam("08")


def idle(engine, batch):
    """Do nothing with a batch."""


def attempt(action, raised=()):
    """Return "done", or "refused" if the action raised an error; a stub is not attempted, `raised` goes on."""
    try:
        action()
    except (NotImplementedError, *raised):
        raise
    except Exception:
        return "refused"
    return "done"


def writer(trace, name):
    """Make a handler that writes down its name, the epoch and the iteration."""
    return lambda engine: trace.append([name, engine.state.epoch, engine.state.iteration])


# event_filters

EVENTS = ("ITERATION_COMPLETED", "ITERATION_STARTED", "EPOCH_STARTED", "EPOCH_COMPLETED")


def firings(dark, event, length, epochs, leave=None, runs=1):
    """Run an engine, and return where a handler of an event was called."""
    trace, engine = [], dark.Engine(idle)
    if leave:
        leaving = lambda engine: engine.terminate_epoch() if engine.state.iteration == leave else None
        engine.add_event_handler(dark.Events.ITERATION_COMPLETED, leaving)
    engine.add_event_handler(event, writer(trace, "called"))
    for _ in range(runs):
        engine.run(list(range(length)), max_epochs=epochs)
    return trace


@exam.question("event_filters", points=2, examples=40)
def every_nth_firing(dark, event: Choice(*EVENTS), every: Integer(1, 5), length: Integer(1, 5), epochs: Integer(1, 4)):
    """With every=n the handler is called at the multiples of n, counted over the whole run."""
    return firings(dark, getattr(dark.Events, event)(every=every), length, epochs)


@exam.question("event_filters", points=2, examples=40)
def once_at_a_number(dark, event: Choice(*EVENTS), once: Integer(1, 9), length: Integer(1, 5), epochs: Integer(1, 4)):
    """With once=n the handler is called at number n alone."""
    return firings(dark, getattr(dark.Events, event)(once=once), length, epochs)


@exam.question("event_filters", points=2)
def at_several_numbers(dark, numbers: ListOf(Integer(1, 9), 1, 4), length: Integer(1, 5), epochs: Integer(1, 4)):
    """With once=[…] the handler is called at each of these numbers."""
    return {
        "list": firings(dark, dark.Events.ITERATION_COMPLETED(once=numbers), length, epochs),
        "of epochs": firings(dark, dark.Events.EPOCH_COMPLETED(once=numbers), length, epochs),
    }


@exam.question("event_filters")
def before_the_first(dark, every: Integer(1, 5), once: Integer(1, 2), runs: Integer(1, 3)):
    """When a run starts, the number of the epoch is 0: a multiple of any n."""
    return {
        "every": firings(dark, dark.Events.STARTED(every=every), 2, 1, runs=runs),
        "once": firings(dark, dark.Events.STARTED(once=once), 2, 1, runs=runs),
    }


@exam.question("event_filters")
def after_an_epoch_was_left(dark, leave: Integer(1, 6), once: Integer(1, 9), every: Integer(2, 4)):
    """When an epoch is left early, numbers go on; nothing is called a second time."""
    done = dark.Events.ITERATION_COMPLETED
    return {
        "once": firings(dark, done(once=once), 4, 3, leave),
        "every": firings(dark, done(every=every), 4, 3, leave),
    }


@exam.question("event_filters")
def in_a_second_run(dark, once: Integer(1, 6), every: Integer(1, 4), length: Integer(1, 4)):
    """A second run counts from 1 again, and so do filters."""
    done = dark.Events.ITERATION_COMPLETED
    return {
        "once": firings(dark, done(once=once), length, 2, runs=2),
        "every": firings(dark, done(every=every), length, 2, runs=2),
    }


@exam.question("event_filters", points=2)
def a_filter_of_ones_own(dark, wanted: ListOf(Integer(0, 9), 0, 4), length: Integer(1, 4)):
    """event_filter gets the engine and the number, and decides."""
    asked = []

    def event_filter(engine, number):
        asked.append([engine.state.epoch, engine.state.iteration, number])
        return number in wanted

    event = dark.Events.ITERATION_COMPLETED(event_filter=event_filter)
    by_position = dark.Events.EPOCH_COMPLETED(lambda engine, number: engine.state.iteration > 2)
    return {
        "called": firings(dark, event, length, 2), "asked": asked, "by position": firings(dark, by_position, length, 3)
    }  # fmt: skip


@exam.question("event_filters")
def two_filters_of_one_event(dark, first: Integer(1, 4), second: Integer(1, 4)):
    """Each handler has its own filter; an event without a filter calls its handlers always."""
    trace, engine, done = [], dark.Engine(idle), dark.Events.ITERATION_COMPLETED
    engine.add_event_handler(done(every=first), writer(trace, "first"))
    engine.add_event_handler(done(once=[second, 5]), writer(trace, "second"))
    engine.add_event_handler(done, writer(trace, "always"))
    engine.run([0, 1, 2], max_epochs=2)
    return trace


TWO_OF_THREE = ("every and once", "event_filter and every", "event_filter and once")
GIVEN = Choice("every", "once", "event_filter", "nothing", *TWO_OF_THREE, "every and once and event_filter")


@exam.question("event_filters", examples=16)
def exactly_one_argument(dark, given: GIVEN, every: Integer(1, 5), once: Integer(1, 5)):
    """One of the three is accepted; none of them, or more than one, is a ValueError."""
    all_three = {"every": every, "once": once, "event_filter": lambda engine, number: True}
    arguments = {name: value for name, value in all_three.items() if name in given.split(" and ")}
    try:
        dark.Events.ITERATION_COMPLETED(**arguments)
    except ValueError:
        return "ValueError"
    return "accepted"


@exam.question("event_filters", points=3, examples=16)
def refused_at_once(dark, every: Integer(-2, 3), parameters: Integer(0, 3)):
    """An every below 1, and an event_filter that does not accept the engine and a number, are ValueErrors at once."""
    filters = [
        lambda: True, lambda number: True, lambda engine, number: True, lambda engine, number, third: True,
        lambda *both: True, lambda engine, number, third=0: True,
    ]  # fmt: skip
    given = {
        f"every={every}": {"every": every},
        f"event_filter of {parameters} parameters": {"event_filter": filters[parameters]},
        "event_filter of any number": {"event_filter": filters[4]},
        "event_filter with a default": {"event_filter": filters[5]},
    }
    return {name: made_or_refused(dark.make_filter, arguments) for name, arguments in given.items()}


def made_or_refused(make_filter, arguments):
    """Return "accepted", or "ValueError" if that is raised."""
    try:
        make_filter(**arguments)
    except ValueError:
        return "ValueError"
    return "accepted"


@exam.question("event_filters", points=2)
def the_numbers_of_now(dark, numbers: ListOf(Integer(0, 9), 1, 4), later: Integer(0, 9), once: Integer(0, 2)):
    """The number 0 is one, too; a list that its owner changes afterwards changes nothing."""
    given = list(numbers)
    of_a_list, of_one = dark.make_filter(once=given), dark.make_filter(once=once)
    given[0] = later
    given.append(later)
    selected = {"list": of_a_list, f"once={once}": of_one}
    return {name: [k for k in range(10) if selects(None, k)] for name, selects in selected.items()}


# metric


def plain(results):
    """Return results as they are, and of what is not plain data the class."""
    known = (int, float, np.ndarray)
    return {
        name: each if isinstance(each, known) else f"of class {type(each).__name__}" for name, each in results.items()
    }


def sum_of_squares(dark):
    """Make a metric that tells what is done to it."""

    class Squares(dark.Metric):
        done = ()

        def reset(self):
            self.done = (*self.done, "reset")
            self.total = 0

        def update(self, output):
            self.done = (*self.done, output)
            self.total = self.total + output * output

        def compute(self):
            self.done = (*self.done, "compute")
            return self.total

    return Squares


@exam.question("metric", points=3)
def a_result_for_each_epoch(dark, outputs: ListOf(Integer(-3, 9), 1, 5), epochs: Integer(1, 3)):
    """At the end of each epoch, the result of its outputs alone is in state.metrics."""
    engine, results = dark.Engine(lambda engine, batch: batch + engine.state.epoch), []
    sum_of_squares(dark)().attach(engine, "squares")
    engine.add_event_handler(dark.Events.EPOCH_COMPLETED, lambda: results.append(plain(engine.state.metrics)))
    engine.run(outputs, max_epochs=epochs)
    return {"results": results, "metrics at the end": plain(engine.state.metrics)}


@exam.question("metric", points=2)
def the_order_of_the_methods(dark, outputs: ListOf(Integer(-3, 9), 1, 4), epochs: Integer(1, 3)):
    """reset at the start of each epoch, update after each iteration, compute at the end of the epoch."""
    metric, engine = sum_of_squares(dark)(), dark.Engine(lambda engine, batch: batch)
    seen, counts = {"done when it is made": list(metric.done)}, []
    metric.attach(engine, "squares")
    engine.add_event_handler(dark.Events.ITERATION_COMPLETED, lambda: counts.append(len(metric.done)))
    engine.run(outputs, max_epochs=epochs)
    return seen | {"done": list(metric.done), "calls after each iteration": counts}


@exam.question("metric", points=2)
def a_transformed_output(dark, outputs: ListOf(Integer(-3, 9), 1, 4), factor: Integer(2, 5)):
    """output_transform is applied to the output before update."""
    engine = dark.Engine(lambda engine, batch: {"loss": batch, "other": 100})
    metric = sum_of_squares(dark)(output_transform=lambda output: factor * output["loss"])
    by_position = sum_of_squares(dark)(lambda output: output["other"])
    metric.attach(engine, "loss")
    by_position.attach(engine, "other")
    engine.run(outputs)
    return plain(engine.state.metrics)


@exam.question("metric")
def without_an_engine(dark, outputs: ListOf(Integer(-3, 9), 0, 4)):
    """A metric that was just made is reset, and can be updated without an engine."""
    metric = sum_of_squares(dark)()
    for output in outputs:
        metric.update(output)
    return metric.compute()


@exam.question("metric")
def several_metrics(dark, outputs: ListOf(Integer(-3, 9), 1, 4), names: Choice(["a", "b"], ["loss", "squares"])):
    """Two metrics of one engine, and one metric of two engines, keep their names apart; other results stay."""
    first, second = sum_of_squares(dark)(), sum_of_squares(dark)(lambda output: output + 1)
    engine, other = dark.Engine(lambda engine, batch: batch), dark.Engine(lambda engine, batch: 2 * batch)
    engine.state.metrics["of before"] = 7
    first.attach(engine, names[0])
    second.attach(engine, names[1])
    first.attach(other, "of another engine")
    engine.run(outputs)
    other.run(outputs)
    return {"engine": plain(engine.state.metrics), "another": plain(other.state.metrics)}


@exam.question("metric")
def an_epoch_left_early(dark, outputs: ListOf(Integer(-3, 9), 2, 4), leave: Integer(1, 6)):
    """The result of an epoch that was left early is the result of the outputs that it had."""
    engine, results = dark.Engine(lambda engine, batch: batch), []
    leaving = lambda engine: engine.terminate_epoch() if engine.state.iteration == leave else None
    engine.add_event_handler(dark.Events.ITERATION_COMPLETED, leaving)
    sum_of_squares(dark)().attach(engine, "squares")
    engine.add_event_handler(dark.Events.EPOCH_COMPLETED, lambda: results.append(plain(engine.state.metrics)))
    engine.run(outputs, max_epochs=3)
    return results


# accuracy and confusion_matrix

CLASSES = 3


def scores_of(classes, first):
    """Make scores of shape (batch, 3); the class has the largest; first moves all of them."""
    order = np.array([[3.0, 1.0, 2.0], [1.0, 3.0, 2.0], [0.5, 1.0, 3.0]])
    return order[np.array(classes, dtype=int)] + first


def batches_of(pairs, sizes):
    """Split pairs of predicted and true classes into batches of these sizes; the last one takes the rest."""
    parts, k = [], 0
    for size in [*sizes, len(pairs)]:
        parts += [pairs[k : k + size]] if pairs[k : k + size] else []
        k += size
    return parts


PAIRS = ListOf(Integer(0, 8), 1, 9)  # 3 · the predicted class + the true one
SIZES = ListOf(Integer(1, 4), 0, 3)


def fed(metric, pairs, sizes, first=0.0):
    """Update a metric with pairs, batch by batch; an update that changes the batch is an error."""
    for batch in batches_of(pairs, sizes):
        scores, y = scores_of([p // 3 for p in batch], first), np.array([p % 3 for p in batch])
        before = scores.tolist(), y.tolist()
        metric.update((scores, y))
        if before != (scores.tolist(), y.tolist()):
            raise ValueError("update has changed the scores or the classes that it was given")
    return metric


def integers(answer):
    """Return a copy of an array of integers, of any size; anything else as it is."""
    return answer.astype(int) if isinstance(answer, np.ndarray) and answer.dtype.kind in "iu" else answer


@exam.question("accuracy", points=3, examples=40)
def batches_of_any_size(dark, pairs: PAIRS, sizes: SIZES, first: Float(-3, 3)):
    """Right examples over all examples, however they are split into batches; another metric counts by itself."""
    other = fed(dark.Accuracy(), [1], [])
    return {"accuracy": fed(dark.Accuracy(), pairs, sizes, first).compute(), "of one wrong example": other.compute()}


@exam.question("accuracy", points=2)
def read_in_between(dark, pairs: PAIRS, more: PAIRS, sizes: SIZES):
    """compute changes nothing; reset forgets everything."""
    metric = fed(dark.Accuracy(), pairs, sizes)
    seen = {"once": metric.compute(), "again": metric.compute(), "with more": fed(metric, more, sizes).compute()}
    metric.reset()
    return seen | {"after reset": fed(metric, more, []).compute()}


@exam.question("accuracy", points=2)
def of_an_engines_epochs(dark, pairs: PAIRS, sizes: SIZES):
    """Attached to an engine, it gives the accuracy of each epoch."""
    results, batches = [], batches_of(pairs, sizes)

    def step(engine, batch):
        right = [p % 3 for p in batch]
        wanted = [p // 3 if engine.state.epoch > 1 else p % 3 for p in batch]
        return scores_of(wanted, 0), np.array(right)

    engine = dark.Engine(step)
    dark.Accuracy().attach(engine, "accuracy")
    engine.add_event_handler(dark.Events.EPOCH_COMPLETED, lambda: results.append(engine.state.metrics["accuracy"]))
    engine.run(batches, max_epochs=2)
    return results


@exam.question("accuracy")
def two_and_many_classes(dark, y: ListOf(Integer(0, 1), 1, 6), first: Float(-3, 3)):
    """Two classes or ten, scores of any sign; where two scores are equal the first counts."""
    y = np.array(y)
    two = np.stack([np.where(y == 0, -1.0, -2.0), np.where(y == 0, -3.0, -1.0)], axis=1)
    two[0] = two[0][::-1]
    ten = np.zeros((len(y), 10)) + first
    seen = {}
    for name, scores in (("two", two), ("ten, all equal", ten)):
        metric = dark.Accuracy()
        metric.update((scores, y))
        seen[name] = metric.compute()
    return seen


@exam.question("accuracy")
def nothing_counted(dark, when: Choice("just made", "after reset", "with examples"), pairs: PAIRS):
    """Without an example, at the beginning and after reset, the accuracy is undefined: a RuntimeError."""
    metric = dark.Accuracy()
    if when != "just made":
        fed(metric, pairs, [])
    if when == "after reset":
        metric.reset()
    try:
        accuracy = metric.compute()
    except NotImplementedError:
        raise
    except RuntimeError:
        return {"accuracy": "RuntimeError"}
    return {"accuracy": "a number" if when == "with examples" else accuracy}


@exam.question("accuracy", points=2, examples=20)
def classes_of_another_shape(dark, shape: Choice("(n, 1)", "(1, n)", "one less", "one more"), pairs: PAIRS):
    """A y that has not one class for each row is a ValueError, and is not counted: `==` would broadcast."""
    metric = fed(dark.Accuracy(), pairs, [])
    y = np.arange(4) % 3
    ys = {"(n, 1)": y[:, None], "(1, n)": y[None], "one less": y[:-1], "one more": np.append(y, 0)}
    try:
        metric.update((scores_of(y, 0), ys[shape]))
    except NotImplementedError:
        raise
    except ValueError:
        return {"update": "ValueError", "accuracy afterwards": metric.compute()}
    return {"update": "accepted", "accuracy afterwards": metric.compute()}


@exam.question("accuracy")
def an_output_transformed(dark, pairs: PAIRS):
    """As any metric, it takes the output through output_transform."""
    engine = dark.Engine(lambda engine, pair: {"scores": scores_of([pair // 3], 0), "y": np.array([pair % 3])})
    dark.Accuracy(output_transform=lambda output: (output["scores"], output["y"])).attach(engine, "accuracy")
    return engine.run(pairs).metrics


@exam.question("confusion_matrix", points=3, examples=40)
def pairs_counted(dark, pairs: PAIRS, sizes: SIZES, first: Float(-3, 3)):
    """Row i, column j: how many examples of class i were predicted as j; another matrix counts by itself."""
    other = fed(dark.ConfusionMatrix(3), [1], [])
    return {
        "counts": integers(fed(dark.ConfusionMatrix(3), pairs, sizes, first).compute()),
        "of one example": integers(other.compute()),
    }


@exam.question("confusion_matrix", points=2)
def other_numbers_of_classes(dark, classes: Choice(2, 4, 5), y: ListOf(Integer(0, 1), 1, 6), shift: Integer(0, 3)):
    """One row and one column for each class, also for those that did not occur; a byte is too small for counts."""
    y = np.array(y)
    metric, large = dark.ConfusionMatrix(classes), dark.ConfusionMatrix(classes)
    scores = np.eye(classes)[(y + shift) % classes]
    metric.update((scores, y))
    large.update((np.tile(scores, (300, 1)), np.tile(y, 300)))
    return {"counts": integers(metric.compute()), "300 times": integers(large.compute())}


@exam.question("confusion_matrix", points=2)
def a_result_that_stays(dark, pairs: PAIRS, more: PAIRS, sizes: SIZES):
    """The value that compute returned does not change later; reset forgets everything."""
    metric = fed(dark.ConfusionMatrix(num_classes=3), pairs, sizes)
    first = metric.compute()
    seen = {"with more": integers(fed(metric, more, sizes).compute()), "the first, afterwards": integers(first)}
    metric.reset()
    return seen | {"after reset": integers(fed(metric, more, []).compute()), "the first, at the end": integers(first)}


@exam.question("confusion_matrix", points=2)
def of_each_epoch(dark, pairs: PAIRS, sizes: SIZES):
    """Attached to an engine, it gives the counts of each epoch, through output_transform."""
    results, batches = [], batches_of(pairs, sizes)

    def step(engine, batch):
        predicted = [(p // 3 + engine.state.epoch) % 3 for p in batch]
        return {"scores": scores_of(predicted, 0), "y": np.array([p % 3 for p in batch])}

    engine = dark.Engine(step)
    dark.ConfusionMatrix(3, output_transform=lambda out: (out["scores"], out["y"])).attach(engine, "counts")
    engine.add_event_handler(
        dark.Events.EPOCH_COMPLETED, lambda: results.append(integers(engine.state.metrics["counts"]))
    )
    engine.run(batches, max_epochs=2)
    pair = dark.Engine(lambda engine, batch: tuple(step(engine, batch).values()))
    dark.ConfusionMatrix(3).attach(pair, "counts")
    return {"transformed": results, "a pair": integers(pair.run(batches).metrics["counts"])}


# supervised_evaluator


class Net:
    """A network with a single matrix product, which a part doubles in training mode; it raises at a call if told to."""

    def __init__(self, dark, weight, fails_at=None):
        self.dark, self.fails_at, self.training, self.part = dark, fails_at, True, SimpleNamespace(training=True)
        self.weight, self.modes = dark.Parameter(np.array(weight, dtype=float)), []

    @property
    def mode(self):
        """Whether the network and its part are in training mode, or that they differ."""
        return self.training if self.training == self.part.training else "the network and its part differ"

    def train(self, mode=True):
        self.training = self.part.training = mode
        return self

    def eval(self):
        return self.train(False)

    def __call__(self, x):
        self.modes.append(self.mode)
        if len(self.modes) == self.fails_at:
            raise ZeroDivisionError
        y = self.dark.matmul(x, self.weight)
        return self.dark.mul(y, 2.0) if self.part.training else y


WEIGHTS = Array([[1, 0, 2], [0, 1, -1]], [[3, -1, 0], [0.5, 2, 2]])
ROWS = Array([[1, 2], [0, 3], [-1, 1]], [[2, 2]], [[0, -1], [4, 1]])


@exam.question("supervised_evaluator", points=3)
def predictions_and_targets(dark, weight: WEIGHTS, x: ROWS, was_training: Choice(True, False)):
    """The output is (y_pred, y), with the scores of evaluation mode as an array; the mode of all parts is as before."""
    net = Net(dark, weight)
    evaluator = dark.create_supervised_evaluator(net.train(not was_training))
    net.train(was_training)
    x, y = np.array(x, dtype=float), np.arange(len(x)) % 3 - 1
    output = evaluator.run([(x, y)]).output
    return {
        "y_pred": plain({"": output[0]})[""], "y": output[1], "length": len(output),
        "modes of the calls": net.modes, "mode afterwards": net.mode, "gradient": net.weight.grad,
    }  # fmt: skip


@exam.question("supervised_evaluator", points=2)
def metrics_of_all_batches(dark, weight: WEIGHTS, x: ROWS, more: ROWS):
    """Metrics are attached under their names, and see all batches; an output stays when the next one comes."""
    net = Net(dark, weight)
    batches = [(np.array(rows, dtype=float), np.arange(len(rows)) % 3) for rows in (x, more)]
    metrics = {"accuracy": dark.Accuracy(), "counts": dark.ConfusionMatrix(3), "again": dark.Accuracy()}
    evaluator, outputs = dark.create_supervised_evaluator(net, metrics), []
    evaluator.add_event_handler(dark.Events.ITERATION_COMPLETED, lambda: outputs.append(evaluator.state.output[0]))
    first = dict(evaluator.run(batches).metrics)
    second = dict(evaluator.run([(x + 1, y) for x, y in batches]).metrics)
    seen = {"both batches": first, "in a second run": second}
    return seen | {f"y_pred of call {k}": plain({"": output})[""] for k, output in enumerate(outputs, start=1)}


@exam.question("supervised_evaluator", points=2)
def a_network_that_raises(dark, fails_at: Integer(1, 3), was_training: Choice(True, False)):
    """If the network raises, the exception propagates, and the mode is as before."""
    net = Net(dark, [[1, 2, 3], [4, 5, 6]], fails_at).train(was_training)
    evaluator, raised = dark.create_supervised_evaluator(net), False
    try:
        evaluator.run([(np.ones((2, 2)), np.array([0, 1]))] * 3)
    except ZeroDivisionError:
        raised = True
    return {"raised": raised, "modes of the calls": net.modes, "mode afterwards": net.mode}


@exam.question("supervised_evaluator")
def inside_a_training(dark, weight: WEIGHTS, x: ROWS, epochs: Integer(1, 3)):
    """A trainer's handler runs the evaluator; the training's own calls stay in training mode."""
    net = Net(dark, weight)
    batch = (np.array(x, dtype=float), np.arange(len(x)) % 3)
    evaluator = dark.create_supervised_evaluator(net, {"accuracy": dark.Accuracy()})
    trainer = dark.Engine(lambda engine, batch: float(np.sum(net(batch[0]).value)))
    outputs, found = [], []
    trainer.add_event_handler(dark.Events.ITERATION_COMPLETED, lambda: outputs.append(trainer.state.output))
    trainer.add_event_handler(dark.Events.EPOCH_COMPLETED, lambda: evaluator.run([batch]))
    evaluator.add_event_handler(dark.Events.COMPLETED, lambda: found.append(evaluator.state.metrics["accuracy"]))
    trainer.run([batch, batch], max_epochs=epochs)
    return {"modes": net.modes, "losses": outputs, "accuracies": found}


@exam.question("supervised_evaluator")
def made_and_not_run(dark, weight: WEIGHTS, was_training: Choice(True, False)):
    """Making an evaluator calls nothing; without metrics it computes none."""
    net = Net(dark, weight).train(was_training)
    evaluator = dark.create_supervised_evaluator(net)
    seen = {"mode": net.mode, "calls": len(net.modes), "metrics": dict(evaluator.state.metrics)}
    given = {"accuracy": dark.Accuracy()}
    dark.create_supervised_evaluator(net, metrics=given)
    return seen | {"metrics given": list(given), "engine": isinstance(evaluator, dark.Engine)}


# keep_random_state


@contextmanager
def own_random_state(seed):
    """Seed the global generators for a block."""
    python, numpy = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)


def numbers_of(count=2):
    """Draw numbers from both generators, also normal ones, since each generator keeps a second one for later."""
    python = [number for _ in range(count) for number in (random.random(), random.gauss(0, 1))]
    return {"Python": python, "NumPy": [*np.random.random(count).tolist(), *np.random.normal(size=count).tolist()]}


@exam.question("keep_random_state", points=2, examples=30)
def draws_afterwards(
    dark, seed: Integer(0, 999), before: Integer(0, 3), inside: Integer(0, 3), way: Choice("draw", "seed", "both")
):
    """After the call both generators continue as if it had drawn and seeded nothing."""

    def disturb():
        if way != "draw":
            random.seed(inside)
            np.random.seed(inside)
        if way != "seed":
            numbers_of(inside + 1)
        return inside

    with own_random_state(seed):
        numbers_of(before)
        kept = dark.keep_random_state(disturb)
        seen = {"returned": kept()}
        return seen | numbers_of()


@exam.question("keep_random_state", points=2)
def after_an_exception(dark, seed: Integer(0, 999), inside: Integer(1, 3)):
    """If the function raises, or Ctrl-C stops it, the exception propagates, and the generators are as before."""

    def fail(kind):
        numbers_of(inside)
        raise kind(inside)

    seen = {}
    with own_random_state(seed):
        for kind in (ZeroDivisionError, KeyboardInterrupt):
            try:
                dark.keep_random_state(fail)(kind)
            except kind as error:
                seen[f"raised {kind.__name__}"] = error.args[0]
            seen |= {f"{name}, after {kind.__name__}": numbers for name, numbers in numbers_of().items()}
        return seen


@exam.question("keep_random_state")
def arguments_and_result(dark, a: Integer(-9, 9), b: Integer(-9, 9), c: Integer(-9, 9)):
    """The new function takes the same arguments, and returns the same."""
    kept = dark.keep_random_state(lambda *args, **kwargs: [list(args), kwargs])
    plus = dark.keep_random_state(lambda x, y=1: x + y)
    return {"all": kept(a, b, key=c), "none": kept(), "plus": [plus(a), plus(a, b), plus(y=c, x=a)]}


@exam.question("keep_random_state", points=2)
def call_after_call(dark, seed: Integer(0, 999), calls: Integer(1, 3)):
    """Each call keeps the state of its own beginning, also nested; within a call numbers are drawn as usual."""
    with own_random_state(seed):
        inner = dark.keep_random_state(numbers_of)
        outer = dark.keep_random_state(lambda: [inner(), numbers_of(1), inner(1)])
        seen = {}
        for k in range(calls):
            seen[f"call {k}"] = outer()
            seen[f"between {k}"] = numbers_of(1)
        return seen


@exam.question("keep_random_state", points=2)
def as_handlers(dark, seed: Integer(0, 999), number: Integer(1, 9)):
    """Decorated handlers are called as before: with the engine where they want it, and with their arguments."""
    trace, engine = [], dark.Engine(idle)

    def with_engine(engine, number):
        trace.append([engine.state.iteration, number, random.random()])

    def without(number=3):
        trace.append([number, float(np.random.random())])

    def plain():
        trace.append(random.random())

    with own_random_state(seed):
        with_engine, without, plain = map(dark.keep_random_state, (with_engine, without, plain))
        engine.add_event_handler(dark.Events.ITERATION_COMPLETED, with_engine, number)
        engine.add_event_handler(dark.Events.EPOCH_COMPLETED, without, number=number)
        engine.add_event_handler(dark.Events.COMPLETED, plain)
        engine.run([0, 1])
    return {"trace": trace, "names": [with_engine.__name__, without.__name__]}


@exam.question("keep_random_state")
def when_it_is_decorated(dark, seed: Integer(0, 999)):
    """Decorating calls nothing, and the state is the state at the call, not at the decoration."""
    calls = []
    with own_random_state(seed):
        kept = dark.keep_random_state(lambda: calls.append(random.random()))
        before = len(calls)
        numbers_of()
        kept()
        return {"calls when decorated": before, "calls": len(calls), **numbers_of()}


# resumable_loader


class Items:
    """A dataset of numbers from 100 on, which writes down what is read from it."""

    def __init__(self, count):
        self.count, self.read = count, []

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        self.read.append(100 + index)
        return 100 + index


def taken_from(loader, number):
    """Take a number of batches, from loop after loop if one is too short; return them as lists."""
    found = []
    for _ in range(number + 2):  # a loop may be empty
        batches = iter(loader)
        while len(found) < number and (batch := next(batches, None)) is not None:
            found.append([int(item) for item in batch])
        if len(found) == number:
            break
    return found


def as_saved(states):
    """Return what a file makes of a state."""
    return pickle.loads(pickle.dumps(states))


def loader_at(dark, states, count, size, seed=0):
    """Make a loader that has loaded a state."""
    loader = dark.ResumableLoader(Items(count), size, seed)
    loader.load_state_dict(states)
    return loader


COUNT, SIZE, SEED = Integer(3, 9), Integer(1, 4), Integer(0, 99)


@exam.question("resumable_loader", points=2)
def epochs_of_a_loader(dark, count: COUNT, size: SIZE, seed: SEED):
    """Each loop has all batches of the next epoch, in the order of seed and epoch."""
    loader = dark.ResumableLoader(Items(count), size, seed)
    passes = {f"epoch {k}": [[int(item) for item in batch] for batch in loader] for k in (1, 2, 3)}
    return passes | {"length": len(loader), "without a seed": taken_from(dark.ResumableLoader(Items(count), size), 2)}


@exam.question("resumable_loader", points=4, examples=40)
def continued_by_another_loader(dark, count: COUNT, size: SIZE, seed: SEED, taken: Integer(0, 9)):
    """A new loader goes on where the saved one was, before, within and after an epoch, and in later epochs."""
    loader = dark.ResumableLoader(Items(count), size, seed)
    seen = {"taken": taken_from(loader, taken)}
    other = loader_at(dark, as_saved(loader.state_dict()), count, size, seed)
    return seen | {"after resuming": taken_from(other, 2 * len(loader) + 1)}


@exam.question("resumable_loader", points=2)
def with_the_seed_of_the_saved_one(dark, count: COUNT, seed: SEED, other_seed: SEED, taken: Integer(1, 4)):
    """The seed is a part of the position: a loader that was made with another seed goes on as the saved one."""
    loader = dark.ResumableLoader(Items(count), 2, seed)
    seen = {"taken": taken_from(loader, taken)}
    other = loader_at(dark, as_saved(loader.state_dict()), count, 2, other_seed)
    return seen | {"after resuming": taken_from(other, 5)}


@exam.question("resumable_loader", points=2)
def a_small_state_of_its_own(dark, count: Integer(5, 9), taken: Integer(0, 2), more: Integer(1, 3), seed: SEED):
    """The state is a dict of a few integers, and stays the same while the loader goes on."""
    loader = dark.ResumableLoader(Items(count), 1, seed)
    batches = iter(loader)
    seen = {"taken": [int(next(batches)[0]) for _ in range(taken)]}
    states = loader.state_dict()
    seen |= {"the state is": kind_of(states), "taken meanwhile": [int(next(batches)[0]) for _ in range(more)]}
    loader.state_dict()
    return seen | {"resumed from it": taken_from(loader_at(dark, states, count, 1), 3)}


def kind_of(states):
    """Return of what a state is made."""
    if not isinstance(states, dict):
        return f"of class {type(states).__name__}"
    other = sorted({type(each).__name__ for each in states.values() if not isinstance(each, int | np.integer)})
    return f"a dict with values of class {' and '.join(other)}" if other else "a dict of integers"


@exam.question("resumable_loader", points=2)
def reads_when_asked(dark, count: Integer(5, 9), taken: Integer(0, 3), more: Integer(1, 2)):
    """A batch is read when it is asked for; those that were taken before the restart are not read again."""
    loader = dark.ResumableLoader(Items(count), 1, 2)
    taken_from(loader, taken)
    seen = {"read until it was saved": list(loader.dataset.read)}
    other = loader_at(dark, as_saved(loader.state_dict()), count, 1)
    return seen | {"taken after resuming": taken_from(other, more), "read after resuming": other.dataset.read}


@exam.question("resumable_loader", points=2)
def a_loop_left_early(dark, count: Integer(5, 9), leave: Integer(1, 4), seed: SEED, resumed: Choice(True, False)):
    """A loop that was left early leaves its epoch; the next loop is all of the next one."""
    loader = dark.ResumableLoader(Items(count), 1, seed)
    if resumed:
        taken_from(loader, 2)
        loader = loader_at(dark, as_saved(loader.state_dict()), count, 1)
    first = []
    for batch in loader:
        first.append(int(batch[0]))
        if len(first) == leave:
            break
    return {"left early": first, "the next loop": [int(batch[0]) for batch in loader]}


@exam.question("resumable_loader", points=2)
def saved_and_loaded_again(dark, count: COUNT, size: SIZE, taken: Integer(0, 6), before: Integer(0, 4)):
    """It can be saved again right after loading, and loaded by one that has done something else before."""
    loader = dark.ResumableLoader(Items(count), size, 3)
    taken_from(loader, taken)
    states = as_saved(loader.state_dict())
    again = as_saved(loader_at(dark, states, count, size).state_dict())
    busy = dark.ResumableLoader(Items(count), size, 4)
    taken_from(busy, before)
    busy.load_state_dict(states)
    seen = {"saved again": taken_from(loader_at(dark, again, count, size), 3)}
    seen["loaded by a busy one"] = taken_from(busy, 3)
    busy.load_state_dict(states)
    return seen | {"loaded a second time": taken_from(busy, 3)}


# checkpoint


class Box:
    """An object with a state: an array, a number and a list; it tells what is loaded."""

    def __init__(self, value, log=None, name=""):
        self.value, self.log, self.name = value, [] if log is None else log, name

    def state_dict(self):
        return {"array": np.array([self.value, 2 * self.value]), "number": self.value, "nested": {"deep": [self.value]}}

    def load_state_dict(self, states):
        self.log.append(self.name)
        self.value = states["number"]
        self.loaded = states


class Broken(Box):
    """An object whose state cannot be saved while its value is negative, and which accepts no negative number."""

    def state_dict(self):
        return super().state_dict() | ({"broken": idle_lock} if self.value < 0 else {})

    def load_state_dict(self, states):
        super().load_state_dict(states)
        if states["number"] < 0:
            raise ZeroDivisionError(states["number"])


idle_lock = (number for number in ())  # a generator: nothing can save it


@contextmanager
def checkpoint_of(dark, objects, n_saved=None):
    """Make a checkpoint in a folder of its own, and a function that saves at an iteration."""
    parent = os.environ.get("TMPDIR")  # of this process, not of the one that it was forked from
    with tempfile.TemporaryDirectory(dir=parent) as name, chdir(name):
        folder, engine = Path(name), dark.Engine(idle)
        for other in OTHERS:
            (folder / other).write_text("not of this run")
        made = dark.Checkpoint(objects, folder) if n_saved is None else dark.Checkpoint(objects, name, n_saved=n_saved)

        def save(iteration):
            engine.state.iteration, engine.state.epoch = iteration, 1 + iteration // 3
            made(engine)

        yield made, save, lambda: count_files(folder)


OTHERS = ("notes.txt", "checkpoint_9999.pt")  # files that the folder has before


def count_files(folder):
    """Count the files that a checkpoint has added to a folder; a sentence if others are gone."""
    names = {path.name for path in folder.iterdir() if not path.name.endswith(".part")}
    return len(names - set(OTHERS)) if names >= set(OTHERS) else "files of others are gone"


def content(path):
    """Return the number that each state in a file has; a sentence if there is no such file."""
    if path is None or not Path(path).is_file():
        return "no such file"
    states = pickle.loads(Path(path).read_bytes())
    is_known = isinstance(states, dict) and all(isinstance(each, dict) for each in states.values())
    return {name: each["number"] for name, each in sorted(states.items())} if is_known else "no states by name"


@exam.question("checkpoint", points=3, examples=4)
def saved_as_they_are(dark, a: Integer(-9, 9), b: Float(-3, 3), later: Integer(10, 19)):
    """The states of all objects are in the file by their names, as they are when it is called."""
    first, second = Box(0), Box(0)
    with checkpoint_of(dark, {"net": first, "optimizer": second, "loader": Box(later)}) as (checkpoint, save, _):
        first.value, second.value = a, b
        save(5)
        first.value = second.value = later
        return {"in the file": content(checkpoint.last_checkpoint), "the saved objects": [first.value, second.value]}


@exam.question("checkpoint", points=3, examples=8)
def the_latest_files(dark, n_saved: Integer(1, 3), steps: ListOf(Integer(1, 5), 2, 5)):
    """The latest n_saved files are kept, each of them whole, and so are the files of others in the folder."""
    box, iteration, seen = Box(0), 0, {}
    with checkpoint_of(dark, {"box": box, "other": Box(3)}, n_saved) as (checkpoint, save, count):
        paths = {}
        for step in steps:
            iteration += step
            box.value = iteration
            save(iteration)
            paths[iteration] = checkpoint.last_checkpoint
            seen[f"files after iteration {iteration}"] = count()
        return seen | {f"file of iteration {k}, at the end": content(path) for k, path in paths.items()}


@exam.question("checkpoint", examples=4)
def one_iteration_twice(dark, n_saved: Integer(1, 2), k: Integer(1, 9)):
    """Saved twice at one iteration, as at the end of an epoch and of the run, the last checkpoint is there."""
    with checkpoint_of(dark, {"box": Box(k), "other": Box(3)}, n_saved) as (checkpoint, save, count):
        save(k)
        save(k)
        seen = {"last checkpoint": content(checkpoint.last_checkpoint), "files": count()}
        return seen | {"the next save": attempt(lambda: save(k + 1)), "files after it": count()}


@exam.question("checkpoint", points=3, examples=8)
def a_save_that_fails(dark, n_saved: Integer(1, 2), good: Integer(1, 3), after: Integer(0, 2)):
    """If saving fails, the old files stay, and the next save works as if nothing had happened."""
    box = Broken(0)
    with checkpoint_of(dark, {"box": box, "other": Box(3)}, n_saved) as (checkpoint, save, count):
        for k in range(1, good + 1):
            box.value = k
            save(k)
        box.value = -1
        seen = {"the save that fails": attempt(lambda: save(good + 1)), "files after it": count()}
        seen["last checkpoint after it"] = content(checkpoint.last_checkpoint)
        for k in range(good + 2, good + 3 + after):
            box.value = k
            seen[f"save at {k}"] = attempt(lambda k=k: save(k))
            seen[f"files after {k}"] = count()
            seen[f"last checkpoint after {k}"] = content(checkpoint.last_checkpoint)
    return seen


@exam.question("checkpoint", points=2, examples=6)
def as_a_handler(dark, every: Integer(1, 3), length: Integer(1, 3), epochs: Integer(1, 2)):
    """Attached to an engine, it saves the iteration that the state has; before that, the last checkpoint is None."""
    box = Box(0)
    engine = dark.Engine(lambda engine, batch: setattr(box, "value", engine.state.iteration))
    with checkpoint_of(dark, {"box": box, "other": Box(3)}) as (checkpoint, _, count):
        seen = {"last checkpoint before the run": checkpoint.last_checkpoint}
        engine.add_event_handler(dark.Events.ITERATION_COMPLETED(every=every), checkpoint)
        engine.run(list(range(length)), max_epochs=epochs)
        return seen | {"files": count(), "last checkpoint after it": content(checkpoint.last_checkpoint)}


@exam.question("checkpoint", examples=2)
def two_checkpoints(dark, a: Integer(1, 9), b: Integer(11, 19)):
    """Two checkpoints in two folders do not know of each other."""
    made = checkpoint_of(dark, {"box": Box(a), "x": Box(0)}), checkpoint_of(dark, {"box": Box(b), "x": Box(0)}, 2)
    with made[0] as (one, save_one, count_one), made[1] as (two, save_two, count_two):
        for k in (1, 2, 3):
            save_one(k)
            save_two(k)
        seen = {name: content(each.last_checkpoint) for name, each in (("first", one), ("second", two))}
        return seen | {"files of the first": count_one(), "files of the second": count_two()}


# load_objects


@contextmanager
def file_of(numbers):
    """Write the states of boxes with these numbers, by their names, to a file, and give its path."""
    parent = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        path = Path(folder) / "saved"
        path.write_bytes(pickle.dumps({name: Box(number).state_dict() for name, number in numbers.items()}))
        yield path


def values(boxes):
    """Return the values of boxes by name."""
    return {name: box.value for name, box in boxes.items()}


THREE = ("net", "optimizer", "loader")


@exam.question("load_objects", points=3, examples=8)
def loaded_by_name(dark, a: Integer(-9, 9), b: Float(-3, 3), c: Integer(10, 19), without: Choice(*THREE)):
    """Each object gets the state of its name; states of the file that nothing was asked for do not matter."""
    with file_of(dict(zip(THREE, (a, b, c)))) as path:
        boxes = {name: Box(0) for name in reversed(THREE)}
        answer = dark.Checkpoint.load_objects(boxes, path)
        fewer = {name: Box(0) for name in THREE if name != without}
        dark.Checkpoint.load_objects(fewer, path)
    loaded = {name: [box.loaded["array"], box.loaded["nested"]] for name, box in boxes.items()}
    return {"all": values(boxes), "what they got": loaded, "fewer": values(fewer), "returned": answer}


@exam.question("load_objects", points=3, examples=8)
def one_that_is_missing(dark, missing: Choice(*THREE), a: Integer(1, 9), before: Integer(10, 19)):
    """If the file lacks the state of one object, that is a KeyError, and no object is loaded."""
    log, boxes = [], {name: Box(before + k) for k, name in enumerate(THREE)}
    for name, box in boxes.items():
        box.log, box.name = log, name
    with file_of({name: a for name in THREE if name != missing}) as path:
        try:
            dark.Checkpoint.load_objects(boxes, path)
        except KeyError:
            seen = {"raised": "KeyError"}
        else:
            seen = {"raised": "nothing"}
    seen |= {"loaded": [*log], "values afterwards": values(boxes)}
    with file_of(dict.fromkeys(THREE, a)) as path:
        dark.Checkpoint.load_objects(boxes, path)
    return seen | {"values of a good file": values(boxes)}


@exam.question("load_objects", points=4, examples=12)
def one_that_refuses(dark, refuses: Choice(*THREE), a: Integer(1, 9), before: Integer(10, 19)):
    """If an object refuses its state, all have the states from before, and its exception propagates."""
    numbers = {name: -a if name == refuses else a for name in THREE}
    boxes = {name: Broken(before + k) for k, name in enumerate(THREE)}
    seen, others = {}, {name: Box(0) for name in THREE}
    with file_of(numbers) as path:
        dark.Checkpoint.load_objects(others, path)  # which refuse nothing
        try:
            dark.Checkpoint.load_objects(boxes, path)
        except ZeroDivisionError as error:
            seen["raised"] = ["its own exception", error.args[0]]
        except (KeyError, ValueError, TypeError, RuntimeError) as error:
            if isinstance(error, NotImplementedError):
                raise
            seen["raised"] = ["another exception", type(error).__name__]
    seen |= {"values afterwards": values(boxes), "values of others": values(others)}
    with file_of(dict.fromkeys(THREE, a)) as path:
        dark.Checkpoint.load_objects(boxes, str(path))
    return seen | {"values of a good file": values(boxes)}


# repairs of "Find the bug"; they earn no points


@exam.repair("published_keep_random_state")
def the_result_and_the_state(dark, seed: Integer(0, 99), ends: Choice("returns", "raises")):
    """The result is returned, and the next number is the same as without the function, also after an error."""
    np.random.seed(seed)

    def draw():
        drawn = np.random.random()
        if ends == "raises":
            raise OSError("no screen to draw on")
        return drawn

    try:
        result = dark.published_keep_random_state(draw)()
    except OSError:
        result = "an OSError"
    return {"result": result, "next number": np.random.random()}
