"""Kill trainings (kill -9) at random lines, resume each time, and compare with an uninterrupted one to the byte.

Each attempt is a process of its own, forked from this one; the line at which it kills itself is drawn from all lines
of some packages that the whole training runs through, and every other time from those that replace a file.
"""

import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from pathlib import Path

import dark

ROOT = Path(dark.__file__).parent
SAVING = (str(ROOT / "atomic_write.py"), str(ROOT / "handlers" / "checkpoints" / "disk_saver.py"))


def packages(*names):
    """Return the beginnings of the paths of some packages of `dark`, and the file that replaces files."""
    return (*(str(ROOT / name) + os.sep for name in names), SAVING[0])


class KillAt:
    """A trace function that counts the lines of some files, and kills the process at one of them."""

    def __init__(self, where, line):
        self.where, self.line, self.count = where, line, 0

    def __call__(self, frame, event, argument):
        if not frame.f_code.co_filename.startswith(self.where):
            return None
        if event == "line":
            self.count += 1
            if self.count == self.line:
                os.kill(os.getpid(), signal.SIGKILL)
        return self


def attempt(train, folder, where=None, line=None):
    """Train in a process of its own, killed at a line if one is given; return whether it was.

    Parameters
    ----------
    train : callable
        Of a folder; resumes from its checkpoints, and writes everything into its file "final".
    folder : Path
    where : tuple of str, optional
        Beginnings of the paths of the files whose lines are counted.
    line : int, optional
    """
    child = os.fork()
    if child == 0:
        try:
            tracer = KillAt(where, line)
            sys.settrace(tracer if where else None)
            train(folder)
            sys.settrace(None)
            (folder / "lines").write_text(str(tracer.count))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return True
    assert os.waitstatus_to_exitcode(status) == 0, "a training failed"
    return False


def uninterrupted(train, parent, where):
    """Return what an uninterrupted training writes, and the number of lines it runs through."""
    folder = Path(tempfile.mkdtemp(dir=parent))
    assert not attempt(train, folder, where)
    return (folder / "final").read_bytes(), int((folder / "lines").read_text())


def compare(train, kills, seed, parent, anywhere):
    """Kill, resume and compare; return a message with the number of kills, and of those inside a save."""
    rng, done, inside, trainings = random.Random(seed), 0, 0, 0
    expected = {where: uninterrupted(train, parent, where) for where in (anywhere, SAVING)}
    while done < kills:
        where = (anywhere, SAVING)[trainings % 2]
        final, lines = expected[where]
        folder = Path(tempfile.mkdtemp(dir=parent))
        while done < kills and attempt(train, folder, where, rng.randrange(1, lines)):
            done += 1
        attempt(train, folder)  # to its end, if it was not
        trainings += 1
        inside += len(list(folder.glob(".*.part")))
        assert (folder / "final").read_bytes() == final, f"training {trainings} of seed {seed} differs"
        shutil.rmtree(folder)
    return f"{done} kills, {inside} of them inside a save, in {trainings} trainings: all equal"
