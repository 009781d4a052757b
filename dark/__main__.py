"""Run the command line: `python -m dark` is the same as `dark`."""

import sys

from dark.cli import main

if __name__ == "__main__":
    sys.exit(main())
