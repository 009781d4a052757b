"""The cases that are trained in `dark` and in PyTorch: each family and fault, for some seeds."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.doctor.healthy import HEALTHY
from benchmarks.doctor.kits import KITS
from benchmarks.doctor.sick_data import SICK
from benchmarks.doctor.training import Training, run


@dataclass(frozen=True)
class SharedCase:
    """A training in one of the libraries, and its right findings (none: it is healthy; else one is enough)."""

    group: str  # the library
    family: str
    seed: int
    expected: tuple[str, ...]
    make: Callable[..., Training]

    @property
    def name(self):
        """The name of the run."""
        return f"{self.group} {self.family} {self.seed}"

    def run(self, folder):
        """Train and return the folder of the note."""
        with np.errstate(all="ignore"):
            training = self.make(KITS[self.group](self.seed), np.random.default_rng([self.seed, len(self.family)]))
            return run(training, folder, self.seed)


def shared_cases(seeds) -> Iterator[SharedCase]:
    """Yield all cases, healthy ones first; those of PyTorch if it is installed."""
    table = {name: (make, ()) for name, make in HEALTHY.items()} | SICK
    libraries = [name for name in KITS if name == "dark" or importlib.util.find_spec("torch")]
    for family, (make, expected) in table.items():
        for library in libraries:
            for seed in seeds:
                yield SharedCase(library, family, seed, expected, make)
