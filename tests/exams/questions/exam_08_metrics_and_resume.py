"""Questions of module 08, metrics and resuming.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Engines run small programs, and handlers write down where the run was when they were called: the epoch and
the iteration. Files are written to temporary folders; their names are free. Random generators are seeded by
the questions, and set back afterwards.
"""

import os
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


# removable_handle


@exam.question("removable_handle", points=4, examples=40)
def programs_of_handles(dark, steps: ListOf(Integer(0, 7), 1, 9)):
    """After a was attached: 0, 1, 2 attach a, b, a elsewhere; 3 to 6 remove by handles 0 to 3, also twice; 7 fires."""
    trace, engine, handles, events = [], dark.Engine(idle), [], dark.Events
    a, b = (lambda: trace.append("a")), (lambda: trace.append("b"))
    makers = ((events.STARTED, a), (events.STARTED, b), (events.COMPLETED, a))
    for step in [0, *steps, 7, 3, 7]:
        if step < 3:
            handles.append(engine.add_event_handler(*makers[step]))
        elif step < 7 and step - 3 < len(handles):
            handles[step - 3].remove()
        elif step == 7:
            trace.append("fired")
            engine.fire_event(events.STARTED)
            trace.append("then")
            engine.fire_event(events.COMPLETED)
    return trace


@exam.question("removable_handle", points=2)
def for_a_block(dark, event: Choice(*EVENTS), every: Integer(1, 3), length: Integer(1, 4)):
    """In a with statement the handler is attached until the end of the block."""
    trace, engine = [], dark.Engine(idle)
    engine.add_event_handler(getattr(dark.Events, event), writer(trace, "before"))
    with engine.add_event_handler(getattr(dark.Events, event)(every=every), writer(trace, "block")) as handle:
        engine.run(list(range(length)), max_epochs=2)
    engine.run(list(range(length)), max_epochs=2)
    handle.remove()
    engine.run(list(range(length)), max_epochs=2)
    return trace


@exam.question("removable_handle", points=2)
def a_block_that_raises(dark, length: Integer(1, 4)):
    """When the block raises, the handler is removed, and the exception propagates."""
    trace, engine = [], dark.Engine(idle)
    try:
        with engine.add_event_handler(dark.Events.ITERATION_COMPLETED, writer(trace, "block")):
            engine.run(list(range(length)))
            raise ZeroDivisionError
    except ZeroDivisionError:
        trace.append("the exception went on")
    engine.run(list(range(length)))
    return trace


@exam.question("removable_handle")
def one_of_two(dark, removed: Choice(0, 1), argument: Integer(1, 9)):
    """Of one function attached twice, the handle removes its own; no other handler is skipped."""
    trace, engine = [], dark.Engine(idle)
    handles = [
        engine.add_event_handler(dark.Events.COMPLETED, lambda n: trace.append(n), n) for n in (argument, 10 * argument)
    ]
    same = trace.append
    handles += [engine.add_event_handler(dark.Events.STARTED, same, n) for n in (1, 2)]
    handles[removed].remove()
    handles[2 + removed].remove()
    engine.run([0])
    return {"trace": trace, "removed by a handler": removing_itself(dark)}


def removing_itself(dark):
    """Fire an event twice, whose first handler removes itself by its handle."""
    trace, engine, event = [], dark.Engine(idle), dark.Events.STARTED
    handle = engine.add_event_handler(event, lambda: (trace.append("first"), handle.remove()))
    for name in ("second", "third"):
        engine.add_event_handler(event, trace.append, name)
    engine.fire_event(event)
    engine.fire_event(event)
    return trace


# custom_events

NAMES = ("large", "small", "done")


@exam.question("custom_events", points=2, examples=30)
def fired_by_the_process_function(dark, names: ListOf(Choice(*NAMES), 1, 5), batches: ListOf(Integer(0, 2), 1, 5)):
    """A registered event calls its handlers whenever it is fired."""
    trace = []
    engine = dark.Engine(lambda engine, batch: engine.fire_event(NAMES[batch]))
    engine.register_events(*NAMES)
    for k, name in enumerate(names):
        engine.add_event_handler(name, writer(trace, f"{name} {k}"))
    engine.run(batches, max_epochs=2)
    return {"trace": trace, "another event": attempt(lambda: engine.fire_event("larger"))}


@exam.question("custom_events", points=2)
def unknown_events(dark, known: Choice(*NAMES), other: Choice("lagre", "smal", "donne")):
    """Attaching to an event that is not registered, or firing it, is a ValueError that names it."""
    engine, seen = dark.Engine(idle), {}
    engine.register_events(known)
    events = {"known": known, "other": other, "COMPLETED": dark.Events.COMPLETED}
    for name, event in events.items():
        for verb, action in (("fire", engine.fire_event), ("attach", lambda e: engine.add_event_handler(e, print))):
            try:
                action(event) if verb == "attach" or name != "COMPLETED" else None
                seen[f"{verb} {name}"] = "accepted"
            except ValueError as error:
                is_named = str(event) in str(error)
                seen[f"{verb} {name}"] = f"a ValueError that {f'names {event}' if is_named else 'does not name it'}"
    return seen


@exam.question("custom_events", points=2, examples=30)
def counted_and_filtered(dark, every: Integer(1, 4), once: Integer(1, 9), batches: ListOf(Integer(0, 2), 1, 6)):
    """A custom event that an attribute of the state counts can be filtered by it; the counter begins at 0."""

    class Steps(dark.EventEnum):
        LARGE = "large"

    def step(engine, batch):
        for _ in range(batch):
            engine.state.larges += 1
            engine.fire_event(Steps.LARGE)

    trace, engine = [], dark.Engine(step)
    attributes = {Steps.LARGE: "larges"}
    engine.register_events(*Steps, event_to_attr=attributes)
    first = engine.state.larges
    engine.add_event_handler(Steps.LARGE(every=every), lambda: trace.append(["every", engine.state.larges]))
    engine.add_event_handler(Steps.LARGE(once=once), lambda: trace.append(["once", engine.state.larges]))
    engine.run(batches)
    seen = {"begins at": first, "trace": trace, "ends at": engine.state.larges}
    return seen | {"event_to_attr, afterwards": list(attributes.values())}


@exam.question("custom_events", points=2)
def each_engine_its_own(dark, name: Choice(*NAMES), count: Integer(1, 9)):
    """Events and counters of one engine are not known to another one, made before or afterwards."""
    before = dark.Engine(idle)
    engine = dark.Engine(idle)
    engine.register_events(name, event_to_attr={name: "counted"})
    engine.state.counted = count
    after = dark.Engine(idle)
    seen = {"counted here": engine.state.counted}
    for which, other in (("before", before), ("after", after)):
        seen[f"counted {which}"] = getattr(other.state, "counted", "no such attribute")
        seen[f"fired {which}"] = attempt(lambda other=other: other.fire_event(name))
        seen[f"attached {which}"] = attempt(lambda other=other: other.add_event_handler(name, print))
        other.register_events("its own")
        seen[f"fired {which}, with an event of its own"] = attempt(lambda other=other: other.fire_event(name))
    return seen


@exam.question("custom_events")
def a_counter_that_exists(dark, count: Integer(1, 9), every: Integer(1, 3)):
    """An attribute that the state has already keeps its value; a new one begins at 0."""

    class Phases(dark.EventEnum):
        EARLY = "early"
        LATE = "late"
        NEW = "new"
        LAST = "last"

    trace, engine = [], dark.Engine(idle)
    engine.state.phases = count
    attributes = {Phases.EARLY: "phases", Phases.LATE: "iteration", Phases.NEW: "news"}
    engine.register_events(Phases.EARLY, Phases.LATE, Phases.NEW, event_to_attr=attributes)
    engine.register_events(Phases.LAST, event_to_attr={Phases.LAST: "lasts"})
    for event in Phases:
        engine.add_event_handler(event(every=every), lambda name: trace.append(name), event.name)
    for _ in range(3):
        engine.state.phases += 1
        engine.state.iteration += 2
        engine.state.news += 1
        engine.state.lasts += 1
        for event in Phases:
            engine.fire_event(event)
    seen = {"trace": trace, "phases": engine.state.phases, "iteration": engine.state.iteration}
    return seen | {"the first event_to_attr, afterwards": list(attributes.values())}


@exam.question("custom_events")
def registered_one_after_another(dark, names: ListOf(Choice(*NAMES), 1, 4)):
    """Registering adds to the known events, also a second time; those of the run stay known."""
    trace, engine = [], dark.Engine(idle)
    for name in names:
        engine.register_events(name)
        engine.register_events(name, event_to_attr=None)
    for name in names:
        engine.add_event_handler(name, lambda name: trace.append(name), name)
        engine.fire_event(name)
    engine.add_event_handler(dark.Events.COMPLETED, lambda: trace.append("completed"))
    engine.run([0, 1])
    return {"trace": trace, "another event": attempt(lambda: engine.add_event_handler("larger", print))}


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
    """The result of an epoch that was left early is that of the outputs that it had."""
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
    """Make scores of shape (batch, 3) whose largest is that of the class; first moves all of them."""
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
    """What compute returned does not change later; reset forgets everything."""
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
    """A network of one matrix product, which a part doubles in training mode; it raises at a call if told to."""

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
    """Draw numbers from both generators, also normal ones, of which each generator keeps one for later."""
    python = [number for _ in range(count) for number in (random.random(), random.gauss(0, 1))]
    return {"Python": python, "NumPy": [*np.random.random(count).tolist(), *np.random.normal(size=count).tolist()]}


@exam.question("keep_random_state", points=3, examples=30)
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
    """Decorating calls nothing, and the state is that of the call, not that of the decoration."""
    calls = []
    with own_random_state(seed):
        kept = dark.keep_random_state(lambda: calls.append(random.random()))
        before = len(calls)
        numbers_of()
        kept()
        return {"calls when decorated": before, "calls": len(calls), **numbers_of()}


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
    """An object whose state cannot be saved while its value is negative."""

    def state_dict(self):
        return super().state_dict() | ({"broken": idle_lock} if self.value < 0 else {})


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
            engine.state.iteration = iteration
            made(engine)

        yield made, save, lambda: count_files(folder)


OTHERS = ("notes.txt", "checkpoint_9999.pt")  # files that the folder has before


def count_files(folder):
    """Count the files that a checkpoint has added to a folder; a sentence if others are gone."""
    names = {path.name for path in folder.iterdir() if not path.name.endswith(".part")}
    return len(names - set(OTHERS)) if names >= set(OTHERS) else "files of others are gone"


@exam.question("checkpoint", points=3, examples=4)
def saved_and_loaded(dark, a: Integer(-9, 9), b: Float(-3, 3), later: Integer(10, 19)):
    """All objects are saved as they are when it is called, and others can load their states."""
    first, second = Box(0), Box(0)
    with checkpoint_of(dark, {"net": first, "optimizer": second, "loader": Box(later)}) as (checkpoint, save, _):
        first.value, second.value = a, b
        save(5)
        first.value = second.value = later
        others = {"optimizer": Box(1), "net": Box(1), "loader": Box(1)}
        dark.Checkpoint.load_objects(others, checkpoint.last_checkpoint)
    states = {name: [other.value, other.loaded["array"], other.loaded["nested"]] for name, other in others.items()}
    return states | {"the saved objects": [first.value, second.value]}


@exam.question("checkpoint", points=2, examples=8)
def so_many_files(dark, n_saved: Integer(1, 3), steps: ListOf(Integer(1, 5), 2, 5)):
    """The latest n_saved files are kept, each of them whole, and so are the files of others in the folder."""
    box, iteration, seen = Box(0), 0, []
    with checkpoint_of(dark, {"box": box, "other": Box(3)}, n_saved) as (checkpoint, save, count):
        paths = []
        for step in steps:
            iteration += step
            box.value = iteration
            save(iteration)
            paths.append(checkpoint.last_checkpoint)
            loaded = []
            for path in paths:
                other = Box(-1)
                attempt(lambda path=path, other=other: dark.Checkpoint.load_objects({"box": other}, path))
                loaded.append(other.value)
            seen.append([count(), loaded])
    return seen


@exam.question("checkpoint", examples=4)
def one_iteration_twice(dark, n_saved: Integer(1, 2), k: Integer(1, 9)):
    """Saved twice at one iteration, as at the end of an epoch and of the run, the last checkpoint is there."""
    box, other = Box(k), Box(0)
    with checkpoint_of(dark, {"box": box, "other": Box(3)}, n_saved) as (checkpoint, save, count):
        save(k)
        save(k)
        seen = [attempt(lambda: dark.Checkpoint.load_objects({"box": other}, checkpoint.last_checkpoint)), other.value]
        seen.append([attempt(lambda: save(k + 1)), count()])
    return seen


@exam.question("checkpoint", points=3, examples=8)
def a_save_that_fails(dark, n_saved: Integer(1, 2), good: Integer(1, 3), after: Integer(0, 2)):
    """If saving fails, the old files stay, and the next save works as if nothing had happened."""
    box, seen = Broken(0), []
    with checkpoint_of(dark, {"box": box, "other": Box(3)}, n_saved) as (checkpoint, save, count):
        for k in range(1, good + 1):
            box.value = k
            save(k)
        box.value = -1
        seen.append(attempt(lambda: save(good + 1)))
        for k in range(good + 2, good + 3 + after):
            other = Box(-1)
            seen.append(
                attempt(lambda box=other: dark.Checkpoint.load_objects({"box": box}, checkpoint.last_checkpoint))
            )
            seen.append([count(), other.value])
            box.value = k
            seen.append(attempt(lambda k=k: save(k)))
        seen.append(count())
    return seen


@exam.question("checkpoint", points=2, examples=5)
def all_objects_or_none(dark, missing: Choice("net", "optimizer", "loader"), a: Integer(1, 9)):
    """If the file lacks the state of one object, that is a KeyError, and no object is loaded."""
    log, names = [], ("net", "optimizer", "loader")
    saved = {name: Box(a) for name in names if name != missing}
    with checkpoint_of(dark, saved) as (checkpoint, save, _):
        save(1)
        others = {name: Box(0, log, name) for name in names}
        seen = []
        try:
            seen.append(attempt(lambda: dark.Checkpoint.load_objects(others, checkpoint.last_checkpoint), (KeyError,)))
        except KeyError:
            seen.append("KeyError")
        seen.append([log.copy(), [other.value for other in others.values()]])
        fewer = {name: others[name] for name in saved}
        seen.append(attempt(lambda: dark.Checkpoint.load_objects(fewer, checkpoint.last_checkpoint)))
        seen.append([sorted(log), [other.value for other in others.values()]])
    return seen


@exam.question("checkpoint", points=2, examples=6)
def as_a_handler(dark, every: Integer(1, 3), length: Integer(1, 3), epochs: Integer(1, 2)):
    """Attached to an engine, it saves the iteration that the state has; before that, the last checkpoint is None."""
    box, seen = Box(0), []
    engine = dark.Engine(lambda engine, batch: setattr(box, "value", engine.state.iteration))
    with checkpoint_of(dark, {"box": box, "other": Box(3)}) as (checkpoint, _, count):
        seen.append(checkpoint.last_checkpoint)
        engine.add_event_handler(dark.Events.ITERATION_COMPLETED(every=every), checkpoint)
        engine.run(list(range(length)), max_epochs=epochs)
        other = Box(0)
        if checkpoint.last_checkpoint is not None:
            dark.Checkpoint.load_objects({"box": other}, checkpoint.last_checkpoint)
        seen.append([count(), other.value])
    return seen


@exam.question("checkpoint", examples=2)
def two_checkpoints(dark, a: Integer(1, 9), b: Integer(11, 19)):
    """Two checkpoints in two folders do not know of each other, and loading changes no file."""
    first, second = Box(a), Box(b)
    made = checkpoint_of(dark, {"box": first, "x": Box(0)}), checkpoint_of(dark, {"box": second, "x": Box(0)}, 2)
    with made[0] as (one, save_one, count_one), made[1] as (two, save_two, count_two):
        for k in (1, 2, 3):
            save_one(k)
            save_two(k)
        values = []
        for checkpoint in (one, two, one):
            other = Box(0)
            checkpoint.load_objects({"box": other}, checkpoint.last_checkpoint)
            values.append(other.value)
        return {"values": values, "files": [count_one(), count_two()]}


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
