"""Compose several transforms of items into one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dark.checks import callable_with
from dark.data.dataset_checks import as_list
from dark.data.seeding import as_generator
from dark.errors import UsageError

if TYPE_CHECKING:
    from dark.typing import Seed


class Compose:
    """Compose several transforms; each is applied to the result of the previous one.

    Each is called as ``step(item, generator)`` and returns the transformed item. A deterministic step accepts the
    generator, too, and ignores it. `DataLoader(transform=…)` passes the generator: one per item, a function of seed,
    epoch and index, from which the steps draw in turn. Called without one, a fresh generator is used.

    Examples
    --------
    >>> import numpy as np
    >>> halve_and_add_noise = Compose([lambda x, generator: x / 2, lambda x, generator: x + generator.normal()])
    >>> round(halve_and_add_noise(4.0, np.random.default_rng(0)), 3)
    2.126
    """

    def __init__(self, transforms: Iterable[Callable[[Any, Any], Any]]) -> None:
        self.transforms: list[Callable[[Any, Any], Any]] = as_list(transforms, "Compose", "transforms")
        if not self.transforms:
            raise UsageError(
                "Compose: the list of transforms is empty.", "at least one.", "omit transform from the DataLoader."
            )
        for n, step in enumerate(self.transforms):
            callable_with(step, "Compose", f"step {n}", ("item", "generator"))

    def __call__(self, item: Any, generator: Seed = None) -> Any:
        """Apply all steps in order; they draw from the same generator."""
        generator = as_generator(generator)
        for n, step in enumerate(self.transforms):
            try:
                item = step(item, generator)
            except Exception as error:
                error.add_note(f"in step {n} of Compose, {_name(step)}")
                raise
        return item

    def __repr__(self) -> str:
        return f"Compose({', '.join(map(_name, self.transforms))})"


def _name(step):
    return getattr(step, "__name__", type(step).__name__)
