"""A project that uses none of the given programs is checked by the same rules: files and options are the contract."""

import json
import subprocess
import sys

import pytest

from dark.course.capstone import curves
from dark.course.capstone.checking import check_project
from dark.course.capstone.project import open_project
from tests.course.capstone.projects import edit, make_package

PROGRAM = '''"""The root of a number by descent, with a momentum that is drawn: one file, no class."""

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mine"))
from mine import slope

SETTINGS = {"whole": (0.05, True), "plain": (0.05, False), "too_fast": (3.0, True)}

parser = argparse.ArgumentParser()
parser.add_argument("--variant"), parser.add_argument("--seed", type=int), parser.add_argument("--out", type=Path)
asked = parser.parse_args()
rate, has_momentum = SETTINGS[asked.variant]
state = asked.out / "state.json"
rng = random.Random(asked.seed)
x, velocity, step, curve = 3.0 + rng.random(), 0.0, 0, []
if state.exists():
    x, velocity, step, curve = json.loads(state.read_text())
while step < 24:
    step += 1
    velocity = has_momentum * 0.5 * velocity - rate * slope(lambda a: (a * a - 2) ** 2 / 8, x)
    x = max(-1e3, min(1e3, x + velocity))
    time.sleep(0.002)
    if step % 3 == 0:
        curve.append([step, abs(x * x - 2)])
        with open(asked.out / "progress.jsonl", "a") as file:
            file.write(json.dumps({"step": step, "value": curve[-1][1]}) + "\\n")
        (asked.out / "part").write_text(json.dumps([x, velocity, step, curve]))
        os.replace(asked.out / "part", state)
(asked.out / "result.json").write_text(json.dumps({"curve": curve}))
'''
PAGE = """# A root by descent

## Claim

Momentum brings the square nearer to two in the same number of steps, for each of five starts.

```python
# claim
highest(whole) < lowest(plain)
```

## Curve

All curves fall; those with momentum fall earlier, as I had expected.

![The distance by step](curves.svg)

<!-- results -->
TABLE
<!-- end of results -->

## Ablation

In `plain` there is no momentum, and nothing else has been changed.

## Failure

With a rate sixty times as large, `too_fast`, the descent jumps over the root and never settles.

```python
# failure
mean(too_fast) > mean(plain)
```
"""


@pytest.fixture
def own(tmp_path):
    """Return a project whose files were all written by hand."""
    make_package(tmp_path / "mine")
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "run.py").write_text(PROGRAM)
    (folder / "capstone.toml").write_text('package = "../mine"\n')
    runs = []
    for variant in ("whole", "plain", "too_fast"):
        for seed in range(5):
            out = folder / "runs" / f"{variant}-{seed}"
            out.mkdir(parents=True)
            words = ["--variant", variant, "--seed", str(seed), "--out", str(out)]
            subprocess.run([sys.executable, "run.py", *words], cwd=folder, check=True)
            curve = json.loads((out / "result.json").read_text())["curve"]
            runs.append({"variant": variant, "seed": seed, "seconds": 0.1, "curve": curve})
    results = {"metric": "distance of the square from 2", "runs": runs}
    (folder / "results.json").write_text(json.dumps(results))
    (folder / "curves.svg").write_text(curves.picture(results))
    (folder / "page.md").write_text(PAGE.replace("TABLE", curves.table(results)))
    return open_project(folder)


def test_a_project_of_ones_own_form_passes(own):
    found, unknown = check_project(own)
    assert not found and not unknown, "\n".join(map(str, found))


@pytest.mark.long
def test_its_faults_are_found_by_the_same_rules(own):
    edit(own.folder / "run.py", "json.dumps([x, velocity, step, curve])", "json.dumps([x, 0.0, step, curve])")
    found, _ = check_project(own)
    assert [each.part for each in found] == ["resumes"]
