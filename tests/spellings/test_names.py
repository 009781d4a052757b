"""Names that `dark` does not have: the errors are those of Python, with advice, and nothing else changes."""

import copy
import importlib.util
import pickle
import subprocess
import sys

import numpy as np
import pytest

import dark
from dark import nn
from dark.errors import DarkError, MissingImportError, MissingNameError


@pytest.fixture(params=["Parameter", "Constant", "result", "Linear"])
def thing(request):
    """Return a node or a module."""
    x = dark.Parameter([1.0, 2.0])
    return {"Parameter": x, "Constant": x.detach(), "result": 2 * x, "Linear": nn.Linear(2, 1, seed=0)}[request.param]


def test_a_missing_name_is_an_attribute_error_with_advice(thing):
    with pytest.raises(AttributeError, match="(?s)has no attribute 'cuda'.*Expected: .*CPU.*Try: ") as caught:
        thing.cuda()
    assert isinstance(caught.value, MissingNameError) and (caught.value.name, caught.value.obj) == ("cuda", thing)


def test_hasattr_and_getattr_find_nothing(thing):
    assert not hasattr(thing, "cuda") and getattr(thing, "cpu", 3) == 3
    assert not hasattr(type(thing), "cuda") and not hasattr(dark.Node, "data")


def test_a_name_of_no_library_is_an_ordinary_attribute_error(thing):
    for use in (lambda: thing.foo, lambda: dark.foo, lambda: nn.foo):
        with pytest.raises(AttributeError, match="has no attribute 'foo'") as caught:
            use()
        assert not isinstance(caught.value, DarkError)


def test_dir_lists_only_what_is_there(thing):
    assert all(hasattr(thing, name) for name in dir(thing) if not name.startswith("_") and name != "module_calls")
    assert {"cuda", "cpu", "data", "exp"}.isdisjoint(dir(thing))
    assert "named_parameters" in dir(thing) or {"view", "value", "reshape"} <= set(dir(thing))


def test_probes_of_ipython_and_numpy_find_nothing(thing):
    for name in ("_repr_html_", "_repr_png_", "_ipython_display_", "__array_interface__", "__array_struct__"):
        assert not hasattr(thing, name)


def test_leaves_and_modules_are_copied_and_pickled():
    for leaf in (dark.Parameter([1.0, 2.0], name="w"), dark.Constant(3.0)):
        for other in (copy.copy(leaf), copy.deepcopy(leaf), pickle.loads(pickle.dumps(leaf))):
            assert type(other) is type(leaf) and np.array_equal(other.value, leaf.value) and other.name == leaf.name
    layer = nn.Linear(2, 1, seed=0)
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert np.array_equal(other.weight.value, layer.weight.value)
    error = pickle.loads(pickle.dumps(MissingNameError("a", "b", "c")))
    assert str(error) == "a\n  Expected: b\n  Try: c"


def test_a_subclass_and_an_instance_may_use_the_names():
    class Named(dark.Parameter):
        data = property(lambda self: self.value)

    class WithFields(dark.Parameter):
        def __init__(self):
            super().__init__(1.0)
            self.device = "cpu"

    class Typed(nn.Module):
        def __init__(self):
            super().__init__()
            self.type, self.half = "a type", nn.Linear(1, 1)

        def compile(self):
            return "compiled"

    assert Named(2.0).data == 2.0 and "data" in dir(Named(2.0))
    assert WithFields().device == "cpu" and "device" in dir(WithFields())
    module = Typed()
    assert (module.type, module.compile()) == ("a type", "compiled") and "half.weight" in module.state_dict()
    assert {"type", "half", "compile"} <= set(dir(module))


def test_an_assignment_to_such_a_name_is_refused_with_advice():
    x = dark.Parameter([1.0])
    with pytest.raises(MissingNameError, match=r"(?s)'Parameter' object has no attribute 'data'.*Try: x.value"):
        x.data = np.zeros(1)
    with pytest.raises(AttributeError, match="no attribute 'foo'"):
        x.foo = 1


@pytest.mark.parametrize(
    ("statement", "advice"),
    [
        ("from dark.data import random_split", "data.split"),
        ("from dark.nn import Linear, Unflatten", "nn.Function"),
        ("from dark.nn.init import trunc_normal_", "np.clip"),
        ("from dark.nn.functional import relu, one_hot", "np.eye"),
        ("from dark.nn.utils import spectral_norm", "np.linalg.norm"),
        ("from dark.optim import Adadelta", "optim.Adam"),
        ("from dark.optim.lr_scheduler import ChainedScheduler", "LambdaLR"),
        ("from dark.losses import mse_loss", "losses.mse"),
        ("from dark.engine import Events, create_supervised_trainer", "dark.trainers.create_supervised_trainer"),
        ("from dark.trainers import Events", "dark.engine.Events"),
        ("from dark.metrics import Accuracy, FID", "dark.metrics.Metric"),
        ("from dark.handlers import FastaiLRFinder", "OneCycleLR"),
        ("from dark.distributed import get_rank", "rank"),
        ("from dark import tensor, zeros", "dark.Parameter"),
        ("from dark import utils", "dark.data"),
        ("from dark.utils.data import DataLoader", "from dark.data import DataLoader"),
        ("import dark.utils.data as data", "from dark.data import DataLoader"),
        ("import dark.cuda", "omit it"),
        ("from dark.contrib.handlers import ProgressBar", "from dark.handlers import ProgressBar"),
        ("from dark.handlers.tensorboard_logger import TensorboardLogger", "dark.handlers"),
        ("from dark.nn.parallel import DistributedDataParallel", "Replicas"),
        ("import dark.nn.modules", "from dark.nn import Linear"),
    ],
)
def test_an_import_of_such_a_name_is_an_import_error_with_advice(statement, advice):
    with pytest.raises(ImportError, match="(?s)Expected: .*Try: ") as caught:
        exec(statement, {})
    assert isinstance(caught.value, MissingImportError) and advice in str(caught.value)


@pytest.mark.parametrize("statement", ["import dark.foo", "from dark import foo", "from dark.nn import Foo"])
def test_other_imports_fail_as_before(statement):
    with pytest.raises(ImportError) as caught:
        exec(statement, {})
    assert not isinstance(caught.value, DarkError)


def test_a_program_may_ask_whether_a_name_is_there():
    names = {}
    exec("try:\n    from dark.utils.data import Dataset\nexcept ModuleNotFoundError:\n    found = False", names)
    assert names["found"] is False
    assert importlib.util.find_spec("dark.nn.functional") is not None
    assert importlib.util.find_spec("dark.foo") is None


def test_imports_of_pytorchs_modules_that_are_there_work():
    code = "import dark.nn.functional as F, dark.nn.utils; from dark.nn import functional; print(F is functional)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_the_finder_is_installed_once():
    import_again = importlib.reload(dark)
    finders = [finder for finder in sys.meta_path if getattr(finder, "__name__", "") == "_MissingModuleFinder"]
    assert import_again is dark and len(finders) == 1
    assert finders[0].find_spec("json") is None and finders[0].find_spec("dark.nn") is None
