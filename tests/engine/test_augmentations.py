"""Random numbers of a dataset after resuming within an epoch: which are those of the uninterrupted run."""

import numpy as np
import pytest

from dark import nn
from dark.data import DataLoader, Dataset
from dark.engine import DeterministicEngine, Engine, Events, manual_seed
from dark.handlers import Checkpoint


class Augmented(Dataset):
    """Items 0 to 19 with a random number, from NumPy's global generator or from one of its own."""

    def __init__(self, rng=None):
        self.rng = rng or np.random

    def __len__(self):
        return 20

    def __getitem__(self, index):
        return index, self.rng.normal()


def owned():
    return Augmented(np.random.default_rng(0))


def batches_of(kind, make_data, folder, is_resumed, use_checkpoint, **settings):
    """Return the batches of two epochs of ten, or those after the 13th."""
    seen = []
    engine = kind(lambda engine, batch: seen.append(np.stack(batch)))
    manual_seed(7)
    objects = {"trainer": engine, **({"net": nn.Linear(1, 1, seed=0)} if use_checkpoint else {})}
    loader = DataLoader(make_data(), batch_size=2, shuffle=True, seed=1, **settings)
    if is_resumed:
        Checkpoint.load_objects(objects, folder / f"{'checkpoint' if use_checkpoint else 'trainer'}_13.pt")
        if not use_checkpoint:
            manual_seed(7)
    else:
        engine.add_event_handler(Events.ITERATION_COMPLETED(once=13), Checkpoint(objects, folder))
    engine.run(loader, max_epochs=2)
    return np.array(seen)


@pytest.mark.parametrize(
    ("kind", "make_data", "use_checkpoint", "settings", "are_equal"),
    [
        (Engine, Augmented, False, {}, False),
        (Engine, Augmented, True, {}, True),
        (DeterministicEngine, Augmented, False, {}, True),
        (DeterministicEngine, Augmented, True, {}, True),
        (Engine, owned, True, {}, False),
        (DeterministicEngine, owned, True, {}, False),
        (Engine, lambda: np.arange(20), False, {"transform": lambda item, rng: (item, rng.normal())}, True),
    ],
)
def test_the_order_is_the_same_and_augmentations_are_where_their_generator_is_kept(
    kind, make_data, use_checkpoint, settings, are_equal, tmp_path
):
    whole = batches_of(kind, make_data, tmp_path, False, use_checkpoint, **settings)
    rest = batches_of(kind, make_data, tmp_path, True, use_checkpoint, **settings)
    assert len(rest) == 7 and (rest[:, 0] == whole[13:, 0]).all()
    assert (rest[:, 1] == whole[13:, 1]).all() == are_equal
    assert are_equal or not (rest[:, 1] == whole[13:, 1]).any()
