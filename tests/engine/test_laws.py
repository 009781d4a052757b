"""Random programs of runs: every trace is that of a small model of the rules, and pauses change nothing."""

from collections import deque

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from dark.data import DataLoader
from dark.engine import Engine
from dark.engine.run_arguments import is_done
from dark.errors import EngineError
from tests.engine.model import Model, Wrong
from tests.examples import examples

ASKED = {
    "terminate": lambda engine: engine.terminate(),
    "terminate skipping": lambda engine: engine.terminate(skip_completed=True),
    "end epoch": lambda engine: engine.terminate_epoch(),
    "end epoch skipping": lambda engine: engine.terminate_epoch(skip_epoch_completed=True),
    "interrupt": lambda engine: engine.interrupt(),
}
REQUESTS = st.dictionaries(st.integers(0, 60), st.sampled_from([*ASKED, "raise"][:4] + ["raise"]), max_size=4)


class Asked(Engine):
    """An engine with requests at some of its firings, which records all of them."""

    def __init__(self, requests):
        self.requests, self.fired, self.trace, self.batches = requests, 0, [], []
        super().__init__(lambda engine, batch: engine.batches.append(batch))

    def _fire_event(self, event_name, *args, **kwargs):
        super()._fire_event(event_name, *args, **kwargs)
        self.trace.append((event_name.name, self.state.epoch, self.state.iteration))
        if event_name.name == "INTERRUPT":
            return
        asked, self.fired = self.requests.get(self.fired), self.fired + 1
        if asked == "raise":
            raise Wrong
        if asked:
            ASKED[asked](self)


class Programs(RuleBasedStateMachine):
    """Runs, extensions and resumes of one training, in an engine and in the model."""

    @initialize(
        requests=REQUESTS, length=st.none() | st.integers(1, 5), items=st.integers(1, 4), by_epochs=st.booleans()
    )
    def start(self, requests, length, items, by_epochs):
        self.engine, self.model = Asked(requests), Model(requests)
        self.data, self.length = list(range(items)), length
        self.limit, self.name = 0, "max_epochs" if by_epochs else "max_iters"

    @rule(more=st.integers(0, 3))
    def run(self, more):
        reached = self.model.epoch if self.name == "max_epochs" else self.model.iteration
        limit = {self.name: max(self.limit + more, reached, 1)}
        self.limit = limit[self.name]
        try:
            self.engine.run(self.data, epoch_length=self.length, **limit)
            ended = "ended"
        except Wrong:
            ended = "wrong"
        except EngineError:
            ended = "too early"
        assert self.model.run(self.data, self.length or len(self.data), **limit) == ended
        assert self.engine.trace == self.model.trace
        assert self.engine.batches == self.model.batches
        assert (self.engine.state.epoch, self.engine.state.iteration) == (self.model.epoch, self.model.iteration)

    @rule(epochs=st.integers(0, 3), done=st.integers(0, 4))
    def resume(self, epochs, done):
        """Resume in another engine, from a position written manually."""
        length = self.length or len(self.data)
        iteration = epochs * length + done % length
        self.limit = max(self.limit, epochs + 1 if self.name == "max_epochs" else iteration + 1)
        before, self.engine = self.engine, Asked(self.engine.requests)
        self.engine.fired, self.engine.trace, self.engine.batches = before.fired, before.trace, before.batches
        self.engine.load_state_dict({"epoch_length": length, "iteration": iteration, self.name: self.limit})
        self.model.epoch, self.model.iteration, self.model.done_in_epoch = epochs, iteration, done % length
        self.model.resumes = True


TestPrograms = Programs.TestCase
TestPrograms.settings = settings(examples(200), stateful_step_count=8)


@given(requests=REQUESTS, pauses=st.sets(st.integers(0, 60)), length=st.none() | st.integers(1, 5))
def test_pauses_change_nothing(requests, pauses, length):
    """A run with pauses at any firings, resumed each time, equals the run without them."""
    requests = {n: asked for n, asked in requests.items() if asked != "raise"}
    straight, paused = Asked(requests), Asked({**dict.fromkeys(pauses, "interrupt"), **requests})
    try:
        straight.run(range(3), max_epochs=3, epoch_length=length)
        ended = "ended"
    except EngineError:
        ended = "too early"
    try:
        paused.run(range(3), max_epochs=3, epoch_length=length)
        while paused.current_run.paused is not None:
            paused.run()
        assert ended == "ended"
    except EngineError:
        assert ended == "too early"
    assert [moment for moment in paused.trace if moment[0] != "INTERRUPT"] == straight.trace
    assert paused.batches == straight.batches


CUTS = st.dictionaries(st.integers(1, 12), st.booleans(), max_size=4)
LIMITS = st.builds(lambda name, limit: {name: limit}, st.sampled_from(["max_epochs", "max_iters"]), st.integers(1, 9))


class Saved(Engine):
    """An engine that saves a state at the end of one of its firings, and ends epochs after some iterations."""

    def __init__(self, cuts, at=None):
        self.cuts, self.at, self.trace, self.batches, self.state_there = cuts, at, [], [], None
        super().__init__(lambda engine, batch: engine.batches.append(np.asarray(batch).tolist()))

    def _fire_event(self, event_name, *args, **kwargs):
        super()._fire_event(event_name, *args, **kwargs)
        name, iteration = event_name.name, self.state.iteration
        if name == "ITERATION_COMPLETED" and iteration in self.cuts:
            self.terminate_epoch(skip_epoch_completed=self.cuts[iteration])
        self.trace.append((name, self.state.epoch, iteration))
        if len(self.trace) == self.at:
            self.state_there = self.state_dict(), len(self.batches)


DATA = {
    "loader": lambda: DataLoader(range(5), batch_size=2, shuffle=True, seed=3),
    "list": lambda: [3, 1, 2],
    "tuple": lambda: (3, 1, 2, 5),
    "range": lambda: range(5),
    "array": lambda: np.arange(6).reshape(3, 2),
    "deque": lambda: deque([3, 1]),
}


@given(
    kind=st.sampled_from(list(DATA)), cuts=CUTS, length=st.none() | st.integers(1, 7), limit=LIMITS,
    among=st.integers(0, 99), is_old=st.booleans(),
)  # fmt: skip
def test_a_run_resumed_from_any_state_fires_the_remaining_events_with_the_same_batches(
    kind, cuts, length, limit, among, is_old
):
    """From a state saved at the end of any iteration or epoch, no event and no batch is lost.

    Older states have no position in a sequence; it follows from the iteration where no epoch was cut short.
    """
    make_data = DATA[kind]
    whole = Saved(cuts)
    whole.run(make_data(), epoch_length=length, **limit)
    ends = [n + 1 for n, (name, *_) in enumerate(whole.trace) if name in ("ITERATION_COMPLETED", "EPOCH_COMPLETED")]
    before = Saved(cuts, at=ends[among % len(ends)])
    before.run(make_data(), epoch_length=length, **limit)
    state, batches = before.state_there
    if is_old and not cuts and state.get("batches", [0, 1])[0] < state.get("batches", [0, 1])[1]:
        state.pop("batches", None)
    after = Saved(cuts)
    after.load_state_dict(state)
    assert after.state_dict() == state
    if is_done(after.state, after.current_run.resume_position):  # only TERMINATE and COMPLETED left: it starts over
        return
    after.run(make_data())
    is_inside = whole.trace[before.at - 1][0] == "ITERATION_COMPLETED"
    assert after.trace[1 + is_inside :] == whole.trace[before.at :]
    assert after.batches == whole.batches[batches:]
