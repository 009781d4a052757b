"""`dark notes view` and the page of `dark notes export`: what they print, refuse, and that Ctrl-C ends the server."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
import webbrowser
from contextlib import contextmanager

import numpy as np
import pytest

from dark.cli import main
from dark.cli.notes import view_run
from dark.monitor import Note
from dark.monitor.viewer.server import PageServer


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Write two runs in the folder `runs` of the current folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second"):
        with Note(f"runs/{name}") as note:
            for step in range(3):
                note.take_down_scalars_and_tensors(step, {"loss": 1.0 / (step + 1)}, {"w": np.full((40, 50), step)})
    return tmp_path / "runs"


@contextmanager
def viewing(*words):
    """Start `dark notes view`, and give the process and the URL that it prints."""
    command = [sys.executable, "-m", "dark", "notes", "view", *words, "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        lines = [process.stdout.readline() for _ in range(3)]
        assert "http://" in lines[1], "".join(lines)
        yield process, lines[0].strip(), lines[1].strip()
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_server_shows_the_run_and_is_ended_cleanly(runs, number):
    with viewing("first", "second") as (process, title, url):
        assert title == "The viewer of first and second"
        with urllib.request.urlopen(url) as reply:
            assert b"startServed();" in reply.read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(url.partition("token=")[0])
        process.send_signal(number)
        assert process.stdout.read().strip() == "Stopping the viewer."
        assert process.wait(timeout=30) == 0


def test_a_browser_is_opened_where_there_is_a_display(runs, monkeypatch, capsys):
    opened = []

    def interrupt(server):
        raise KeyboardInterrupt

    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(PageServer, "serve_forever", interrupt)
    monkeypatch.setattr(view_run, "has_display", lambda: True)
    assert main(["notes", "view", "first"]) == 0
    url = capsys.readouterr().out.splitlines()[1].strip()
    assert opened == [url] and url.startswith("http://127.0.0.1:")
    assert main(["notes", "view", "first", "--no-browser"]) == 0
    monkeypatch.setattr(view_run, "has_display", lambda: False)
    assert main(["notes", "view", "first"]) == 0
    assert opened == [url]


@pytest.mark.skipif(sys.platform != "linux", reason="only there windows need a display")
def test_a_display_is_what_the_environment_names(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not view_run.has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert view_run.has_display()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["view", "frist"], "the run 'frist' does not exist"),
        (["view", "first", "first"], "the runs must differ"),
        (["view", "first", "--port", "70000"], "port 70000 is in use or not allowed"),
        (["export", "first", "out.html", "--limit-mb", "0"], "limit_mb must be greater than 0, got 0"),
        (["export", "first", "nowhere/out.html"], "nowhere"),
        (["export", "first", "out.html", "--compare", "secnd"], "the run 'secnd' does not exist"),
    ],
)
def test_what_cannot_be_shown_is_a_clear_error(runs, capsys, words, message):
    assert main(["notes", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("words", [["out.html"], ["--html", "out.html"], ["out.htm"]])
def test_a_run_is_exported_as_a_page(runs, capsys, words):
    assert main(["notes", "export", "first", *words]) == 0
    (path,) = runs.parent.glob("out.htm*")
    html = path.read_text(encoding="utf-8")
    assert "startFile();" in html
    assert capsys.readouterr().err == f"{path.name}: {len(html) / 1e6:.1f} MB\n"


def test_two_runs_are_exported_together_and_what_is_left_out_is_said(runs, capsys):
    assert main(["notes", "export", "first", "out.html", "--compare", "second", "--limit-mb", "0.1"]) == 0
    assert "<title>first and second</title>" in (runs.parent / "out.html").read_text(encoding="utf-8")
    assert "of up to 3 steps, evenly spread" in capsys.readouterr().err
    assert sorted(os.listdir(runs)) == ["first", "second"]


def test_six_runs_are_exported_together(runs):
    others = [f"run{k}" for k in range(4)]
    for name in others:
        with Note(f"runs/{name}") as note:
            note.take_down_scalars_and_tensors(1, {"loss": 1.0})
    assert main(["notes", "export", "first", "all.html", "--compare", "second", *others]) == 0
    html = (runs.parent / "all.html").read_text(encoding="utf-8")
    assert "<title>first and second and run0 and run1 and run2 and run3</title>" in html


def test_a_file_of_several_runs_is_viewed_from_its_first(runs):
    assert main(["notes", "pack", "runs"]) == 0
    for words in (["runs.zip"], ["runs.zip/first"]):
        with viewing(*words) as (process, title, url):
            assert title == "The viewer of first"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 0
