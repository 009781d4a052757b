"""AshPy's import paths, with `dark` in the place of `ashpy`."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import dark
from dark import contexts, executors, trainers

PATHS = {
    "contexts.context": (contexts, ["Context"]),
    "contexts.classifier": (contexts, ["ClassifierContext"]),
    "contexts.gan": (contexts, ["GANContext", "GANEncoderContext"]),
    "losses.executor": (executors, ["Executor", "SumExecutor"]),
    "losses.classifier": (executors, ["ClassifierLoss"]),
    "losses.gan": (
        executors,
        [name for name in executors.__all__ if re.search("GAN|Generator|Discriminator|BCE|Pix2Pix|adversarial", name)],
    ),
    "trainers.trainer": (trainers, ["Trainer"]),
    "trainers.classifier": (trainers, ["ClassifierTrainer"]),
    "trainers.gan": (trainers, ["AdversarialTrainer", "EncoderTrainer"]),
}


@pytest.mark.parametrize("path", PATHS)
def test_a_name_on_its_path_in_ashpy_is_the_public_one(path):
    module, (package, names) = import_module(f"dark.{path}"), PATHS[path]
    assert names
    for name in names:
        assert getattr(module, name) is getattr(package, name)


@pytest.mark.parametrize("path", [path for path in PATHS if path.startswith("losses")])
def test_a_star_import_brings_exactly_what_is_listed(path):
    names = {}
    exec(f"from dark.{path} import *", names)
    assert set(names) - {"__builtins__"} == set(import_module(f"dark.{path}").__all__)


def test_every_path_is_in_the_table_for_users_of_ashpy():
    chapter = (Path(dark.__file__).parents[1] / "book" / "executors.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"\| imports \|.*", chapter)
    for path in PATHS:
        assert f"`.{path}`" in row or f"`ashpy.{path}`" in row


def test_the_losses_themselves_do_not_load_the_executors():
    code = "import sys, dark; dark.losses.executor; print('dark.executors' in sys.modules); dark.losses.gan.GANExecutor"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(ImportError, match="cannot import name 'Nothing' from 'dark.losses.gan'"):
        from dark.losses.gan import Nothing  # noqa: F401
    with pytest.raises(AttributeError, match="module 'dark.losses.executor' has no attribute 'Nothing'"):
        import_module("dark.losses.executor").Nothing
