"""Answers of module 08, metrics and resuming: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import pickle

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
        """Load the states of a file; a KeyError if one is missing."""
        if missing := to_load.keys() - read(path):
            raise KeyError(missing)
        dark.handlers.Checkpoint.load_objects(to_load, path, load=read)


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


@answers.prediction("08.4a")
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
    """The parameters alone: 1 of 4. Adam begins with moments of 0, the loader with its first batch."""
    return 1


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_keep_random_state(function):
    """`return` passes the result on, and `finally` restores the state also where the function raises."""

    def wrapper(*args, **kwargs):
        state = np.random.get_state()
        try:
            return function(*args, **kwargs)
        finally:
            np.random.set_state(state)

    return wrapper
