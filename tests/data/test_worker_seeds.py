"""Random numbers in workers: others in each worker and each epoch, the same for the same seed, and `worker_init_fn`."""

import random

import numpy as np
import pytest

from dark.data import DataLoader, get_worker_info
from dark.errors import DarkError


class Noise:
    """Items that are drawn from the global generators of NumPy and Python."""

    def __init__(self, n=8):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        return np.random.rand(), random.random()


class Known(Noise):
    """Items that tell what a worker knows."""

    def __getitem__(self, index):
        info = get_worker_info()
        return info.id, info.num_workers, info.seed, len(info.dataset)


class Kept(Noise):
    """Items from what `worker_init_fn` has set."""

    def __getitem__(self, index):
        return np.random.rand()


def drawn(loader):
    return np.stack([np.concatenate(parts) for parts in zip(*loader)])


def test_each_item_and_each_epoch_has_other_numbers():
    loader = DataLoader(Noise(), 2, num_workers=2)
    first, second = drawn(loader), drawn(loader)
    assert len({*first.ravel(), *second.ravel()}) == 32


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_the_same_seed_draws_the_same_numbers(context):
    make = lambda seed: DataLoader(Noise(4), 2, num_workers=1, seed=seed, multiprocessing_context=context)
    one, same, other = make(0), make(0), make(1)
    np.testing.assert_array_equal(drawn(one), drawn(same))
    assert not np.isin(drawn(one), drawn(other)).any()


def test_a_resumed_epoch_draws_the_same_numbers_with_any_number_of_workers():
    loader = DataLoader(Noise(), 2, True, num_workers=2, seed=0)
    batches = iter(loader)
    next(batches)
    state, rest = loader.state_dict(), drawn(batches)
    for workers in (1, 2, 3):
        resumed = DataLoader(Noise(), 2, True, num_workers=workers)
        resumed.load_state_dict(state)
        np.testing.assert_array_equal(drawn(resumed), rest)


def test_the_main_process_is_not_seeded():
    np.random.seed(3)
    random.seed(3)
    expected = np.random.rand(), random.random()
    np.random.seed(3)
    random.seed(3)
    for workers in (0, 1):
        loader = DataLoader(range(4), 2, num_workers=workers, seed=0)
        list(loader)
    assert (np.random.rand(), random.random()) == expected and get_worker_info() is None


def test_a_worker_knows_its_number_its_seed_and_its_dataset():
    loader = DataLoader(Known(), 1, num_workers=2, seed=0)
    first, second = (list(zip(*[[part.item() for part in item] for item in loader])) for _ in range(2))
    assert first[0] == (0, 1) * 4 and set(first[1]) == {2} and set(first[3]) == {8}
    seeds = first[2]
    assert seeds[1] == seeds[0] + 1 and set(seeds) == {seeds[0], seeds[1]}
    assert not {*second[2]} & {*seeds}


def test_worker_init_fn_is_called_once_in_each_worker_after_it_was_seeded():
    def seed_numpy(worker_id):
        assert get_worker_info().id == worker_id
        np.random.seed(worker_id)

    loader = DataLoader(Kept(), 2, num_workers=2, worker_init_fn=seed_numpy)
    expected = [np.random.RandomState(worker).rand(4) for worker in (0, 1)]
    for _ in range(2):
        batches = [*loader]
        np.testing.assert_array_equal(np.concatenate([batches[0], batches[2]]), expected[0])
        np.testing.assert_array_equal(np.concatenate([batches[1], batches[3]]), expected[1])


def test_an_error_in_worker_init_fn_is_raised_and_ends_the_epoch():
    def fail(worker_id):
        raise DarkError(f"no worker {worker_id}")

    with pytest.raises(DarkError, match="no worker 0"):
        list(DataLoader(Noise(), 2, num_workers=2, worker_init_fn=fail))


def test_without_workers_worker_init_fn_is_not_called():
    assert len(list(DataLoader(range(3), worker_init_fn=lambda worker_id: 1 / 0))) == 3
