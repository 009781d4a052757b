"""Sliced Wasserstein distance of real and generated images, at each scale of a Laplacian pyramid."""

from typing import Any, Unpack

import numpy as np

from dark.checks import integer
from dark.errors import NotComputableError, ShapeError
from dark.metrics.generative.pyramid import checksum_of, in_random_halves, laplacian_pyramid, level_sizes, patches_of
from dark.metrics.metric import Metric
from dark.metrics.outputs import MetricOptions, Transform, identity, no_examples, prediction_and_target


class SlicedWassersteinDistance(Metric):
    """Compute how far generated images are from real ones, by their patches at several scales: 0 if they are equal.

    An output is (y_pred, y): generated and real images (batch, channels, height, width), not always as many, of one
    shape, whose smallest level has a patch. Images are halved while their height and width stay at least
    `resolution_min`. At each level, `patches_per_image` random patches of `patch_size` pixels are taken of each image;
    their positions depend on the seed and the image alone. They are projected onto `num_projections` random directions;
    the paper takes 512.

    The result is a dict of numbers. For each level of a Laplacian pyramid, such as 32x32, ``"swd_fake_32x32"`` is the
    distance of generated from real images, and ``"swd_real_32x32"`` the distance of one half of the real images from
    the other, which shows what to expect of equal distributions; ``"swd_fake"`` and ``"swd_real"`` are the means over
    levels. A distance compares sets of patches, normalized to mean 0 and standard deviation 1 in each channel of a set:
    the mean over directions of the Wasserstein distance of order 1 of their projections. The paper prints it times
    1000.

    All patches of an epoch are kept until `reset`, in float32: ``4 * patches_per_image * channels * patch_size**2``
    bytes per image and level. The result depends neither on the batches nor on the order of images.

    T. Karras et al., *Progressive growing of GANs for improved quality, stability, and variation*, 2018, section 5.

    >>> real = np.random.default_rng(0).random((6, 1, 16, 16))
    >>> distance = SlicedWassersteinDistance(resolution_min=8, num_projections=64)
    >>> distance.update((real, real))
    >>> result = distance.compute()
    >>> list(result)
    ['swd_fake', 'swd_real', 'swd_fake_16x16', 'swd_real_16x16', 'swd_fake_8x8', 'swd_real_8x8']
    >>> result["swd_fake"], result["swd_real"] > 0
    (0.0, True)
    """

    _state_dict_all_req_keys = ("_fake", "_real", "_sizes")
    _merge_rules = (("_sizes", "first"),)

    def __init__(
        self,
        resolution_min: int = 16,
        patches_per_image: int = 64,
        patch_size: int = 7,
        num_projections: int = 128,
        seed: int = 0,
        output_transform: Transform = identity,
        **options: Unpack[MetricOptions],
    ) -> None:
        name = "SlicedWassersteinDistance"
        self.resolution_min = integer(resolution_min, name, "resolution_min", 1)
        self.patches_per_image = integer(patches_per_image, name, "patches_per_image", 1)
        self.patch_size = integer(patch_size, name, "patch_size", 1)
        self.num_projections = integer(num_projections, name, "num_projections", 1)
        self.seed = integer(seed, name, "seed", 0, wide=True)
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Discard the patches."""
        self._fake: list[np.ndarray] = []  # of each batch, (batch, levels, patches, channels, size, size)
        self._real: list[np.ndarray] = []
        self._sizes: Any = None  # [channels, height, width] of the images

    def update(self, output: Any) -> None:
        """Store patches of a batch (y_pred, y) of generated and real images."""
        fake, real = prediction_and_target(self, output)
        sizes = self._checked_sizes(fake, real)
        new = self._patches(fake), self._patches(real)
        self._sizes = sizes
        self._fake.append(new[0])
        self._real.append(new[1])

    def compute(self) -> dict[str, float]:
        """Return the distances; there must be a generated image, and two real ones."""
        if not self._real:
            raise no_examples("SlicedWassersteinDistance")
        fake, real = np.concatenate(self._fake), np.concatenate(self._real)
        if not len(fake) or len(real) < 2:
            raise NotComputableError(
                f"SlicedWassersteinDistance must have at least one example before it can be computed, and two real "
                f"ones; it has {len(fake)} generated and {len(real)} real images.",
                "generated images, and real ones that can be halved.",
                "larger batches, or more of them.",
            )
        directions = unit_directions(fake[0, 0, 0].size, self.num_projections, self.seed)
        halves, (_, height, width) = in_random_halves(real), self._sizes
        names = ["x".join(map(str, size)) for size in level_sizes(height, width, self.resolution_min)]
        found = {}
        for level, name in enumerate(names):
            for kind, (a, b) in (("fake", (fake, real)), ("real", halves)):
                found[f"swd_{kind}_{name}"] = sliced_distance(
                    _normalized(a[:, level]), _normalized(b[:, level]), directions
                )
        means = {kind: float(np.mean([found[f"{kind}_{name}"] for name in names])) for kind in ("swd_fake", "swd_real")}
        return means | found

    def _checked_sizes(self, fake, real):
        sizes = list(real.shape[1:])
        known = self._sizes or sizes
        least = min(level_sizes(sizes[1], sizes[2], self.resolution_min)[-1]) if real.ndim == 4 else 0
        if list(fake.shape[1:]) != sizes or sizes != known or least < self.patch_size:
            before = "" if sizes == known else f", and had the shape {tuple(known)} each before"
            raise ShapeError(
                f"SlicedWassersteinDistance: y_pred and y must be images of one shape, got {fake.shape} "
                f"and {real.shape}{before}.",
                "images (batch, channels, height, width) of one shape, whose smallest level is at least "
                f"{self.patch_size} × {self.patch_size}.",
                f"x[:, None], for images without channels; patch_size={max(1, least)}, for small images.",
            )
        return sizes

    def _patches(self, images):
        levels = laplacian_pyramid(images.astype(np.float64), self.resolution_min)
        settings = self.patches_per_image, self.patch_size, self.seed
        found = [
            patches_of([level[k] for level in levels], *settings, checksum_of(image)) for k, image in enumerate(images)
        ]
        shape = (len(levels), self.patches_per_image, images.shape[1], self.patch_size, self.patch_size)
        return np.array(found, np.float32).reshape(len(images), *shape)


def _normalized(patches):
    """Return patches (images, patches, channels, …) in rows, each channel with mean 0 and standard deviation 1."""
    patches = patches.reshape(-1, *patches.shape[2:]).astype(np.float64)
    deviations = patches.std(axis=(0, 2, 3), keepdims=True)
    centered = patches - patches.mean(axis=(0, 2, 3), keepdims=True)
    return (centered / np.where(deviations > 0, deviations, 1)).reshape(len(patches), -1)


CHUNK = 32  # directions projected at once


def sliced_distance(a, b, directions):
    """Return the mean over directions (unit vectors in rows) of the Wasserstein distance of projected points."""
    chunks = np.array_split(directions, range(CHUNK, len(directions), CHUNK))
    return float(np.concatenate([distances(chunk @ a.T, chunk @ b.T) for chunk in chunks]).mean())


def distances(a, b):
    """Return the Wasserstein distance of order 1 of each row of a (k, n) and of b (k, m); an array (k,).

    It is the mean distance of the sorted numbers; of different counts n and m, the area between their quantile
    functions, which are constant on intervals with bounds i / n and j / m.
    """
    a, b = np.sort(a), np.sort(b)
    n, m = a.shape[1], b.shape[1]
    if n == m:
        return np.abs(a - b).mean(axis=1)
    starts = np.union1d(np.arange(n) * m, np.arange(m) * n)  # in units of 1 / (n m)
    widths = np.diff(starts, append=n * m) / (n * m)
    return np.abs(a[:, starts // m] - b[:, starts // n]) @ widths


def unit_directions(dimensions, count, seed):
    """Return random unit vectors in rows, an array (count, dimensions)."""
    directions = np.random.default_rng(seed).normal(size=(count, dimensions))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)
