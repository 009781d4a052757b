"""`dark capstone check`: a finished project passes, a blank one does not, and each lie has its sentence."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from dark.cli import main
from dark.course.capstone.checking import check_project
from dark.course.capstone.finished import is_finished
from dark.course.capstone.project import open_project
from dark.course.capstone.questions import find_question
from dark.course.capstone.start import start
from dark.course.capstone.static_checks import PARTS
from tests.course.capstone.projects import change_results, edit


def findings(project, **options):
    """Return the findings of a check by part."""
    found, _ = check_project(open_project(project.folder), **options)
    return {part: "\n".join(str(each) for each in found if each.part == part) for part in PARTS}


def only(project, part, sentence, **options):
    """Check that the check says this about one part, and nothing about the others."""
    found = findings(project, **options)
    assert sentence in found[part] and "\n  Expected: " in found[part] and "\n  Try: " in found[part]
    assert not any(text for name, text in found.items() if name != part), found


def test_a_finished_project_passes(project, capsys):
    assert main(["capstone", "check", str(project.folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == [f"✓ {part}" for part in PARTS] + ["This is an answer."]
    assert "`make book` puts its page into the book" in lines[-1] and is_finished(project)
    assert not (project.folder / ".check").exists()


def test_a_blank_skeleton_runs_and_does_not_pass(project, tmp_path, capsys):
    folder, _ = start(find_question("faster"), tmp_path / "blank", project.package.folder)
    edit(folder / "run.py", "STEPS, EVERY = 600, 20", "STEPS, EVERY = 80, 20")
    assert main(["capstone", "check", str(folder)]) == 1
    told = capsys.readouterr().out
    for part in ("claim", "curve", "ablation", "failure"):
        assert f"✗ {part}: the section '{part.capitalize()}' of page.md is not written yet." in told
    for part in ("package", "repeats", "resumes"):
        assert f"✓ {part}" in told
    assert "no runs are recorded" in told and "3 of 7 parts are complete." in told


def test_a_recorded_number_that_no_run_gives(project):
    def better(results):
        results["runs"][5]["curve"][-1][1] = 0.875

    change_results(project, better)
    only(project, "curve", "results.json has 0.875 for without_hidden, seed 1; its run gives ")


@pytest.mark.long
def test_a_recorded_curve_that_no_run_gives(project):
    change_results(project, lambda results: results["runs"][0]["curve"][0].__setitem__(1, 0.875))
    only(project, "curve", "results.json has another curve for whole, seed 1, than its run gives.")


@pytest.mark.long
def test_an_ablation_that_takes_nothing_away(project):
    edit(project.folder / "run.py", '"without_hidden": {"width": 0}', '"without_hidden": {"width": 12}')
    edit(project.folder / "page.md", "mean(whole) > mean(without_hidden) + 0.2", "mean(whole) > 0.2")
    subprocess.run([sys.executable, "run.py"], cwd=project.folder, check=True, capture_output=True)
    only(project, "ablation", "the variant 'without_hidden' has the same curves as 'whole'")


@pytest.mark.parametrize("line", ["import dark", "from dark.nn import Linear", '__import__("dark")'])
def test_a_project_that_imports_dark(project, line):
    edit(project.folder / "run.py", "import runs\n", f"import runs\n{line}\n")
    found = findings(project)
    assert "run.py imports dark." in found["package"] and "fails without dark:" in found["package"]
    assert "a capstone runs from the exported package alone" in found["package"]


def test_dark_cannot_be_imported_by_a_name_that_is_put_together(project):
    edit(project.folder / "run.py", "import runs\n", 'import runs\n__import__("da" + "rk")\n')
    found, unknown = check_project(open_project(project.folder))
    assert "fails without dark" in str(found[0]) and unknown == ("repeats", "resumes")


def test_a_run_that_fails(project, capsys):
    edit(
        project.folder / "run.py", "    def step(self):\n", '    def step(self):\n        raise ValueError("no more")\n'
    )
    assert main(["capstone", "check", str(project.folder)]) == 1
    told = capsys.readouterr().out
    assert "✗ package: the run whole, seed 1 fails without dark:" in told and "ValueError: no more" in told
    assert "· repeats: not checked" in told and "Traceback" not in capsys.readouterr().err


def test_a_run_without_end_is_stopped(project):
    edit(project.folder / "run.py", "    def step(self):\n", "    def step(self):\n        while True: pass\n")
    begun = time.monotonic()
    found = findings(project, limit=1.5)
    assert "the run whole, seed 1 has not ended after 1.5 s, and was stopped." in found["package"]
    assert time.monotonic() - begun < 30


@pytest.mark.long
def test_a_run_that_draws_without_its_seed(project):
    edit(project.folder / "run.py", "default_rng(seed)", "default_rng()")
    found = findings(project)
    assert "two runs of whole, seed 1 differ from step 10 on." in found["repeats"]
    assert "its run gives" in found["curve"] or "another curve" in found["curve"]


@pytest.mark.long
def test_a_seed_that_changes_nothing(project):
    edit(project.folder / "run.py", "default_rng(seed)", "default_rng(0)")
    subprocess.run([sys.executable, "run.py"], cwd=project.folder, check=True, capture_output=True)
    assert "all seeds of 'whole' give the same curve." in findings(project)["curve"]


@pytest.mark.long
def test_a_resumed_run_that_has_forgotten_its_generator(project):
    forgetful = """    def __getstate__(self):
        return {**vars(self), "rng": None}

    def __setstate__(self, state):
        vars(self).update(state)
        self.rng = np.random.default_rng(0)

    def step(self):
"""
    edit(project.folder / "run.py", "    def step(self):\n", forgetful)
    exact = "        return float(np.abs(self.net(self.x).value).sum())\n"
    edit(project.folder / "run.py", "    def measure(self):\n", f"    def measure(self):\n{exact}")
    found = findings(project)["resumes"]
    assert "whole, seed 1, killed after step " in found and " and continued, differs from step " in found


@pytest.mark.long
def test_a_run_that_begins_anew_after_a_kill(project):
    edit(project.folder / "runs.py", "if saved.is_file() else None", "if False else None")
    only(project, "resumes", "whole, seed 1 began anew: its next measurement is at step 10.")


@pytest.mark.long
def test_a_run_that_is_measured_once_cannot_be_killed(project):
    edit(project.folder / "run.py", "every=10", "every=120")
    subprocess.run([sys.executable, "run.py"], cwd=project.folder, check=True, capture_output=True)
    only(project, "resumes", "ended before it could be killed: it measures 1 times.")


@pytest.mark.long
def test_a_run_that_cannot_be_saved(project):
    edit(project.folder / "run.py", "        layers =", "        self.loss = lambda: 0\n        layers =")
    found = findings(project)
    assert "runs: the run cannot be saved" in found["package"]


def test_ctrl_c_keeps_the_runs_that_are_done(project):
    edit(project.folder / "run.py", "import runs\n", "import time\n\nimport runs\n")
    edit(project.folder / "run.py", "    def measure(self):\n", "    def measure(self):\n        time.sleep(0.01)\n")
    command = [sys.executable, "-m", "dark", "capstone", "check", str(project.folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    done = project.folder / ".check"
    while len(list(done.rglob("result.json"))) < 2:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130 and "Stopped; the runs that are done are kept." in told
    kept = {path: path.stat().st_mtime_ns for path in done.rglob("result.json")}
    assert len(kept) >= 2
    phrases = []
    found, _ = check_project(open_project(project.folder), tell=lambda phrase, *_: phrases.append(phrase))
    assert not found and len(phrases) == 17 - len(kept) and not done.exists()


@pytest.mark.long
def test_a_changed_program_is_run_anew_after_an_interrupted_check(project):
    old = project.folder / ".check" / ("0" * 16) / "first" / "whole-1"
    old.mkdir(parents=True)
    (old / "result.json").write_text(json.dumps({"curve": [[1, 0.0]]}))
    assert not any(findings(project).values())


@pytest.mark.long
def test_no_process_is_left_behind_by_a_run_that_is_stopped(project):
    child = (
        "import os, subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    )
    write = "open('child', 'w').write(str(child.pid))"
    edit(project.folder / "run.py", "import runs\n", f"import runs\n{child}\n{write}\n")
    edit(project.folder / "run.py", "    def step(self):\n", "    def step(self):\n        while True: pass\n")
    findings(project, limit=2)
    pid = int((project.folder / "child").read_text())
    deadline = time.monotonic() + 10
    while _lives(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _lives(pid)


def _lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"
