"""The milestone of module 13: runs are diagnosed from their notes alone, and watching them changes nothing.

Measured once on the seeds 0 to 19: 160 of 160 runs are named. Over these, healthy runs had a best accuracy of
0.958 to 0.986, a largest ratio of a weight of 0.0167 to 0.0295, gradient norms of at most 1.28 times the first, at
most 13 % saturated and 6 % dead units. With a fault: leak, accuracy 1; rate too large, ratio at least 1.67; too small,
at most 0.000006; exploding, at least 33 times the first norm; saturated, at least 75 %; dead, all units. The mean loss
of the last four notes is lowest in the leak on each seed: 0.0017 to 0.0030, and healthy at least 0.0060. The eight
runs of a seed took 5 s of CPU.
"""

import gc

import numpy as np
import pytest

from tests.exams.milestones import cells_of, run

SEEDS = [2, *(pytest.param(seed, marks=pytest.mark.long) for seed in (3, 4))]
HEALTHY = ["healthy, Adam", "healthy, SGD"]
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")


@pytest.fixture(autouse=True)
def files_left_open():
    """Collect the files that a right answer keeps open, so that no other test gets the warning about them."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def lesson():
    """Return a function that runs the cells that define something on right answers: the solutions, or others."""
    runs, evidence, watched = cells_of("13", "class Net(Mod", "def evidence(", "class Dropout(Mod")
    begin = "from sklearn.datasets import load_digits\nimages, labels = load_digits(return_X_y=True)\n"
    begin += "images = images / 8 - 1\n"
    watched = watched.split("\nalone, watched =")[0]
    cells = [begin + runs, evidence.split("\nfound =")[0], watched]
    return lambda which=None: run("13", cells, which)


def notes_of(made, seed, folder):
    """Train all runs, and read their notes."""
    paths = {name: folder / f"{k}.jsonl" for k, name in enumerate(made.RUNS)}
    for name, path in paths.items():
        made.train_run(name, seed, path)
    return {name: made.read_note(path) for name, path in paths.items()}


@pytest.mark.parametrize("seed", SEEDS)
def test_each_training_is_named_from_its_note(lesson, seed, tmp_path):
    made = lesson()
    notes = notes_of(made, seed, tmp_path)
    assert {name: made.diagnose(*note) for name, note in notes.items()} == {n: n.split(",")[0] for n in made.RUNS}
    last = {name: np.mean(scalars["loss"][1][-4:]) for name, (scalars, _) in notes.items()}
    assert min(last, key=last.get) == "leak"
    found = {name: made.evidence(*note) for name, note in notes.items()}
    for name in HEALTHY:
        assert found[name]["best accuracy"] < 0.99 and found[name]["dead"] < 0.1 and found[name]["saturated"] < 0.2
        assert 0.01 < found[name]["largest ratio"] < 0.035 and found[name]["gradients / first"] < 1.4


@pytest.mark.long
@pytest.mark.parametrize("which", range(4))
def test_right_answers_written_differently_name_them_too(lesson, which, tmp_path):
    made = lesson(which)
    notes = notes_of(made, 5, tmp_path)
    assert {name: made.diagnose(*note) for name, note in notes.items()} == {n: n.split(",")[0] for n in made.RUNS}


@pytest.mark.long
@pytest.mark.parametrize("which", [None, *range(4)])
def test_a_watched_training_has_the_same_bits(lesson, which, tmp_path):
    made = lesson(which)
    made.folder = tmp_path
    made.trained.__globals__["folder"] = tmp_path
    alone, watched = made.trained(False), made.trained(True)
    assert all(np.array_equal(alone[name], watched[name]) for name in alone)
    assert sorted(made.read_note(tmp_path / "watched.jsonl")[1])[-2:] == ["samples/2", "samples/3"]


@pytest.mark.long
def test_the_checks_before_a_training_find_three_of_six_faults(lesson):
    made, found = lesson(), {}
    for name in made.RUNS:
        x, net, make_optimizer = made.prepare(name, 0)
        found[name] = made.checks_before(net, made.cross_entropy, make_optimizer, x[:32], made.labels[:32], 10)
    assert all(first for first, _ in found.values())
    assert {name for name, (_, learned) in found.items() if not learned} == {"rate too small", "rate too large", "dead"}
