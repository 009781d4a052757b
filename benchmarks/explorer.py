"""The page on which a graph is explored: how long it takes to make and to open, its size, and how fluently it moves.

Run ``python -m benchmarks.explorer``; needs chromium. The graphs are a scalar MLP as in micrograd, a chain of residual
blocks, and a transformer. Frames are the milliseconds between two paintings while one drags, and while one zooms; 33
are 30 frames a second. With ``--busy 2`` two other processes keep two cores busy meanwhile.
"""

import argparse
import multiprocessing
import statistics
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import dark
from benchmarks.networks.machine import processor
from dark import nn
from tests.browser import BROWSERS, running_chromium
from tests.draw.explore.graphs import residual_loss

READY = "() => window.darkExplorer && darkExplorer.stage.view.width > 1"
# The milliseconds between paintings while the picture moves for two seconds, by dragging or by zooming.
MOVE = """async zooms => {
    const {stage} = darkExplorer, times = [], until = performance.now() + 2000;
    let k = 0, last = performance.now();
    while (last < until) {
        k += 1;
        if (zooms) stage.zoomBy(k % 40 < 20 ? 1.1 : 1 / 1.1);
        else stage.moveTo({...stage.camera, x: stage.camera.x + (k % 40 < 20 ? 12 : -12) / stage.camera.scale});
        await new Promise((done) => requestAnimationFrame(done));
        times.push(performance.now() - last);
        last = performance.now();
    }
    return times;
}"""
ACT = """async action => {
    const begun = performance.now();
    darkExplorer.act(action);
    darkExplorer.stage.draw();
    return performance.now() - begun;
}"""


def scalar_mlp(samples):
    """Return the loss of an MLP of scalars with 2, 16, 16 and 1 units, summed over samples."""
    rng = np.random.default_rng(0)
    sizes = (2, 16, 16, 1)
    pairs = enumerate(pairwise(sizes))
    layers = [[_neuron(rng, f"layer{k}.neuron{j}", a) for j in range(b)] for k, (a, b) in pairs]
    losses = []
    for _ in range(samples):
        x = [float(v) for v in rng.normal(size=2)]
        for layer in layers:
            sums = [sum((w * v for w, v in zip(weights, x)), bias) for weights, bias in layer]
            x = [dark.relu(s) for s in sums] if layer is not layers[-1] else sums
        losses.append(dark.relu(1.0 - x[0]))
    loss = sum(losses[1:], losses[0])
    loss.backward()
    return loss


def _neuron(rng, name, count):
    weights = [dark.Parameter(float(rng.uniform(-1, 1)), name=f"{name}.w{i}") for i in range(count)]
    return weights, dark.Parameter(0.0, name=f"{name}.bias")


def transformer(layers):
    """Return the loss of a transformer with a width of 64."""
    layer = nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
    network = nn.TransformerEncoder(layer, layers)
    loss = (network(np.random.default_rng(0).normal(size=(2, 16, 64))) ** 2).mean()
    loss.backward()
    return loss


GRAPHS = {
    "scalar MLP": lambda: scalar_mlp(14),
    "1,250 residual blocks": lambda: residual_loss(blocks=1250, width=16, batch=8),
    "transformer of 400 layers": lambda: transformer(400),
}


def _spin():
    while True:
        sum(range(10_000))


@contextmanager
def busy(count):
    """Keep some cores busy."""
    workers = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(count)]
    for worker in workers:
        worker.start()
    yield
    for worker in workers:
        worker.terminate()
        worker.join()


def frames_of(page):
    """Return the median and the 95th percentile of the milliseconds of a frame, dragging and zooming."""
    words = []
    for zooms in (False, True):
        times = page.evaluate(MOVE, zooms)
        words.append(f"{statistics.median(times):.0f} ({np.percentile(times, 95):.0f})")
    return words


def row_of(name, chromium, folder):
    """Measure one graph."""
    drawing = dark.draw(GRAPHS[name](), title=name)
    begun = time.perf_counter()
    made = drawing.page()
    made_in = time.perf_counter() - begun
    path = Path(folder, "graph.html")
    made.save(path)
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    begun = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_function(READY, polling=20)
    opened = time.perf_counter() - begun
    cells = [name, f"{len(drawing.record):,}", f"{made_in:.1f}", f"{len(made.html) / 1e6:.1f}", f"{opened:.2f}"]
    cells += frames_of(page)
    cells.append(f"{page.evaluate(ACT, 'openAll') / 1000:.2f}")
    cells += frames_of(page)
    page.evaluate("() => darkExplorer.act('fit')")
    page.wait_for_timeout(600)
    cells += frames_of(page)
    page.close()
    return [*cells, " ".join(made.left_out) or "nothing"]


def main(words=None):
    parser = argparse.ArgumentParser("python -m benchmarks.explorer", description=__doc__.split("\n")[0])
    parser.add_argument("--busy", type=int, default=0, help="cores that other processes keep busy")
    parser.add_argument("--only", metavar="TEXT", default="", help="only graphs whose name contains this")
    args = parser.parse_args(words)
    print(f"Processor: {processor()}; busy cores: {args.busy}; frames in ms: median (95th percentile)\n")
    heading = ["graph", "nodes", "made s", "MB", "opened s", "drag", "zoom", "open all s", "drag, all open", "zoom"]
    heading += ["drag, whole in view", "zoom", "left out"]
    print("| " + " | ".join(heading) + " |\n|" + "---|" * len(heading))
    with TemporaryDirectory() as folder, running_chromium(BROWSERS) as chromium, busy(args.busy):
        for name in GRAPHS:
            if args.only in name:
                print("| " + " | ".join(row_of(name, chromium, folder)) + " |", flush=True)


if __name__ == "__main__":
    main()
