"""`dark help` prints the help of a command; `dark completion` programs that a shell runs."""

import shutil
import subprocess

import pytest

from dark.cli import dispatch


def test_help_is_the_list_of_commands(capsys):
    assert dispatch.main(["help"]) == 0
    assert "usage: dark" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["check"], ["notes"], ["notes", "list"]])
def test_help_of_a_command_is_its_help(words, capsys):
    with pytest.raises(SystemExit) as stop:
        dispatch.main(["help", *words])
    assert stop.value.code == 0
    assert f"usage: dark {' '.join(words)}" in capsys.readouterr().out


def test_a_short_option_prints_the_version(capsys):
    with pytest.raises(SystemExit):
        dispatch.main(["-V"])
    assert capsys.readouterr().out.startswith("dark ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_told_every_command(shell, capsys):
    assert dispatch.main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in dispatch.command_names())
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=printed, text=True, check=False).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on the path")
@pytest.mark.parametrize(
    ("words", "completed"),
    [("dark che", "check"), ("dark notes l", "list"), ("dark grade --reg", "--regrade"), ("dark check --js", "--json")],
)
def test_bash_completes_commands_and_options(words, completed, capsys):
    dispatch.main(["completion", "bash"])
    program = capsys.readouterr().out
    asked = f'COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _dark; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", program + asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [completed]


def test_a_command_that_needs_an_extra_is_still_completed(monkeypatch, capsys):
    whole = dispatch.build_parser

    def without_extra(name=None):
        if name == "check":
            raise ModuleNotFoundError("No module named 'pygments'", name="pygments")
        return whole(name)

    monkeypatch.setattr(dispatch, "build_parser", without_extra)
    assert dispatch.main(["completion", "bash"]) == 0
    assert '" check "*) words="--help" ;;' in capsys.readouterr().out
