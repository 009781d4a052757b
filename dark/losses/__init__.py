"""Losses: what a network is trained to make small."""

from dark.losses.cross_entropy import cross_entropy

__all__ = ["cross_entropy"]
