"""The order in which items are read: `sampler`, `batch_sampler`, `distributed_sampler`."""

from dark.data.samplers.sampler import (
    RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler, epoch_order,
)  # fmt: skip
from dark.data.samplers.batch_sampler import BatchSampler
from dark.data.samplers.distributed_sampler import DistributedSampler

__all__ = [
    "BatchSampler", "DistributedSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler",
    "WeightedRandomSampler", "epoch_order",
]  # fmt: skip
