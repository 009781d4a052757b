"""Tests of `dark notes`: what its subcommands print, export and refuse."""

import csv
import json
import math
import shutil

import numpy as np
import pytest

from dark.cli import main
from dark.monitor import Note


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Write three runs in the folder `runs` of the current folder."""
    monkeypatch.chdir(tmp_path)
    for k, (rate, accuracy) in enumerate([(0.1, 0.91234), (0.01, 0.95), (0.1, math.nan)]):
        with Note(f"runs/net{k}") as note:
            note.put_down_configs({"lr": rate, "optimizer": {"name": "adam"}, "epochs": 3})
            note.put_down_criterion("accuracy", accuracy, better="higher")
            for step in (1, 2):
                tensors = {"w": np.full((2, 3), step, "f4")} if k == 0 else None
                note.take_down_scalars_and_tensors(step, {"loss": step / 8 if k else math.nan}, tensors)
            note.take_down_scalars_and_tensors(3, {"late": k})
            note.write_line(f"this is run {k}")
    return tmp_path / "runs"


def said(capsys, *words, code=0):
    """Run `dark notes` and return what it prints."""
    capsys.readouterr()
    assert main(["notes", *map(str, words)]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def as_json(capsys, *words):
    found = said(capsys, *words, "--json")
    return json.loads(found, parse_constant=pytest.fail)


def test_runs_are_listed_with_what_differs_and_a_summary(runs, capsys):
    assert said(capsys, "list").splitlines() == [
        "run   status    lr  accuracy",
        "net0  ended    0.1   0.91234",
        "net1  ended   0.01      0.95",
        "net2  ended    0.1       nan",
        "",
        "all: optimizer.name=adam, epochs=3",
        "",
        "criterion  runs      min   max     mean   median",
        "accuracy      2  0.91234  0.95  0.93117  0.93117",
        "",
        "  lr  criterion  runs      min      max     mean   median",
        " 0.1  accuracy      1  0.91234  0.91234  0.91234  0.91234",
        "0.01  accuracy      1     0.95     0.95     0.95     0.95",
    ]


def test_the_list_is_json_too(runs, capsys):
    found = as_json(capsys, "list", runs)
    assert [each["run"] for each in found["runs"]] == ["net0", "net1", "net2"]
    assert found["runs"][2]["criteria"] == {"accuracy": "nan"} and found["varying"] == ["lr"]
    assert found["groups"][0]["runs"] == ["net0", "net2"] and found["groups"][1]["criteria"]["accuracy"]["count"] == 1
    assert found["criteria"]["accuracy"]["max"] == 0.95 and found["common"] == {"optimizer.name": "adam", "epochs": 3}


def test_runs_are_selected_sorted_and_grouped(runs, capsys):
    names = lambda *words: [each["run"] for each in as_json(capsys, "select", *words)["runs"]]
    assert names("lr<0.1") == ["net1"] and names("lr<=0.1 and accuracy>=0.9", "--sort", "accuracy") == ["net0", "net1"]
    assert names("late>=0", "--sort", "accuracy", "--descend") == ["net1", "net0", "net2"]
    assert names("optimizer.name == 'adam' and not lr == 0.01", runs) == ["net0", "net2"]
    assert names("late>=2", "--folder", runs) == names("late>=2", runs) == ["net2"]
    printed = said(capsys, "select", "late >= 1", "--group", "epochs")
    assert "net0" not in printed and "late" in printed.splitlines()[0]
    assert said(capsys, "select", "lr > 9") == "'runs' holds 3 runs, and none matches lr > 9.\n"
    assert as_json(capsys, "select", "lr > 9")["runs"] == []


def test_one_run_is_shown(runs, capsys):
    printed = said(capsys, "show", "net0")
    assert "runs/net0: ended, began 20" in printed and "optimizer.name = adam" in printed
    assert "this is run 0" in printed and "[2, 3]" in printed and "float32" in printed
    assert "accuracy   0.91234        higher" in printed
    found = as_json(capsys, "show", runs / "net0")
    assert found["scalars"]["loss"] == {
        "count": 2, "first_step": 1, "last_step": 2, "last": "nan", "min": "nan", "max": "nan",
    }  # fmt: skip
    assert found["tensors"]["w"] == {"count": 2, "first_step": 1, "last_step": 2, "shape": [2, 3], "dtype": "float32"}
    assert found["content"] == ["this is run 0"] and found["damage"] == []


def test_damage_is_shown(runs, capsys):
    with open(runs / "net0" / "scalars-0001.jsonl", "a") as file:
        file.write('{"step')
    assert main(["notes", "show", "net0"]) == 0
    assert "scalars-0001.jsonl: the last line is incomplete (6 bytes) and was left out" in capsys.readouterr().err


def test_arrays_are_verified_on_request(runs, capsys):
    assert as_json(capsys, "show", "net0", "--verify")["damage"] == []
    path = runs / "net0" / "tensors-0001.segments"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert main(["notes", "show", "net0"]) == 0 and main(["notes", "show", "net0", "--verify"]) == 1
    assert capsys.readouterr().err == "tensors-0001.segments: 'w' at step 2 is damaged\n" * 2


def test_runs_are_compared(runs, capsys):
    assert said(capsys, "compare", "net1", "net2").splitlines() == [
        "setting  net1  net2  difference",
        "lr       0.01   0.1        0.09",
        "",
        "criterion  net1  net2  difference",
        "accuracy   0.95   nan         nan",
        "",
        "last value  net1  net2  difference",
        "loss        0.25  0.25           0",
        "late           1     2           1",
    ]
    found = as_json(capsys, "compare", "net0", "net1", runs / "net2")
    assert found["configs"] == {"lr": [0.1, 0.01, 0.1]} and found["scalars"]["late"] == [0, 1, 2]
    Note("runs/empty").close()
    assert said(capsys, "compare", "empty", "empty") == "The runs do not differ.\n"


def test_a_packed_run_is_read_as_its_folder(runs, capsys):
    assert said(capsys, "pack", "net0") == "runs/net0.zip\n"
    assert said(capsys, "pack", "net0", "small.zip", "--no-tensors") == "small.zip\n"
    assert said(capsys, "pack", "net0.zip", "small.zip", "--no-tensors") == "small.zip\n"
    assert as_json(capsys, "show", "net0.zip") == as_json(capsys, "show", "net0") | {"run": "runs/net0.zip"}
    assert as_json(capsys, "show", "small.zip")["tensors"] == {}
    assert [each["run"] for each in as_json(capsys, "list")["runs"]] == ["net0", "net1", "net2"]
    (runs / "text").write_text("mine")
    assert "'runs/text' exists, and is not a packed run" in said(capsys, "pack", "net0", "runs/text", code=2)


def test_several_runs_are_packed_into_one_file_and_read_from_it(runs, capsys):
    listed = said(capsys, "list")
    assert said(capsys, "pack", "net0", "net1", "runs/net2", "all.zip") == "all.zip\n"
    shutil.rmtree(runs)
    assert said(capsys, "list", "all.zip") == said(capsys, "list", "--folder", "all.zip") == listed
    assert [each["run"] for each in as_json(capsys, "list")["runs"]] == ["all.zip/net0", "all.zip/net1", "all.zip/net2"]
    assert said(capsys, "select", "lr<0.1", "all.zip").splitlines()[1].split()[:2] == ["net1", "ended"]
    shown = as_json(capsys, "show", "all.zip/net0")
    assert shown == as_json(capsys, "show", "net0", "--folder", "all.zip") and shown["tensors"]["w"]["count"] == 2
    assert "setting  net1  net2" in said(capsys, "compare", "net1", "net2", "--folder", "all.zip")
    assert said(capsys, "export", "all.zip/net1", "--csv").splitlines()[1].endswith(",0.125,")
    assert main(["notes", "doctor", "all.zip/net1"]) in (0, 1)
    error = said(capsys, "show", "all.zip", code=2)
    assert "all.zip holds 3 runs in folders: net0, net1, net2." in error and "Note.load('all.zip/net0')" in error
    assert "Try: all.zip/net1" in said(capsys, "show", "all.zip/nett1", code=2)
    assert "the run 'nett1' does not exist in 'all.zip'" in said(capsys, "show", "nett1", "--folder", "all.zip", code=2)


def test_a_folder_of_runs_stands_for_all_of_them(runs, capsys):
    Note("runs/sweep/deep/net0").close()
    assert said(capsys, "pack", "runs") == "runs.zip\n" == said(capsys, "pack", "net0", "net1")
    assert [each["run"] for each in as_json(capsys, "list", "runs.zip")["runs"]] == ["net0", "net1"]
    said(capsys, "pack", "runs", "-o", "both.zip", "--no-tensors")
    names = [each["run"] for each in as_json(capsys, "list", "both.zip")["runs"]]
    assert names == ["net0", "net1", "net2", "sweep/deep/net0"]
    assert as_json(capsys, "show", "both.zip/net0")["tensors"] == {}
    said(capsys, "pack", "both.zip", "runs/sweep", "more.zip")
    names = [each["run"] for each in as_json(capsys, "list", "more.zip")["runs"]]
    assert names == ["net0", "net0-2", "net0-3", "net1", "net2"]


def test_a_run_is_not_taken_for_the_file(runs, capsys):
    Note("runs/lr0.1").close()
    assert said(capsys, "pack", "net0", "lr0.1") == "runs.zip\n"
    assert said(capsys, "pack", "net0", "out.note") == "out.note\n"
    assert "the run 'nett1' does not exist" in said(capsys, "pack", "net0", "nett1", code=2)
    assert "the run 'nett1' does not exist" in said(capsys, "pack", "net0", "nett1", "all.zip", code=2)


def test_scalars_are_exported_as_a_table(runs, capsys):
    rows = list(csv.reader(said(capsys, "export", "net1", "--csv").splitlines()))
    loss, late = map(Note.load("runs/net1").scalar_dict.get, ("loss", "late"))
    moments = [*zip(loss.times, loss.elapsed), (late.times[0], late.elapsed[0])]
    assert [row[1:3] for row in rows[1:]] == [[repr(float(t)), repr(float(e))] for t, e in moments]
    columns = [[step, *cells] for step, _, _, *cells in rows]
    assert rows[0][1:3] == ["time", "elapsed"]
    assert columns == [["step", "loss", "late"], ["1", "0.125", ""], ["2", "0.25", ""], ["3", "", "1.0"]]
    for words in (["out.csv"], ["--csv", "out.csv"], ["out.csv", "--csv"]):
        main(["notes", "export", "net0", *words])
        line = (runs.parent / "out.csv").read_text().splitlines()[1]
        assert line.startswith("1,") and line.endswith(",nan,")
        (runs.parent / "out.csv").unlink()
    assert "the format of 'out.txt' is not known" in said(capsys, "export", "net0", "out.txt", code=2)
    assert "no format is given" in said(capsys, "export", "net0", code=2)
    assert "the folder is missing" in said(capsys, "export", "net0", "--tensorboard", code=2)


def test_a_run_is_exported_to_tensorboard(runs, capsys):
    pytest.importorskip("tensorboard", reason="tensorboard is in the extra 'tensorboard'")
    from tests.storage.event_files.reading import curve, read

    with Note("runs/net0") as note:
        note.take_down_scalars_and_tensors(2.5, {"epochs": 0.5})
    main(["notes", "export", "net0", "--tensorboard", "board"])
    assert "board: 4 values, 2 histograms" in capsys.readouterr().err
    assert curve("board", "late") == [(3, 0.0)] and curve("board", "epochs") == [(2500, 0.5)]
    found = read("board")
    assert [event.step for event in found.Histograms("w")] == [1, 2]
    assert b"0.1" in found.Tensors("configs/text_summary")[0].tensor_proto.string_val[0]


def test_without_tensorboard_the_extra_is_named(runs, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tensorboard.compat.proto.event_pb2", None)
    assert "tensorboard" in said(capsys, "export", "net0", "--tensorboard", "board", code=2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "nett1"], r"the run 'nett1' does not exist in 'runs'.*Try: net1"),
        (["show", "runs"], r"the run 'runs' does not exist"),
        (["list", "run"], r"the folder 'run' does not exist.*Try: runs"),
        (["list", "--sort", "acuracy"], r"has the key 'acuracy'.*Try: accuracy"),
        (["list", "--group", "rate"], r"has the key 'rate'"),
        (["select", "lr < "], r"the end of 'lr < ' is not expected"),
        (["select", "ler < 1"], r"has the key 'ler'.*Try: lr"),
        (["compare", "net0", "net9"], r"the run 'net9' does not exist"),
        (["pack", "net0", "missing/x.zip"], r"the folder .*missing does not exist"),
    ],
)
def test_what_does_not_exist_gives_near_misses(runs, capsys, words, message):
    assert __import__("re").search(f"(?s){message}", said(capsys, *words, code=2))


def test_a_folder_without_runs_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert said(capsys, "list") == "'.' does not hold a run.\n"
    assert "dark notes list FOLDER, with another folder" in said(capsys, "show", "x", code=2)
    (tmp_path / "file").write_text("text")
    assert "file is not a packed run" in said(capsys, "show", "file", code=2)


def test_without_a_subcommand_the_help_is_printed(capsys):
    assert main(["notes"]) == 2
    assert "usage: dark notes" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["list", "show", "select", "compare", "pack", "export"])
def test_each_subcommand_has_a_help_with_examples(name, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["notes", name, "--help"])
    printed = capsys.readouterr().out
    assert stop.value.code == 0 and f"usage: dark notes {name}" in printed and f"dark notes {name} " in printed


def test_the_doctor_says_what_it_finds_as_text_and_as_json(runs, capsys):
    with Note("runs/dead") as note:
        for step in range(1, 11):
            note.take_down_scalars_and_tensors(step, {"loss": 2.3, "dead/relu1": 0.95})
    assert main(["notes", "doctor", "dead"]) == 1
    text = capsys.readouterr().out
    assert text.startswith(
        "dead: 1 finding\n\ndead units (confidence: high): 95% of the units of relu1 are never active"
    )
    assert "gradients were not noted: attach a Monitor with" in text
    assert main(["notes", "doctor", "dead", "--json"]) == 1
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert not found["healthy"] and found["missing"] and found["information"] == []
    (finding,) = found["findings"]
    assert finding["kind"] == "dead units" and finding["where"] == ["relu1"] and finding["advice"]
    assert finding["evidence"][0] == {"series": "dead/relu1", "step": 10, "value": 0.95, "text": "95% of the units"}


def test_the_exit_code_of_the_doctor_counts_findings_of_a_confidence(runs, capsys):
    with Note("runs/mild") as note:
        for step in range(1, 11):
            note.take_down_scalars_and_tensors(step, {"loss": 2.3, "dead/relu1": 0.55})
    codes = [main(["notes", "doctor", "mild", "--at-least", level]) for level in ("low", "medium", "high")]
    assert codes == [1, 0, 0] and capsys.readouterr().out.count("dead units (confidence: low)") == 3
    with pytest.raises(SystemExit, match="2"):
        main(["notes", "doctor", "mild", "--at-least", "certain"])
    with pytest.raises(SystemExit, match="0"):
        main(["notes", "doctor", "--help"])
    text = capsys.readouterr().out
    for line in ("0  the run has no finding", "1  it has findings", "2  it cannot be diagnosed"):
        assert line in text


def test_the_doctor_finds_nothing_in_a_healthy_run_and_nan_in_another(runs, capsys):
    assert said(capsys, "doctor", "net1").startswith("net1: no finding")
    assert main(["notes", "doctor", "net0", "--json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["findings"]
    assert finding["kind"] == "not finite" and finding["evidence"][0]["value"] == "nan"
    assert "Try: net" in said(capsys, "doctor", "net9", code=2)


def test_runs_are_selected_by_their_status(runs, capsys):
    with pytest.raises(RuntimeError), Note("runs/broken") as note:
        note.put_down_configs({"lr": 0.5})
        raise RuntimeError("stop")
    rows = said(capsys, "select", 'status == "failed"').splitlines()
    assert rows[0].split() == ["run", "status"] and [row.split()[0] for row in rows[1:]] == ["broken"]
    assert len(as_json(capsys, "select", 'status != "failed" and lr <= 0.1')["runs"]) == 3


def test_the_extremes_of_a_scalar_are_those_of_its_finite_values(tmp_path, capsys):
    with Note(tmp_path / "nan") as note:
        for step, value in enumerate([2.0, math.nan, 1.0, math.inf]):
            note.take_down_scalars_and_tensors(step, {"loss": value})
    found = as_json(capsys, "show", tmp_path / "nan")["scalars"]["loss"]
    assert (found["min"], found["max"], found["last"]) == (1.0, 2.0, "inf")


def test_an_unknown_key_offers_a_few_of_many(tmp_path, capsys):
    with Note(tmp_path / "run") as note:
        note.take_down_scalars_and_tensors(0, {f"norm/{k}": k for k in range(40)})
    text = said(capsys, "select", "zzz < 1", tmp_path, code=2)
    assert "norm/11, … (40 keys in all)" in text and "norm/12" not in text
