"""How long the viewer takes to open a run of 10,000 steps of 100 tensors, and to show another tensor or step.

Writes a run of 20 scalars and 100 tensors of 16 by 16 with `Note`, then opens it with `dark notes view` in chromium:
from the start of the command to the URL, from there to the first drawn tensor, a move of the cursor, another tensor,
its color range over all steps, and its histograms. Then the same run as one file of 20 MB.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dark.monitor import Note, page
from tests.browser import BROWSERS, running_chromium

SCALARS, TENSORS, SIDE = 20, 100, 16
DRAWN = "() => window.darkViewer?.tensors.pictures.length > 0"
# Do an action of the viewer and wait until it is drawn.
ACT = """async action => {
    const begun = performance.now();
    await darkViewer.act(action);
    return performance.now() - begun;
}"""
ACTIONS = {
    "another step": "back", "another tensor": "nextTensor", "range over all steps": "unify", "histograms": "histogram",
}  # fmt: skip


def write_run(folder, steps):
    """Write the run, and return the seconds for a step."""
    weights = np.random.default_rng(0).normal(size=(TENSORS, SIDE, SIDE)).astype(np.float32)
    begun = time.perf_counter()
    with Note(folder) as note:
        for step in range(steps):
            weights *= 0.9999
            scalars = {f"scalar/{k}": 1 / (step + k + 1) for k in range(SCALARS - 1)} | {"loss": 1 / (step + 1)}
            note.take_down_scalars_and_tensors(step, scalars, {f"weights/w{k}": w for k, w in enumerate(weights)})
    return (time.perf_counter() - begun) / steps


def opened(chromium, url):
    """Return a page that has drawn its first tensor, and the seconds until then."""
    page = chromium.new_page(viewport={"width": 1280, "height": 860})
    begun = time.perf_counter()
    page.goto(url)
    page.wait_for_function(DRAWN, polling=20)
    return page, time.perf_counter() - begun


def times_of(page):
    """Return the milliseconds of some actions."""
    return {text: page.evaluate(ACT, action) for text, action in ACTIONS.items()}


def measure(steps):
    """Measure and print."""
    with TemporaryDirectory() as folder, running_chromium(BROWSERS) as chromium:
        run = Path(folder, "run")
        print(f"writing: {1000 * write_run(run, steps):.2f} ms a step, {steps} steps")
        begun = time.perf_counter()
        command = [sys.executable, "-m", "dark", "notes", "view", str(run), "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            lines = [server.stdout.readline() for _ in range(3)]
            started = time.perf_counter() - begun
            shown, seconds = opened(chromium, lines[1].strip())
            print(f"server: {started:.2f} s to its URL, {seconds:.2f} s more to the first drawn tensor")
            for text, milliseconds in times_of(shown).items():
                print(f"  {text}: {milliseconds:.0f} ms")
            server.terminate()
        begun = time.perf_counter()
        made = page(run)
        made.save(Path(folder, "run.html"))
        written = time.perf_counter() - begun
        shown, seconds = opened(chromium, Path(folder, "run.html").as_uri())
        print(f"file: {written:.1f} s to write {len(made.html) / 1e6:.0f} MB, {seconds:.2f} s to the first tensor")
        print(f"  left out: {' '.join(made.left_out) or 'nothing'}")


def main():
    parser = argparse.ArgumentParser("python -m benchmarks.viewer", description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=10_000)
    measure(parser.parse_args().steps)


if __name__ == "__main__":
    main()
