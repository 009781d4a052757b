"""Open JupyterLab on your notebook, with the course loaded in every notebook.

Your notebooks are created in `work/` of a clone, else in `dark-modules/`, and updated as by `dark update`.

The settings are written to a temporary folder, which the environment of JupyterLab names, so that no file of the user
is changed: a kernel that loads `dark.course`, and no notification about news on the first start. Only Jupyter's list of
trusted notebooks gets those that are created, as if they were saved. The log is `.dark/lab.log` in the opened folder.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from dark.cli.jupyter_notebooks import prepare, trusted
from dark.course.lessons.library import find_exercise, modules, working_folder
from dark.course.lessons.working_copy import NEW, SAME, lay_out
from dark.course.student.progress import Log
from dark.errors import CourseError, UsageError, missing_extra

HOST = "127.0.0.1"
FIRST_PORT = 8888
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# Not with `--ext`: IPython would then warn when the first cell of the notebook loads it again.
LOAD = '__import__("dark.course", fromlist=["course"]).load_ipython_extension(get_ipython())'
QUIET = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": False,
    },
    "@jupyterlab/filebrowser-extension:browser": {"showLastModifiedColumn": False},  # room for the names
}


def add_arguments(parser):
    """Add the arguments of `dark lab`."""
    add = parser.add_argument
    folder_help = f"folder of your notebooks (default: {working_folder().name})"
    add("folder", nargs="?", type=Path, metavar="FOLDER", help=folder_help)
    add("--no-browser", action="store_true", help="only print the URL")
    hosts = "address to listen on: this computer's, or 0.0.0.0, all addresses, in a container (default: %(default)s)"
    add("--host", default=HOST, choices=(HOST, "0.0.0.0"), help=hosts)
    add("--port", type=int, metavar="N", help="port to listen on (default: the first free one from 8888)")


def run(arguments):
    """Start JupyterLab, print its URL, and wait until it is stopped."""
    if find_spec("jupyterlab") is None:
        raise missing_extra("jupyterlab", "lab")
    if arguments.folder is not None and not arguments.folder.is_dir():
        folder = arguments.folder.resolve()
        problem = f"lab: {folder} is not a folder." if folder.exists() else f"lab: the folder {folder} does not exist."
        raise UsageError(problem, "a folder with notebooks.", "dark lab")
    if arguments.port is not None:
        free_port(arguments.port)  # an error before anything is written
    print("Starting JupyterLab …", flush=True)
    folder = (arguments.folder or _updated_folder()).resolve()
    page = first_page(folder)
    with TemporaryDirectory(prefix="dark-lab-") as settings:
        write_settings(Path(settings))
        environment = lab_environment(settings, folder)
        while True:
            port = free_port(arguments.port)
            try:
                return serve(folder, port, environment, page, browser=not arguments.no_browser, host=arguments.host)
            except CourseError:
                if arguments.port is not None or is_free(port):
                    raise  # else another program has taken the port since, and the next one is tried


def _updated_folder():
    """Return the student's folder with all notebooks in it, and print the updates."""
    folder = working_folder()
    existed, known = folder.is_dir(), trusted(folder.glob("*.ipynb"))
    updates = [update for update in lay_out(folder) if update.status != SAME]
    for update in updates:
        if existed:
            print(update)
        if update.status == NEW or update.path in known:
            prepare(update.path)
    return folder


def first_page(folder):
    """Return the page to open: the notebook that was worked on last, at first module 01; elsewhere the launcher."""
    here = [stem for stem in modules() if (folder / f"{stem}.ipynb").is_file()]
    last = None
    with suppress(CourseError, IndexError):  # no log yet, or an exercise that does not exist any more
        last = find_exercise([each["exercise"] for each in Log(folder).read()[0] if "exercise" in each][-1]).module
    chosen = [stem for stem in here if stem[:2] == last] or here
    return f"/lab/tree/{chosen[0]}.ipynb" if chosen else "/lab"


def free_port(requested=None):
    """Return the given port, or the first free one from 8888 on."""
    for port in [requested] if requested is not None else range(FIRST_PORT, FIRST_PORT + 100):
        if is_free(port):
            return port
    raise UsageError(
        f"lab: port {requested or FIRST_PORT} is in use or not allowed.",
        "a free port between 1024 and 65535.",
        "dark lab without --port, which uses the first free one",
    )


def is_free(port):
    """Return whether this process can listen on a port."""
    with socket.socket() as attempt:
        if os.name == "posix":  # as the server does: a port that was just closed is free
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((HOST, port))
        except (OSError, OverflowError):
            return False
        return True


def write_settings(settings):
    """Write the kernel that loads the course, and the settings that turn notifications off."""
    from ipykernel.kernelspec import get_kernel_dict  # only in the extra 'lab'

    kernel = settings / "kernels" / "python3" / "kernel.json"
    quiet = settings / "labconfig" / "default_setting_overrides.json"
    for path, content in [(kernel, get_kernel_dict([f"--IPKernelApp.exec_lines={LOAD}"])), (quiet, QUIET)]:
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content), encoding="utf-8")


def lab_environment(settings, folder):
    """Return the environment of JupyterLab: these settings first, then the user's own."""
    environment = dict(os.environ)
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):
        environment[name] = os.pathsep.join(filter(None, [settings, environment.get(name)]))
    for name in THREADS:
        environment.setdefault(name, "1")
    # so that a terminal in JupyterLab knows `dark`
    environment["PATH"] = os.pathsep.join(filter(None, [str(Path(sys.executable).parent), environment.get("PATH")]))
    environment["JUPYTER_TOKEN"] = secrets.token_hex(16)
    environment.setdefault("JUPYTER_RUNTIME_DIR", str(Path(settings, "runtime")))
    environment.setdefault("JUPYTERLAB_WORKSPACES_DIR", str(folder / ".dark" / "workspaces"))
    return environment


def serve(folder, port, environment, page, browser, host=HOST):
    """Run JupyterLab until it ends or is interrupted; return the exit code."""
    log_path = folder / ".dark" / "lab.log"
    with new_log(log_path) as log:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        server = subprocess.Popen(
            command_line(folder, port, page, browser, host),
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            wait_until_up(server, port, environment["JUPYTER_TOKEN"], log_path)
            print(f"JupyterLab on {folder}")
            print(f"  http://{HOST}:{port}{page}?token={environment['JUPYTER_TOKEN']}")
            print("Ctrl-C stops it.", flush=True)
            return 1 if server.wait() else 0
        except KeyboardInterrupt:
            print("\nStopping JupyterLab.", flush=True)
            return 0
        finally:
            stop(server)
            signal.signal(signal.SIGTERM, before)


def new_log(path):
    """Open an empty log file, creating its folder if it is missing."""
    try:
        path.parent.mkdir(exist_ok=True)
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise CourseError(
            f"{path}: cannot be written ({error.strerror}).",
            "a folder with write permission; your progress is saved there.",
            "dark lab FOLDER, with your own copy of the notebooks",
        ) from error


def command_line(folder, port, page, browser, host=HOST):
    """Return the command line that starts JupyterLab."""
    has_display = sys.platform != "linux" or {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ)
    options = {
        "ip": host,
        "port": port,
        "port_retries": 0,
        "root_dir": folder,
        "answer_yes": True,  # Ctrl-C stops at once, without a question
        "open_browser": browser and bool(has_display),
        "allow_root": hasattr(os, "geteuid") and os.geteuid() == 0,
    }
    words = [f"--ServerApp.{name}={value}" for name, value in options.items()]
    words.append(f"--LabApp.default_url={page}")
    if os.name != "nt":  # not a login shell, whose profile may replace the PATH
        words.append(f"--ServerApp.terminado_settings={{'shell_command': [{os.environ.get('SHELL') or 'sh'!r}]}}")
    return [sys.executable, "-m", "jupyterlab", *words]


def wait_until_up(server, port, token, log_path):
    """Wait until the server answers; raise with the end of its log if it exits instead."""
    while server.poll() is None:
        if answers(port, token):
            return
        time.sleep(0.1)
    last = log_path.read_text(encoding="utf-8", errors="replace").splitlines()[-5:]
    raise CourseError(
        "JupyterLab did not start. Last lines of its log:\n    " + "\n    ".join(last),
        "a running server.",
        f"dark doctor; the whole log is {log_path}",
    )


def answers(port, token):
    """Return whether a JupyterLab with this token answers on a port; another program may have been faster."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"http://{HOST}:{port}/api/status?token={token}", timeout=10):
            return True
    except (OSError, HTTPException):
        return False


def stop(server):
    """Terminate the server and its kernels; kill them if that takes too long."""
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(timeout=15)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            server.kill()
            server.wait()
