"""The milestone of module 08: a training that was killed and resumed ends with the same bytes."""

import signal
from time import process_time

import numpy as np
import pytest

from tests.exams.milestones import cells_of, run

IMPORTS = """
import signal
from itertools import islice

from sklearn.datasets import load_digits
"""
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cells():
    """Return the cells of the milestone that define something."""
    classes = ("class Dropout", "class ResumableEngine", "class EarlyStopping")
    functions = ("def killed_training", "def resumed_training")
    return [IMPORTS, *cells_of("08", *classes, "seed, left_out = 0, []", *functions)]


def bytes_of(objects):
    """Return the parameters of the network as bytes."""
    return [p.value.tobytes() for p in objects["net"].parameters()]


def whole_and_resumed(made, folder, step):
    """Train in two folders, without a stop and with one; return both times the objects and the losses."""
    one, two = folder / "one", folder / "two"
    one.mkdir()
    two.mkdir()
    trainer, _, whole, _ = made.make_training(one)
    trainer.run(whole["loader"], max_epochs=60)
    assert made.killed_training(two, step) == -signal.SIGKILL
    until = (two / "losses").read_text().splitlines()
    assert len(until) == step
    resumed, _, saved = made.resumed_training(two)
    assert saved == (0 if "trainer" in made.left_out else step // 100 * 100)
    after = (two / "losses").read_text().splitlines()[step:]
    return (whole, (one / "losses").read_text().splitlines()), (resumed, until[:saved] + after)


@pytest.mark.parametrize(("seed", "step"), [(0, 777), (1, 777), (2, 777), (3, 777), (0, 950), (1, 899), (2, 100)])
def test_a_killed_training_ends_with_the_same_bytes(cells, tmp_path, seed, step):
    made = run("08", cells)
    made.seed = seed
    start = process_time()
    (whole, losses), (resumed, same_losses) = whole_and_resumed(made, tmp_path, step)
    assert process_time() - start < 30
    assert bytes_of(whole) == bytes_of(resumed) and losses == same_losses
    history = whole["stopping"].history
    assert history == resumed["stopping"].history and max(history) > 0.97
    assert 17 < len(history) < 60 and len(history) - 1 - history.index(max(history)) == 12


@pytest.mark.parametrize("name", ["trainer", "net", "optimizer", "loader", "random"])
def test_whatever_is_left_out_of_the_checkpoint_is_missed(cells, tmp_path, name):
    made = run("08", cells)
    made.left_out.append(name)
    (whole, losses), (resumed, other_losses) = whole_and_resumed(made, tmp_path, 777)
    assert bytes_of(whole) != bytes_of(resumed) and losses != other_losses


@pytest.mark.parametrize("which", range(3))
def test_it_runs_on_right_answers_written_differently(cells, tmp_path, which):
    (whole, losses), (resumed, same_losses) = whole_and_resumed(run("08", cells, which), tmp_path, 777)
    assert bytes_of(whole) == bytes_of(resumed) and losses == same_losses
    assert np.all(np.diff([int(line.split()[0]) for line in losses]) == 1)


def test_a_training_that_no_signal_can_end_is_resumed_too(cells, tmp_path, monkeypatch):
    def fork():
        raise OSError(52, "Function not implemented")

    made = run("08", cells)
    monkeypatch.setattr("os.fork", fork)
    assert made.killed_training(tmp_path, 250) is None
    assert len((tmp_path / "losses").read_text().splitlines()) == 250
    assert made.resumed_training(tmp_path)[2] == 200
