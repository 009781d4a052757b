"""Adversarial imbalance: one player wins, and the other no longer gets useful gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.monitor.doctor.diagnosis import Finding
from dark.monitor.doctor.metric_names import is_loss, words
from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun

GENERATOR, DISCRIMINATOR = {"generator", "gen", "g"}, {"discriminator", "disc", "d"}


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
