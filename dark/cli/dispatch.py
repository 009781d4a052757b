"""The shell command `dark`: find the commands, run one, and turn errors into exit codes.

Exit codes: 0 success · 1 an answer is wrong or not attempted, or a check failed · 2 an invalid command
line or file · 3 `dark grade` finds a fault of the course · 4 less confinement than it requires · 130
interrupted by Ctrl-C · 141 the reader of the output closed the pipe.
"""

import ast
import os
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from dark import __version__
from dark.cli import commands
from dark.cli.parser import Parser
from dark.cli.setup_advice import setup_advice
from dark.errors import DarkError, MissingExtraError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, by default the arguments of the process; return its exit code, as above."""
    words = sys.argv[1:] if argv is None else list(argv)
    _prepare_streams()
    try:
        code = run(words)
        sys.stdout.flush()
        return code
    except DarkError as error:
        print(error, file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(_missing_package(error, words), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("dark: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # `dark check | head`: the reader closed the pipe, and nothing more can be written to it
        _silence_output()
        return 141
    except OSError as error:
        _silence_output()
        print(f"dark: {error}", file=sys.stderr)
        return 2


def _missing_package(error, words):
    """Return the error for a Python in which the requirements of `dark` are not installed; re-raise any other."""
    if (error.name or "dark").partition(".")[0] == "dark":
        raise error
    around = Path(__file__).parents[2]
    program = around / ".venv" / "bin" / "dark"
    advice = shlex.join([str(program), *words]) if program.is_file() else setup_advice(around)
    return MissingExtraError(
        f"dark: the package {error.name!r} is not installed for {sys.executable}.",
        "the Python environment of the course, .venv.",
        advice,
    )


def _prepare_streams():
    """Make every string printable in any terminal encoding; replace a closed stream by the null device."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _silence_output():
    """Redirect buffered output to the null device, so that flushing it at exit cannot fail."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(words: list[str]) -> int:
    """Parse the arguments, run the command they name, and return its exit code."""
    chosen = next((word for word in words if not word.startswith("-")), None)
    if chosen is not None and chosen not in command_names():
        raise unknown_command(chosen)
    arguments = build_parser(chosen).parse_args(words)
    if chosen is None:
        build_parser().print_help()
        return 2
    return import_module(f"dark.cli.commands.{chosen}").run(arguments) or 0


def unknown_command(word: str) -> UsageError:
    """Return the error for a word that is not a command, with the commands that are similar."""
    near = get_close_matches(word, command_names(), n=2)
    advice = " or ".join([f"dark {name}" for name in near]) or "dark --help"
    return UsageError(f"dark has no command '{word}'.", "one of " + ", ".join(command_names()) + ".", advice)


def build_parser(chosen: str | None = None) -> ArgumentParser:
    """Return the parser; only the chosen command is imported, so that `dark --help` stays fast."""
    parser = Parser(prog="dark", description="A small autodiff framework and its course.")
    parser.add_argument("-V", "--version", action="version", version=f"dark {__version__}")
    kinds = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in command_names():
        sentence = help_of(name)
        command = kinds.add_parser(name, help=sentence, description=sentence)
        if name == chosen:
            import_module(f"dark.cli.commands.{name}").add_arguments(command)
    return parser


def command_names() -> list[str]:
    """Return the names of the commands: the files of `dark/cli/commands`, sorted."""
    return sorted(module.name for module in iter_modules(commands.__path__))


def help_of(name: str) -> str:
    """Return the help of a command: the first docstring line of its file, which is not imported."""
    source = Path(commands.__path__[0], f"{name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
