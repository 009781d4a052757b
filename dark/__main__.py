"""Makes `python -m dark` the same as the command `dark`."""

import sys

from dark.cli import main

if __name__ == "__main__":
    sys.exit(main())
