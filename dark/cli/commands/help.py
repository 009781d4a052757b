"""Print the help of a command, or the list of commands."""

from argparse import Namespace

from dark.cli import dispatch
from dark.cli.parser import Parser
from dark.errors import UsageError, near_misses


def add_arguments(parser: Parser) -> None:
    """Add the arguments of `dark help`."""
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="a command, such as check or notes list")


def run(arguments: Namespace) -> int:
    """Print what `dark COMMAND --help` prints."""
    words, known = arguments.command, dispatch.command_names()
    if words and words[0] not in known:
        expected = "one of " + ", ".join(known) + "."
        near = near_misses(words[0], known)
        advice = "dark help" if near.startswith("one of ") else f"dark help {near.partition(' or ')[0]}"
        raise UsageError(f"dark help: there is no command '{words[0]}'.", expected, advice)
    if not words:
        dispatch.build_parser().print_help()
        return 0
    dispatch.build_parser(words[0]).parse_args([*words, "--help"])
    return 0
