"""The reading path: the files that README and `dark` name hold what they promise, in as few lines."""

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import dark

ROOT = Path(__file__).parents[1]
CORE, NETWORK, TRAINED = (
    "The graph and its backward pass, with eleven operations",
    "to the first trained network",
    "The other files",
)


def files(text):
    """Return the files of `dark` that `text` names, in order."""
    return re.findall(r"\b((?:nodes|operations|nn|optim|engine)/[a-z_/]+\.py)", text)


CORE_PATH = files(dark.__doc__.partition(CORE)[2].partition(NETWORK)[0])
WHOLE_PATH = CORE_PATH + files(dark.__doc__.partition(NETWORK)[2].partition(TRAINED)[0])


def lines(paths):
    """Count the lines of files, docstrings and comments included."""
    return sum(len((ROOT / "dark" / path).read_text(encoding="utf-8").splitlines()) for path in paths)


def test_the_graph_and_its_backward_pass_have_at_most_a_thousand_lines():
    assert len(CORE_PATH) == 7 and lines(CORE_PATH) <= 1000, lines(CORE_PATH)


def test_the_first_trained_network_takes_at_most_two_and_a_half_thousand_lines():
    assert len(WHOLE_PATH) == len(set(WHOLE_PATH)) == 16 and lines(WHOLE_PATH) <= 2500, lines(WHOLE_PATH)


def test_the_backward_pass_has_at_most_ninety_lines_and_node_two_hundred_and_fifty():
    assert lines(["nodes/backward.py"]) <= 90 and lines(["nodes/node.py"]) <= 250


def test_the_architecture_counts_the_lines_of_each_package():
    section = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Size")[2].partition("\n## ")[0]
    most = {
        name: int(number.replace(",", "")) for name, number in re.findall(r"^\| (\w+) \| ([\d,]+) \|", section, re.M)
    }
    total, found = most.pop("together"), Counter()
    for path in (ROOT / "dark").rglob("*.py"):
        first = path.relative_to(ROOT / "dark").parts[0]
        found["files" if first.endswith(".py") else first] += len(path.read_text(encoding="utf-8").splitlines())
    assert set(most) == set(found) and sum(most.values()) == total
    more = {name: (count, most[name]) for name, count in found.items() if count > most[name]}
    assert not more, f"{more}: lines, and the most that ARCHITECTURE.md allows"


SITTING = ("engine", "loop", "run", "data_feed", "stop_flags")  # the engine, read in one sitting
BESIDE = ("run_arguments", "loop_messages", "events", "resume")  # its events; arguments, messages, resuming


def test_the_engine_is_read_in_one_sitting():
    assert lines([f"engine/{name}.py" for name in SITTING]) <= 700
    for name in SITTING:
        text = (ROOT / "dark" / "engine" / f"{name}.py").read_text(encoding="utf-8")
        assert set(re.findall(r"^\s*from dark\.engine\.(\w+)", text, re.MULTILINE)) <= {*SITTING, *BESIDE}, name


def test_readme_names_the_same_files_in_the_same_order():
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Read the code")[2].partition("\n## ")[0]
    table = section.partition("| read |")[2].partition("All shortcuts")[0]
    assert files(table) == WHOLE_PATH


def test_the_core_has_eleven_operations():
    homes = {path.removesuffix(".py").replace("/", ".") for path in CORE_PATH}
    found = [op.__name__ for op in dark.operations.all_operations() if op.__module__.removeprefix("dark.") in homes]
    assert len(found) == 11, found


TRAINING = """
import sys
import numpy as np
import pytest

import dark
from dark import nn, optim
from dark.engine import Engine

layer, x = nn.Linear(2, 1, seed=0), np.random.default_rng(0).normal(size=(64, 2))
y = x @ np.array([[2.0], [-1.0]]) + 0.5
scale = dark.Parameter(1.0)  # used for all elements
optimizer = optim.SGD([*layer.parameters(), scale], lr=0.1)

def step(engine, batch):
    rows = slice(batch, batch + 16)
    optimizer.zero_grad()
    loss = dark.mean((scale * layer(x[rows]) - y[rows]) ** 2)
    loss.backward()
    optimizer.step()
    return loss.value

seen = set()
sys.setprofile(lambda frame, event, argument: seen.add(frame.f_code.co_filename))
state = Engine(step).run([0, 16, 32, 48], max_epochs=50)
sys.setprofile(None)
assert state.output < 1e-6, state.output
print(*sorted(seen), sep="\\n")
"""


def test_a_network_is_trained_by_the_files_of_the_path():
    environment = {**os.environ, "DARK_FAST": "0"}
    done = subprocess.run([sys.executable, "-c", TRAINING], env=environment, capture_output=True, text=True, check=True)
    ran = {
        Path(name).relative_to(ROOT / "dark").as_posix() for name in done.stdout.splitlines() if f"{ROOT}/dark/" in name
    }
    not_needed = {"operations/elementwise/powers.py"}  # roots and squares
    assert set(WHOLE_PATH) - not_needed <= ran, set(WHOLE_PATH) - ran
    assert "nodes/fast.py" not in ran


STEP = """
import sys

import dark

x = dark.Parameter(10.0)
optimizer = dark.optim.SGD([x], lr=0.1)
(2 * x**2 + 5).backward()
seen = set()
sys.setprofile(lambda frame, event, argument: seen.add(frame.f_code.co_filename))
optimizer.step()
sys.setprofile(None)
assert x.value == 6.0
print(*sorted(seen), sep="\\n")
"""


@pytest.mark.parametrize("switch", ["0", "1"], ids=["plain", "fast"])
def test_a_step_on_one_number_calls_into_files_of_at_most_seven_hundred_lines(switch):
    environment = {**os.environ, "DARK_FAST": switch}
    done = subprocess.run([sys.executable, "-c", STEP], env=environment, capture_output=True, text=True, check=True)
    ran = [name.partition(f"{ROOT}/dark/")[2] for name in done.stdout.splitlines() if f"{ROOT}/dark/" in name]
    assert {"optim/optimizer.py", "optim/rules.py" if switch == "0" else "optim/fast.py"} < set(ran)
    assert lines(ran) <= 700, (lines(ran), ran)


def names_in_reading_order(docstring):
    """Return the files that a reading order lists, without what stands in parentheses, and all that it names."""
    _, found, order = docstring.partition("Reading order:")
    order = order.split("\n\n")[0]
    while "(" in order:
        order = re.sub(r"\([^()]*\)", "", order)
    return found and (set(re.findall(r"`(\w+)`", order)), set(re.findall(r"`(\w+)`", docstring)))


ORDERS = [
    pytest.param(file.parent, *names, id=str(file.parent.relative_to(ROOT)))
    for file in sorted((ROOT / "dark").rglob("__init__.py"))
    if (names := names_in_reading_order(ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""))
]


@pytest.mark.parametrize(("folder", "listed", "named"), ORDERS)
def test_a_reading_order_names_the_files_that_are_there(folder, listed, named):
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files | packages <= named
    assert listed <= files | {path.name for path in folder.iterdir() if path.is_dir()}


def test_most_packages_have_a_reading_order():
    assert len(ORDERS) > 60
