"""The kind of a scalar series, by its name: a loss, a part of a loss, an accuracy; of training or validation data."""

import re

MONITORED = {
    "weights", "gradients", "gradients_abs", "activations", "activations_abs", "samples", "flips", "tensors",
    "tensors_abs", "stats", "weight_norm", "update_ratio", "gradient_norm", "gradient_noise", "dead", "saturated",
    "requires_grad",
}  # fmt: skip
NAMED_LOSSES = {"cost", "objective", "nll", "mse", "mae", "rmse", "bce", "ce", "xent", "error", "nelbo"}
LOSSES = {"loss", "losses", *NAMED_LOSSES}
ABOUT = {"scale", "scaler", "weight", "weights", "coef", "coefficient", "lambda", "time", "seconds", "best", "min"}
PARTS = {  # terms of a sum: never the loss itself
    "kl", "kld", "divergence", "recon", "reconstruction", "reconst", "rec", "reg", "regularization", "regularizer",
    "penalty", "penalties", "decay", "actor", "critic", "policy", "value", "entropy", "aux",
    "auxiliary", "commitment", "codebook", "vq", "prior", "sparsity", "gp", "real", "fake", "perceptual", "identity",
}  # fmt: skip
TERMS = {  # such words name the loss if it is the only one, and a term if there are others
    "cls", "classification", "regression", "box", "bbox", "obj", "objectness", "mask", "rpn", "style", "content", "tv",
    "cycle", "consistency", "contrastive", "distillation", "l1", "l2", "smoothness",
}  # fmt: skip
TOTALS = {"total", "sum", "overall", "full", "combined", "joint"}
NEUTRAL = {"epoch", "batch", "step", "iter", "iteration", "avg", "average", "mean", "running", "final", "current"}
CROSS_ENTROPY = {"cross", "entropy"}
SCORES = {"accuracy", "acc"}
FORMS = {  # words beside "loss" that say how it is computed
    "function", "negative", "log", "likelihood", "squared", "absolute", "root", "smooth", "huber", "hinge", "focal",
    "dice", "triplet", "margin", "elbo",
}  # fmt: skip
PERPLEXITIES = {"perplexity", "ppl"}
TRAINING = {"train", "training", "trn", "tr"}
VALIDATION = {
    "validation", "valid", "val", "test", "dev", "eval", "evaluation", "holdout", "heldout", "te", "tst", "oos",
}  # fmt: skip
GENERATORS, DISCRIMINATORS = {"generator", "gen", "g"}, {"discriminator", "disc", "d", "critic"}
REWARDS = {"reward", "return", "returns"}


def words(name: str) -> list[str]:
    """Split the name of a series.

    >>> words("valLoss/top-1"), words("out_of_sample_loss")
    (['val', 'loss', 'acc'], ['oos', 'loss'])
    """
    name = re.sub(r"(?i)top[-_ ]?1(?![0-9])", "acc", re.sub(r"(?i)out[-_ ]of[-_ ]sample", "oos", name))
    return re.findall(r"(?<![a-z])l[12](?![0-9])|[a-z]+|[0-9]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name).lower())


def is_loss(name: str) -> bool:
    """Return whether a series is a loss, or a term of a loss.

    >>> [is_loss(name) for name in ("loss", "kl_loss", "cross_entropy", "entropy", "loss_scale", "weights/loss")]
    [True, True, True, False, False, False]
    """
    found = set(words(name))
    is_named = bool(found & (LOSSES | PERPLEXITIES)) or found >= CROSS_ENTROPY
    return _is_metric(name) and is_named and not found & ABOUT


def is_of_unknown_sign(name: str) -> bool:
    """Return whether a series may be maximized: an objective is, as often as not."""
    found = set(words(name))
    return "objective" in found and "loss" not in found


def is_accuracy(name: str) -> bool:
    """Return whether a series is an accuracy, a share or in percent."""
    return _is_metric(name) and bool(SCORES & set(words(name))) and not is_loss(name)


def is_validation(name: str) -> bool:
    """Return whether a metric is of data that is not trained on."""
    return bool(VALIDATION & set(words(name)))


def is_reward(name: str) -> bool:
    """Return whether a series is the reward of a reinforcement learner, whose loss need not fall."""
    return _is_metric(name) and bool(REWARDS & set(words(name))) and not is_loss(name)


def are_players(names: list[str]) -> bool:
    """Return whether losses are of two networks that compete, a generator and a discriminator."""
    found = [set(words(name)) for name in names]
    return any(w & GENERATORS for w in found) and any(w & DISCRIMINATORS and not w & GENERATORS for w in found)


def must_be_finite(name: str) -> bool:
    """Return whether a value of a scalar series that is not finite is a fault: of a loss, or of a gradient."""
    return is_loss(name) or name.startswith("gradient_norm/")


def said(name: str) -> frozenset[str]:
    """Return the words of a name for the measured quantity, without the words for the data.

    >>> sorted(said("train/kl_loss_epoch")) == sorted(said("val/kl_loss")) == ["kl", "loss"]
    True
    """
    return frozenset(words(name)) - TRAINING - VALIDATION - NEUTRAL


def rank(name: str) -> int | None:
    """Return how surely a loss or an accuracy is *the* one, 0 most surely; None if it is a term of a sum.

    >>> [rank(name) for name in ("train_loss", "loss_total", "nll", "loss_a", "perplexity", "loss/box", "kl_loss")]
    [0, 1, 2, 3, 4, 5, None]
    """
    found = said(name)
    if found <= SCORES or found <= {"loss", "losses"}:
        return 0
    is_cross_entropy = found >= CROSS_ENTROPY
    if (found - CROSS_ENTROPY if is_cross_entropy else found) & PARTS:
        return None
    if found & TOTALS:
        return 1
    if found <= LOSSES | CROSS_ENTROPY | FORMS:
        return 2
    if found & PERPLEXITIES:
        return 4
    return 5 if found & TERMS else 3


def _is_metric(name):
    return name.split("/")[0] not in MONITORED
