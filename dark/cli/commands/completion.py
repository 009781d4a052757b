"""Print the completion of a shell: bash, zsh or fish."""

from argparse import Namespace, RawDescriptionHelpFormatter

from dark.cli import dispatch
from dark.cli.parser import Parser, parsers

INSTALL = """\
to install:
  bash   dark completion bash > ~/.local/share/bash-completion/completions/dark
  zsh    dark completion zsh > ~/.zfunc/_dark     (a folder of $fpath)
  fish   dark completion fish > ~/.config/fish/completions/dark.fish
"""
BASH = """\
_dark() {
    local word="${COMP_WORDS[COMP_CWORD]}" path="" each words
    for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $each == -* ]] || path="$path $each"; done
    case "$path " in
%s
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _dark dark
"""
ZSH = """\
#compdef dark
_dark() {
    local where="" each
    local -a known
    for each in "${(@)words[2,CURRENT-1]}"; do [[ $each == -* ]] || where="$where $each"; done
    case "$where " in
%s
    esac
    compadd -- $known
    _files
}
if [[ $funcstack[1] == _dark ]]; then _dark "$@"; else compdef _dark dark; fi
"""


def add_arguments(parser: Parser) -> None:
    """Add the arguments of `dark completion`."""
    parser.epilog, parser.formatter_class = INSTALL, RawDescriptionHelpFormatter
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell that completes")


def run(arguments: Namespace) -> int:
    """Print the program that the shell reads."""
    found = words_of_commands()
    print({"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell](found), end="")
    return 0


def words_of_commands() -> dict[str, list[str]]:
    """Return the words that may follow each command, such as 'notes list': its options and its subcommands."""
    found = {"": [*dispatch.command_names(), "--help", "--version"]}
    for name in dispatch.command_names():
        try:
            chosen = dispatch.build_parser(name)
        except ImportError:  # it needs an extra that is not installed
            found[name] = ["--help"]
            continue
        for parser in parsers(chosen):
            path = parser.prog.removeprefix("dark").strip()
            if path.partition(" ")[0] == name:
                below = [each.prog.removeprefix(parser.prog).split() for each in parsers(parser)]
                found[path] = [*(words[0] for words in below if len(words) == 1), *parser.options()]
    return found


def _cases(found, assignment):
    # longest first: `notes list` before `notes`
    rows = sorted(found.items(), key=lambda row: -len(row[0].split()))
    return "\n".join(
        f'        {f"""" {path} "*""" if path else "*"}) {assignment % " ".join(words)} ;;' for path, words in rows
    )


def bash(found: dict[str, list[str]]) -> str:
    """Return the completion of bash."""
    return BASH % _cases(found, 'words="%s"')


def zsh(found: dict[str, list[str]]) -> str:
    """Return the completion of zsh."""
    return ZSH % _cases(found, "known=(%s)")


def fish(found: dict[str, list[str]]) -> str:
    """Return the completion of fish."""
    lines = []
    for path, words in found.items():
        tests = [f"__fish_seen_subcommand_from {word}" for word in path.split()] or ["__fish_use_subcommand"]
        lines.append(f"complete -c dark -n '{'; and '.join(tests)}' -a '{' '.join(words)}'")
    return "\n".join(lines) + "\n"
