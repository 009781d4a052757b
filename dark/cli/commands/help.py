"""Print the help of a command, or the list of commands."""

from argparse import Namespace

from dark.cli import dispatch
from dark.cli.parser import Parser


def add_arguments(parser: Parser) -> None:
    """Add the arguments of `dark help`."""
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="a command, such as check or notes list")


def run(arguments: Namespace) -> int:
    """Print what `dark COMMAND --help` prints."""
    words = arguments.command
    if words and words[0] not in dispatch.command_names():
        raise dispatch.unknown_command(words[0])
    if not words:
        dispatch.build_parser().print_help()
        return 0
    dispatch.build_parser(words[0]).parse_args([*words, "--help"])
    return 0
