"""Check a project by running it: it runs without `dark`, gives the recorded numbers, repeats, and survives a kill."""

import shutil
from pathlib import Path
from typing import Any

from dark.course.capstone.processes import finished_in, progress_of, run_once
from dark.course.capstone.static_checks import FEWEST_SEEDS, WHOLE, Finding

KEPT = ".check"  # in the folder of the project: runs of a check that was interrupted
KILLED_AFTER = 2  # measurements
ATTEMPTS = 3
TOLERANCE = 1e-9  # relative; a number in JSON has all its digits


class Runs:
    """The runs of a check, each with a limit in seconds; finished ones are kept until it is complete."""

    def __init__(self, project, limit, tell):
        self.project, self.limit, self.tell = project, limit, tell
        self.folder = Path(project.folder, KEPT, project.stamp())

    def run(self, variant, seed, place="first"):
        """Return how a run has ended, from its files if it was kept."""
        out = self.folder / place / f"{variant}-{seed}"
        kept = finished_in(out)
        if kept is not None:
            return kept
        shutil.rmtree(out, ignore_errors=True)
        self.tell(f"{variant}, seed {seed}")
        return run_once(self.project, variant, seed, out, limit=self.limit)

    def killed_and_resumed(self, variant, seed, measurements):
        """Kill a run, again if it was too late, and continue it; return both ends, and the steps measured by each."""
        out = self.folder / "killed" / f"{variant}-{seed}"
        self.tell(f"{variant}, seed {seed}, killed and resumed")
        for _ in range(ATTEMPTS):
            shutil.rmtree(out, ignore_errors=True)
            first = run_once(self.project, variant, seed, out, limit=self.limit, kill_after=KILLED_AFTER)
            before = progress_of(out)
            is_early = first.how == "killed" and len(before) < measurements
            if is_early or first.how in ("failed", "too long"):
                break
        second = run_once(self.project, variant, seed, out, limit=self.limit) if is_early else None
        return first, second, before, progress_of(out)[len(before) :]

    def forget(self):
        """Remove the runs that were kept, when the check is complete."""
        shutil.rmtree(Path(self.project.folder, KEPT), ignore_errors=True)


def did_not_finish(ended, name, limit):
    """Return the finding about a run that failed or was too long, or None."""
    if ended.how == "failed":
        what = f"the run {name} fails without dark:\n    {ended.message}"
        variant, _, seed = name.partition(", seed ")
        command = f"python run.py --variant {variant} --seed {seed} --out runs/try"
        return Finding("package", what, "a run that ends without an error.", command)
    if ended.how == "too long":
        what = f"the run {name} has not ended after {limit:g} s, and was stopped."
        return Finding("package", what, "runs with a fixed number of steps.", "fewer steps, or --limit with more")
    return None


def pairs_to_run(results):
    """Return the pairs (variant, seed) that are recorded, the whole first; without records, one of the whole."""
    pairs = [(run["variant"], run["seed"]) for run in results["runs"]] if results else []
    return sorted(dict.fromkeys(pairs), key=lambda pair: pair[0] != WHOLE) or [(WHOLE, 1)]


def check_records(runs, results):
    """Repeat the recorded runs; return the differences, and the new results, or None if a run does not end."""
    now = []
    found: list[Any] = []
    recorded = {(run["variant"], run["seed"]): run["curve"] for run in results["runs"]} if results else {}
    for variant, seed in pairs_to_run(results):
        ended = runs.run(variant, seed)
        wrong = did_not_finish(ended, f"{variant}, seed {seed}", runs.limit)
        if wrong:
            return [*found, wrong], None
        now.append({"variant": variant, "seed": seed, "seconds": ended.seconds, "curve": ended.curve})
        if (variant, seed) in recorded and not equal(recorded[variant, seed], ended.curve):
            old, new = recorded[variant, seed][-1][1], ended.curve[-1][1]
            what = f"results.json has {old:.6g} for {variant}, seed {seed}; its run gives {new:.6g}."
            if old == new:
                what = f"results.json has another curve for {variant}, seed {seed}, than its run gives."
            found.append(Finding("curve", what, "the results of the current code.", "python run.py --again"))
    return found, {"metric": results["metric"] if results else "", "runs": now}


def check_repeat(runs, now):
    """Run one seed a second time and compare."""
    first = now["runs"][0]
    name = f"{first['variant']}, seed {first['seed']}"
    ended = runs.run(first["variant"], first["seed"], "second")
    if ended.how != "finished":
        return [did_not_finish(ended, name, runs.limit)]
    if equal(first["curve"], ended.curve):
        return []
    step = next(a[0] for a, b in zip(first["curve"], [*ended.curve, None]) if a != b)
    what = f"two runs of {name} differ from step {step} on."
    expected = "equal results: all that is random comes from the seed."
    return [Finding("repeats", what, expected, "np.random.default_rng(seed), and no set, clock or hash() that decides")]


def check_seeds(now):
    """Check that seeds differ: five equal curves of the whole are one, unless they are too short to tell."""
    curves = [run["curve"] for run in now["runs"] if run["variant"] == WHOLE]
    if len(curves) < FEWEST_SEEDS or len(curves[0]) <= 2 or any(curve != curves[0] for curve in curves):
        return []
    what = f"all seeds of {WHOLE!r} give the same curve."
    return [Finding("curve", what, "a seed that decides what is random.", "np.random.default_rng(seed)")]


def check_resume(runs, now):
    """Kill a run, continue it, and compare it with the one that was not killed."""
    first = now["runs"][0]
    name = f"{first['variant']}, seed {first['seed']}"
    killed, resumed, before, after = runs.killed_and_resumed(first["variant"], first["seed"], len(first["curve"]))
    if resumed is None:
        wrong = did_not_finish(killed, name, runs.limit)
        what = f"the run {name} ended before it could be killed: it measures {len(before)} times."
        expected = f"a line of progress.jsonl at least {KILLED_AFTER + 2} times in a run."
        return [wrong or Finding("resumes", what, expected, "a smaller `every` in run.py")]
    if resumed.how != "finished":
        wrong = did_not_finish(resumed, name, runs.limit)
        what = wrong.what.replace("the run", "after a kill, the run", 1)
        return [Finding("resumes", what, "a run that is continued from its saved state.", wrong.try_)]
    if after and after[0] <= before[0]:
        what = f"killed after step {before[-1]}, {name} began anew: its next measurement is at step {after[0]}."
        expected = "a run that is resumed where it was saved."
        return [Finding("resumes", what, expected, "save the run when it is measured")]
    if not equal(first["curve"], resumed.curve):
        step = next((a[0] for a, b in zip(first["curve"], [*resumed.curve, None]) if a != b), before[-1])
        what = f"{name}, killed after step {before[-1]} and continued, differs from step {step} on."
        expected = "the results of a run that was not killed."
        return [Finding("resumes", what, expected, "save all that changes: weights, optimizer, random generator, step")]
    return []


def equal(one, other):
    """Return whether two curves are equal, but for rounding in the last digits.

    >>> equal([[1, 0.5]], [[1, 0.5 + 1e-12]]), equal([[1, 0.5]], [[1, 0.501]]), equal([[1, 0.5]], [])
    (True, False, False)
    """
    return len(one) == len(other) and all(a[0] == b[0] and _close(a[1], b[1]) for a, b in zip(one, other))


def _close(a, b):
    return a == b or a != a and b != b or abs(a - b) <= TOLERANCE * max(abs(a), abs(b))
