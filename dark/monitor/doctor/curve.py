"""`Curve`: a scalar series, with the values that the rules compare; which of them are losses and accuracies."""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence


@dataclass(frozen=True)
class Curve:
    """A scalar series: its name, steps and values, both of shape (notes,)."""

    name: str
    steps: np.ndarray
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def first_bad(self) -> int | None:
        """The step of the first value that is NaN or infinite; None if all are finite."""
        bad = np.flatnonzero(~np.isfinite(self.values))
        return int(self.steps[bad[0]]) if len(bad) else None

    def until(self, step: float) -> "Curve":
        """Return the part before a step."""
        keep = self.steps < step
        return Curve(self.name, self.steps[keep], self.values[keep])

    @property
    def finite(self) -> "Curve":
        """The part that is finite: a quotient may be undefined at times, such as an update over weights of zero."""
        keep = np.isfinite(self.values)
        return self if keep.all() else Curve(self.name, self.steps[keep], self.values[keep])

    @property
    def start(self) -> float:
        """The median of the first twentieth, at least the first two values."""
        return float(np.median(self.values[: max(2, len(self) // 20)]))

    @property
    def end(self) -> float:
        """The median of the last quarter, at least the last three values."""
        return float(np.median(self.values[-max(3, len(self) // 4) :]))

    @property
    def late(self) -> np.ndarray:
        """The last half, at least the last value."""
        return self.values[len(self) // 2 :]

    @property
    def low(self) -> float:
        """The minimum."""
        return float(self.values.min())

    @property
    def high(self) -> float:
        """The maximum."""
        return float(self.values.max())

    @property
    def gain(self) -> float:
        """The share of the start by which the curve has fallen at its end."""
        return (self.start - self.end) / max(abs(self.start), 1e-300)

    def at(self, k: int, text: str | None = None) -> Evidence:
        """Return a value as evidence, by its index."""
        value = float(self.values[k])
        return Evidence(self.name, int(self.steps[k]), value, text or f"{value:.4g}")

    def first(self, text: str | None = None) -> Evidence:
        """Return the first value as evidence."""
        return self.at(0, text)

    def last(self, text: str | None = None) -> Evidence:
        """Return the last value as evidence."""
        return self.at(-1, text)

    def lowest(self, text: str | None = None) -> Evidence:
        """Return the minimum as evidence."""
        return self.at(int(self.values.argmin()), text)

    def highest(self, text: str | None = None) -> Evidence:
        """Return the maximum as evidence."""
        return self.at(int(self.values.argmax()), text)


MONITORED = {
    "weights", "gradients", "gradients_abs", "activations", "activations_abs", "samples", "flips", "tensors",
    "tensors_abs", "stats", "weight_norm", "update_ratio", "gradient_norm", "gradient_noise", "dead", "saturated",
}  # fmt: skip
LOSSES = {"loss", "losses", "cost", "objective", "nll", "mse", "mae", "rmse", "bce", "ce", "entropy", "error", "nelbo"}
SCORES = {"accuracy", "acc", "top1"}
VALIDATION = {"validation", "valid", "val", "test", "dev", "eval", "evaluation", "holdout", "heldout"}
ADVERSARIAL = {"generator", "discriminator", "gen", "disc", "critic", "adversarial", "gan", "g", "d"}


def words(name: str) -> list[str]:
    """Split the name of a series."""
    return re.findall(r"[a-z]+|[0-9]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name.replace("top-1", "acc")).lower())


def is_loss(name: str) -> bool:
    """Return whether a series is a loss."""
    return _is_metric(name) and bool(LOSSES & set(words(name)))


def is_accuracy(name: str) -> bool:
    """Return whether a series is an accuracy between 0 and 1."""
    return _is_metric(name) and bool(SCORES & set(words(name)))


def is_validation(name: str) -> bool:
    """Return whether a metric is of data that is not trained on."""
    return bool(VALIDATION & set(words(name)))


def is_adversarial(name: str) -> bool:
    """Return whether a loss is of a player of an adversarial training."""
    return bool(ADVERSARIAL & set(words(name)))


def must_be_finite(name: str) -> bool:
    """Return whether a value of a scalar series that is not finite is a fault: of a loss, or of a gradient."""
    return is_loss(name) or name.startswith("gradient_norm/")


def _is_metric(name):
    return name.split("/")[0] not in MONITORED
