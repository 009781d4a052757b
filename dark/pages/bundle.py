"""Scripts of a page, put together into one text.

The scripts are ES modules, tested one by one. A page without a server cannot import modules, so they are joined: in the
order of their imports, without `import` and `export`. Their names at the top level differ.
"""

import os
import re
from functools import cache
from pathlib import Path

PARTS = Path(__file__).with_name("parts")
IMPORT = re.compile(r'^import \{[^}]*\} from "(\.{1,2}/[a-z_/.]+\.js)";\n', re.M)
EXPORT = re.compile(r"^export (?=async function|function|const|class)|^export \{[^}]*\};\n", re.M)


@cache
def joined(entry: Path) -> str:
    """Return a module and all that it imports as one module, without its exports."""
    return "\n".join(EXPORT.sub("", IMPORT.sub("", source(path))) for path in in_order(entry))


def in_order(entry: Path, before: tuple[Path, ...] = ()) -> list[Path]:
    """Return the files of a module and of all that it imports, each after its imports and once."""
    order: list[Path] = []
    for path in imported(entry):
        order += [one for one in in_order(path, (*before, *order)) if one not in order]
    return [one for one in [*order, entry] if one not in before]


def imported(path: Path) -> list[Path]:
    """Return the files that a module imports."""
    return [Path(os.path.normpath(path.parent / name)) for name in IMPORT.findall(source(path))]


@cache
def source(path: Path) -> str:
    """Return the text of a script or of a style sheet."""
    return path.read_text(encoding="utf-8")
