"""`dark help` prints the help of a command; `dark completion` programs that a shell runs."""

import shutil
import subprocess

import pytest

from dark.cli import dispatch

BASH = """
source {file}
COMP_WORDS=({words} "{begun}") COMP_CWORD={count}
_dark
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
# A terminal is needed by zsh's own completion: its two functions that take words print them instead.
ZSH = """
function compdef {{ }}
function compadd {{ shift; print -l -- $@ }}
function _files {{ }}
source {file}
words=({words} "{begun}") CURRENT=$(({count} + 1))
_dark
"""
FISH = "source {file}; complete -C '{line}'"
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


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


@pytest.fixture(params=SCRIPTS)
def offered(request, capsys, tmp_path):
    """Return a function: the words that a shell offers after a command line, the last word of which has begun."""
    shell = request.param
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    assert dispatch.main(["completion", shell]) == 0
    file = tmp_path / "completion"
    file.write_text(capsys.readouterr().out, encoding="utf-8")

    def ask(line):
        *words, begun = line.split(" ")
        script = SCRIPTS[shell].format(file=file, words=" ".join(words), begun=begun, count=len(words), line=line)
        done = subprocess.run([shell, "-c", script], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0 and not done.stderr, done.stderr
        found = {row.split("\t")[0] for row in done.stdout.splitlines()}
        return {word for word in found if word.startswith(begun)}

    return ask


def test_a_command_is_offered_by_its_beginning(offered):
    assert offered("dark dra") == {"draw"}
    assert offered("dark ") >= set(dispatch.command_names())


def test_options_and_subcommands_follow_their_command(offered):
    assert "--jobs" in offered("dark grade --j") and offered("dark check --js") == {"--json"}
    assert offered("dark notes li") == {"list"}
    assert "--folder" in offered("dark notes list --fo")
    assert "--jobs" not in offered("dark check --")


def test_a_command_that_needs_an_extra_is_still_completed(monkeypatch, capsys):
    whole = dispatch.build_parser

    def without_extra(name=None):
        if name == "check":
            raise ModuleNotFoundError("No module named 'pygments'", name="pygments")
        return whole(name)

    monkeypatch.setattr(dispatch, "build_parser", without_extra)
    assert dispatch.main(["completion", "bash"]) == 0
    assert '" check "*) words="--help" ;;' in capsys.readouterr().out
