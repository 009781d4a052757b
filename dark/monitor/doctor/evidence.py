"""`NotedRun`: the content of a note, sorted for the rules of the doctor."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from dark.errors import StorageError
from dark.monitor.doctor.curve import Curve
from dark.monitor.doctor.histograms import is_finite, kind, outputs_by_bias
from dark.monitor.doctor.names import (
    are_players,
    is_accuracy,
    is_loss,
    is_reward,
    is_validation,
    must_be_finite,
    rank,
    said,
)
from dark.monitor.doctor.thresholds import limit
from dark.monitor.summary import HISTOGRAMS, is_histogram

CHECKED = ("weights", "gradients", "activations", "samples")  # arrays in which NaN is looked for
FIRST = 3  # a first note that comes after more intervals between notes is not of the beginning
SAMPLED = 9  # the number of entries of a tensor series that are looked at for NaN


class NotedRun:
    """The content of a note, up to the first value that is not finite."""

    def __init__(self, note: Any) -> None:
        self.note = note
        self.scalars = {
            name: Curve(name, np.asarray(series.steps), np.asarray(series.values, float))
            for name, series in note.scalar_dict.items()
            if len(series)
        }
        self.tensors = {name: series for name, series in note.tensor_dict.items() if len(series)}

    @cached_property
    def bad(self) -> dict[str, int]:
        """The first step at which a series is not finite, by name, the earliest first."""
        found = {name: curve.first_bad for name, curve in self.scalars.items() if must_be_finite(name)}
        found |= {name: _first_bad(name, series) for name, series in self.tensors.items() if kind(name) in CHECKED}
        steps = {name: step for name, step in found.items() if step is not None}
        if steps:
            first = min(steps.values())
            checked = (name for name in self.tensors if kind(name) in CHECKED)
            steps |= {name: first for name in checked if not self.is_finite_at(name, first)}
        return dict(sorted(steps.items(), key=lambda item: item[1]))

    def has_at(self, name: str, step: int) -> bool:
        """Return whether a series has a value of this step itself."""
        series = self.scalars.get(name, self.tensors.get(name))
        return series is not None and bool(np.any(np.asarray(series.steps) == step))

    def is_finite_at(self, name: str, step: int) -> bool:
        """Return whether a series has only finite values of this step, or none."""
        if not self.has_at(name, step):
            return True
        series: Any = self.scalars.get(name, self.tensors.get(name))
        k = int(np.flatnonzero(np.asarray(series.steps) == step)[0])
        return bool(np.isfinite(series.values[k])) if name in self.scalars else is_finite(name, read(series, k))

    def paths(self, kind: str) -> list[str]:
        """Return the paths of all series ``kind/PATH``."""
        return [*_below(kind, self.scalars), *_below(kind, self.tensors)]

    @cached_property
    def end(self) -> float:
        """The step before which everything is finite."""
        return next(iter(self.bad.values()), np.inf)

    def curve(self, name: str) -> Curve:
        """Return the finite part of a scalar series."""
        return self.scalars[name].until(self.end).finite

    def family(self, prefix: str) -> dict[str, Curve]:
        """Return the finite parts of the scalar series ``prefix/PATH`` by path, without empty ones."""
        curves = {path: self.curve(f"{prefix}/{path}") for path in _below(prefix, self.scalars)}
        return {path: curve for path, curve in curves.items() if len(curve)}

    def tensor_family(self, prefix: str) -> dict[str, Any]:
        """Return the tensor series ``prefix/PATH`` by path."""
        return _below(prefix, self.tensors)

    def finite_entries(self, series: Any) -> list[int]:
        """Return the indices of the entries of a tensor series before anything is not finite."""
        return [k for k, step in enumerate(series.steps) if step < self.end]

    def arrays(self, series: Any, most: int | None = None) -> list[np.ndarray]:
        """Return the intact finite entries of a tensor series that have its shape, at most `most`, evenly spread."""
        entries = self.finite_entries(series)
        if most is not None and len(entries) > most:
            entries = [entries[int(k)] for k in np.linspace(0, len(entries) - 1, most)]
        found = (read(series, k) for k in entries)
        return [array for array in found if array is not None and array.shape == tuple(series.shape)]

    def ends(self, series: Any) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the first and the last finite entry of a tensor series; None with fewer than two."""
        found = self.arrays(series, 2)
        return (found[0], found[1]) if len(found) == 2 else None

    @cached_property
    def weights(self) -> dict[str, Any]:
        """The tensor series of the weight matrices, kernels and tables, by path: all with two axes or more."""
        return {path: series for path, series in self.tensor_family("weights").items() if len(series.shape) > 1}

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The numbers of elements of the parameters, by path."""
        found = {}
        for name, series in self.tensors.items():
            if kind(name) == "weights":
                counts = read(series, 0) if is_histogram(name, series.shape) else None
                size = np.prod(series.shape) if counts is None else counts[1].sum()
                found[name.removeprefix(HISTOGRAMS).partition("/")[2]] = int(size)
        return found

    @property
    def has_only_histograms(self) -> bool:
        """Whether weights were noted as histograms, and not as arrays."""
        return bool(self.sizes) and not self.tensor_family("weights")

    def is_matrix(self, path: str) -> bool:
        """Return whether a parameter is a weight with two axes or more, as far as the note shows it."""
        return path in self.weights if self.weights else path.rpartition(".")[2].startswith("weight")

    def of_matrices(self, prefix: str) -> dict[str, Curve]:
        """Return the series of a family that belong to weight matrices."""
        return {path: curve for path, curve in self.family(prefix).items() if self.is_matrix(path)}

    @cached_property
    def is_adversarial(self) -> bool:
        """Whether two players are trained against each other, whose losses need not fall."""
        return are_players([name for name in self.scalars if is_loss(name)])

    @cached_property
    def is_reinforced(self) -> bool:
        """Whether a reward is noted: the loss of a policy is not what is improved."""
        return any(map(is_reward, self.scalars))

    @cached_property
    def kept(self) -> frozenset[str]:
        """The parameters that do not require a gradient: they are not trained on purpose."""
        return frozenset(path for path, curve in self.family("requires_grad").items() if curve.high == 0)

    @cached_property
    def knew_before(self) -> str | None:
        """How the note shows that the network was trained before; None if it does not.

        A network that begins answers at random: its cross-entropy is about the logarithm of the number of outputs.
        """
        loss, classes = self.training_loss, self.outputs
        if loss is None:
            return None
        if len(loss) > 2 and loss.steps[0] > FIRST * np.median(np.diff(loss.steps)):
            return f"the first note is of step {loss.steps[0]}"
        if classes is None or not self.is_classifier or not (loss.steps[0] <= 1 or classes > 2):
            return None
        is_binary = abs(loss.start / np.log(2) - 1) < 1 - limit("known already")  # of several labels for each example
        if not is_binary and 0 < max(loss.values[:3]) < limit("known already") * np.log(classes):
            return f"the first loss, {loss.values[0]:.3g}, is below log({classes}), the loss of an untrained network"
        return None

    @property
    def is_classifier(self) -> bool:
        """Whether accuracies are noted, or the network begins with a table of as many tokens as it has outputs."""
        if self.training_accuracy is not None or self.validation_accuracy is not None:
            return True
        if not self.weights:
            return False
        path, first = next(iter(self.weights.items()))
        is_table = path.removesuffix("weight") + "bias" not in self.tensor_family("weights")
        return is_table and bool(first.shape[0] == self.outputs)

    @cached_property
    def is_only_in_training(self) -> bool:
        """Whether the validation loss shows that peaks of the training loss are of the training mode, as by dropout."""
        loss, other = self.training_loss, self.validation_loss
        if loss is None or other is None or len(other) < limit("notes") or loss.end > limit("rise") * abs(loss.start):
            return False
        return other.high <= limit("undisturbed") * float(other.values[0])

    @property
    def outputs(self) -> int | None:
        """The number of outputs of the last layer, at least two, by its weight; None if it is not known."""
        if not self.weights:
            return outputs_by_bias(self.sizes)
        last = next(reversed(self.weights.values()), None)
        return None if last is None or last.shape[0] < 2 else int(last.shape[0])

    # The losses and accuracies of the training and of validation data, if they are noted.
    training_loss = cached_property(lambda self: self._metric(is_loss, None))
    validation_loss = cached_property(lambda self: self._metric(is_loss, self.training_loss, True))
    training_accuracy = cached_property(lambda self: self._share(self._metric(is_accuracy, None)))
    validation_accuracy = cached_property(
        lambda self: self._share(self._metric(is_accuracy, self.training_accuracy, True))
    )

    def candidates(self, kind: Callable[[str], bool], validation: bool = False) -> list[Curve]:
        """Return the series that may be the loss, or the accuracy, of equal rank: the likeliest first.

        Of losses with names of equal rank, the one with more notes comes first; then the larger one, as a sum is.
        """
        names = [name for name in self.scalars if kind(name) and is_validation(name) is validation]
        ranked = [(found, curve) for name in names if (found := rank(name)) is not None
                  and len(curve := self.curve(name)) > 1]  # fmt: skip
        if not ranked or self.is_adversarial or self.is_reinforced:
            return []
        best = min(found for found, _ in ranked)
        return sorted((c for found, c in ranked if found == best), key=lambda c: (-len(c), -abs(c.start), len(c.name)))

    def _metric(self, kind, partner, validation=False):
        """Return the loss or accuracy; of validation data, what has the name of its partner, if one has."""
        found = self.candidates(kind, validation)
        same = [curve for curve in found if partner is not None and said(curve.name) == said(partner.name)]
        return next(iter(same or found), None)

    def _share(self, accuracy):
        """Return an accuracy as shares: if one of its name exceeds 1, it is in percent; None if it exceeds 100."""
        if accuracy is None:
            return None
        same = [c for name in self.scalars if is_accuracy(name) and len(c := self.curve(name))]
        most = max(curve.high for curve in same if said(curve.name) == said(accuracy.name))
        if most <= 1:
            return accuracy
        return replace(accuracy, values=accuracy.values / 100, unit=100) if most <= 100 else None


def _below(prefix: str, table: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of a table whose names are ``prefix/PATH``, by path."""
    return {name[len(prefix) + 1 :]: entry for name, entry in table.items() if name.startswith(f"{prefix}/")}


def read(series: Any, k: int) -> np.ndarray | None:
    """Return an entry of a tensor series; None if it is damaged."""
    try:
        return np.asarray(series[k])
    except StorageError:
        return None


def _first_bad(name, series):
    """Return the step of the first entry of a tensor series that is not finite, of entries spread over the run.

    What is NaN stays so, as a rule: the entry is found by bisection between the last finite and the first other one.
    """
    looked_at = sorted({int(k) for k in np.linspace(0, len(series) - 1, min(SAMPLED, len(series)))})
    bad = next((k for k in looked_at if not is_finite(name, read(series, k))), None)
    if bad is None:
        return None
    good = max((k for k in looked_at if k < bad), default=-1)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if is_finite(name, read(series, middle)) else (good, middle)
    return int(series.steps[bad])
