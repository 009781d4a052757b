"""The shell command `dark`: finds the commands, runs one, turns errors into exit codes.

Exit codes: 0 all right · 1 something is wrong or not attempted · 2 the command
line or a file makes no sense · 130 stopped by Ctrl-C.
"""

import ast
import os
import sys
from argparse import ArgumentParser
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from dark import __version__
from dark.cli import commands
from dark.errors import DarkError, UsageError, near_misses


def main(argv=None):
    """Run one command and return its exit code.

    Parameters
    ----------
    argv : list of str, optional
        The words after `dark`; those of the process by default.

    Returns
    -------
    int
        0, 1, 2 or 130, as the first lines of this file say.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    _prepare_streams()
    try:
        code = run(words)
        sys.stdout.flush()
        return code
    except DarkError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("dark: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`dark check | head`); nothing more can be said to it.
        _silence_output()
        return 141
    except OSError as error:
        _silence_output()
        print(f"dark: {error}", file=sys.stderr)
        return 2


def _prepare_streams():
    """Have every text printable, whatever the terminal's encoding; a closed stream takes all of it."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _silence_output():
    """Let what is still to be printed go nowhere, so that the end of the process does not fail on it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(words):
    """Parse the words, run the command they name, and return its exit code."""
    chosen = next((word for word in words if not word.startswith("-")), None)
    if chosen is not None and chosen not in command_names():
        raise UsageError(
            f"dark has no command '{chosen}'.",
            "one of " + ", ".join(command_names()) + ".",
            near_misses(chosen, command_names()),
        )
    arguments = build_parser(chosen).parse_args(words)
    if chosen is None:
        build_parser().print_help()
        return 2
    return import_module(f"dark.cli.commands.{chosen}").run(arguments) or 0


def build_parser(chosen=None):
    """Make the parser; only the chosen command is imported, so that the others cost no time."""
    parser = ArgumentParser(prog="dark", description="A small autodiff framework and its course.")
    parser.add_argument("--version", action="version", version=f"dark {__version__}")
    kinds = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in command_names():
        sentence = help_of(name)
        command = kinds.add_parser(name, help=sentence, description=sentence)
        if name == chosen:
            import_module(f"dark.cli.commands.{name}").add_arguments(command)
    return parser


def command_names():
    """List the commands: the files of `dark/cli/commands`, sorted.

    Examples
    --------
    >>> "lab" in command_names()
    True
    """
    return sorted(module.name for module in iter_modules(commands.__path__))


def help_of(name):
    """Read the first docstring line of a command's file, without importing it.

    Examples
    --------
    >>> help_of("doctor")
    'Check that everything the course needs is here.'
    """
    source = Path(commands.__path__[0], f"{name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
