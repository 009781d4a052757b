"""Run the command line: `python -m dark` is the same as `dark`."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - before anything is imported that an older Python cannot read
    sys.exit(
        "dark: {} is Python {}.{}.\n  Expected: Python 3.11 or newer, as in the environment of the course, .venv.\n"
        '  Try: install a newer one, then, in the clone,   python -m pip install -e ".[lab]"'.format(
            sys.executable, *sys.version_info
        )
    )

from dark.cli import main

if __name__ == "__main__":
    sys.exit(main())
