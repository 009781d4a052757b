"""The exports of a monitor, as its methods: numbers and arrays by name."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from dark.errors import NotComputableError, UsageError, near_misses
from dark.monitor.records.pending import QUIET
from dark.monitor.records.registered import series_of
from dark.monitor.summary import summarized

ARRAYS = ("weights/", "flips/", "gradients/", "gradients_abs/", "activations/", "activations_abs/", "samples/")

ACTIVATIONS = ("activations", "activations_abs", "dead", "saturated")
GRADIENTS = ("gradients", "gradients_abs", "gradient_norm", "gradient_noise")


@np.errstate(**QUIET)
def scalars(monitor: Any) -> dict[str, float]:
    """Return the numbers of the last record, by name.

    ===========================  =============================================================================
    ``loss`` and others          the numbers in the output of the engine; "loss" if it is one number
    ``accuracy/train``           metrics of the engine; ``accuracy/validation`` for a validation set
    ``weight_norm/fc.weight``    the norm of each weight
    ``update_ratio/fc.weight``   the norm of the last update, relative to the norm of the weight
    ``requires_grad/fc.weight``  0, of weights that are not trained on purpose; of others there is no series
    ``gradient_norm/…``          the norm of the last gradient
    ``gradient_noise/…``         the number of batches whose mean gradient has as much noise as signal; ``/all``
    ``dead/relu``                the fraction of units that were 0 for all examples of the last records
    ``saturated/tanh``           the fraction of outputs within 0.01 of a bound
    ``stats/…``                  the running averages of registered statistics of numbers
    ``samples/worst 0/index``    the row of each exemplar that a criterion chose
    ===========================  =============================================================================
    """
    start = perf_counter()
    monitor.evaluate()
    weights, gradients, activations = monitor._weights, monitor._gradients, monitor._activations
    found = dict(monitor._scalars) | monitor._exemplars.indices()
    found |= named("weight_norm", weights.norms()) | named("update_ratio", weights.update_ratios())
    found |= named("requires_grad", weights.not_trained())
    found |= named("gradient_norm", gradients.norms()) | named("gradient_noise", gradients.noise())
    found |= named("dead", activations.dead()) | named("saturated", activations.saturated)
    series = {**named("stats", monitor._stats.averages()), **named("tensors", monitor._tensors.averages())}
    series |= grad_dict(monitor) if monitor._researchers else {}
    derived = {name: float(v) for name, v in series.items() if not np.ndim(v) and not name.startswith(ARRAYS)}
    monitor.budget.spend(start)
    return of_last_record(monitor, found) | derived


@np.errstate(**QUIET)
def tensors(monitor: Any) -> dict[str, np.ndarray]:
    """Return the arrays of the last record, by name: copies, of a weight in its dtype.

    ===========================  ============================================================================
    ``weights/fc.weight``        each weight; ``flips/fc.weight`` the count of flips of its signs
    ``gradients/fc.weight``      running averages of gradients; ``gradients_abs/…`` of their absolute values
    ``activations/fc``           running averages over examples; ``activations_abs/…`` of absolute values
    ``samples/validation 0/fc``  outputs for exemplar 0 of the sample set "validation"
    ``tensors/…``, ``stats/…``   running averages of registered arrays; ``tensors_abs/…``
    ===========================  ============================================================================

    With ``detail="summary"``, weights, gradients and activations are histograms: ``histograms/weights/fc.weight``, of
    shape (2, bins + 1). The first row has the edges of the bins, the second one the counts, and at its end the number
    of values that are not finite. There are no flips and no absolute values then; what was registered is as before.
    """
    start = perf_counter()
    monitor.evaluate()
    found: dict[str, Any] = named("weights", monitor._weights.weights()) | named("flips", monitor._weights.flips())
    found |= grad_dict(monitor)
    found |= named("activations", monitor._activations.averages())
    found |= named("activations_abs", monitor._activations.averages(absolute=True))
    found |= named("tensors", monitor._tensors.averages())
    found |= named("tensors_abs", monitor._tensors.averages(absolute=True))
    found |= named("stats", monitor._stats.averages())
    found |= monitor._exemplars.tensors()
    arrays = {name: np.asarray(v) for name, v in found.items() if np.ndim(v) or name.startswith(ARRAYS)}
    arrays = of_last_record(monitor, arrays)
    arrays = summarized(arrays) if monitor._choices.is_summary else arrays
    monitor.budget.spend(start)
    return arrays


def of_last_record(monitor: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Leave out series that the last record lacks: activations of a step that was not observed, missing gradients."""
    activations, gradients = monitor._activations, monitor._gradients
    stale = _stale(ACTIVATIONS, activations.signed, activations.last)
    stale |= _stale(GRADIENTS, {**gradients.layout.weights, "all": None}, gradients.last and {"all", *gradients.last})
    return {name: value for name, value in found.items() if name not in stale} if stale else found


def _stale(kinds, known, last):
    """Return the names of series, of some kinds, that the last record does not have."""
    missing = () if last is None else [path for path in known if path not in last]
    return {f"{kind}/{path}" for path in missing for kind in kinds}


def grad_dict(monitor: Any) -> dict[str, np.ndarray]:
    """Return the running averages of gradients, signed and absolute, by name, after all gradient researchers."""
    found: dict[str, np.ndarray] = {}
    for name, (signed, absolute) in monitor._gradients.running().items():
        found |= {f"gradients/{name}": signed, f"gradients_abs/{name}": absolute}
    for researcher in monitor._researchers:
        derived = researcher(found)
        found = series_of({**found, **({} if derived is None else derived)}, "the gradient researcher")
    return found


def get_weight_stats(monitor: Any, name: str | None = None) -> Any:
    """Return mean, standard deviation, extremes and norm of a recorded weight; without a name, of all by name."""
    return _one_of(monitor._weights.stats(), name, "get_weight_stats")


def get_weight_flip_count(monitor: Any, name: str | None = None) -> Any:
    """Return the count of flips of sign of each element of a weight; without a name, of all weights by name.

    An element flips if its sign differs from its last sign that was not 0. Each record multiplies the count by
    `flip_beta`, and adds `flip_alpha` for a flip.
    """
    found = monitor._weights.flips()
    if not found:
        wanted = "at least one record."
        raise NotComputableError("get_weight_flip_count: no weights were recorded.", wanted, "record_weights() first.")
    return _one_of(found, name, "get_weight_flip_count")


def _one_of(found, name, who):
    if name is None:
        return found
    if name not in found:
        raise UsageError(f"{who}: unknown weight {name!r}.", "the name of a weight.", near_misses(name, found))
    return found[name]


def named(kind: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return series under names that begin with their kind."""
    return {f"{kind}/{name}": value for name, value in found.items()}
