"""Updates of models by their losses: of the whole batch at once, or of the shards of a strategy, added up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import describe
from dark.distributed import OneProcess, Strategy
from dark.errors import UsageError, ValueTypeError
from dark.trainers import measuring
from dark.trainers.batches import joined
from dark.trainers.trainer_checks import check_reached

if TYPE_CHECKING:
    from dark.contexts import Context
    from dark.nodes import Parameter
    from dark.trainers.player import Player

    Arguments = Callable[[int, Any], dict[str, Any]]
    Computed = tuple[list[tuple[str, float]], list[list[tuple[Parameter, Any]]]]


class Updates:
    """Updates of models, each by its loss of the whole batch."""

    draws = False  # whether a measurement draws from the generators of the models in any mode

    def __init__(self, context: Context, players: dict[str, Player]) -> None:
        self.context, self.players = context, players
        self._reached: set[str] = set()  # the players whose loss has reached a parameter

    def __call__(
        self, names: Iterable[str], batch: Any, arguments_of: Arguments,
        before: Mapping[str, float] = MappingProxyType({}),
    ) -> dict[str, float]:  # fmt: skip
        """Compute the losses of some models and all gradients, then update these models; return losses and terms.

        `arguments_of` returns the arguments of the losses for the index of a shard and its rows, which are 0 and the
        batch in a single process. The result follows the result of an update `before`.
        """
        players = [self.players[name] for name in names]
        numbers, gradients = self._compute(players, batch, arguments_of)
        for player, found in zip(players, gradients):
            if player.name not in self._reached:  # once: a loss may be constant in some steps
                check_reached(player, found)
                self._reached.add(player.name)
        for player, found in zip(players, gradients):
            player.step(found)
        return measuring.named(len(players), numbers, before)

    def numbers(self, arguments: dict[str, Any]) -> dict[str, float]:
        """Compute the losses of all models; return them and their terms by name."""
        players = list(self.players.values())
        losses = [player.compute(self.context, arguments) for player in players]
        return measuring.named(len(players), measuring.numbers(players, losses))

    def measure(self, function: Callable[[Any], dict[str, Any]], batch: Any) -> dict[str, Any]:
        """Apply a function to a batch."""
        return function(batch)

    def _compute(self, players: list[Player], batch: Any, arguments_of: Arguments) -> Computed:
        """Return pairs (name, number), see `numbers`; and for each player, pairs of a parameter and its gradient."""
        return self._of_rows(players, arguments_of(0, batch))

    def _of_rows(self, players, arguments):
        losses = [player.compute(self.context, arguments) for player in players]
        gradients = [player.gradients(loss) for player, loss in zip(players, losses)]
        return measuring.numbers(players, losses), gradients


class ShardedUpdates(Updates):
    """Updates of models, each by its loss of the shards of a strategy, divided by the size of the global batch."""

    draws = True

    def __init__(self, context: Context, players: dict[str, Player], strategy: Strategy) -> None:
        super().__init__(context, players)
        self.strategy = strategy
        self._modules = [player.module for player in players.values()]
        self._names: dict[tuple[Player, ...], list[str]] = {}

    def measure(self, function: Callable[[Any], dict[str, Any]], batch: Any) -> dict[str, Any]:
        """Apply a function to the rows of all shards; the result is the same on each process."""
        return joined(self._call(self.strategy.gather_over_shards, lambda shard: function(shard.batch), batch))

    def _compute(self, players: list[Player], batch: Any, arguments_of: Arguments) -> Computed:
        names: list[str] = []

        def of_shard(shard):
            numbers, by_player = self._of_rows(players, arguments_of(shard.index, shard.batch))
            names[:] = [name for name, _ in numbers]
            found = [pair for pairs in by_player for pair in pairs]
            reached = np.array([g is not None for _, g in found])
            gradients = [np.zeros(p.shape, p.dtype) if g is None else g for p, g in found]
            return [*(x for _, x in numbers), reached, *gradients]

        sums = self._call(self.strategy.sum_over_shards, of_shard, batch)
        if tuple(players) not in self._names:  # a process without rows does not know them
            self._names[tuple(players)] = self.strategy.broadcast(names)
        names = self._names[tuple(players)]
        gradients = iter(zip(sums[len(names)], sums[len(names) + 1 :]))
        by_player = [[(p, g if ok else None) for p, (ok, g) in zip(q.parameters(), gradients)] for q in players]
        return list(zip(names, sums)), by_player

    def _call(self, over_shards, function, batch):
        """Call a function for each shard, as a step of the context."""
        before = self.context.global_batch_size

        def of_shard(shard):
            self.context.new_step()
            self.context.global_batch_size = shard.total
            return function(shard)

        try:
            return over_shards(of_shard, batch, *self._modules)
        finally:
            self.context.global_batch_size = before


def updates_of(who, context, players, strategy):
    """Return the updates of a trainer."""
    if not isinstance(strategy, Strategy):
        raise ValueTypeError(
            f"{who}: strategy must be a strategy of dark.distributed, got {describe(strategy)}.",
            "a strategy of dark.distributed.",
            "strategy=Replicas(4)",
        )
    if isinstance(strategy, OneProcess):
        return Updates(context, players)
    for player in players.values():
        if not getattr(player.loss, "is_reduced", False):
            raise UsageError(
                f"{who}: {player.label} is not divided by the size of the global batch, so that losses of shards could "
                "be added.",
                f"with {strategy!r}, an executor whose call is decorated with @Executor.reduce_loss.",
                "ClassifierLoss(nn.CrossEntropyLoss()), for example; or strategy=OneProcess().",
            )
    return ShardedUpdates(context, players, strategy)
