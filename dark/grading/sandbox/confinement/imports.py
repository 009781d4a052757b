"""The modules that a student's code can import while it is graded: Python's standard library and NumPy.

The framework is what the course builds, so a graded answer cannot import it. The worker forgets the few modules of it
that it is made of before it forks a process for an answer, and the kernel does not let that one read the others.
"""

import sys
import sysconfig
from types import ModuleType

from dark.course.lessons.imports import ALLOWED, FRAMEWORK, not_allowed

LIBRARY = [sysconfig.get_path(key) for key in ("stdlib", "platstdlib")]  # found out once, not by every answer


class _AllowedOnly:
    """A finder that comes before all others, and refuses modules that are not allowed with a clear error."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Return None, so that other finders look for an allowed module, or raise."""
        if name.partition(".")[0] in ALLOWED:
            return None
        raise not_allowed(name)


def forget_the_framework():
    """Remove the framework from the modules of this process, and refuse to import it again; it cannot be undone."""
    for name in [name for name in sys.modules if name.partition(".")[0] == FRAMEWORK]:
        del sys.modules[name]
    sys.modules["__main__"] = ModuleType("__main__")
    sys.path[:] = [path for path in sys.path if path.endswith((".zip", "lib-dynload")) or path in LIBRARY]
    sys.path_importer_cache.clear()
    sys.meta_path.insert(0, _AllowedOnly)
