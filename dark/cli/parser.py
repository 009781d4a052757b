"""The parser of the command line, whose errors have three parts, as all errors of `dark`."""

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from difflib import get_close_matches

from dark.errors import UsageError


class Parser(ArgumentParser):
    """A parser whose errors have the three parts, and not the usage.

    >>> parser = Parser(prog="dark example")
    >>> action = parser.add_argument("--report", type=int, help="how many pages")
    >>> print(parser.explain("argument --report: invalid int value: 'x'"))
    dark example: argument --report: invalid int value: 'x'.
      Expected: --report REPORT: how many pages.
      Try: dark example --help
    >>> print(parser.explain("unrecognized arguments: --reprot"))
    dark example: unrecognized arguments: --reprot.
      Expected: one of --help, --report.
      Try: --report
    """

    def error(self, message):
        """Print the three parts and exit with code 2."""
        self.exit(2, f"{self.explain(message)}\n")

    def explain(self, message: str) -> UsageError:
        """Return the error for a message of argparse."""
        line = " ".join(message.split()).rstrip(".")
        expected, advice = self._usage(), f"{self.prog} --help"
        if unknown := re.match("unrecognized arguments: (.*)", line):
            expected, advice = self._for_unknown(unknown[1])
        elif named := re.match("argument ([^:]+): (?:invalid choice: '?([^']*?)'? )?", line):
            expected, advice = self._for_argument(named[1], named[2], line)
        return UsageError(f"{self.prog}: {line}.", f"{expected.rstrip('.')}.", advice)

    def _usage(self):
        return " ".join(self.format_usage().split()).removeprefix("usage: ")

    def _for_unknown(self, words):
        last = self
        for parser in parsers(self):
            if len(list(parser._actions)) > 1:  # more than --help: the command that was chosen
                last = parser
        options = sorted({option for parser in parsers(self) for option in parser.options()})
        option = next((word.partition("=")[0] for word in words.split() if word.startswith("-")), "")
        if not option:
            return f"no more than {last._usage()}", f"{last.prog} --help"
        return "one of " + ", ".join(options), near_option(option, options) or f"{last.prog} --help"

    def _for_argument(self, name, wrong, line):
        for action in self._actions:
            names = ["/".join(action.option_strings), action.metavar, action.dest]
            if name not in names:
                continue
            value = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else "")
            shown = f"{name} {value or action.dest.upper()}" if action.option_strings and action.nargs != 0 else name
            if "not allowed with" in line:
                return "one of the two", f"omit {name}"
            help_ = self._get_formatter()._expand_help(action) if action.help else ""
            near = get_close_matches(wrong or "", [str(each) for each in action.choices or ()], n=1)
            start = action.option_strings[0] if action.option_strings else self.prog
            advice = f"{start} {near[0]}" if near else f"{self.prog} --help"
            if action.choices and not action.option_strings:
                return "one of " + ", ".join(map(str, action.choices)), advice
            return f"{shown}: {help_}" if help_ else shown, advice
        return self._usage(), f"{self.prog} --help"

    def options(self) -> list[str]:
        """Return the long options, or the short one where an option has no other."""
        return [action.option_strings[-1] for action in self._actions if action.option_strings]


def parsers(parser: ArgumentParser) -> Iterator[Parser]:
    """Yield a parser and the parsers of its subcommands, each once."""
    yield parser  # type: ignore[misc]
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for each in dict.fromkeys(action.choices.values()):
                yield from parsers(each)


def near_option(word: str, options: list[str]) -> str | None:
    """Return the option that is similar to a word; the dashes do not count.

    >>> near_option("--reprot", ["--report", "--json"])
    '--report'
    """
    bare = {option.lstrip("-"): option for option in options}
    found = get_close_matches(word.lstrip("-"), bare, n=1, cutoff=0.6)
    return bare[found[0]] if found else None
