"""A package of answers of the course as `dark export` lays it out, and a small project that is finished."""

import json
import subprocess
import sys

from dark.course.capstone.curves import picture, table
from dark.course.capstone.page import TABLE
from dark.course.capstone.project import open_project
from dark.course.capstone.questions import find_question
from dark.course.capstone.start import start
from dark.course.lessons.library import load_module

PROGRAM = '''"""Two rings told apart."""

import runs
import numpy as np
from mine import SGD, Linear, Sequential, cross_entropy, relu

VARIANTS = {"whole": {}, "without_hidden": {"width": 0}, "too_fast": {"learning_rate": 300.0}}


class Training:
    """A perceptron for two rings."""

    def __init__(self, seed, width=12, learning_rate=0.3):
        rng = self.rng = np.random.default_rng(seed)
        self.labels = rng.integers(2, size=400)
        angle, radius = rng.uniform(0, 2 * np.pi, 400), 1 + self.labels + 0.1 * rng.normal(size=400)
        self.x = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
        layers = (Linear(2, width, rng), relu, Linear(width, 2, rng)) if width else (Linear(2, 2, rng),)
        self.net = Sequential(*layers)
        self.optimizer = SGD(self.net.parameters(), learning_rate, 0.9)

    def step(self):
        rows = self.rng.integers(200, size=32)
        self.optimizer.zero_grad()
        cross_entropy(self.net(self.x[rows]), self.labels[rows]).backward()
        self.optimizer.step()

    def measure(self):
        return np.mean(self.net(self.x[200:]).value.argmax(axis=1) == self.labels[200:])


if __name__ == "__main__":
    runs.main(Training, VARIANTS, steps=120, every=10, metric="accuracy on held-out points")
'''
PAGE = """# Two rings

## Claim

A layer of twelve hidden units tells two rings apart, and a straight line cannot: that is worth 0.2 at least.

```python
# claim
mean(whole) > mean(without_hidden) + 0.2
```

## Curve

After some forty steps all five seeds have learned it, which I had expected later.

![Accuracy by step](curves.svg)

<!-- results -->
<!-- end of results -->

## Ablation

In `without_hidden` the hidden layer is taken away, and what is left is a straight line.

## Failure

With a thousand times the learning rate, `too_fast`, the units die and it guesses.

```python
# failure
mean(too_fast) < mean(whole) - 0.1
```
"""


def make_package(folder, number="05"):
    """Write a package with the code of a module and of those before it, as one file."""
    inner = folder / "mine"
    inner.mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "mine"\nversion = "0"\n')
    stem = f"_{number}_answers"
    source = "\n\n".join(part.source for part in load_module(number).parts)
    (inner / f"{stem}.py").write_text(source)
    (inner / "__init__.py").write_text(f"from mine.{stem} import *\n")
    return folder


def make_finished(folder, package):
    """Write a finished project and record its runs."""
    start(find_question("faster"), folder, package)
    (folder / "run.py").write_text(PROGRAM)
    (folder / "page.md").write_text(PAGE)
    subprocess.run([sys.executable, "run.py"], cwd=folder, check=True, capture_output=True)
    return open_project(folder)


def edit(path, old, new):
    """Replace a part of a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def change_results(project, change):
    """Change the recorded results, with a picture and a table that agree with them."""
    path = project.folder / "results.json"
    results = json.loads(path.read_text())
    change(results)
    path.write_text(json.dumps(results))
    (project.folder / "curves.svg").write_text(picture(results))
    page = project.folder / "page.md"
    text = TABLE.sub(lambda _: f"<!-- results -->\n{table(results)}\n<!-- end of results -->", page.read_text())
    page.write_text(text)
