"""The page as one text: scripts that node accepts, data that no text can break, and what does not fit."""

import html
import json
import re

import numpy as np
import pytest

import dark
from dark.errors import StorageError, UsageError, ValueTypeError
from dark.monitor import Note
from dark.monitor.viewer.exported import SomeOfRun
from dark.pages.thinning import records_within


def test_the_license_of_the_plotting_library_is_in_the_page(runs):
    page = dark.monitor.page(runs / "first")
    assert "The MIT License (MIT)" in page.html and "Copyright (c) 2022 Leon Sorokin" in page.html


def answers_in(page):
    """Return the answers that a page holds by what was asked."""
    found = re.findall(r'<script type="application/json" id="([^"]*)">(.*?)</script>', page.html, re.S)
    return {html.unescape(key): json.loads(text) for key, text in found}


@pytest.mark.long
def test_a_page_holds_every_answer(runs):
    page = dark.monitor.page(runs / "first", runs / "second")
    answers = answers_in(page)
    assert answers['["runs",null,null,null,null]']["header"]["shown"] == ["first", "second"]
    for name in ("first", "second"):
        run = Note.load(runs / name)
        kinds = [json.loads(key)[0] for key in answers if json.loads(key)[1] == name]
        assert kinds.count("tensor") == sum(map(len, run.tensor_dict.values()))
        assert kinds.count("scalar") == len(run.scalar_dict) and kinds.count("summary") == 2 * len(run.tensor_dict)
    assert page.left_out == () and "first and second" in repr(page)


def test_a_text_of_a_run_cannot_end_its_element(tmp_path):
    evil = "</script><script>alert(1)</script><!--"
    with Note(tmp_path / "evil") as note:
        note.take_down_scalars_and_tensors(1, {evil: 1.0}, {evil + '"&': np.ones(2)})
        note.put_down_configs({evil: evil})
        note.write_line(evil)
    page = dark.monitor.page(note)
    assert evil not in page.html
    assert answers_in(page)['["describe","evil",null,null,null]']["header"]["content"] == [evil]
    assert json.dumps(["tensor", "evil", evil + '"&', 0, None], separators=(",", ":")) in answers_in(page)


def test_a_page_that_is_too_large_says_what_it_left_out(runs):
    page = dark.monitor.page(runs / "first", limit_mb=1.5)
    assert page.left_out and re.match(r"Tensors have \d+ of up to 100 steps, evenly spread\.", page.left_out[0])
    answers = answers_in(page)
    header = answers['["describe","first",null,null,null]']["header"]
    assert header["leftOut"] == list(page.left_out)
    counts = {one["name"]: one["count"] for one in header["tensors"]}
    assert 1 < counts["weights/fc1.weight"] < 100
    texts = sum(len(json.dumps(answer)) for answer in answers.values())
    assert 0.7e6 < texts < 1.6e6
    last = answers[json.dumps(["tensor", "first", "mask", counts["mask"] - 1, None], separators=(",", ":"))]
    assert last["header"]["step"] == 1980


def test_scalars_are_thinned_and_the_largest_tensors_go_first(runs):
    some = SomeOfRun(Note.load(runs / "first"), 60e3)
    assert set(some.tensor_dict) < set(Note.load(runs / "first").tensor_dict)
    assert "samples/worst 1/video" in some.left_out[0] and "left out" in some.left_out[0]
    fewer = SomeOfRun(Note.load(runs / "first"), 6e3)
    assert fewer.left_out[0].startswith("Scalars have ") and fewer.tensor_dict == {}
    assert fewer.scalar_dict["loss"].steps[-1] == 1980 and len(fewer.scalar_dict["loss"].values) < 100


def test_as_many_records_as_fit_are_kept():
    assert records_within([(10.0, 5), (1.0, 100)], 60) == 10
    assert records_within([], 5) == 0 and records_within([(10.0, 3)], 5) == 0


def test_a_damaged_record_does_not_spoil_the_page(tmp_path):
    with Note(tmp_path / "run") as note:
        for step in range(3):
            note.take_down_scalars_and_tensors(step, tensors={"w": np.full(100, step + 1.0)})
    whole = note.tensor_dict["w"][1].tobytes()
    (path,) = [path for path in (tmp_path / "run").iterdir() if whole in path.read_bytes()]
    path.write_bytes(path.read_bytes().replace(whole, whole[:-1] + b"\x07"))
    answers = answers_in(dark.monitor.page(tmp_path / "run"))
    key = json.dumps(["tensor", "run", "w", 1, None], separators=(",", ":"))
    assert "is damaged" in answers[key]["header"]["error"]
    summary = answers[json.dumps(["summary", "run", "w", None, False], separators=(",", ":"))]
    assert summary["header"]["high"] == 3


def test_an_empty_run_has_a_page(tmp_path):
    Note(tmp_path / "empty").close()
    assert dark.monitor.page(tmp_path / "empty").left_out == ()


def test_a_page_is_saved_and_displays_itself_in_a_frame(runs, tmp_path):
    page = dark.monitor.page(runs / "first", limit_mb=1)
    page.save(tmp_path / "out.html")
    assert (tmp_path / "out.html").read_text(encoding="utf-8") == page.html
    frame = page._repr_html_()
    assert frame.startswith('<iframe title="first"') and html.unescape(frame).count("startFile();") == 1
    with pytest.raises(StorageError, match="nowhere"):
        page.save(tmp_path / "nowhere" / "out.html")


@pytest.mark.parametrize("limit", [0, -1, float("inf")])
def test_a_limit_is_a_positive_number(runs, limit):
    with pytest.raises(UsageError, match="limit_mb"):
        dark.monitor.page(runs / "first", limit_mb=limit)
    with pytest.raises(ValueTypeError, match="limit_mb"):
        dark.monitor.page(runs / "first", limit_mb="20")
