"""Training against validation: overfitting, or better results on validation data; and one player of two that wins."""

import numpy as np

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.names import DISCRIMINATORS, GENERATORS, is_loss, words
from dark.monitor.doctor.thresholds import confidence, limit


def overfitting(run: NotedRun) -> Finding | None:
    """Find validation losses that rise while the training loss falls, and accuracies that differ."""
    evidence, said, levels = [], [], []
    train, other = run.training_accuracy, run.validation_accuracy
    is_known = train is not None and train.end > limit("perfect")  # the training set, by heart
    most = limit("memorized accuracy gap" if is_known else "accuracy gap")
    if train is not None and other is not None and train.end - other.end > most:
        said.append(f"the accuracy is {train.end:.1%} on the training set, but {other.end:.1%} on the validation set")
        evidence += [train.last(), other.last()]
        levels.append(confidence(train.end - other.end, "accuracy gap"))
    loss, other = run.training_loss, run.validation_loss
    if loss is not None and other is not None and len(other) >= limit("notes"):
        if _rises(run, loss, other):
            said.append(f"the validation loss rises to {other.end:.3g} after its minimum {other.low:.3g}")
            levels.append(confidence(other.end / max(other.low, 1e-300), "validation factor"))
            evidence += [other.lowest(f"{other.low:.3g}, the lowest"), other.last(), loss.last()]
        elif _is_high(run, loss, other) and other.end > limit("memorized gap") * loss.end:
            said.append(f"the training loss falls to {loss.end:.3g}, the validation loss only to {other.low:.3g}")
            levels.append("medium")
            evidence += [loss.last(), other.lowest(f"{other.low:.3g}, the lowest"), other.last()]
    if not evidence:
        return None
    best = f"; the minimum was at step {int(other.steps[other.values.argmin()])}" if other else ""
    return Finding(
        "overfitting", f"{'; '.join(said)}.", tuple(evidence),
        ("more training data, or augmentation", f"stop early: dark.handlers.EarlyStopping{best}",
         "dropout, weight decay, or a smaller network"),
        confidence="high" if len(levels) > 1 else levels[0],  # two signs agree
    )  # fmt: skip


def _rises(run, loss, other):
    """Return whether the validation loss rises, far above the training loss: by much, or by a factor if it is high."""
    rise = (other.end - other.low) / _beginning(run, loss, other)
    if rise > limit("validation rise") and other.end > limit("loss gap") * loss.end:
        return True
    is_apart = other.end > limit("mild loss gap") * loss.end
    return _is_high(run, loss, other) and is_apart and other.end > limit("validation factor") * other.low


def _is_high(run, loss, other):
    """Return whether the validation loss never falls to a small share of the beginning; of losses that are positive."""
    return min(loss.low, other.low) >= 0 and other.low > limit("validation share") * _beginning(run, loss, other)


def _beginning(run, loss, other):
    """Return the loss of a network that knows nothing; of one that was trained before, it is not in the note."""
    untrained = np.log(run.outputs) if run.knew_before is not None and run.outputs and run.is_classifier else 0.0
    return max(abs(float(other.values[0])), abs(loss.start), float(untrained), 1e-300)


def validation_above_training(run: NotedRun) -> Finding | None:
    """Find validation accuracies far above the training accuracy.

    A network is seldom better on data that it has not seen. Dropout, augmentation and other noise of the training mode
    make a difference, if the training accuracy is measured so, but leave some of it.
    """
    train, other = run.training_accuracy, run.validation_accuracy
    if train is None or other is None or min(len(train), len(other)) < limit("notes"):
        return None
    gap, errors = other.end - train.end, max(1 - other.end, 1e-3)
    if gap <= limit("better validation") or 1 - train.end <= limit("fewer errors") * errors:
        return None
    summary = f"the accuracy is {other.end:.1%} on the validation set, but only {train.end:.1%} on the training set."
    return Finding(
        "validation above training", summary, (train.last(), other.last()),
        ("measure both in evaluation mode, without augmentation: is the difference still there?",
         "see that the two sets are not exchanged, and that validation examples are not copies of training examples",
         "look at training examples that are answered wrongly: are their labels wrong?"),
        confidence="medium" if gap > 1.5 * limit("better validation") else "low",
    )  # fmt: skip


def adversarial_imbalance(run: NotedRun) -> Finding | None:
    """Find discriminators whose loss has vanished while the generator's loss has grown."""
    if not run.is_adversarial:
        return None
    losses = {name: run.curve(name) for name in run.scalars if is_loss(name)}
    found = {
        player: next((c for name, c in losses.items() if set(words(name)) & names and len(c) >= limit("notes")), None)
        for player, names in (("generator", GENERATORS), ("discriminator", DISCRIMINATORS))
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
        confidence=confidence(discriminator.end / discriminator.start, "won"),
    )  # fmt: skip
