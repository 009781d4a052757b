"""The whole course as a package: blank, half solved, and solved; installed where the course is not."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

from dark.course.export import export_course
from dark.course.export.chosen import chosen_modules, wanted_modules
from dark.course.export.package import package_files
from dark.course.lessons.library import load_module, modules

ROOT = Path(__file__).parents[3]
DIGITS = """
import sys

import numpy as np
from sklearn.datasets import load_digits

from mine import Adam, DataLoader, Engine, Linear, Sequential, TensorDataset, create_supervised_trainer, cross_entropy
from mine.nodes import relu

try:
    import dark
except ModuleNotFoundError as error:
    assert error.name == "dark"
else:
    sys.exit("the course is installed here")
digits = load_digits()
x, labels = digits.data / 16, digits.target
rng = np.random.default_rng(0)
order = rng.permutation(len(x))
train, test = order[:1437], order[1437:]
net = Sequential(Linear(64, 64, rng), relu, Linear(64, 10, rng))
loader = DataLoader(TensorDataset(x[train], labels[train]), 32, shuffle=True, seed=0)
trainer = create_supervised_trainer(net, Adam(net.parameters(), 0.003), cross_entropy)
assert type(trainer) is Engine
trainer.run(loader, max_epochs=15)
print(np.mean(net.eval()(x[test]).value.argmax(1) == labels[test]))
"""
RANKS = """
import numpy as np

from mine import launch


def total(group, factor):
    sums = {(group.rank, group.rank + 1): factor * np.ones(2)}
    return float(group.all_reduce(sums, group.ranks)[0])


def fail(group):
    if group.rank == 1:
        raise ValueError(f"rank {group.rank} of {group.ranks}")


if __name__ == "__main__":
    print(launch(total, 2, 3.0))
    try:
        launch(fail, 2)
    except RuntimeError as error:
        print(error)
"""


@pytest.fixture(scope="module")
def blank(tmp_path_factory):
    """The files of the package of a blank course, by path."""
    work = tmp_path_factory.mktemp("blank")
    for stem in modules():
        shutil.copy(ROOT / "modules" / f"{stem}.ipynb", work)
    chosen = chosen_modules(wanted_modules(), work)
    return chosen, package_files("mine", chosen)


def sources(files):
    """Return the texts of the Python files among the files of a package."""
    return {path: content.decode() for path, content in files.items() if path.endswith(".py")}


def test_every_module_with_exercises_has_a_file_and_tests(blank):
    _, files = blank
    for stem in modules():
        if load_module(stem).exercises:
            name = stem.replace("-", "_")
            for path in (f"mine/_{name}.py", f"tests/test_{name}.py", f"tests/exam/questions_{name}.py"):
                assert path in files
            assert f"tests/exam/expected/{name}.json.gz" in files


def test_nothing_imports_the_course(blank):
    _, files = blank
    for path, text in sources(files).items():
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not [name for name in names if name.partition(".")[0] == "dark"], path
        assert not re.search(r"\bdark\.course\b|[\"']dark[\"']", text), path


def test_what_is_needed_is_numpy_alone(blank):
    _, files = blank
    assert 'dependencies = ["numpy>=2.0"]' in files["pyproject.toml"].decode()


def test_each_public_name_is_in_one_file_and_in_the_package(blank, tmp_path):
    _, files = blank
    for path, content in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    code = """
import sys, json
sys.modules["dark"] = None
import mine
from types import ModuleType
places = {k: sorted(v.__all__) for k, v in vars(mine).items() if isinstance(v, ModuleType) and not k.startswith("_")}
names = [name for place in places.values() for name in place]
assert set(mine.__all__) == {*places, *names}
for name in names:
    assert any(getattr(mine, name) is getattr(getattr(mine, place), name) for place in places if name in places[place])
print(json.dumps(places))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    places = json.loads(done.stdout)
    expected = {
        "nodes": ["Node", "exp", "leaky_relu"],
        "nn": ["Linear", "Conv2d"],
        "optim": ["Adam"],
        "losses": ["cross_entropy"],
        "data": ["DataLoader"],
        "engine": ["Engine", "Checkpoint"],
        "contexts": ["Context"],
        "gan": ["GANContext"],
        "monitor": ["Note"],
        "sequences": ["TinyGPT"],
        "distributed": ["launch"],
    }
    for place, names in expected.items():
        assert set(names) <= set(places[place])


def test_each_exercise_of_a_blank_course_is_marked_as_the_references(blank):
    chosen, files = blank
    for each in chosen:
        text = files[f"mine/{each.file}.py"].decode()
        for cell in each.exercises:
            assert f"# {cell.exercise}: the reference answer of the course (yours: not attempted)" in text


def test_two_solved_modules_are_yours_and_run_beside_the_reference(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    shutil.copy(ROOT / "solutions" / "02-trustworthy-gradients.ipynb", work)
    shutil.copy(ROOT / "modules" / "03-scalar-networks.ipynb", work)
    exported = export_course(tmp_path / "mine", ["03"], work=work)
    whose = {each.module.id: {cell.whose for cell in each.exercises} for each in exported.chosen}
    assert whose == {"01": {"reference"}, "02": {"yours"}, "03": {"reference"}}
    assert exported.is_right


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """An export of the solved course."""
    work = tmp_path_factory.mktemp("solved")
    for stem in modules():
        shutil.copy(ROOT / "solutions" / f"{stem}.ipynb", work)
    folder = tmp_path_factory.mktemp("project") / "mine"
    return export_course(folder, work=work)


@pytest.fixture(scope="module")
def clean(solved, tmp_path_factory):
    """An environment with the libraries of this one and the package, installed from its wheel, but not the course."""
    place = tmp_path_factory.mktemp("clean")
    wheel = [sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-q"]
    subprocess.run([*wheel, "-w", place, solved.folder], check=True, timeout=300)
    venv.create(place / "env", with_pip=False)
    python = place / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    for entry in Path(np.__file__).parents[1].iterdir():
        if "dark" not in entry.name and entry.suffix != ".pth" and not (site / entry.name).exists():
            (site / entry.name).symlink_to(entry)
    install = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "-q", "--target", site]
    subprocess.run([*install, *place.glob("mine-*.whl")], check=True, timeout=300)
    return python


@pytest.mark.long
def test_all_answers_of_a_solved_course_are_yours(solved):
    assert {cell.whose for each in solved.chosen for cell in each.exercises} == {"yours"}
    assert solved.is_right


def run_in(python, folder, *words):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for name in ("PYTHONPATH", "PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS"):
        environment.pop(name, None)
    done = subprocess.run([python, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_the_digits_are_trained_where_the_course_is_not_installed(clean, tmp_path):
    (tmp_path / "digits.py").write_text(DIGITS)
    assert float(run_in(clean, tmp_path, "digits.py")) >= 0.95


@pytest.mark.long
def test_its_processes_import_the_package(clean, tmp_path):
    (tmp_path / "ranks.py").write_text(RANKS)
    assert run_in(clean, tmp_path, "ranks.py").splitlines() == ["[6.0, 6.0]", "rank 1: ValueError: rank 1 of 2"]


@pytest.mark.long
def test_its_own_tests_pass_there(clean, solved, tmp_path):
    shutil.copytree(solved.folder / "tests", tmp_path / "tests")
    shutil.copy(solved.folder / "pyproject.toml", tmp_path)
    printed = run_in(clean, tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    count = re.search(r"(\d+) passed", printed)
    assert count and int(count[1]) > 700 and "failed" not in printed
