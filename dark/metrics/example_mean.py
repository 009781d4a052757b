"""Base class of metrics that are a mean over all examples: they add up numbers, and count the examples."""

from typing import Any

import numpy as np

from dark.metrics.metric import Metric
from dark.metrics.outputs import no_examples_error


class ExampleMean(Metric):
    """Divide a sum by the number of examples; a subclass adds each batch in `update`.

    The first name of `_state_dict_all_req_keys` is the sum's, which subclasses set to Ignite's name.
    """

    _state_dict_all_req_keys: tuple[str, ...] = ("_sum", "_num_examples")
    _zero: Any = np.float64(0.0)  # of the sum's dtype

    def reset(self) -> None:
        """Reset the sum and the number of examples."""
        vars(self)[self._state_dict_all_req_keys[0]] = self._zero
        self._num_examples = 0

    def accumulate(self, total: Any, count: Any) -> None:
        """Add the sum over a batch, and its number of examples."""
        vars(self)[self._state_dict_all_req_keys[0]] += total
        self._num_examples += count

    def compute(self) -> float:
        """Return the mean over all examples."""
        if not self._num_examples:
            raise no_examples_error(type(self).__name__)
        return float(vars(self)[self._state_dict_all_req_keys[0]] / self._num_examples)
