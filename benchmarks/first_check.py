"""How long a student waits for the first check after a notebook was opened.

A new kernel runs the cells of a solved notebook as JupyterLab does, one after the other, up to the check of its second
exercise. A time is that from the request to the message that the kernel is idle again; running the cell of an exercise
checks it. The same is done with a known wrong answer to the first exercise. Medians of several kernels; the CPU time
includes the kernel and its children.

Run ``python -m benchmarks.first_check``. The first check should take less than 0.3 seconds.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from queue import Empty
from statistics import median

import psutil
from jupyter_client.manager import KernelManager

from benchmarks.networks.machine import processor
from dark.course.judging.bank import load_bank
from dark.course.lessons.library import load_module, modules, repository_root

TARGET = 0.3  # seconds
CELL_SECONDS = 120
COLUMNS = ("load", "first check", "its check cell", "second exercise", "first check, wrong")


def main():
    parser = argparse.ArgumentParser("python -m benchmarks.first_check", description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as 01 (default: all)")
    parser.add_argument("--launches", type=int, default=5, help="kernels of each notebook (default: 5)")
    arguments = parser.parse_args()
    chosen = [load_module(name).id for name in arguments.modules or modules()]
    print(f"Processor: {processor()}; load {os.getloadavg()[0]:.1f}\n")
    print("Seconds until a cell has run, and in parentheses its CPU seconds:\n")
    print(f"| module | {' | '.join(COLUMNS)} |")
    print("|---|" + "---|" * len(COLUMNS))
    with tempfile.TemporaryDirectory(prefix="dark-benchmark-") as folder:
        for path in sorted((repository_root() / "solutions").glob("*.ipynb")):
            shutil.copy(path, folder)  # a student has finished the modules before
        for module in map(load_module, chosen):
            launches = [launch(module, Path(folder)) for _ in range(arguments.launches)]
            cells = [_middle([times[column] for times in launches]) for column in COLUMNS]
            print(f"| {module.id} | {' | '.join(cells)} |", flush=True)
    print(f"\nThe first check should take less than {TARGET} s; load now {os.getloadavg()[0]:.1f}.")


def _middle(pairs):
    wall, cpu = map(median, zip(*pairs, strict=True))
    return f"{wall:.2f} ({cpu:.2f})"


def launch(module, folder):
    """Return the wall-clock and CPU seconds of the measured cells, in two new kernels."""
    notebook = next(folder.glob(f"{module.id}-*.ipynb"))
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    cells = [cell for cell in cells if cell["cell_type"] == "code"]
    first, second, *_ = module.exercises
    places = {cell["id"]: k for k, cell in enumerate(cells)}
    begin, end = places[f"exercise-{first}"], places[f"exercise-{second}"]
    bug = load_bank(module, first).bug[0].source
    with Kernel(notebook) as kernel:
        times = [kernel.run(cell["id"], "".join(cell["source"])) for cell in cells[: end + 1]]
    with Kernel(notebook) as kernel:
        for cell in cells[:begin]:
            kernel.run(cell["id"], "".join(cell["source"]))
        wrong = kernel.run(f"exercise-{first}", bug)
    check = places.get(f"check-{first}", begin)
    return dict(zip(COLUMNS, (times[0], times[begin], times[check], times[end], wrong), strict=True))


class Kernel:
    """A kernel in the folder of a notebook.

    Parameters
    ----------
    notebook : Path
        Its name is passed as Jupyter does.
    """

    def __init__(self, notebook):
        self._manager = KernelManager(kernel_name="python3")
        self._notebook = notebook

    def __enter__(self):
        spec = self._manager.kernel_spec
        spec.argv[0] = sys.executable
        environment = os.environ | {"JPY_SESSION_NAME": str(self._notebook)}
        self._manager.start_kernel(cwd=str(self._notebook.parent), env=environment, stderr=subprocess.DEVNULL)
        self._client = self._manager.client()
        self._client.start_channels()
        self._client.wait_for_ready(CELL_SECONDS)
        self._process = psutil.Process(self._manager.provisioner.pid)
        return self

    def __exit__(self, *error):
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)

    def run(self, cell_id, source):
        """Run a cell; return its wall-clock and CPU seconds.

        Raises
        ------
        SystemExit
            If it fails.
        """
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
        request = self._client.session.msg("execute_request", content, metadata={"cellId": cell_id})
        before, start = self._cpu(), time.perf_counter()
        self._client.shell_channel.send(request)
        while True:
            try:
                message = self._client.get_iopub_msg(timeout=CELL_SECONDS)
            except Empty:
                raise SystemExit(f"the cell {cell_id} of {self._notebook.name} takes too long") from None
            if message["parent_header"].get("msg_id") != request["header"]["msg_id"]:
                continue
            if message["msg_type"] == "error":
                raise SystemExit(f"the cell {cell_id} of {self._notebook.name}: {message['content']['evalue']}")
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return time.perf_counter() - start, self._cpu() - before

    def _cpu(self):
        return sum(self._process.cpu_times()[:4])


if __name__ == "__main__":
    main()
