"""A run with everything that the viewer draws: 0 to 5 dimensions, NaN, both types, series that begin late."""

import numpy as np

from dark.monitor import Note

STEPS = 100
LATE = 40  # the number of the first record of the late series


def write_run(folder, seed=0, steps=STEPS):
    """Write a run, and return its note, which is closed."""
    with Note(folder) as note:
        note.put_down_configs({"lr": 0.1, "optimizer": "SGD", "sizes": [64, 10]})
        for k in range(steps):
            take_down(note, k, np.random.default_rng([seed, k]), seed)
        note.put_down_criterion("best accuracy", 0.98231)
        note.write_line("the training has ended")
    return note


def take_down(note, k, rng, seed=0):
    """Take down record number k of a run, at step 20 k."""
    weight = (np.sin(np.arange(640).reshape(10, 64) / 7 + k / 30) * (1 + seed + k / 50)).astype(np.float32)
    gradient = weight * 0.1
    if k >= STEPS // 2:
        gradient[3, 5:9], gradient[1, 1] = np.nan, np.inf
    kernel = rng.normal(size=(6, 3, 5, 5))
    scalars = {
        "loss": 2.3 * np.exp(-k / 15) + 0.1,
        "accuracy/train": 1 - 0.9 * np.exp(-k / 20),
        "gradient_norm/fc1.weight": np.nan if k == 60 else 3 * np.exp(-k / 40),
    }
    tensors = {
        "weights/fc1.weight": weight,
        "weights/fc1.bias": weight[0].astype(np.float64),
        "weights/conv.weight": kernel.astype(np.float32),
        "weights/channels_last": kernel.transpose(2, 3, 1, 0),
        "weights/scale": np.array(0.5 + k / 100),
        "gradients/fc1.weight": gradient,
        "gradients_abs/fc1.weight": abs(weight),
        "counts": np.arange(6).reshape(2, 3) + k,
        "mask": np.arange(6).reshape(2, 3) % 2 == 0,
    }
    for exemplar in range(2):
        tensors[f"samples/worst {exemplar}/conv"] = np.maximum(rng.normal(size=(8, 6, 6)), 0).astype(np.float32)
        tensors[f"samples/worst {exemplar}/fc1"] = weight[exemplar]
    if k >= LATE:
        scalars["dead/relu1"] = k / 1000
        tensors["samples/worst 1/video"] = rng.normal(size=(2, 3, 4, 6, 8))
    note.take_down_scalars_and_tensors(20 * k, scalars, tensors)


def write_sick(folder, first=0, decades=6, seed=0):
    """Write a run with dead units whose loss is exactly exponential; it begins at a step."""
    rng = np.random.default_rng(seed)
    with Note(folder) as note:
        note.put_down_configs({"steps_per_epoch": 20})
        for k in range(121):
            scalars = {
                "loss": 10 ** (-decades * k / 120),
                "val_loss": 2 * 10 ** (-decades * k / 240),
                "accuracy/train": 1 - 0.9 * np.exp(-k / 20),
                "balance": np.sin(k / 9),
                "dead/relu1": 0.97,
            }
            tensors = {"weights/fc": rng.normal(size=(6, 9)) * 10**seed} if k % 20 == 0 else {}
            note.take_down_scalars_and_tensors(first + k, scalars, tensors)
    return note
