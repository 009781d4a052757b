"""The shell command itself: help, version, near misses, and what errors become."""

import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

from dark.cli import dispatch as cli
from dark.errors import CourseError


@pytest.fixture
def command(monkeypatch):
    """Put a made-up body into the command `doctor`, and return a way to run it."""

    def run_as(body):
        doctor = import_module("dark.cli.commands.doctor")
        monkeypatch.setattr(doctor, "run", body)
        return cli.main(["doctor"])

    return run_as


@pytest.mark.parametrize("name", cli.command_names())
def test_each_command_has_a_sentence_and_a_help(name, capsys):
    assert cli.help_of(name).endswith("."), f"the first line of dark/cli/commands/{name}.py"
    with pytest.raises(SystemExit) as stop:
        cli.main([name, "--help"])
    assert stop.value.code == 0
    assert f"usage: dark {name}" in capsys.readouterr().out


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in cli.command_names())


def test_the_help_is_printed_without_importing_numpy():
    code = "import sys; from dark.cli import main\ntry: main(['--help'])\nfinally: print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "usage: dark" in found.stdout and found.stdout.endswith("False\n")


def test_no_words_at_all_print_the_help_and_are_a_usage_error(capsys):
    assert cli.main([]) == 2
    assert "usage: dark" in capsys.readouterr().out


def test_version_is_that_of_the_distribution(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"dark {version('dark-course')}\n"


def test_an_unknown_command_names_the_near_one(capsys):
    assert cli.main(["docter"]) == 2
    said = capsys.readouterr().err
    assert "dark has no command 'docter'." in said
    assert "Try: dark doctor" in said


def test_an_unknown_option_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["doctor", "--jsn"])
    assert stop.value.code == 2
    assert "unrecognized arguments: --jsn" in capsys.readouterr().err


@pytest.mark.parametrize("is_set_up", [True, False])
def test_a_python_without_the_requirements_is_a_clear_error(command, capsys, tmp_path, monkeypatch, is_set_up):
    def fail(arguments):
        raise ModuleNotFoundError("No module named 'graphviz'", name="graphviz")

    root = Path(cli.__file__).parents[2]
    (tmp_path / "Makefile").touch()
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    program = tmp_path / ".venv" / "bin" / "dark"
    if is_set_up:
        program.parent.mkdir(parents=True)
        program.touch()
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "dark" / "cli" / "dispatch.py"))
    assert command(fail) == 2
    said = capsys.readouterr().err
    assert f"dark: the package 'graphviz' is not installed for {sys.executable}." in said
    assert "Expected: the Python environment of the course, .venv." in said
    assert said.endswith(f"Try: {program} doctor\n" if is_set_up else "Try: make lab\n")
    bare = [sys.executable, "-S", "-m", "dark", "progress"]
    found = subprocess.run(bare, cwd=root, capture_output=True, text=True, check=False)
    assert found.returncode == 2 and "is not installed for" in found.stderr and "Traceback" not in found.stderr


def test_a_module_of_dark_that_is_missing_is_not_hidden(command):
    def fail(arguments):
        raise ModuleNotFoundError("No module named 'dark.gone'", name="dark.gone")

    with pytest.raises(ModuleNotFoundError):
        command(fail)


def test_a_dark_error_is_printed_without_a_traceback(command, capsys):
    def fail(arguments):
        raise CourseError("Something is wrong.", "something right.", "that.")

    assert command(fail) == 2
    said = capsys.readouterr().err
    assert said == "Something is wrong.\n  Expected: something right.\n  Try: that.\n"


def test_ctrl_c_is_one_line(command, capsys):
    def interrupt(arguments):
        raise KeyboardInterrupt

    assert command(interrupt) == 130
    assert capsys.readouterr().err == "dark: stopped.\n"


def test_the_code_of_a_command_is_returned(command):
    assert command(lambda arguments: 1) == 1


def test_a_reader_that_goes_away_ends_the_command_quietly():
    process = subprocess.Popen([sys.executable, "-m", "dark", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait()
    assert said == b""


def in_a_process(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "dark", *words], capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_characters_that_the_terminal_cannot_show_are_escaped(encoding, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    found = in_a_process("docter-✓\udce9")
    assert found.returncode == 2 and "dark has no command" in found.stderr and "\\udce9" in found.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_cannot_be_written_is_one_line(tmp_path):
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [sys.executable, "-P", "-m", "dark", "hint", "01", "slope", "1", "--file", str(tmp_path / "x.ipynb")],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (found.returncode, found.stderr) == (2, "dark: [Errno 28] No space left on device\n")


def test_an_error_of_the_system_is_one_line(command, capsys):
    def fail(arguments):
        raise OSError(28, "No space left on device")

    assert command(fail) == 2
    assert capsys.readouterr().err == "dark: [Errno 28] No space left on device\n"


def test_closed_output_is_not_an_error(command, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert command(lambda arguments: print("x") or 0) == 0
    sys.stdout.close()
