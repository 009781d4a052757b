"""Five training runs on handwritten digits, four of them sick: saturated, dead, exploding, and one that reads labels.

All have the same network, and the same monitor watches them. Each is written to a note, FOLDER/seed-N/NAME, which
`dark notes view` opens. The picture sick-runs.svg shows them together, with what the doctor says about each.
"""

import argparse
import shutil
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from digits import parts
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits  # comes with scikit-learn
from tqdm import tqdm

import dark
from dark import losses, nn, optim
from dark.data import DataLoader, TensorDataset
from dark.draw import FigurePicture, Table
from dark.engine import Engine, Events
from dark.monitor import Monitor, Note, diagnose

EPOCHS, BATCH_SIZE, EVERY, HIDDEN = 12, 32, 10, 64
INTERRUPTED = 130  # the exit code after Ctrl-C
HEADING = ("run", "validation accuracy", "the doctor finds", "seconds")


class Network(nn.Module):
    """64 inputs, a hidden layer with tanh, one with ReLU, 10 outputs."""

    def __init__(self, rng):
        super().__init__()
        self.fc1, self.tanh1 = nn.Linear(64, HIDDEN, seed=rng), nn.Tanh()
        self.fc2, self.relu2 = nn.Linear(HIDDEN, HIDDEN, seed=rng), nn.ReLU()
        self.fc3 = nn.Linear(HIDDEN, 10, seed=rng)

    def forward(self, x):
        """Return the scores (batch, 10) of images (batch, 64)."""
        return self.fc3(self.relu2(self.fc2(self.tanh1(self.fc1(x)))))


@dataclass
class Run:
    """A training: its fault in words, data, network, and how it is trained."""

    fault: str
    train: tuple
    validation: tuple
    network: Network
    optimizer: type = optim.Adam
    settings: dict = field(default_factory=lambda: {"lr": 2e-3})
    zero_grad: bool = True


def runs(seed):
    """Create the five training runs, by name."""
    train, validation = parts(seed)

    def healthy():
        return Run("none", train, validation, Network(np.random.default_rng(seed)).float())

    saturated = replace(healthy(), fault="initial weights with a standard deviation of 3")
    rng = np.random.default_rng(seed + 1)
    saturated.network.fc1.weight.value = (3 * rng.normal(size=(HIDDEN, 64))).astype(np.float32)
    dead = replace(healthy(), fault="biases that begin at -10")
    dead.network.fc2.bias.value = np.full(HIDDEN, -10, np.float32)
    exploding = replace(
        healthy(), fault="zero_grad is not called", zero_grad=False, optimizer=optim.SGD, settings={"lr": 0.05}
    )
    leaking = replace(
        healthy(), fault="the label is among the inputs", train=leaky(*train), validation=leaky(*validation)
    )
    return {"healthy": healthy(), "saturated": saturated, "dead": dead, "exploding": exploding, "leaking": leaking}


def leaky(x, labels):
    """Write the labels, one-hot, into the first ten pixels."""
    x = x.copy()
    x[:, :10] = 3 * np.eye(10)[labels]
    return x, labels


def train(run, folder, epochs, seed):
    """Train a run under a monitor, write its note to the folder, and yield the validation accuracy of each epoch."""
    network, optimizer = run.network, run.optimizer(run.network.parameters(), **run.settings)

    def step(engine, batch):
        x, labels = batch
        if run.zero_grad:
            optimizer.zero_grad()
        loss = losses.cross_entropy(network(x), labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    trainer, monitor = Engine(step), Monitor(network)
    often = Events.ITERATION_COMPLETED(once=1) | Events.ITERATION_COMPLETED(every=EVERY)
    monitor.attach(trainer, often)
    loader = DataLoader(TensorDataset(*run.train), BATCH_SIZE, shuffle=True, seed=seed)
    with Note(folder) as note:
        note.put_down_configs({"fault": run.fault, "optimizer": run.optimizer.__name__, "seed": seed, **run.settings})
        note.attach(trainer, often, monitor)
        for epoch in range(1, epochs + 1):
            trainer.run(loader, max_epochs=epoch)
            scalars = measured(run)
            note.take_down_scalars_and_tensors(trainer.state.iteration, scalars)
            yield scalars["accuracy/validation"]
        note.put_down_criterion("accuracy", scalars["accuracy/validation"])


def measured(run):
    """Measure a run on both parts of the data, without recording a graph."""
    found = {}
    with dark.no_grad():
        for part, (x, labels) in (("train", run.train), ("validation", run.validation)):
            scores = run.network(x)
            found[f"accuracy/{part}"] = float(np.mean(scores.value.argmax(axis=1) == labels))
            found[f"loss/{part}"] = losses.cross_entropy(scores, labels).item()
    return found


def picture(notes, diagnoses, faults):
    """Draw the runs together: a column for each, and a row for what each fault shows in."""
    figure = Figure(figsize=(3 * len(notes), 10.5), layout="constrained")
    axes = figure.subplots(4, len(notes), sharey="row")
    for column, (name, note) in enumerate(notes.items()):
        findings = ",\n".join(diagnoses[name].kinds) or "nothing"
        axes[0, column].set_title(f"{name}\nthe doctor finds:\n{findings}", fontsize=11, va="bottom")
        for row, draw_row in enumerate((draw_losses, draw_shares, draw_gradients, draw_inputs)):
            draw_row(axes[row, column], note)
            if row < 2:
                axes[row, column].label_outer()
    for row, label in enumerate(
        ("loss", "share of units", "norm of all gradients", "change of the weights,\nby pixel")
    ):
        axes[row, 0].set_ylabel(label, fontsize=11)
    return FigurePicture(figure, alternative(notes, diagnoses, faults), "Sick runs")


def draw_losses(axes, note):
    """Draw the losses of both parts, on a logarithmic axis."""
    for part, line, marker in (("train", "-", "o"), ("validation", "--", "s")):
        series = note.scalar_dict[f"loss/{part}"]
        values = np.clip(series.values, 1e-5, 1e9)
        axes.plot(series.steps, values, line, color="black", marker=marker, markevery=3, mfc="white", label=part)
    axes.set_yscale("log")
    axes.legend(frameon=False, fontsize=8)


def draw_shares(axes, note):
    """Draw how many outputs of tanh are saturated, and how many units of ReLU are dead."""
    for name, line, label in (("saturated/tanh1", "-", "tanh1 saturated"), ("dead/relu2", "--", "relu2 dead")):
        series = note.scalar_dict[name]
        axes.plot(series.steps, series.values, line, color="black", lw=2, label=label)
    axes.set_ylim(-0.05, 1.05)
    axes.legend(frameon=False, fontsize=8)


def draw_gradients(axes, note):
    """Draw the norm of all gradients, on a logarithmic axis."""
    series = [series for name, series in note.scalar_dict.items() if name.startswith("gradient_norm/")]
    total = np.sqrt(sum(np.square(s.values) for s in series))
    axes.plot(series[0].steps, np.clip(total, 1e-3, 1e9), color="black", lw=2)
    axes.set_yscale("log")
    axes.set_xlabel("step")


def draw_inputs(axes, note):
    """Draw how much the weights of each of the 8 by 8 pixels have changed, relative to the median pixel."""
    weights = note.tensor_dict["weights/fc1.weight"]
    change = np.linalg.norm(weights[-1] - weights[0], axis=0)
    ratio = (change / max(np.median(change), 1e-30)).reshape(8, 8)
    axes.imshow(ratio, cmap="gray_r", vmin=0, vmax=3)
    for row, column in zip(*np.nonzero(ratio > 2.2)):
        axes.text(column, row, "×", ha="center", va="center", color="white", fontsize=12)
    axes.set(xticks=[], yticks=[], xlabel="× more than 2.2 times the median")


def alternative(notes, diagnoses, faults):
    """Describe the picture in sentences, one for each run."""
    sentences = [
        "Five runs on handwritten digits next to each other: losses, saturated and dead units, gradients, inputs."
    ]
    for name, note in notes.items():
        loss, accuracy = (note.scalar_dict[f"{kind}/validation"].values[-1] for kind in ("loss", "accuracy"))
        shares = [note.scalar_dict[key].values[-1] for key in ("saturated/tanh1", "dead/relu2")]
        findings = " and ".join(diagnoses[name].kinds) or "nothing"
        sentences.append(
            f"{name}, fault {faults[name]}: validation loss {loss:.3g}, accuracy {accuracy:.1%}, {shares[0]:.0%} of "
            f"tanh1 saturated, {shares[1]:.0%} of relu2 dead; the doctor finds {findings}."
        )
    return " ".join(sentences)


def options_of(arguments):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="first seed, of split, weights and order (default 0)")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="number of seeds (default 1)")
    parser.add_argument("--epochs", type=int, default=EPOCHS, metavar="N", help=f"number of epochs (default {EPOCHS})")
    parser.add_argument("--out", type=Path, default=Path("build/sick-runs"), metavar="FOLDER",
                        help="folder of notes and pictures (default build/sick-runs)")  # fmt: skip
    options = parser.parse_args(arguments)
    for name, smallest in (("seed", 0), ("seeds", 1), ("epochs", 1)):
        if getattr(options, name) < smallest:
            parser.error(f"--{name} is {getattr(options, name)}; it must be {smallest} or more")
    return options


def train_all(seed, options):
    """Train the five runs of a seed, draw them, and return the rows of the table."""
    folder, rows, notes, diagnoses, faults = options.out / f"seed-{seed}", [], {}, {}, {}
    for name, run in runs(seed).items():
        started = time.perf_counter()
        shutil.rmtree(folder / name, ignore_errors=True)  # a note would continue an earlier run
        bar = tqdm(train(run, folder / name, options.epochs, seed), name, options.epochs, leave=False, unit="epoch")
        with np.errstate(all="ignore"):  # the exploding one overflows
            for accuracy in bar:
                bar.set_postfix_str(f"validation accuracy {accuracy:.3f}", refresh=False)
        seconds = time.perf_counter() - started
        notes[name], faults[name] = Note.load(folder / name), run.fault
        diagnoses[name] = diagnose(notes[name])
        rows.append((name, f"{accuracy:.3f}", ", ".join(diagnoses[name].kinds) or "nothing", f"{seconds:.1f}"))
    drawn = picture(notes, diagnoses, faults)
    for suffix in (".svg", ".png"):
        drawn.save(folder / f"sick-runs{suffix}")
    return rows


def main(arguments=None):
    """Train the runs of all seeds, print a table of each, and return the exit code."""
    options = options_of(arguments)
    try:
        with threadpool_limits(1):  # faster for small matrices, and reproducible on any number of cores
            for seed in range(options.seed, options.seed + options.seeds):
                print(f"seed {seed}", file=sys.stderr)
                print(Table(HEADING, tuple(train_all(seed, options))))
    except KeyboardInterrupt:
        print(f"Stopped. What was noted is in {options.out}.")
        return INTERRUPTED
    print(f"notes and pictures: {options.out}/seed-*; for one of them: dark notes doctor {options.out}/seed-0/dead")
    return 0


if __name__ == "__main__":
    sys.exit(main())
