"""Answers of module 07, the engine: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

from itertools import islice

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("07")

# the reference: parts of `dark` that its facade does not hold, and a trainer of anything with these methods

for name in ("Engine", "Events", "State"):
    answers.reference(getattr(dark.engine, name))


@answers.reference
def create_supervised_trainer(net, optimizer, loss_of):
    """Return an engine that trains a network on batches (x, y)."""

    def step(engine, batch):
        net.train()
        optimizer.zero_grad()
        loss = loss_of(net(batch[0]), batch[1])
        loss.backward()
        optimizer.step()
        return float(loss.value)

    return dark.engine.Engine(step)


# predictions


def idle(engine, batch):
    """Do nothing with a batch."""


@answers.prediction("07.0a")
def shape_of_a_gradient(dark):
    """A gradient has the shape of its value: (30, 2). It is x transposed, (30, 64), times (64, 2)."""
    w = dark.Parameter(np.zeros((30, 2)))
    dark.mean(dark.matmul(np.zeros((64, 30)), w)).backward()
    return list(w.grad.shape)


@answers.prediction("07.1a")
def iterations_of_a_run(dark):
    """Iterations are counted over the whole run: 3 times 4 is 12."""
    return dark.Engine(idle).run([0] * 4, max_epochs=3).iteration


@answers.prediction("07.1b")
def batches_of_the_second_epoch(dark):
    """The first epoch took 1 and 2. The second takes 3, which is the end of the data, then 1 of a new pass."""
    seen = []
    dark.Engine(lambda engine, batch: seen.append(batch)).run([1, 2, 3], max_epochs=2, epoch_length=2)
    return seen[2:]


@answers.prediction("07.2a")
def attached_while_firing(dark):
    """The loop walks along the list by position; what is appended stands at a position still to come: True."""
    called, engine = [], dark.Engine(idle)
    event = dark.Events.COMPLETED
    engine.add_event_handler(event, lambda: engine.add_event_handler(event, lambda: called.append(True)))
    engine.run([0])
    return bool(called)


@answers.prediction("07.3a")
def events_after_terminate(dark):
    """The end of the run leaves the epoch, too, without EPOCH_COMPLETED: only COMPLETED is fired."""
    fired, engine = [], dark.Engine(idle)
    events = dark.Events
    for event in (events.ITERATION_STARTED, events.ITERATION_COMPLETED, events.EPOCH_COMPLETED, events.COMPLETED):
        engine.add_event_handler(event, fired.append, event.name)
    engine.add_event_handler(
        events.ITERATION_COMPLETED, lambda: engine.terminate() if engine.state.iteration == 2 else None
    )
    engine.run([1, 2, 3, 4, 5])
    return fired[4:]


@answers.prediction("07.3b")
def batch_after_terminate_epoch(dark):
    """The data starts over for the next epoch: batch 1. Without ending early it would have gone on with 3."""
    seen = []
    engine = dark.Engine(lambda engine, batch: seen.append(batch))
    engine.add_event_handler(
        dark.Events.ITERATION_COMPLETED, lambda: engine.terminate_epoch() if engine.state.iteration == 2 else None
    )
    engine.run([1, 2, 3, 4, 5], max_epochs=2)
    return seen[2]


@answers.prediction("07.5a")
def a_new_iterator_for_each_epoch(dark):
    """Line 2 begins the data anew in each epoch, so batches 3 to 5 are never read: 1, 2, 1, 2, 1, 2."""
    return [batch for _ in range(3) for batch in islice(iter([1, 2, 3, 4, 5]), 2)]


@answers.prediction("07.5b")
def graphs_kept_by_a_total(dark):
    """Each addition holds the sum so far and the new loss, and so the graphs of all 100 steps."""
    return 100


# repairs of "Find the bug"; they earn no points


@answers.reference
def batches_of(data, max_epochs, epoch_length):
    """The iterator is made once, before the loop, and remembers how far it is."""
    return data[: max_epochs * epoch_length]
