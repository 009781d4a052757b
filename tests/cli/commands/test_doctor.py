"""`dark doctor`: what is found, what is missing, and the exit code."""

import json
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace

import pytest

from dark.cli import main
from dark.cli.commands import doctor
from dark.course.lessons import library
from dark.errors import CourseError, DrawingError
from dark.grading.sandbox.confinement import Confinement


@pytest.fixture
def findings(capsys):
    def look():
        code = main(["doctor", "--json"])
        return code, {each["name"]: each for each in json.loads(capsys.readouterr().out)}

    return look


def fails(error):
    def raise_it(*_):
        raise error

    return raise_it


def test_every_line_begins_with_one_of_three_signs(capsys):
    main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert lines and {line[0] for line in lines} <= set("✓✗·")


def test_the_required_packages_are_found_with_their_versions(findings):
    _, found = findings()
    assert found["numpy"]["status"] == "found"
    assert found["numpy"]["says"][0].isdigit()


def test_a_missing_package_of_the_course_is_an_error_with_the_way_out(findings, monkeypatch):
    monkeypatch.setattr(doctor, "version", fails(PackageNotFoundError()))
    code, found = findings()
    assert code == 1
    assert found["jupyterlab"]["status"] == "missing"
    assert found["jupyterlab"]["says"] == 'not installed: pip install "dark-course[lab]"'
    assert "sphinx" not in found, "a package for those who build the book"


def test_a_distribution_that_is_not_installed_is_one_line(findings, monkeypatch):
    monkeypatch.setattr(doctor, "requires", fails(PackageNotFoundError()))
    code, found = findings()
    assert (code, found["dark-course"]["status"]) == (1, "missing")


def test_an_engine_that_cannot_draw_is_an_error(findings, monkeypatch):
    monkeypatch.setattr(doctor, "draw_boxes", fails(DrawingError("No engine.", try_="one")))
    code, found = findings()
    assert (code, found["pictures"]["status"]) == (1, "missing")
    assert "No engine." in found["pictures"]["says"]


def test_programs_are_optional(findings, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    _, found = findings()
    assert found["dot"]["status"] == found["chromium"]["status"] == "optional"


def test_no_modules_is_an_error(findings, monkeypatch):
    monkeypatch.setattr(library, "modules", tuple)
    assert findings()[1]["modules"]["status"] == "missing"
    monkeypatch.setattr(library, "modules", fails(CourseError("Damaged.")))
    assert findings()[1]["modules"]["says"] == "Damaged."


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path):
    assert doctor.writable(tmp_path).status == "found"
    assert doctor.writable(tmp_path / "nowhere").status == "missing"


def test_an_old_python_is_an_error(monkeypatch):
    monkeypatch.setattr(doctor, "sys", SimpleNamespace(version_info=(3, 10), executable="python"))
    assert doctor.python().status == "missing"


def test_the_levels_of_confinement_are_listed_with_what_is_missing(monkeypatch, capsys):
    little = Confinement("files", ("System calls are not restricted: libseccomp.so.2 is not installed.",))
    monkeypatch.setattr(doctor, "confinement", lambda: little)
    assert main(["doctor", "--grading"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:3]] == [["✓", "limits"], ["✓", "files"], ["·", "full"]]
    assert lines[2].endswith("System calls are not restricted: libseccomp.so.2 is not installed.")
