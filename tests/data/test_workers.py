"""Worker processes: the same batches in the same order, errors are raised, and no process is left running."""

import copyreg
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dark.data import DataLoader, TensorDataset
from dark.data.workers import Worker, picklable, start_context
from dark.errors import DarkError, UsageError
from tests.data.comparison import assert_same, numbered, with_noise
from tests.data.test_loader import SETTINGS, epochs

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def no_process_left():
    """Fail a test that leaves a worker running."""
    yield
    if multiprocessing.active_children():
        gc.collect()  # an iterator in a cycle
    assert not multiprocessing.active_children()


class CallableItems(list):
    """Items that are functions, called when they are read."""

    def __getitem__(self, index):
        return super().__getitem__(index)()


class Odd(Exception):
    """An exception that cannot be unpickled: it takes two arguments and stores one."""

    def __init__(self, a, b):
        super().__init__(a)


def failing(error):
    """Return an item that raises when it is read."""

    def fail():
        raise error

    return fail


@pytest.mark.parametrize("name", ["shuffled", "weighted", "a list of batches", "transformed", "drawn twice"])
@settings(max_examples=4)
@given(n=st.integers(1, 13), workers=st.integers(1, 3), ahead=st.integers(1, 3))
def test_the_batches_are_the_same_for_any_number_of_workers(name, n, workers, ahead):
    made = SETTINGS[name](n)
    alone = DataLoader(numbered(n), seed=3, **made)
    helped = DataLoader(numbered(n), seed=3, num_workers=workers, prefetch_factor=ahead, **made)
    assert_same(epochs(helped), epochs(alone))


def test_a_loader_with_workers_resumes_after_the_last_batch_yielded_not_after_the_last_prefetched():
    make = lambda workers: DataLoader(numbered(20), 2, True, seed=0, num_workers=workers, transform=with_noise)
    first, second, right = make(2), make(3), epochs(make(0), 2)
    batches = iter(first)
    assert_same([next(batches) for _ in range(3)], right[0][:3])
    second.load_state_dict(first.state_dict())
    batches.close()
    assert second.position == 3
    assert_same([*second], right[0][3:])
    assert_same([*second], right[1])


def test_spawned_workers_give_the_same_batches():
    alone = DataLoader(numbered(5), 2, True, seed=0, transform=with_noise)
    spawned = DataLoader(
        numbered(5), 2, True, seed=0, transform=with_noise, num_workers=1, multiprocessing_context="spawn"
    )
    assert_same([*spawned], [*alone])


def test_large_batches_and_large_tasks_do_not_block_each_other():
    n = 300_000
    loader = DataLoader(np.zeros((n, 2)), n, sampler=[*range(n)] * 3, num_workers=1, prefetch_factor=3)
    assert [batch.shape for batch in loader] == [(n, 2)] * 3


def test_an_error_in_a_worker_is_raised_with_its_traceback_and_ends_the_epoch():
    loader = DataLoader(CallableItems([int, int, failing(OSError("no such file")), int]), num_workers=2)
    batches = iter(loader)
    assert [next(batches).tolist(), next(batches).tolist()] == [[0], [0]]
    with pytest.raises(OSError, match="no such file") as caught:
        next(batches)
    notes = caught.value.__notes__
    assert notes[:2] == ["while reading item 2 of CallableItems", "in the batch of the items 2"]
    assert notes[2].startswith("in worker 0:\nTraceback") and "in fail" in notes[2]
    assert next(batches, None) is None


def test_an_error_that_cannot_be_pickled_becomes_its_message(monkeypatch):
    # What dask imports, in another test of this process, makes every exception picklable.
    monkeypatch.delitem(copyreg.dispatch_table, Odd, raising=False)
    with pytest.raises(DarkError, match="^Odd: a\n") as caught:
        [*DataLoader(CallableItems([failing(Odd("a", "b"))]), num_workers=1)]
    assert "while reading item 0 of CallableItems" in caught.value.__notes__
    assert str(picklable(Odd("a", "b"))) == "Odd: a"
    assert type(picklable(OSError(2, "no"))) is FileNotFoundError


def test_a_batch_that_cannot_be_pickled_is_an_error():
    with pytest.raises(Exception, match="pickle"):
        [*DataLoader(CallableItems([lambda: lambda: 1]), num_workers=1, collate_fn=list)]


def test_a_killed_worker_raises():
    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(DarkError, match="worker 1 ended with exit code -9 before .*\n.*\n  Try: num_workers=0"):
        [*DataLoader(CallableItems([int, die, int, int, int]), num_workers=2)]


def test_a_worker_that_exits_raises():
    with pytest.raises(DarkError, match="worker 0 ended with exit code 3"):
        [*DataLoader(CallableItems([lambda: os._exit(3)]), num_workers=1)]


def test_a_worker_that_hangs_raises_after_the_timeout_and_is_terminated():
    with pytest.raises(
        DarkError, match="no batch from worker 0 within 0.2 s.\n  Expected: .*\n  Try: a longer timeout"
    ):
        [*DataLoader(CallableItems([threading.Event().wait]), num_workers=1, timeout=0.2)]


def test_breaking_out_of_a_loop_leaves_no_process():
    for _ in DataLoader(numbered(100), num_workers=2):
        assert len(multiprocessing.active_children()) == 2
        break
    assert not multiprocessing.active_children()


def test_an_unreferenced_iterator_leaves_no_process():
    batches = iter(DataLoader(CallableItems([int, threading.Event().wait, int]), num_workers=2))
    next(batches)
    circle = [batches]
    circle.append(circle)
    del batches, circle
    gc.collect()
    assert not multiprocessing.active_children()


def test_an_error_in_the_loop_leaves_no_process():
    with pytest.raises(ZeroDivisionError):
        for _ in DataLoader(numbered(100), num_workers=2):
            1 / 0
    assert not multiprocessing.active_children()


def test_no_more_workers_are_started_than_there_are_batches():
    batches = iter(DataLoader(numbered(2), num_workers=8))
    next(batches)
    assert len(multiprocessing.active_children()) == 2
    batches.close()


def test_two_loaders_with_workers_can_be_interleaved():
    a, b = (DataLoader(numbered(6), 2, num_workers=2) for _ in range(2))
    for x, y in zip(a, b):
        assert_same(x, y)


def test_a_loader_may_be_used_in_another_thread():
    found = []
    thread = threading.Thread(target=lambda: found.extend(DataLoader(numbered(6), 2, num_workers=2)))
    thread.start()
    thread.join()
    assert_same(found, [*DataLoader(numbered(6), 2)])


def test_a_forked_process_does_not_end_the_workers_of_its_parent():
    worker = Worker(start_context(), str, "worker 0", [])
    owner, worker._owner = worker._owner, -1
    worker.end()
    worker.send(5)
    assert worker.receive(60) == "5"
    worker._owner = owner
    worker.end()


def test_a_loader_inside_a_worker_cannot_have_workers():
    inner = DataLoader(numbered(2), num_workers=1)
    with pytest.raises(UsageError, match="a worker process cannot start workers of its own"):
        [*DataLoader(CallableItems([lambda: [*inner]]), num_workers=1, collate_fn=list)]


def test_spawned_workers_need_a_transform_that_can_be_pickled():
    loader = DataLoader([1], num_workers=1, multiprocessing_context="spawn", transform=lambda item, generator: item)
    with pytest.raises(Exception, match="pickle") as caught:
        [*loader]
    assert "DataLoader: a worker gets a pickled copy of dataset, transform and collate_fn" in caught.value.__notes__


def test_an_unknown_start_method_is_rejected():
    with pytest.raises(
        UsageError,
        match="multiprocessing_context 'thread' is not supported on this platform.\n  Expected: one of .*spawn",
    ):
        [*DataLoader([1], num_workers=1, multiprocessing_context="thread")]


def test_workers_need_a_platform_with_processes(monkeypatch):
    monkeypatch.setitem(sys.modules, "multiprocessing", None)
    with pytest.raises(UsageError, match="this platform does not support processes.\n  Expected: num_workers=0"):
        start_context()


SCRIPT = """
import threading
import numpy as np
from dark.data import DataLoader

class Slow(list):
    def __getitem__(self, index):
        return index if index < 4 else threading.Event().wait()

for batch in DataLoader(Slow(range(9)), num_workers=2):
    print(int(batch[0]), flush=True)
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_script_that_is_interrupted_or_killed_leaves_no_process(sign):
    script = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert [script.stdout.readline() for _ in range(4)] == ["0\n", "1\n", "2\n", "3\n"]
    if sign == signal.SIGINT:
        os.killpg(script.pid, sign)  # Ctrl-C reaches the workers too
    else:
        script.send_signal(sign)
    _, said = script.communicate(timeout=60)  # the workers hold these pipes: this waits for the last of them
    assert script.returncode == -sign
    assert said.count("Traceback") == (1 if sign == signal.SIGINT else 0)


def test_the_output_of_a_dataset_in_a_worker_is_printed():
    code = "from dark.data import DataLoader\nclass Loud(list):\n def __getitem__(self, i): print(i); return i\n"
    code += "[*DataLoader(Loud(range(3)), num_workers=1)]"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert said == "0\n1\n2\n"


def test_importing_dark_imports_no_multiprocessing():
    code = "import sys, dark; print({'multiprocessing', 'sklearn', 'numpy.random'} & {*sys.modules})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert said == "set()\n"


def test_a_tensor_dataset_is_read_by_workers_in_whole_batches():
    class Once(TensorDataset):
        def batch(self, indices):
            return "whole"

    assert [*DataLoader(Once(np.arange(4)), 2, num_workers=1)] == ["whole", "whole"]
