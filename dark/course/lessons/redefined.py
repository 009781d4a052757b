"""The names that an answer defines again for itself, in its last line: all other code keeps their earlier meaning."""

import re

HEAD = "# Only in this answer: "
LAST = re.compile(rf"\n{HEAD}([\w, ]+)\n?\Z")


def with_redefined(source, names):
    """Return a source with a last line that lists names which no other code shall see."""
    return f"{source}\n{HEAD}{', '.join(sorted(names))}" if names else source


def redefined_in(source):
    """Return the names that the last line of a source lists."""
    found = LAST.search(source)
    return set(found[1].split(", ")) if found else set()
