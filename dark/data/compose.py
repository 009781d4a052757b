"""Several transforms one after the other."""

from dark.data.dataset_checks import as_list, check_callable
from dark.data.seeding import as_generator
from dark.errors import UsageError


class Compose:
    """Apply several transforms, each to what the one before gave.

    Parameters
    ----------
    transforms : sequence of callable
        Each is called as ``step(item, generator)`` and returns the changed item. A step that draws nothing takes
        the generator all the same and leaves it alone.

    Raises
    ------
    UsageError
        If there is no transform.
    ValueTypeError
        If one cannot be called so.

    Notes
    -----
    `DataLoader(transform=…)` gives the generator: one for each item, a function of seed, epoch and index, from which
    the steps draw in turn. Called by hand without one, a fresh generator is used.

    Examples
    --------
    >>> import numpy as np
    >>> halve_and_shake = Compose([lambda x, generator: x / 2, lambda x, generator: x + generator.normal()])
    >>> round(halve_and_shake(4.0, np.random.default_rng(0)), 3)
    2.126
    """

    def __init__(self, transforms):
        self.transforms = as_list(transforms, "Compose", "transforms")
        if not self.transforms:
            raise UsageError("Compose: no transform.", "at least one.", "leave transform out of the loader.")
        for n, step in enumerate(self.transforms):
            check_callable(step, "Compose", f"step {n}", ("item", "generator"))

    def __call__(self, item, generator=None):
        """Apply all steps; they draw from the same generator in turn."""
        generator = as_generator(generator)
        for n, step in enumerate(self.transforms):
            try:
                item = step(item, generator)
            except Exception as error:
                error.add_note(f"in step {n} of Compose, {getattr(step, '__name__', type(step).__name__)}")
                raise
        return item

    def __repr__(self):
        return f"Compose({', '.join(getattr(step, '__name__', type(step).__name__) for step in self.transforms)})"
