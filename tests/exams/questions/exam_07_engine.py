"""Questions of module 07, the engine.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Engines run drawn programs of events. Handlers write down where the run was when they were called: the event,
the epoch and the iteration; the process function writes down the batch as well.
"""

import re
from contextlib import suppress
from itertools import count

from dark.course.exams import Choice, Exam, Float, Integer, ListOf

exam = Exam("07")
MANY = 5000  # batches, of data without an end; a few hundred are enough
PASSES = 100  # over data; a run of the questions makes a few

EVENTS = ("STARTED", "EPOCH_STARTED", "ITERATION_STARTED", "ITERATION_COMPLETED", "EPOCH_COMPLETED", "COMPLETED")
INNER = ("ITERATION_STARTED", "ITERATION_COMPLETED")


def idle(engine, batch):
    """Do nothing with a batch."""


def attempt(action):
    """Return "done", or "ValueError"; of another error its name and message. A stub is not attempted."""
    try:
        action()
    except NotImplementedError:
        raise
    except ValueError:
        return "ValueError"
    except Exception as error:
        message = re.sub(" at 0x[0-9A-Fa-f]+", "", str(error))  # an address differs from run to run
        return f"{type(error).__name__}: {message}"[:200]
    return "done"


def at(engine, name, *more):
    """Return a line of a trace."""
    return [name, {"epoch": engine.state.epoch, "iteration": engine.state.iteration}, *more]


def traced(dark, process=None, events=EVENTS):
    """Make an engine and a trace, in which all its events and its calls of the process function are written."""
    trace = []

    def step(engine, batch):
        trace.append(at(engine, "process", {"batch": batch}))
        return process(engine, batch) if process else 10 * batch

    engine = dark.Engine(step)
    for name in events:
        engine.add_event_handler(getattr(dark.Events, name), lambda engine, name: trace.append(at(engine, name)), name)
    return engine, trace


def without_end():
    """Yield 0, 1, 2, ... without end; who reads thousands of them will never stop."""
    for k in count():
        if k == MANY:
            raise RuntimeError(f"{MANY} batches were read of data that never ends")
        yield k


class Passes:
    """Data without a length, which writes down when it is iterated over."""

    def __init__(self, batches):
        self.batches, self.begun = batches, 0

    def __iter__(self):
        self.begun += 1
        if self.begun > PASSES:
            raise RuntimeError(f"the data was iterated over {PASSES} times")
        return iter(self.batches)


# state


@exam.question("state", points=2)
def counters_begin_at_zero(dark, iteration: Integer(0, 50), epoch: Integer(0, 9)):
    """Counters begin at 0, the rest at None, and can be set."""
    names = ("iteration", "epoch", "epoch_length", "max_epochs", "batch", "output", "dataloader", "metrics")
    state = dark.State()
    seen = {name: getattr(state, name) for name in names}
    given = dark.State(iteration=iteration, epoch=epoch)
    return seen | {"iteration given": given.iteration, "epoch given": given.epoch, "metrics given": given.metrics}


@exam.question("state", points=2)
def further_attributes(dark, loss_scale: Float(0, 9), words: ListOf(Integer(0, 9), 0, 3)):
    """Any further attribute can be given, also another value of a known one."""
    state = dark.State(loss_scale=loss_scale, words=words, output=loss_scale, metrics={"words": words})
    seen = {name: getattr(state, name) for name in ("loss_scale", "words", "output", "metrics", "iteration", "batch")}
    state.later = words
    return seen | {"later": state.later, "another state": hasattr(dark.State(), "loss_scale")}


@exam.question("state", points=2)
def states_of_their_own(dark, value: Integer(1, 9)):
    """Each state has its own counters and its own dict of metrics."""
    first, second = dark.State(), dark.State()
    first.metrics["accuracy"] = value
    first.iteration += value
    first.epoch = value
    third = dark.State()
    return [
        [s.metrics, s.iteration, s.epoch, s.get_event_attrib_value(dark.Events.STARTED)] for s in (first, second, third)
    ]


@exam.question("state", points=3)
def the_number_of_an_event(dark, iteration: Integer(0, 50), epoch: Integer(0, 9)):
    """Events of iterations are counted by the iteration, the others by the epoch."""
    state = dark.State(iteration=iteration, epoch=epoch)
    seen = {name: state.get_event_attrib_value(getattr(dark.Events, name)) for name in EVENTS}
    state.iteration += 5
    state.epoch += 3
    return {"first": seen} | {name: state.get_event_attrib_value(getattr(dark.Events, name)) for name in EVENTS}


# engine_run


@exam.question("engine_run", points=5, examples=40)
def runs_over_lists(dark, batches: ListOf(Integer(0, 9), 1, 5), epochs: Integer(1, 4)):
    """Events, epochs and iterations are in order; the iteration counts the whole run."""
    engine, trace = traced(dark)
    state = engine.run(batches, max_epochs=epochs)
    end = [state.epoch, state.iteration, state.max_epochs, state.epoch_length, state.batch, state.output]
    return {"trace": trace, "end": end, "the state of the engine": state is engine.state}


@exam.question("engine_run", points=4, examples=40)
def epochs_of_a_length(dark, size: Integer(1, 5), length: Integer(1, 5), epochs: Integer(1, 4), leave: Integer(1, 3)):
    """With epoch_length, the next epoch continues where the last one stopped; one after one left early is as long."""
    engine, trace = traced(dark)
    state = engine.run(list(range(size)), max_epochs=epochs, epoch_length=length)
    left, other = traced(dark)
    end = lambda engine: engine.terminate_epoch() if engine.state.iteration == leave else None
    left.add_event_handler(dark.Events.ITERATION_COMPLETED, end)
    left.run(list(range(size)), max_epochs=3, epoch_length=length)
    return {"trace": trace, "epoch_length": state.epoch_length, f"left at iteration {leave}": other}


@exam.question("engine_run", points=3, examples=4)
def ended_at_each_event(dark, length: Integer(2, 5)):
    """After each event the engine looks whether the end of the run was requested; a batch is read when it is needed."""
    return {f"ended at {name}": ended_at(dark, name, length) for name in EVENTS[:-1]}


def ended_at(dark, name, length):
    """Request the end of a run over data without an end, at an event; return the trace, also of what is read."""
    engine, trace = traced(dark)

    def data():
        for k in without_end():
            trace.append(at(engine, "read", {"batch": k}))
            yield k

    engine.add_event_handler(getattr(dark.Events, name), engine.terminate)
    engine.run(data(), max_epochs=2, epoch_length=length)
    return trace


@exam.question("engine_run", points=3)
def run_after_run(dark, first: Integer(1, 3), second: Integer(1, 3), more: Integer(1, 2)):
    """A run that is over is followed by a new one from 0; one with more epochs continues."""
    engine, trace = traced(dark)
    engine.run(list(range(first)), max_epochs=2)
    engine.run(list(range(second)), max_epochs=2)
    state = engine.run(list(range(second)), max_epochs=2 + more)
    return {"trace": trace, "epoch_length": state.epoch_length}


@exam.question("engine_run", points=2)
def what_the_process_function_gets(dark, numbers: ListOf(Float(-9, 9), 1, 4)):
    """It gets the engine and the batch, which is also in the state; what it returns is the output."""
    seen = []

    def step(engine, batch):
        seen.append([engine is made, engine.state.batch, batch])
        return None if batch < 0 else [batch, 2 * batch]

    made = dark.Engine(step)
    completed = dark.Events.ITERATION_COMPLETED
    made.add_event_handler(completed, lambda: seen.append([made.state.output, made.state.batch]))
    made.add_event_handler(dark.Events.STARTED, lambda: seen.append([made.state.epoch, made.state.max_epochs]))
    made.run(numbers, max_epochs=2)
    once = dark.Engine(idle).run(numbers)
    return {"seen": seen, "a run of data alone": [once.epoch, once.iteration, once.max_epochs, once.epoch_length]}


# epoch_batches


@exam.question("epoch_batches", points=5, examples=40)
def shorter_and_longer_epochs(dark, size: Integer(1, 5), length: Integer(1, 9), epochs: Integer(1, 4)):
    """An epoch has epoch_length batches, in the order of the data, which starts over at its end."""
    engine, trace = traced(dark)
    state = engine.run(list(range(size)), max_epochs=epochs, epoch_length=length)
    left, other = traced(dark)
    leave = lambda engine: engine.terminate_epoch() if engine.state.iteration == 2 else None
    left.add_event_handler(dark.Events.ITERATION_COMPLETED, leave)
    left.run(list(range(size)), max_epochs=3, epoch_length=length)
    return {"trace": trace, "epoch_length": state.epoch_length, "left at iteration 2": other}


@exam.question("epoch_batches", points=3)
def data_without_a_length(dark, batches: ListOf(Integer(0, 9), 1, 5), epochs: Integer(1, 4)):
    """Without a length, the first end of the data is the end of the epoch; it is iterated over once for each epoch."""
    engine, trace = traced(dark)
    data = Passes(batches)
    found = [engine.run(data, max_epochs=more).epoch_length for more in (epochs, epochs + 2)]
    return {"trace": trace, "epoch_length": found, "times iterated over": data.begun}


@exam.question("epoch_batches", points=3)
def generators(dark, size: Integer(1, 5), length: Integer(1, 4), epochs: Integer(1, 3)):
    """A generator is read once: to its end in one epoch, or, if it never ends, from epoch to epoch."""
    engine, trace = traced(dark)
    state = engine.run(k * k for k in range(size))
    endless, other = traced(dark)
    endless.run(without_end(), max_epochs=epochs, epoch_length=length)
    long = dark.Engine(idle).run(without_end(), max_epochs=1, epoch_length=length + 290)
    other.append(long.iteration)
    return {"to its end": trace, "epoch_length": state.epoch_length, "endless": other}


@exam.question("epoch_batches", points=3)
def batches_are_read_when_needed(dark, size: Integer(1, 5), length: Integer(1, 7), epochs: Integer(1, 3)):
    """No batch is read before its iteration, and none after the last."""
    read = []
    engine, trace = traced(dark)

    def data():
        for k in without_end():
            read.append([k, engine.state.epoch, engine.state.iteration])
            yield k

    engine.run(data(), max_epochs=epochs, epoch_length=length)
    again, passes = traced(dark)[0], Passes(list(range(size)))
    again.run(passes, max_epochs=epochs, epoch_length=length)
    longer = Passes(list(range(size)))
    dark.Engine(idle).run(longer, max_epochs=2, epoch_length=size + 1)
    return {"read": read, "times iterated over": [passes.begun, longer.begun], "trace": trace}


# add_event_handler


def both(trace):
    """Make handlers of many signatures, each writes down its name and what it got, an engine as "engine"."""

    def shown(got):
        return type(got).__name__ if isinstance(got, Exception) else "engine" if hasattr(got, "state") else got

    def write(name):
        return lambda *got: trace.append([name, *map(shown, got)])

    def some(engine, a=None, b=None):
        write("some")(engine, a, b)

    class Callable:
        def __call__(self, engine, *more):
            write("object")(engine, *more)

        def method(self, *more):
            write("method")(*more)

    return {
        "none": lambda: write("none")(),
        "engine": lambda engine: write("engine")(engine),
        "one": lambda a: write("one")(a),
        "two": lambda a, b: write("two")(a, b),
        "three": lambda a, b, c: write("three")(a, b, c),
        "any": write("any"),
        "some": some,
        "named": lambda a, *, key: write("named")(a, key),
        "only named": lambda *, key: write("only named")(key),
        "object": Callable(),
        "method": Callable().method,
    }


KINDS = ("none", "engine", "one", "two", "three", "any", "some", "named", "only named", "object", "method")


@exam.question("add_event_handler", points=4, examples=60)
def with_and_without_engine(dark, kind: Choice(*KINDS), args: ListOf(Integer(1, 9), 0, 3), key: Integer(0, 4)):
    """The engine comes first if the handler accepts it; whoever accepts neither call is refused when attached."""
    trace, engine = [], dark.Engine(idle)
    kwargs = {"key": key} if key > 2 else {}
    handler = both(trace)[kind]
    done = attempt(lambda: engine.add_event_handler(dark.Events.EPOCH_COMPLETED, handler, *args, **kwargs))
    before = len(trace)
    engine.run([0, 1], max_epochs=2)
    return {"attached": done, "called when attached": before, "trace": trace}


@exam.question("add_event_handler", points=3, examples=30)
def in_the_order_of_attaching(dark, names: ListOf(Choice(*EVENTS), 1, 5), numbers: ListOf(Integer(1, 9), 1, 5)):
    """Handlers of an event are called in the order in which they were attached; one may be attached twice."""
    trace, engine = [], dark.Engine(idle)
    for name, number in zip(names, numbers):
        engine.add_event_handler(
            getattr(dark.Events, name), lambda engine, *more: trace.append(at(engine, *more)), number
        )
    write = trace.append
    engine.add_event_handler(dark.Events.COMPLETED, write, "first")
    engine.add_event_handler(dark.Events.COMPLETED, write, "second")
    engine.add_event_handler(dark.Events.COMPLETED, lambda *, key: write(["named", key]), key=numbers[0])
    engine.run([0, 1], max_epochs=2)
    return trace


@exam.question("add_event_handler", points=2, examples=50)
def handlers_of_exceptions(dark, kind: Choice(*KINDS), args: ListOf(Integer(1, 9), 0, 2)):
    """Handlers of EXCEPTION_RAISED get the exception, after the engine or without it, and then their arguments."""
    trace, engine = [], dark.Engine(lambda engine, batch: 1 // batch)
    event = dark.Events.EXCEPTION_RAISED
    done = attempt(lambda: engine.add_event_handler(event, both(trace)[kind], *args))
    engine.add_event_handler(event, lambda error: trace.append(type(error).__name__))
    engine.run([1, 0])
    return {"attached": done, "trace": trace}


@exam.question("add_event_handler", points=3)
def unknown_events(dark, number: Integer(1, 99), name: Choice("completed", "COMPLETE", "EPOCH")):
    """An event that does not exist is a ValueError; known events work as before."""
    trace, engine = [], dark.Engine(idle)
    seen = [
        attempt(lambda event=event: engine.add_event_handler(event, trace.append, 0)) for event in (name, None, number)
    ]
    seen.append(attempt(lambda: engine.add_event_handler(dark.Events.STARTED, lambda a, b, c: None)))
    engine.add_event_handler(dark.Events.COMPLETED, trace.append, number)
    engine.run([0])
    other = dark.Engine(idle)
    other.run([0])
    return {"attached": seen, "trace": trace}


# fire_event


@exam.question("fire_event", points=3, examples=40)
def programs_of_handlers(dark, steps: ListOf(Integer(0, 8), 1, 9)):
    """0 to 2 attach a, b, or a with an argument; 3 and 4 remove a and b; 5 attaches a elsewhere; 6 to 8 fire."""
    trace, engine, events = [], dark.Engine(idle), dark.Events
    a, b = (lambda *more: trace.append(["a", len(more)])), (lambda engine: trace.append(at(engine, "b")))
    engine.add_event_handler(events.STARTED, a)
    engine.add_event_handler(events.COMPLETED, a)
    for step in [*steps, 7, 6]:
        if step < 3:
            engine.add_event_handler(events.STARTED, *((a,), (b,), (a, 1))[step])
        elif step < 5:
            trace.append(attempt(lambda step=step: engine.remove_event_handler((a, b)[step - 3], events.STARTED)))
        elif step == 5:
            engine.add_event_handler(events.COMPLETED, a)
        else:
            trace.append("fired")
            engine.fire_event(events.COMPLETED if step == 6 else events.STARTED)
    return trace


@exam.question("fire_event", points=4, examples=40)
def handlers_that_remove(dark, size: Integer(2, 5), who: Integer(0, 4), whom: Integer(0, 4), epochs: Integer(1, 3)):
    """A handler that is removed while its event is fired is still called, and no other one is skipped."""
    trace, engine, event = [], dark.Engine(idle), dark.Events.EPOCH_COMPLETED

    def make(k):
        def handler(engine):
            trace.append(at(engine, f"handler {k}"))
            if k == who % size and engine.state.epoch == 1:
                engine.remove_event_handler(handlers[whom % size], event)

        return handler

    handlers = [make(k) for k in range(size)]
    for handler in handlers:
        engine.add_event_handler(event, handler)
    engine.run([0], max_epochs=epochs)
    return trace


@exam.question("fire_event", points=3, examples=30)
def handlers_that_attach(dark, size: Integer(1, 4), who: Integer(0, 3), name: Choice(*EVENTS), times: Integer(1, 2)):
    """A handler that is attached to the event while it is fired is called at the end of this firing."""
    trace, engine, event = [], dark.Engine(idle), dark.Events.EPOCH_COMPLETED

    def make(k):
        def handler(engine):
            trace.append(at(engine, f"handler {k}"))
            if k == who % size and engine.state.epoch == 1:
                for n in range(times):
                    engine.add_event_handler(event, lambda engine, n: trace.append(at(engine, "new", n)), n)
                engine.add_event_handler(getattr(dark.Events, name), lambda: trace.append(["elsewhere"]))

        return handler

    for k in range(size):
        engine.add_event_handler(event, make(k))
    engine.run([0, 1], max_epochs=2)
    return trace


@exam.question("fire_event", points=2)
def fired_by_handlers(dark, a: Integer(1, 9), b: Integer(1, 9)):
    """A handler may fire another event; its handlers are called at once. An error of a handler goes on."""
    trace, engine, events = [], dark.Engine(idle), dark.Events
    engine.add_event_handler(events.STARTED, lambda engine, n: trace.append(["before", n]), a)
    engine.add_event_handler(events.STARTED, lambda engine: engine.fire_event(events.COMPLETED))
    engine.add_event_handler(events.STARTED, lambda *, key: trace.append(["after", key]), key=b)
    engine.add_event_handler(events.COMPLETED, lambda: trace.append("completed"))
    first = engine.fire_event(events.STARTED)
    trace.append(first)
    engine.fire_event(events.EPOCH_STARTED)
    engine.add_event_handler(events.EPOCH_COMPLETED, lambda: 1 // 0)
    engine.add_event_handler(events.EPOCH_COMPLETED, lambda: trace.append("after the error"))
    try:
        engine.fire_event(events.EPOCH_COMPLETED)
    except ZeroDivisionError:
        trace.append("the error went on")
    return {"trace": trace, "state": [engine.state.epoch, engine.state.iteration]}


def kind(argument):
    """Return a number as it is, and the class of an exception."""
    return type(argument).__name__ if isinstance(argument, Exception) else argument


@exam.question("fire_event", points=2)
def arguments_of_all_kinds(dark, a: Integer(1, 9), key: Integer(1, 9)):
    """Each handler gets the engine or not, the exception if there is one, and then its own arguments."""
    trace, engine, events = [], dark.Engine(lambda engine, batch: 1 // batch), dark.Events
    for event, given in ((events.EPOCH_COMPLETED, ()), (events.EXCEPTION_RAISED, ("error",))):
        if given:
            handlers = (
                lambda engine, error, n, *, key: trace.append(at(engine, kind(error), kind(n), key)),
                lambda error, n, *, key: trace.append([kind(error), kind(n), key]),
            )
        else:
            handlers = (
                lambda engine, n, *, key: trace.append(at(engine, n, key)),
                lambda n, *, key: trace.append([n, key]),
            )
        for handler in handlers:
            engine.add_event_handler(event, handler, a, key=key)
    engine.run([1, 0], max_epochs=2)
    return trace


class Notes:
    """Its method is a new object each time it is looked up, and still the same handler."""

    def __init__(self):
        self.trace = []

    def write(self):
        """Write a line."""
        self.trace.append("written")


@exam.question("fire_event")
def removing_what_is_equal(dark, times: Integer(1, 3), others: Integer(255, 300)):
    """A method that is looked up again is the same handler; what is not attached is refused, however many are."""
    notes, engine, event = Notes(), dark.Engine(idle), dark.Events.STARTED
    for _ in range(times):
        engine.add_event_handler(event, notes.write)
    engine.fire_event(event)
    seen = [attempt(lambda: engine.remove_event_handler(notes.write, event)) for _ in range(2)]
    engine.fire_event(event)
    for _ in range(others):
        engine.add_event_handler(event, idle, None)
    seen.append(attempt(lambda: engine.remove_event_handler(notes.write, event)))
    return {"trace": notes.trace, "removed": seen}


# terminate


@exam.question("terminate", points=5, examples=50)
def ending_the_run(
    dark, name: Choice(*EVENTS[1:5]), epoch: Integer(1, 3), batches: Integer(1, 4), again: Integer(3, 5)
):
    """The run ends after the event, with COMPLETED; the next one continues with the next epoch."""
    engine, trace = traced(dark)

    def stop(engine):
        if engine.state.epoch == epoch:
            engine.terminate()
            trace.append("requested")

    engine.add_event_handler(getattr(dark.Events, name), stop)
    engine.add_event_handler(getattr(dark.Events, name), lambda: trace.append("after the request"))
    engine.run(list(range(batches)), max_epochs=3)
    trace.append(["limits", engine.state.max_epochs, engine.state.epoch_length])
    engine.run(list(range(batches)), max_epochs=again)
    return trace


@exam.question("terminate", points=4, examples=40)
def ending_an_epoch(
    dark, name: Choice(*INNER), iteration: Integer(1, 6), batches: Integer(1, 4), length: Integer(1, 6)
):
    """The epoch ends after the event, with EPOCH_COMPLETED; the next one begins with the first batch."""
    engine, trace = traced(dark)

    def stop(engine):
        if engine.state.iteration == iteration:
            engine.terminate_epoch()

    engine.add_event_handler(getattr(dark.Events, name), stop)
    engine.run(list(range(batches)), max_epochs=3, epoch_length=length)
    ending = dark.Engine(lambda engine, batch: engine.terminate())
    ended = ending.run(list(range(3)), max_epochs=2)
    return {"trace": trace, "ended by the process function": [ended.epoch, ended.iteration]}


@exam.question("terminate", points=2)
def ended_by_the_process_function(dark, iteration: Integer(1, 6), both: Integer(0, 2)):
    """A request of the process function is obeyed after ITERATION_COMPLETED; the end of the run comes first."""

    def step(engine, batch):
        if engine.state.iteration == iteration:
            if both != 1:
                engine.terminate_epoch()
            if both > 0:
                engine.terminate()
        return batch

    engine, trace = traced(dark, step)
    engine.run([1, 2, 3], max_epochs=3)
    trace.append(engine.state.output)
    return {"trace": trace, "before a run": ended_before(dark, iteration)}


def ended_before(dark, size):
    """Request the end of a run before it begins, and during its start."""
    engine, trace = traced(dark)
    engine.terminate()
    engine.run(list(range(size)))
    engine.add_event_handler(dark.Events.STARTED, engine.terminate)
    engine.run(list(range(size)))
    return trace


@exam.question("terminate", points=2)
def requests_outside_an_epoch(dark, name: Choice("EPOCH_COMPLETED", "COMPLETED"), size: Integer(1, 4)):
    """Where no iteration is under way, there is no epoch to end: nothing happens, also not in the next epoch."""
    engine, trace = traced(dark)
    engine.add_event_handler(getattr(dark.Events, name), engine.terminate_epoch)
    for more in (2, 4):
        engine.run(list(range(size + 1)), max_epochs=more, epoch_length=size)
    return trace


# exceptions


class Corrupt(Exception):
    """An exception of the questions."""


def failing(dark, name, iteration, kind=Corrupt):
    """Make an engine that raises at an event, in the process function or in the data, at an iteration."""

    def fail(engine):
        if engine.state.iteration == iteration:
            raise kind(f"at iteration {iteration}")

    engine, trace = traced(dark, lambda engine, batch: fail(engine) if name == "process" else batch)
    if name in EVENTS:
        engine.add_event_handler(getattr(dark.Events, name), fail)
    return engine, trace


PLACES = ("process", *INNER)


@exam.question("exceptions", points=4, examples=40)
def without_handlers(dark, place: Choice(*PLACES), iteration: Integer(1, 6), batches: Integer(1, 4)):
    """The exception leaves the run unchanged; the engine runs again, from the next epoch."""
    engine, trace = failing(dark, place, iteration)
    for _ in range(2):
        try:
            engine.run(list(range(batches)), max_epochs=3)
            trace.append("over")
        except Corrupt as error:
            trace.append(["raised", type(error).__name__, str(error)])
    return {"trace": trace, "the same object": is_unchanged(dark, Corrupt(iteration))}


def is_unchanged(dark, error):
    """Return whether an exception that the process function raises leaves the run as the same object."""

    def fail(engine, batch):
        raise error

    try:
        dark.Engine(fail).run([0])
    except Corrupt as raised:
        return raised is error
    return "nothing was raised"


@exam.question("exceptions", points=4, examples=40)
def with_handlers(dark, place: Choice(*PLACES), iteration: Integer(1, 6), batches: Integer(1, 4), kind: Integer(0, 2)):
    """The exception goes to the handlers, the epoch ends there, and the next one continues in the data."""
    engine, trace = failing(dark, place, iteration, (Corrupt, KeyError, ZeroDivisionError)[kind])
    raised = dark.Events.EXCEPTION_RAISED
    engine.add_event_handler(raised, lambda engine, error: trace.append(at(engine, "handled", str(error))))
    engine.add_event_handler(raised, lambda error, n: trace.append([type(error).__name__, n]), kind)
    engine.run(list(range(batches)), max_epochs=3)
    return trace


@exam.question("exceptions", points=2)
def handlers_that_raise(dark, iteration: Integer(1, 6), again: Integer(0, 1)):
    """An exception that a handler of EXCEPTION_RAISED raises leaves the run; so does its own one."""
    engine, trace = failing(dark, "process", iteration, KeyError)

    def give_up(error):
        raise (error if again else Corrupt("given up"))

    engine.add_event_handler(dark.Events.EXCEPTION_RAISED, give_up)
    for _ in range(2):
        try:
            engine.run([1, 2, 3], max_epochs=3)
            trace.append("over")
        except (Corrupt, KeyError) as error:
            trace.append(["raised", type(error).__name__])
    return trace


@exam.question("exceptions", points=3, examples=30)
def requests_are_no_exceptions(
    dark, place: Choice(*PLACES), iteration: Integer(1, 6), run_or_epoch: Choice("run", "epoch")
):
    """terminate and terminate_epoch work as before, also with handlers of EXCEPTION_RAISED, and within them."""
    traces = []
    for within in (False, True):

        def end(engine):
            return engine.terminate() if run_or_epoch == "run" else engine.terminate_epoch()

        def step(engine, batch, within=within, end=end):
            if engine.state.iteration == iteration and within:
                raise Corrupt
            if engine.state.iteration == iteration and place == "process":
                end(engine)
            return batch

        def ask(engine, within=within, end=end):
            if engine.state.iteration == iteration and not within:
                end(engine)

        engine, trace = traced(dark, step)
        if place in EVENTS:
            engine.add_event_handler(getattr(dark.Events, place), ask)
        handlers = (lambda error, *, trace=trace: trace.append("!")), (lambda engine, error, end=end: end(engine))
        engine.add_event_handler(dark.Events.EXCEPTION_RAISED, handlers[within])
        engine.run([1, 2, 3], max_epochs=3)
        traces.append(trace)
    return traces


@exam.question("exceptions")
def data_that_fails(dark, size: Integer(0, 3), handled: Integer(0, 1)):
    """An exception of the data is handled like one of the process function; Ctrl-C ends the run."""
    engine, trace = traced(dark)

    class Files:
        def __iter__(self):
            yield from range(size)
            raise Corrupt("unreadable")

    if handled:
        engine.add_event_handler(dark.Events.EXCEPTION_RAISED, lambda error: trace.append(["handled", str(error)]))
    for _ in range(2):
        try:
            engine.run(Files(), max_epochs=2, epoch_length=size + 1)
        except Corrupt as error:
            trace.append(["raised", str(error)])
    return {"trace": trace, "batches until Ctrl-C": interrupted(dark, size)}


def interrupted(dark, number):
    """Press Ctrl-C in the process function of an engine whose exceptions are handled; return the batches until then."""
    batches = []

    def press(engine, batch):
        batches.append(batch)
        raise KeyboardInterrupt

    engine = dark.Engine(press)
    engine.add_event_handler(dark.Events.EXCEPTION_RAISED, lambda error: None)
    with suppress(KeyboardInterrupt):
        engine.run([number], max_epochs=2)
    return batches


# supervised_trainer


class Line:
    """y = w · x, a network with a single number; it begins in evaluation mode, with a gradient of something else."""

    def __init__(self, w, calls):
        self.w, self.calls = w, calls
        self.used_elsewhere()

    def used_elsewhere(self):
        """Do what may happen between two steps."""
        self.mode, self.gradient = "in evaluation mode", 100.0

    def train(self, mode=True):
        """Change the mode."""
        self.mode = "in training mode" if mode else "in evaluation mode"

    def __call__(self, x):
        self.calls.append(["forward", x, self.mode])
        return [x, self.w * x]


class Descent:
    """Gradient descent on a line."""

    def __init__(self, line, lr):
        self.line, self.lr = line, lr

    def zero_grad(self):
        """Set the gradient to zero."""
        self.line.gradient = 0.0

    def step(self):
        """Make a step."""
        self.line.calls.append(["step", {"gradient": self.line.gradient}])
        self.line.w -= self.lr * self.line.gradient


class Loss:
    """Half the square of a difference: a node with a value and a backward pass."""

    def __init__(self, line, y_pred, y):
        line.calls.append(["loss", y_pred[1], y])
        self.line, self.x, self.difference = line, y_pred[0], y_pred[1] - y
        self.value = 0.5 * self.difference**2

    def backward(self):
        self.line.calls.append(["backward", {"gradient before": self.line.gradient}])
        self.line.gradient += self.difference * self.x


def number(output):
    """Return the type of an output, and the output if it is a number; a float of NumPy is a float."""
    kind = "float" if isinstance(output, float) else type(output).__name__
    return [kind, output if isinstance(output, (int, float)) else "not a number"]


def trained(dark, w, lr, batches, epochs):
    """Train a line; return the calls, the outputs and their types, and the weights."""
    calls, outputs = [], []
    line = Line(w, calls)
    trainer = dark.create_supervised_trainer(line, Descent(line, lr), lambda y_pred, y: Loss(line, y_pred, y))
    before = list(calls)

    @trainer.on(dark.Events.ITERATION_COMPLETED)
    def note(engine):
        outputs.append([*number(engine.state.output), line.w])
        line.used_elsewhere()

    state = trainer.run(batches, max_epochs=epochs)
    return {"before": before, "calls": calls, "outputs": outputs, "end": [state.epoch, state.iteration, line.w]}


@exam.question("supervised_trainer", points=4)
def one_iteration(dark, w: Float(-3, 3), x: Float(-3, 3), y: Float(-3, 3), lr: Float(0, 1)):
    """In training mode, from gradients of zero, one step; the output is the loss as a float."""
    return trained(dark, w, lr, [(x, y)], 1)


@exam.question("supervised_trainer", points=4)
def whole_trainings(dark, w: Float(-2, 2), xs: ListOf(Float(-2, 2), 1, 4), slope: Float(-2, 2), epochs: Integer(1, 3)):
    """Each batch makes one step; gradients of earlier ones do not count."""
    return trained(dark, w, 0.1, [(x, slope * x) for x in xs], epochs)


@exam.question("supervised_trainer", points=2)
def two_trainers(dark, first: Float(-2, 2), second: Float(-2, 2), x: Float(-2, 2)):
    """Two trainers have nothing in common."""
    calls = []
    lines = [Line(w, calls) for w in (first, second)]
    trainers = [
        dark.create_supervised_trainer(line, Descent(line, 0.5), lambda y_pred, y, line=line: Loss(line, y_pred, y))
        for line in lines
    ]
    seen = []
    for k in (0, 1, 0):
        seen.append([*number(trainers[k].run([(x, 1.0)]).output), lines[0].w, lines[1].w])
    return {"seen": seen, "calls": calls}


@exam.question("supervised_trainer", points=2)
def values_of_arrays(dark, value: Float(-9, 9), kind: Choice("float", "int", "list")):
    """The value of a loss may be any number; the output is a float of its own."""

    class Number:
        def __init__(self):
            self.value = {"float": value, "int": round(value), "list": value}[kind]

        def backward(self):
            self.value = self.value + 0

    calls = []
    line = Line(0.0, calls)
    trainer = dark.create_supervised_trainer(line, Descent(line, 0.0), lambda y_pred, y: Number())
    return number(trainer.run([(1.0, 1.0)]).output)


# repairs of "Find the bug"; they earn no points


@exam.repair("batches_of")
def an_epoch_continues_in_the_data(dark, epochs: Integer(2, 3), length: Integer(1, 3), more: Integer(0, 2)):
    """An epoch begins in the data where the one before has stopped."""
    return list(dark.batches_of(list(range(1, epochs * length + more + 1)), epochs, length))
