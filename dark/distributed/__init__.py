"""Training on one process or many, with the same result to the last bit.

Reading order: `tree` (the order of all sums), `shards` (how a batch is cut), `one_process` (the plain case, and several
replicas in one process), `strategy` (what all have in common), `over_shards`, `shard_state` (random
generators and buffers); then several processes: `mpi`, with `messages`, and `same_weights`.
"""

from typing import TYPE_CHECKING

from dark.distributed.shards import LocalBatch, Shard
from dark.distributed.strategy import Strategy
from dark.distributed.one_process import OneProcess, Replicas
from dark.distributed.mpi import MPI
from dark.distributed.same_weights import check_same_weights
from dark.distributed.tree import tree_sum
from dark.errors import module_getattr

__all__ = ["MPI", "LocalBatch", "OneProcess", "Replicas", "Shard", "Strategy", "check_same_weights", "tree_sum"]

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
