"""Seeds, generators, and the engine that resumes its random numbers."""

import json
import random
import subprocess
import sys
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.data import BatchSampler, DataLoader, RandomSampler
from dark.engine import (
    DeterministicEngine,
    Events,
    ReproducibleBatchSampler,
    keep_random_state,
    manual_seed,
    random_states,
    seeded_feed,
    set_random_states,
)  # fmt: skip
from dark.engine.resume import seed_source
from dark.errors import UsageError, ValueTypeError


def numbers():
    return random.random(), float(np.random.rand())


def test_a_seed_is_for_python_and_numpy():
    manual_seed(3)
    first = numbers()
    manual_seed(3)
    assert numbers() == first
    manual_seed(2**40)  # more than NumPy accepts
    manual_seed(np.int64(3))
    assert numbers() == first


@pytest.mark.parametrize("seed", [None, 1.5, "3"])
def test_a_seed_is_an_integer(seed):
    manual_seed(3)
    first = numbers()
    manual_seed(3)
    with pytest.raises(ValueTypeError, match=f"manual_seed: seed must be an integer, got {seed!r}"):
        manual_seed(seed)
    assert numbers() == first


def test_states_go_through_json():
    states = json.loads(json.dumps(random_states()))
    first = numbers()
    set_random_states(states)
    assert numbers() == first


def test_a_library_that_is_not_loaded_is_ignored(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    manual_seed(3)
    states = random_states()
    assert "numpy" not in states
    set_random_states(states)


@pytest.mark.parametrize("fails", [False, True])
def test_a_kept_random_state_is_restored_and_the_result_passed_on(fails):
    @keep_random_state
    def evaluate(value, *, more):
        numbers()
        if fails:
            raise ValueError("mine")
        return value + more

    manual_seed(3)
    first = numbers()
    manual_seed(3)
    if fails:
        with pytest.raises(ValueError, match="mine"):
            evaluate(1, more=2)
    else:
        assert evaluate(1, more=2) == 3
    assert numbers() == first and evaluate.__name__ == "evaluate"


KILLS = [Events.ITERATION_COMPLETED, Events.ITERATION_COMPLETED, Events.EPOCH_COMPLETED]


def stream():
    while True:
        yield float(np.random.rand())


def ones():
    return DataLoader(np.arange(5), batch_size=1, shuffle=True, seed=4)


def own_sampler():
    sampler = ReproducibleBatchSampler(BatchSampler(RandomSampler(range(5)), 1))
    return DataLoader(np.arange(5), batch_sampler=sampler, seed=4)


def run(make_data, epochs, length, kill=None, state=None, cut=None, draws=True):
    """Run with draws from the global generators everywhere; return what was seen, and the state at `kill`.

    With `draws`, another loop begins a pass over the same data at the start and the end of each epoch, too.
    """
    seen, saved, data = [], [], make_data()

    def step(engine, batch):
        engine_numbers = numbers() if draws else ()
        seen.append((engine.state.epoch, engine.state.iteration, np.ravel(batch).tolist(), engine_numbers))

    engine = DeterministicEngine(step)
    if cut:
        engine.add_event_handler(Events.ITERATION_COMPLETED(once=cut), lambda e: e.terminate_epoch())
    if draws:
        begins = Events.EPOCH_STARTED(event_filter=lambda e, epoch: e.state.iteration == e.current_run.epoch_start)
        look = lambda e: seen.append((e.last_event_name.name, numbers(), np.ravel(next(iter(data))).tolist()))
        engine.add_event_handler(begins | Events.EPOCH_COMPLETED, look)
    if kill:
        stop = lambda e: (saved.append(e.state_dict()), e.terminate(skip_completed=True))
        engine.add_event_handler(kill, stop)
    if state:
        engine.load_state_dict(state)
        engine.run(data)
    else:
        manual_seed(11)
        engine.run(data, max_epochs=epochs, epoch_length=length)
    return seen, saved


@pytest.mark.parametrize("make_data", [lambda: range(5), ones, own_sampler])
@given(
    kill=st.builds(lambda event, n: event(once=n), st.sampled_from(KILLS), st.integers(1, 11)),
    length=st.none() | st.integers(1, 7),
    epochs=st.integers(1, 3),
    cut=st.none() | st.integers(1, 5),
)
def test_a_killed_run_resumes_bit_for_bit_with_all_its_random_numbers(make_data, kill, length, epochs, cut):
    whole, _ = run(make_data, epochs, length, cut=cut)
    before, states = run(make_data, epochs, length, kill, cut=cut)
    if len(before) == len(whole):
        return
    np.random.rand()
    after, _ = run(make_data, epochs, length, state=json.loads(json.dumps(states[0])), cut=cut)
    assert before + after == whole


@pytest.mark.parametrize("make_data", [lambda: range(5), ones])
@given(kill=st.integers(1, 14), length=st.none() | st.integers(1, 7))
def test_without_handlers_that_draw_random_numbers_nothing_differs(make_data, kill, length):
    def quiet(kill=None, state=None):
        seen, saved = [], []
        engine = DeterministicEngine(lambda engine, batch: seen.append((int(np.ravel(batch)[0]), numbers())))
        if kill:
            stop = lambda e: (saved.append(e.state_dict()), e.terminate(skip_completed=True))
            engine.add_event_handler(Events.ITERATION_COMPLETED(once=kill), stop)
        if state:
            engine.load_state_dict(state)
        manual_seed(11)
        engine.run(make_data(), **({} if state else {"max_epochs": 3, "epoch_length": length}))
        return seen, saved

    whole, _ = quiet()
    before, states = quiet(kill)
    if states and kill < len(whole):
        manual_seed(99)
        after, _ = quiet(state=states[0])
        assert before + after == whole


def test_a_stream_of_random_data_is_reproduced_if_nothing_else_draws():
    whole, _ = run(stream, 3, 4, draws=False)
    _, (state,) = run(stream, 3, 4, kill=Events.ITERATION_COMPLETED(once=6), draws=False)
    after, _ = run(stream, 3, 4, state=state, draws=False)
    assert after == whole[6:]


def test_finite_streams_are_restarted_while_batches_are_discarded():
    class Finite:
        def __iter__(self):
            return iter([float(np.random.rand()) for _ in range(3)])

    whole, _ = run(Finite, 3, 4, draws=False)
    by_hand = {"iteration": 7, "max_epochs": 3, "epoch_length": 4, "rng_states": None}
    manual_seed(11)
    after, _ = run(Finite, 3, 4, state=by_hand, draws=False)
    assert after == whole[7:]

    class Spent:
        def __iter__(self):
            return iter([])

    with pytest.warns(UserWarning, match="can not provide data anymore"):
        run(Spent, 2, 4, state=by_hand, draws=False)


def test_a_position_written_manually_takes_its_seed_from_the_global_generator():
    whole, _ = run(ones, 3, None, draws=False)
    manual_seed(11)
    after, _ = run(
        ones, 3, None, state={"epoch": 1, "epoch_length": 5, "max_epochs": 3, "rng_states": None}, draws=False
    )
    assert after == whole[5:]


def test_each_pass_starts_with_the_seed_plus_its_index():
    seen = []
    engine = DeterministicEngine(lambda engine, batch: seen.append(random.random()))
    manual_seed(5)
    engine.run(range(4), max_epochs=4, epoch_length=2)
    manual_seed(5)
    seed = random.randrange(10**9)
    assert engine.state.seed == seed
    for k in range(2):
        manual_seed(seed + k)
        assert seen[4 * k : 4 * k + 4] == [random.random() for _ in range(4)]


def test_a_state_dict_contains_the_generators_and_requires_them():
    engine = DeterministicEngine(lambda engine, batch: None)
    state = engine.state_dict()
    assert list(state) == ["epoch_length", "iteration", "max_epochs", "rng_states"]
    engine.load_state_dict(state)
    assert engine.state_dict() == state
    del state["rng_states"]
    with pytest.raises(UsageError, match="Required user state attribute 'rng_states'"):
        engine.load_state_dict(state)


def test_a_copy_saves_the_pass_of_its_own_feed():
    engine = DeterministicEngine(lambda engine, batch: None)
    engine.run([1, 2], max_epochs=2)
    other = deepcopy(engine)
    other.run([1, 2], max_epochs=5)
    assert [each.state_dict()["rng_states"]["passes"] for each in (engine, other)] == [1, 4]


def test_a_state_from_before_the_first_run_gives_the_same_run():
    def first(state=None):
        engine = DeterministicEngine(lambda engine, batch: random.random())
        if state:
            engine.load_state_dict(state)
        else:
            manual_seed(3)
        before = engine.state_dict()
        return engine.run([1]).output, before

    output, state = first()
    random.random()
    assert first(state)[0] == output


def test_runs_of_one_engine_follow_each_other():
    engine = DeterministicEngine(lambda engine, batch: None)
    engine.run([1, 2], max_epochs=1)
    assert engine.run([1, 2], max_epochs=3).iteration == 6
    assert engine.run([1, 2], max_epochs=3).iteration == 6


def test_data_is_needed():
    engine = DeterministicEngine(lambda engine, batch: None)
    with pytest.raises(UsageError, match="does not support the option of data=None"):
        engine.run(epoch_length=3)


@pytest.mark.parametrize("wrong", ["abc", 3, iter([[1]])])
def test_a_batch_sampler_has_batches_and_a_length(wrong):
    with pytest.raises(ValueTypeError, match="Argument batch_sampler should be a batch sampler, got"):
        ReproducibleBatchSampler(wrong)


def test_a_reproducible_batch_sampler_skips_batches_once():
    sampler = ReproducibleBatchSampler(BatchSampler(RandomSampler(range(6)), 2))
    manual_seed(1)
    whole = [batch.tolist() for batch in sampler]
    manual_seed(1)
    sampler.start_iteration = 2
    assert [batch.tolist() for batch in sampler] == whole[2:] and len(sampler) == 3
    assert len(list(sampler)) == 3 and sampler.start_iteration is None


@pytest.mark.parametrize("seed", [None, 0])
def test_a_position_written_manually_gives_the_batches_of_the_first_run_also_with_a_new_loader(seed):
    def batches(state=None, **limits):
        seen, engine = [], DeterministicEngine(lambda engine, batch: seen.append(batch.tolist()))
        if state is not None:
            engine.load_state_dict(state)
        manual_seed(56)
        engine.run(DataLoader(np.arange(40), batch_size=4, shuffle=True, seed=seed), **limits)
        return seen

    whole = batches(max_epochs=2, epoch_length=5)
    assert batches({"epoch": 1, "epoch_length": 5, "max_epochs": 2, "rng_states": None}) == whole[5:]


SEEDERS = {"python": random.seed, "numpy": np.random.seed, "both": manual_seed}
USES = {"python": random.random, "numpy": np.random.rand, "both": numbers, "neither": lambda: None}


@pytest.mark.parametrize("before", USES)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("seeded", SEEDERS)
def test_seeding_python_or_numpy_repeats_a_run(seeded, use, before, monkeypatch):
    monkeypatch.setattr(seeded_feed, "SOURCE", seed_source.SeedSource())  # as in a process that has just begun

    def repeated():
        engine, seen = DeterministicEngine(lambda engine, batch: USES[use]()), []
        engine.add_event_handler(Events.ITERATION_COMPLETED, lambda e: seen.append((e.state.output, *numbers())))
        SEEDERS[seeded](7)
        for _ in range(20):  # as building a network draws
            if seeded != "numpy":
                random.getrandbits(63)
            if seeded != "python":
                np.random.rand()
        engine.run(range(3), max_epochs=2)
        return seen

    first = repeated()
    for _ in range(3):
        USES[before]()
    if seeded == "numpy":
        [random.getrandbits(63) for _ in range(300)]  # not what was seeded
    assert repeated() == first
    assert SEEDERS[seeded](8) is None and repeated() == first


@pytest.mark.parametrize("seeded", ["random.seed(7)", "np.random.seed(7)"])
@pytest.mark.parametrize("at", ["first", "last"])
def test_seeding_repeats_a_run_in_another_process(seeded, at):
    lines = [
        "import random", "import numpy as np", "from dark.engine import DeterministicEngine", "from dark import nn",
        "nn.Linear(2, 3)" if seeded.startswith("np") else "np.random.rand(3)",
        "engine = DeterministicEngine(lambda engine, batch: (random.random(), np.random.rand()))",
        "print(engine.run(range(2)).output)",
    ]  # fmt: skip
    lines.insert(2 if at == "first" else -1, seeded)
    command = [sys.executable, "-c", "\n".join(lines)]
    one, other = (subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert one == other and one


def test_runs_that_are_not_seeded_differ():
    seeds = [DeterministicEngine(lambda engine, batch: numbers()).run([1, 2]).seed for _ in range(5)]
    assert len(set(seeds)) == 5


def test_another_bit_generator_of_numpy_is_kept_and_restored():
    before = np.random.get_bit_generator()
    try:
        np.random.set_bit_generator(np.random.PCG64(3))
        states = json.loads(json.dumps(random_states()))
        first = numbers()
        set_random_states(states)
        assert numbers() == first
    finally:
        np.random.set_bit_generator(before)
