"""Data: items, batches of them, and what is done to them on the way.

Reading order: `dataset` (what a dataset is), `tensors`, `parts`, `splitting`; `collating`, `samplers`; `loader`,
with `seeding`, `reading` and `workers` below it; `transforms` and `datasets`.
"""

from dark.data import datasets, transforms
from dark.data.dataset import Dataset
from dark.data.tensors import TensorDataset
from dark.data.parts import ConcatDataset, Subset
from dark.data.splitting import split
from dark.data.collating import collate
from dark.data.samplers import (
    BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler,
)  # fmt: skip
from dark.data.loader import DataLoader
from dark.data.transforms import Compose, Standardize

__all__ = [
    "BatchSampler", "Compose", "ConcatDataset", "DataLoader", "Dataset", "RandomSampler", "Sampler",
    "SequentialSampler", "Standardize", "Subset", "SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler",
    "collate", "datasets", "split", "transforms",
]  # fmt: skip
