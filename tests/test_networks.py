"""The benchmark of networks: a framework that disagrees is not timed, and the README has the results."""

import json

import numpy as np
import pytest

from benchmarks import rivals
from benchmarks.networks import __main__ as command
from benchmarks.networks import child, machine, report
from benchmarks.networks.agreement import disagreement
from benchmarks.networks.data import WORKLOADS

RIGHT = [0.5, 0.25], [np.array([1.0, -2.0])]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (RIGHT, ""),
        (([0.5], RIGHT[1]), ""),
        (([0.5, 0.26], RIGHT[1]), "loss differs"),
        (([0.5, float("nan")], RIGHT[1]), "loss differs"),
        (([], RIGHT[1]), "loss differs"),
        ((RIGHT[0], [np.array([1.0, 2.0])]), "gradient differs"),
        ((RIGHT[0], [np.array([[1.0], [-2.0], [0.0]])]), "gradient differs"),
        ((RIGHT[0], []), "0 gradients, not 1"),
    ],
)
def test_who_computes_something_else_disagrees(found, said):
    reason = disagreement(found, RIGHT)
    assert reason.startswith(said) and bool(reason) == bool(said)


def stand_in(workload, peers, *options, threads=1, seconds=None):
    """Answer as a child would: MyGrad is wrong, DeZero cannot, dark takes half of PyTorch's time."""
    if "--rounds" in options:
        times = {"torch": [0.002, 0.004, 0.002], "dark": [0.001, 0.002, 0.002]}
        return {peer: times[peer] for peer in peers.split(",")}
    if peers == "dezero":
        return {"reason": "no convolution"}
    np.savez(options[-1], np.ones(3))
    return {"losses": [2.0 if peers == "mygrad" else 1.0], "seconds": 0.1, "bytes": 3e6}


@pytest.fixture
def without_children(monkeypatch):
    monkeypatch.setattr(command, "child", stand_in)
    monkeypatch.setattr(command, "is_installed", lambda name: name != "micrograd")
    monkeypatch.setattr(command.metadata, "version", lambda package: "1.0+cpu")


@pytest.mark.long
def test_a_wrong_framework_is_refused_and_the_others_are_timed(without_children, tmp_path, capsys):
    with pytest.raises(SystemExit, match=r"results differ from PyTorch: MyGrad: convolutional net, 8x8"):
        command.main(["--workloads", "A3s", "--peers", "dark,mygrad,dezero", "--to", str(tmp_path)])
    row = json.loads((tmp_path / "results.json").read_text())["workloads"]["A3s"]
    assert set(row["1"]) == set(row["2"]) == {"torch", "dark"}
    assert row["1"]["dark"]["ratio"] == 0.5
    printed = capsys.readouterr().out
    assert "| convolutional net, 8x8 | 2.00 | 0.50 | 1.00 |" in printed
    assert 'role="img"' in (tmp_path / "results.svg").read_text()


def test_a_rival_that_is_not_installed_is_left_out_with_a_line(without_children, capsys):
    assert command.present(["dark", "micrograd"], all_asked=True) == ["dark"]
    assert "micrograd is skipped: it is not installed. Try: pip install -r" in capsys.readouterr().out


def test_a_rival_that_is_asked_for_and_not_installed_ends_the_run(without_children):
    with pytest.raises(SystemExit, match=r"micrograd not installed. Try: pip install -r benchmarks/rivals.txt"):
        command.main(["--peers", "dark,micrograd"])


def test_a_name_that_is_not_there_is_answered_with_those_that_are(capsys):
    with pytest.raises(SystemExit, match=r"unknown workload A9. Available: A1_1e3, "):
        command.main(["--workloads", "A9"])


@pytest.mark.long
def test_ctrl_c_keeps_what_was_measured(without_children, tmp_path, monkeypatch, capsys):
    def interrupted(workload, *rest, **settings):
        if workload == "A5":
            raise KeyboardInterrupt
        return stand_in(workload, *rest, **settings)

    monkeypatch.setattr(command, "child", interrupted)
    command.main(["--workloads", "A2,A5,A6", "--peers", "dark", "--to", str(tmp_path)])
    assert "Interrupted; the results so far are kept." in capsys.readouterr().out
    found = json.loads((tmp_path / "results.json").read_text())["workloads"]
    assert "1" in found["A2"] and "A6" not in found


@pytest.mark.oracle
def test_dark_agrees_with_pytorch_in_a_run(tmp_path, capsys):
    pytest.importorskip("torch", reason="PyTorch is what the others are compared with (the extra 'oracle')")
    command.main(["--workloads", "A1_1e3", "--peers", "dark", "--rounds", "1", "--threads", "1", "--to", str(tmp_path)])
    assert "dark           agrees" in capsys.readouterr().out


def test_no_library_is_held_to_fewer_instructions_than_another(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    environment = command.environment(threads=2)
    assert "OPENBLAS_CORETYPE" not in environment and environment["OPENBLAS_NUM_THREADS"] == "2"
    assert set(machine.instructions()) <= {"NumPy", "PyTorch"}


def test_dark_has_every_workload():
    for workload in WORKLOADS.values():
        assert callable(rivals.maker("dark", workload.family))


def test_what_a_framework_cannot_do_is_said(tmp_path):
    assert child.alone("micrograd", "A2", 1, tmp_path / "none.npz") == {"reason": "scalars only"}


def test_a_framework_alone_tells_its_losses_and_writes_its_gradients(tmp_path):
    found = child.alone("dark", "A1_1e3", 20, tmp_path / "gradients.npz")
    assert len(found["losses"]) == child.CHECKED_STEPS and found["seconds"] > 0
    with np.load(tmp_path / "gradients.npz") as file:
        assert [array.shape for array in file.values()] == [(1000,)] * 3


@pytest.mark.long
@pytest.mark.parametrize("workload", ["A1_1e3", "A2"])
def test_the_measures_compute_what_dark_computes(workload, tmp_path):
    found = []
    for peer in ("dark", "least", "numpy"):
        losses = child.alone(peer, workload, 20, tmp_path / "gradients.npz")["losses"]
        with np.load(tmp_path / "gradients.npz") as file:
            found.append((losses, list(file.values())))
    assert not disagreement(found[1], found[0]) and not disagreement(found[2], found[0])


def test_a_step_that_takes_too_long_is_stopped():
    def endless():
        while True:
            pass

    with pytest.raises(TimeoutError, match=r"over 0.01 s per step"):
        child.first_steps(endless, 0.01)


def test_every_framework_has_a_block_in_every_round():
    done = []
    steps = {name: lambda name=name: done.append(name) for name in "ab"}
    found = child.blocks(steps, rounds=3, least=0, cores=1)
    assert {name: len(times) for name, times in found.items()} == {"a": 3, "b": 3}
    assert done.count("a") == done.count("b")


def test_a_block_that_others_disturbed_is_measured_again(monkeypatch):
    busy = iter([0, 1, 1, 1, 1, 1])
    monkeypatch.setattr(machine, "busy_seconds", lambda: next(busy))
    monkeypatch.setattr(machine.time, "sleep", lambda seconds: None)
    found = iter(["disturbed", "quiet"])
    assert machine.Quiet().measure(lambda: next(found)) == "quiet"


def test_a_block_that_others_always_disturb_counts_for_nothing(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(machine, "busy_seconds", lambda: next(clock))
    assert machine.Quiet(patience_seconds=0).measure(lambda: "found") is None
    times = {"torch": [None, 0.002, 0.001], "dark": [None, 0.001, 0.0005], "mygrad": [0.001, 0.001, None]}
    rows = command.compared(times)
    assert set(rows) == {"torch", "dark"} and (rows["dark"]["ratio"], rows["dark"]["rounds"]) == (0.5, 2)


def test_the_readme_has_the_tables_of_the_results():
    results = json.loads((command.HERE / "results.json").read_text())
    readme = (command.HERE.parent / "README.md").read_text()
    assert report.tables(results) in readme


def test_tables_go_between_the_marks(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    report.into(path, "new\n")
    assert path.read_text() == f"before\n{report.BEGIN}\n\nnew\n\n{report.END}\nafter\n"
    path.write_text("no marks")
    with pytest.raises(ValueError, match="has no marks for the tables"):
        report.into(path, "new\n")
