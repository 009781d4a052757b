"""Answers of module 08, metrics and resuming: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import pickle
from pathlib import Path

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("08")

# the reference: parts of `dark` that its facade does not hold, and an evaluator that restores the mode

for name in ("Engine", "Events", "EventEnum", "keep_random_state"):
    answers.reference(getattr(dark.engine, name))
for name in ("Metric", "Accuracy", "ConfusionMatrix"):
    answers.reference(getattr(dark.metrics, name))


def write(states, path):
    """Write a file without waiting for the disk: no question asks about a machine that loses its power."""
    path.write_bytes(pickle.dumps(states))


def read(path):
    """Read what `write` has written."""
    return pickle.loads(path.read_bytes())


@answers.reference
class Checkpoint(dark.handlers.Checkpoint):
    """The checkpoint of `dark`, with these files."""

    def __init__(self, to_save, folder, n_saved=1):
        saver = dark.handlers.DiskSaver(folder, atomic=False, require_empty=False, save=write, load=read)
        super().__init__(to_save, saver, n_saved=n_saved)

    @staticmethod
    def load_objects(to_load, path):
        """Load the states of a file, into all objects or none."""
        states = read(Path(path))
        if missing := to_load.keys() - states:
            raise KeyError(missing)
        before = {name: each.state_dict() for name, each in to_load.items()}
        try:
            for name, each in to_load.items():
                each.load_state_dict(states[name])
        except Exception:
            for name, each in to_load.items():
                each.load_state_dict(before[name])
            raise


@answers.reference
class ResumableLoader:
    """A loader whose position is seed, epoch, and batches taken; `pending` is a position that no loop has begun at."""

    def __init__(self, dataset, batch_size, seed=0):
        self.dataset, self.batch_size = dataset, batch_size
        self.pending = self.position = (seed, 1, 0)

    def __len__(self):
        return (len(self.dataset) + self.batch_size - 1) // self.batch_size

    def __iter__(self):
        seed, epoch, taken = self.pending or (self.position[0], self.position[1] + 1, 0)
        self.pending = None
        order = np.random.default_rng([seed, epoch]).permutation(len(self.dataset))
        for k in range(taken, len(self)):
            self.position = (seed, epoch, k + 1)
            yield [self.dataset[int(each)] for each in order[k * self.batch_size : (k + 1) * self.batch_size]]

    def state_dict(self):
        """Return the position."""
        return dict(zip(("seed", "epoch", "taken"), self.position))

    def load_state_dict(self, states):
        """Take a position."""
        self.pending = self.position = (states["seed"], states["epoch"], states["taken"])


@answers.reference
def make_filter(event_filter=None, every=None, once=None):
    """Return a filter, for all numbers from 0 on; a ValueError for what can never work."""
    if once is not None:
        numbers = (once,) if isinstance(once, int) else tuple(once)
        return lambda engine, number: number in numbers
    selects = dark.engine.Events.ITERATION_COMPLETED(event_filter, every).filter
    return selects or (lambda engine, number: True)


@answers.reference
def create_supervised_evaluator(net, metrics=None):
    """Return an evaluator that puts the network back into its mode."""
    evaluate = dark.trainers.supervised_evaluation_step(net)

    def step(engine, batch):
        was_training = net.training
        try:
            return evaluate(engine, batch)
        finally:
            net.train(was_training)

    evaluator = dark.engine.Engine(step)
    for name, metric in (metrics or {}).items():
        metric.attach(evaluator, name)
    return evaluator


# predictions


def idle(engine, batch):
    """Do nothing with a batch."""


@answers.prediction("08.0a")
def the_iteration_goes_on(dark):
    """Two epochs of five iterations are over, and iterations are counted over the whole run: 10."""
    found, engine = [], dark.Engine(idle)
    engine.add_event_handler(dark.Events.EPOCH_STARTED, lambda: found.append(engine.state.iteration))
    engine.run([0] * 5, max_epochs=3)
    return found[-1]


@answers.prediction("08.1a")
def every_third_iteration(dark):
    """Counted over the whole run, not in each epoch: 3, 6, 9, 12."""
    found, engine = [], dark.Engine(idle)
    engine.add_event_handler(dark.Events.ITERATION_COMPLETED(every=3), lambda: found.append(engine.state.iteration))
    engine.run([0] * 4, max_epochs=3)
    return found


@answers.prediction("08.2a")
def three_of_four(dark):
    """3 of 4 examples are right: 0.75. The mean of the accuracies 1 and 0 would be 0.5."""
    metric = dark.Accuracy()
    metric.update((np.eye(2)[[0, 1, 1]], np.array([0, 1, 1])))
    metric.update((np.eye(2)[[0]], np.array([1])))
    return metric.compute()


@answers.prediction("08.2b")
def broadcast(dark):
    """`==` broadcasts: each of 3 predictions is compared with each of 3 classes, so 9 are `True`, and 9 / 3 is 3."""
    y = np.ones((3, 1))
    return float(np.sum(np.ones(3) == y) / len(y))


@answers.prediction("08.4a")
def a_position(dark):
    """An epoch has 3 batches: 4, 4 and 2 items. Two epochs are 6 batches, so the seventh is the first of epoch 3."""
    loader = ResumableLoader(range(10), 4)
    for _ in range(2):
        list(loader)
    next(iter(loader))
    return list(loader.position[1:])


@answers.prediction("08.4b")
def the_last_multiple(dark):
    """The last checkpoint is that of step 700; the 77 steps after it are computed again, with the same numbers."""
    return 777 // 100 * 100


@answers.prediction("08.5a")
def nothing_is_returned(dark):
    """Line 2 calls the function and drops its result; a function without `return` returns None: nothing."""
    return "nothing"


@answers.prediction("08.5b")
def the_state_is_lost(dark):
    """The exception leaves the decorated function at line 2, and line 3 is not reached: False."""
    return False


@answers.prediction("08.5c")
def parameters_only(dark):
    """The parameters alone: 1 of 4. Adam begins with running means of 0, the loader with its first batch."""
    return 1
