"""Recognize losses and accuracies, of training or validation data, among scalars that users have named."""

import re

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
