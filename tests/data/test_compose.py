"""Compose: transforms are applied in order, draw from one generator, and errors name the failing step."""

import random

import numpy as np
import pytest

from dark.data import Compose, DataLoader, datasets
from dark.errors import UsageError, ValueTypeError


def add_noise(x, generator):
    """Add a draw from the generator."""
    return x + generator.normal(size=np.shape(x))


def flip_first(item, generator):
    """Flip the first part of a tuple along its last axis, with probability 1/2."""
    return (item[0][..., ::-1] if generator.random() < 0.5 else item[0], *item[1:])


def noise_first(item, generator):
    """Add noise to the first part of a tuple."""
    return (add_noise(item[0], generator), *item[1:])


def test_compose_applies_in_order_with_one_generator_and_errors_name_the_step():
    both = Compose([lambda x, generator: x + generator.random(), lambda x, generator: (x, generator.random())])
    rng = np.random.default_rng(0)
    assert both(0.0, np.random.default_rng(0)) == (rng.random(), rng.random())

    def broken(x, generator):
        raise OSError("no")

    with pytest.raises(OSError, match="no") as caught:
        Compose([add_noise, broken])(np.ones((1, 2, 2)))
    assert caught.value.__notes__ == ["in step 1 of Compose, broken"]
    assert repr(Compose([add_noise, broken])) == "Compose(add_noise, broken)"


def test_the_loader_passes_the_generator_and_the_batches_are_reproducible():
    data = datasets.digits(images=True)
    augment = Compose([flip_first, noise_first])
    make = lambda workers: DataLoader(data, 64, True, seed=0, transform=augment, num_workers=workers, sampler=None)
    first, second = next(iter(make(0))), next(iter(make(2)))
    np.testing.assert_array_equal(first[0], second[0])
    assert first[0].shape == (64, 1, 8, 8) and first[1].shape == (64,)


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: Compose(3), ValueTypeError, r"Compose: expected a list, got 3 \(int\).\n  Expected: a list of t"),
        (lambda: Compose([]), UsageError, "Compose: the list of transforms must not be empty"),
        (lambda: Compose([lambda x: x]), ValueTypeError, r"step 0 must accept 2 positional arguments, got step 0\(x\)"),
    ],
)  # fmt: skip
def test_invalid_arguments_raise_errors_with_three_parts(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


@pytest.mark.parametrize("transform", [Compose([add_noise]), Compose([add_noise, add_noise])])
def test_without_a_generator_the_seed_comes_from_pythons_global_generator(transform):
    image = np.arange(12.0).reshape(1, 3, 4)
    random.seed(3)
    first, second = transform(image), transform(image)
    random.seed(3)
    assert np.array_equal(first, transform(image)) and np.array_equal(second, transform(image))
    assert not np.array_equal(first, second)
