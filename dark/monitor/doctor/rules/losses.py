"""Losses: they jump from batch to batch, do not fall, rise on validation data, or one player of two wins."""

import numpy as np

from dark.monitor.doctor.curve import is_loss, words
from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.thresholds import limit

ADVICE = (
    "look at ten examples with their labels: are the labels shuffled, or shifted against the inputs?",
    "train on ten examples only: if their loss does not go to zero, the fault is in the network or the loss",
    "see whether the inputs say anything about the labels: compare with a linear model",
)
GENERATOR, DISCRIMINATOR = {"generator", "gen", "g"}, {"discriminator", "disc", "d"}


def no_learning(run: NotedRun) -> Finding | None:
    """Find training losses that stay, and validation losses that never fall noticeably below their beginning."""
    loss = run.training_loss
    if loss is not None and len(loss) >= limit("notes") and abs(loss.gain) < limit("no gain"):
        summary = f"the training loss stays at {loss.end:.3g}: it gained {loss.gain:.1%}."
        return Finding("no learning", summary, (loss.first(), loss.last()), ADVICE)
    other = run.validation_loss
    if other is None or len(other) < limit("notes") or _has_fallen(run, other):
        return None
    summary = (
        f"the validation loss ends near its beginning, at {other.end:.3g}: what is learned does not hold beyond the "
        "training set."
    )
    accuracy = run.validation_accuracy
    evidence = [] if loss is None else [loss.first(), loss.last()]
    evidence += [other.first(), other.lowest(f"{other.low:.3g}, the lowest"), other.last()]
    evidence += [] if accuracy is None else [accuracy.highest(f"{accuracy.high:.1%}, the highest")]
    return Finding("no learning", summary, tuple(evidence), ADVICE)


def _has_fallen(run, other):
    """Return whether a validation loss fell after its first value, or had fallen before, or is a good one anyway."""
    first, loss, accuracy = float(other.values[0]), run.training_loss, run.validation_accuracy
    before = first if loss is None else max(first, float(np.median(loss.values[:3])))
    return (
        other.end < limit("validation end") * first
        or other.low < max(limit("validation gain") * first, limit("validation level") * before)
        or (accuracy is not None and accuracy.high > limit("good accuracy"))
    )


def gradient_noise(run: NotedRun) -> Finding | None:
    """Find training losses whose spread in the last half is of the size of the loss at the beginning."""
    loss = run.training_loss
    if loss is None or len(loss) < 2 * limit("notes"):
        return None
    spread = float(loss.late.std()) / max(abs(loss.start), 1e-300)
    if spread < limit("loss spread"):
        return None
    noise = [curve.at(len(curve) // 2) for curve in run.family("gradient_noise").values()]
    summary = f"in the last half, the loss varies by {spread:.0%} of its value at the beginning, from batch to batch."
    seen = (loss.first(), loss.highest(f"{loss.high:.3g}, the highest"), *noise[:1])
    return Finding(
        "gradient noise", summary, seen,
        ("larger batches, by a factor of 4 or more", "a smaller learning rate, or a schedule that lowers it",
         "accumulate the gradients of several batches before each step"),
    )  # fmt: skip


def overfitting(run: NotedRun) -> Finding | None:
    """Find validation losses that rise while the training loss falls, and accuracies that differ."""
    evidence, said = [], []
    train, other = run.training_accuracy, run.validation_accuracy
    if train is not None and other is not None and train.end - other.end > limit("accuracy gap"):
        said.append(f"the accuracy is {train.end:.1%} on the training set, but {other.end:.1%} on the validation set")
        evidence += [train.last(), other.last()]
    loss, other = run.training_loss, run.validation_loss
    if loss is not None and other is not None and len(other) >= limit("notes"):
        if _rises(loss, other):
            said.append(f"the validation loss rises to {other.end:.3g} after its minimum {other.low:.3g}")
            evidence += [other.lowest(f"{other.low:.3g}, the lowest"), other.last(), loss.last()]
        elif _is_high(loss, other) and other.end > limit("memorized gap") * loss.end:
            said.append(f"the training loss falls to {loss.end:.3g}, the validation loss only to {other.low:.3g}")
            evidence += [loss.last(), other.lowest(f"{other.low:.3g}, the lowest"), other.last()]
    if not evidence:
        return None
    best = f"; the minimum was at step {int(other.steps[other.values.argmin()])}" if other else ""
    return Finding(
        "overfitting", f"{'; '.join(said)}.", tuple(evidence),
        ("more training data, or augmentation", f"stop early: dark.handlers.EarlyStopping{best}",
         "dropout, weight decay, or a smaller network"),
    )  # fmt: skip


def _rises(loss, other):
    """Return whether the validation loss rises, far above the training loss: by much, or by a factor if it is high."""
    rise = (other.end - other.low) / _beginning(loss, other)
    if rise > limit("validation rise") and other.end > limit("loss gap") * loss.end:
        return True
    is_apart = other.end > limit("mild loss gap") * loss.end
    return _is_high(loss, other) and is_apart and other.end > limit("validation factor") * other.low


def _is_high(loss, other):
    """Return whether the validation loss never falls to a small share of the beginning; of losses that are positive."""
    return min(loss.low, other.low) >= 0 and other.low > limit("validation share") * _beginning(loss, other)


def _beginning(loss, other):
    return max(abs(float(other.values[0])), abs(loss.start), 1e-300)


def adversarial_imbalance(run: NotedRun) -> Finding | None:
    """Find discriminators whose loss has vanished while the generator's loss has grown."""
    if not run.is_adversarial:
        return None
    losses = {name: run.curve(name) for name in run.scalars if is_loss(name)}
    found = {
        player: next((c for name, c in losses.items() if set(words(name)) & names and len(c) >= limit("notes")), None)
        for player, names in (("generator", GENERATOR), ("discriminator", DISCRIMINATOR))
    }
    generator, discriminator = found["generator"], found["discriminator"]
    if generator is None or discriminator is None:
        return None
    has_won = 0 <= discriminator.end < limit("won") * discriminator.start
    if not has_won or generator.end < limit("lost") * abs(generator.start):
        return None
    return Finding(
        "adversarial imbalance",
        f"the discriminator wins: its loss fell to {discriminator.end:.2g}, and the loss of the generator rose to "
        f"{generator.end:.2g}.",
        (discriminator.first(), discriminator.last(), generator.first(), generator.last()),
        ("a smaller learning rate of the discriminator, or more steps of the generator",
         "label smoothing, dropout or noise in the discriminator",
         "a loss whose gradient does not vanish: least squares, or Wasserstein with a penalty"),
    )  # fmt: skip
