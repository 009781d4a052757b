"""Transforms of items; each is called as ``transform(item, generator)``.

Reading order: `compose`, `standardize`, then images: `sample` (what image, mask and points are), `moves` (how they
move together), `moving`, `cropping` (flips, borders, windows), `turning`, `coloring` (numbers that change in place).
"""

from dark.data.transforms.compose import Compose
from dark.data.transforms.standardize import Standardize
from dark.data.transforms.moves import largest_rectangle
from dark.data.transforms.moving import Moving
from dark.data.transforms.cropping import CenterCrop, Pad, RandomCrop, RandomHorizontalFlip, RandomVerticalFlip
from dark.data.transforms.turning import RandomAffine, RandomRotation
from dark.data.transforms.coloring import GaussianNoise, Normalize

__all__ = [
    "CenterCrop", "Compose", "GaussianNoise", "Moving", "Normalize", "Pad", "RandomAffine", "RandomCrop",
    "RandomHorizontalFlip", "RandomRotation", "RandomVerticalFlip", "Standardize", "largest_rectangle",
]  # fmt: skip
