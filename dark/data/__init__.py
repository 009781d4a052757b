"""Datasets, samplers, transforms and a data loader.

Reading order: `dataset` (the protocols), `tensor_dataset`, `combined`, `splitting`, `dataset_checks`; `collating`,
`samplers`, `distributed_sampler`; `loader`, with `loader_arguments`, `loader_iterator`, `seeding`, `fetcher`, `workers`
and `interrupts`; `transforms`; `datasets`.
"""

from typing import TYPE_CHECKING

from dark.data import datasets
from dark.data.dataset import Dataset, IterableDataset
from dark.data.tensor_dataset import TensorDataset
from dark.data.combined import ConcatDataset, Subset
from dark.data.splitting import split
from dark.data.collating import collate
from dark.data.samplers import (
    BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler,
)  # fmt: skip
from dark.data.distributed_sampler import DistributedSampler
from dark.data.seeding import get_worker_info
from dark.data.loader import DataLoader
from dark.data.transforms import Compose, Standardize
from dark.errors import module_getattr

__all__ = [
    "BatchSampler", "Compose", "ConcatDataset", "DataLoader", "Dataset", "DistributedSampler", "IterableDataset",
    "RandomSampler", "Sampler", "SequentialSampler", "Standardize", "Subset", "SubsetRandomSampler", "TensorDataset",
    "WeightedRandomSampler", "collate", "datasets", "get_worker_info", "split",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
