"""Files of dark and of the safetensors library, each read by the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import StorageError
from tests.storage.test_saving import any_array, same

pytestmark = pytest.mark.oracle
library = pytest.importorskip("safetensors.numpy", reason="the oracle extra (safetensors) is not installed")
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text != "__metadata__")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("library") / "state"


@given(mapping=st.dictionaries(names, any_array, max_size=4))
def test_the_library_reads_saved_files_under_the_same_names(path, mapping):
    dark.save(mapping, path)
    theirs = library.load_file(path)
    assert theirs.keys() == mapping.keys()
    assert all(same(mapping[name], theirs[name]) for name in mapping)


@given(mapping=st.dictionaries(names, any_array, max_size=4))
def test_files_of_the_library_are_read(path, mapping):
    native = {name: np.ascontiguousarray(v, v.dtype.newbyteorder("=")).reshape(v.shape) for name, v in mapping.items()}
    library.save_file(native, path, metadata={"format": "np"})
    assert same({name: native[name] for name in sorted(native)}, sorted_by_name(dark.load(path, foreign=True)))


def sorted_by_name(mapping):
    return {name: mapping[name] for name in sorted(mapping)}


def test_a_file_of_the_library_is_loaded_unless_only_own_files_are_wanted(path):
    library.save_file({"w": np.ones(2)}, path, metadata={"format": "pt", "by": "another program"})
    for found in (dark.load(path), dark.load(path, foreign=True), dark.load(path, names=["w"])):
        assert same({"w": np.ones(2)}, found)
    with dark.storage.open_file(path) as file:
        assert not file.is_verified and file.metadata["format"] == "pt" and file.rows("w", 1).tolist() == [1.0]
    with pytest.raises(StorageError, match=r"was not written by dark\.save"):
        dark.load(path, foreign=False)


def test_other_data_is_stored_in_the_metadata(path):
    safetensors = pytest.importorskip("safetensors")
    dark.save({"w": np.ones(2), "epoch": 3}, path)
    with safetensors.safe_open(path, "numpy") as file:
        assert file.metadata()["content"] == '{"w":{"$array":"w"},"epoch":3}'


def test_weights_are_loaded_into_pytorch_and_back(path):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    safetensors = pytest.importorskip("safetensors.torch")
    own = dark.nn.Sequential(dark.nn.Linear(3, 4), dark.nn.ReLU(), dark.nn.Linear(4, 2)).double()
    theirs = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)).double()
    x = np.random.default_rng(0).normal(size=(5, 3))

    dark.save(own.state_dict(), path)
    theirs.load_state_dict(safetensors.load_file(path))
    np.testing.assert_allclose(theirs(torch.tensor(x)).detach().numpy(), own(x).value, rtol=1e-12)

    torch.nn.init.normal_(theirs[0].weight)
    safetensors.save_file(theirs.state_dict(), path)
    own.load_state_dict(dark.load(path, foreign=True))
    np.testing.assert_allclose(theirs(torch.tensor(x)).detach().numpy(), own(x).value, rtol=1e-12)
