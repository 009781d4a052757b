"""The schema of the files: a short script without dark reads what a note has written, as the book describes it."""

import ast
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dark.monitor import Note

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "examples" / "read_run.py"


@pytest.fixture
def run(tmp_path):
    """Return a run that was continued, with series of different steps and dtypes."""
    with Note(tmp_path / "run") as note:
        note.put_down_configs({"lr": 0.1})
        for step in range(1, 4):
            tensors = {"w": np.full((2, 2), step, "f4"), "flag": np.array([step > 1]), "half": np.float16(step)}
            tensors |= {code: np.arange(step, dtype=code) for code in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")}
            note.take_down_scalars_and_tensors(step, {"loss": math.nan if step == 2 else 1 / step}, tensors)
    with Note(tmp_path / "run") as note:
        note.take_down_scalars_and_tensors(4, {"late": -math.inf}, {"w": np.ones((2, 2), "f4"), "n": np.arange(3)})
    with open(note.folder / "scalars-0002.jsonl", "a") as file:
        file.write('{"crc32":"torn')
    return Note.load(note.folder)


def test_thirty_lines_of_numpy_and_json_read_a_run(run):
    source = SCRIPT.read_text()
    assert len(source.splitlines()) <= 30
    imported = re.findall(r"^(?:import|from) (\w+)", source, re.M)
    assert set(imported) == {"json", "sys", "pathlib", "numpy"}
    done = subprocess.run([sys.executable, str(SCRIPT), str(run.folder)], capture_output=True, text=True, check=True)
    scalars, tensors = [eval(line, {"nan": math.nan, "inf": math.inf}) for line in done.stdout.splitlines()]
    assert list(scalars) == list(run.scalar_dict) and list(tensors) == list(run.tensor_dict)
    for name, series in run.scalar_dict.items():
        np.testing.assert_array_equal(scalars[name], [*zip(series.steps.tolist(), series.values.tolist())])
    for name, series in run.tensor_dict.items():
        assert tensors[name] == dict(zip(series.steps.tolist(), [array.tolist() for array in series]))


def test_each_segment_is_a_safetensors_file(run):
    library = pytest.importorskip("safetensors.numpy", reason="the library safetensors is not installed")
    content = (run.folder / "tensors-0001.segments").read_bytes()
    for line in (run.folder / "tensors-0001.jsonl").read_text().splitlines():
        place = json.loads(line)
        found = library.load(content[place["begin"] : place["end"]])
        assert found.keys() == {"w", "flag", "half", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"}
        for name, array in found.items():
            np.testing.assert_array_equal(array, run.tensor_dict[name].at(place["step"]), strict=True)


def test_files_are_only_appended_to(tmp_path):
    before = {}
    for _ in range(2):
        with Note(tmp_path) as note:
            for step in range(5):
                note.take_down_scalars_and_tensors(step, {"x": step}, {"w": np.ones(3)})
                note.put_down_criterion("best", step)
                now = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
                assert all(now[name].startswith(content) for name, content in before.items())
                before = now
    assert len(before) == 8


def test_the_book_shows_every_kind_of_line(run):
    page = (ROOT / "book" / "notes.md").read_text(encoding="utf-8")
    keys = {key for path in run.folder.glob("*.jsonl") for line in path.read_text().splitlines()[:-1]
            for key in json.loads(line)}  # fmt: skip
    assert keys >= {"configs", "scalars", "begin", "layout"} and all(
        f'"{key}"' in page or f"`{key}`" in page for key in keys
    )
    assert all(path.name.replace("0002", "0001") in page for path in run.folder.iterdir())


def test_the_cells_of_the_book_run():
    page = (ROOT / "book" / "notes.md").read_text(encoding="utf-8")
    names: dict = {}
    for cell in re.findall(r"^```\{code-cell\} ipython3\n(.*?)^```$", page, re.M | re.S):
        ast.parse(cell)
        exec(cell, names)
    assert names["run"].status == "ended" and {run.status for run in names["everything"]} == {"ended"}
