"""How to install the course here: it imports only the standard library, as its requirements may be missing."""

import shutil
from pathlib import Path


def setup_advice(around: Path) -> str:
    """Return the command that installs the missing requirements, in the folder around the package.

    >>> setup_advice(Path("site-packages"))
    'python -m pip install "dark-course[lab]"'
    """
    if not (around / "Makefile").is_file():  # an installed package
        return 'python -m pip install "dark-course[lab]"'
    return "make lab" if shutil.which("make") else f'python -m pip install -e "{around}[lab]"'
