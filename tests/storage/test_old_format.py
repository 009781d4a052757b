"""Files of the format `dark 1`, with one checksum for the whole file, are still read and verified."""

import math
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from dark.errors import StorageError
from dark.storage import load_file, open_file
from tests.storage.test_damage import each_bit_flipped
from tests.storage.test_saving import same

OLD = Path(__file__).with_name("dark_1.safetensors")
CONTENT = {
    "model": {"weight": np.arange(6, dtype="f4").reshape(2, 3), "bias": np.array([True, False])},
    "step": 3, "lr": 0.1, "betas": (0.9, 0.999), "best": -math.inf, "empty": np.zeros((0, 2)),
    "scalar": np.float64(0.5), "half": np.array([1.5, -0.0], "f2"), "counts": {0: np.array(7), None: "text"},
}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return Path(shutil.copy(OLD, tmp_path / "state"))


def test_an_old_file_is_loaded():
    assert same(CONTENT, load_file(OLD))
    assert same({"counts": CONTENT["counts"], "step": 3}, load_file(OLD, names=["counts", "step"]))


def test_arrays_and_rows_of_an_old_file_are_read():
    with open_file(OLD) as file:
        assert same(CONTENT["model"]["weight"], file["model.weight"]) and file.metadata["format"] == "dark 1"
        assert same(CONTENT["model"]["weight"][1:], file.rows("model.weight", 1))


@pytest.mark.parametrize("load", [load_file, open_file, lambda path: load_file(path, names=["step"])])
def test_an_old_file_with_a_bit_changed_anywhere_is_refused_when_it_is_opened(path, load):
    for _ in each_bit_flipped(path, bits=(0, 5)):
        with pytest.raises(StorageError, match=r"is corrupt: |was not written by dark\.save"):
            load(path)


def test_a_truncated_old_file_is_refused(path):
    for n in reversed(range(len(path.read_bytes()))):
        os.truncate(path, n)
        with pytest.raises(StorageError, match=r"is corrupt: |was not written by dark\.save"):
            load_file(path)
