"""Open the viewer of a run in the browser: its scalars over time, and every array at every step; press ? for the keys.

The page follows a run that is being written. It is served on this machine alone, to those who know the token in its
address; Ctrl-C ends it.
"""

import os
import signal
import sys
import webbrowser
from pathlib import Path

from dark.cli.notes.finding import add_folder, find_run
from dark.monitor.notes.finding import packed_runs
from dark.monitor.viewer.answers import Answers
from dark.monitor.viewer.server import PageServer
from dark.monitor.viewer.views import openers_of

EXAMPLES = """examples:
  dark notes view first
  dark notes view first second third
  dark notes view summary.zip
  dark notes view experiments/first --port 8765 --no-browser"""


def add_arguments(parser):
    """Add the arguments of `dark notes view`."""
    parser.add_argument("run_name", metavar="RUN", help="the path of a run, or its name in the folder")
    parser.add_argument("others", nargs="*", metavar="OTHER", help="more runs, to see them together")
    add_folder(parser)
    parser.add_argument("--port", type=int, metavar="N", help="port to listen on (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the URL")


def run(arguments):
    """Serve the page until it is interrupted."""
    names = [arguments.run_name, *arguments.others]
    answers = Answers(*openers_of([found(name, arguments.folder) for name in names], "notes view"))
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with PageServer(answers, arguments.port) as server:
            answers.prepare()
            print(f"The viewer of {' and '.join(answers.shown)}")
            print(f"  {server.url}")
            print("Ctrl-C stops it.", flush=True)
            if not arguments.no_browser and has_display():
                webbrowser.open(server.url)
            server.serve_forever()
    except KeyboardInterrupt:
        print("\nStopping the viewer.", flush=True)
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def found(name, folder):
    """Return a run, or the path of a file that holds several: the viewer shows the first."""
    return Path(name) if len(packed_runs(Path(name))) > 1 else find_run(name, folder)


def has_display():
    """Return whether a browser with windows can be opened."""
    return sys.platform != "linux" or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ))
