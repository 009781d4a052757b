"""The page *From PyTorch to dark*: its tables equal the package's, its names are not there, its advice works."""

import importlib.util
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import dark
from dark import data, losses, nn, optim
from dark.spellings.missing import MODULES, NAMES

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("spellings", ROOT / "book" / "spellings.py")
spellings = importlib.util.module_from_spec(spec)
spec.loader.exec_module(spellings)

ROWS = [(home, name, row) for home, rows in [*NAMES.items(), ("import", MODULES)] for name, row in rows.items()]
CODE = [
    (home, name, code)
    for home, name, row in ROWS
    for code in re.findall(r"`([^`]+)`", row.instead)
    if re.search(r"[(@\[=]|^(np|dark)\.", code) and not code.startswith(("size=", "reduction="))
]


def owner(home):
    """Return the object that the names of a table are looked up in."""
    return {"Node": dark.Parameter(2.0), "Module": nn.Linear(1, 1, seed=0)}.get(home) or import_module(home)


def names():
    """Return what the expressions of the page may use."""
    x = dark.Parameter(np.array([[2.0, 1.0], [0.5, 3.0]]))
    model = nn.Sequential(nn.Linear(3, 2, seed=0))
    return {
        "x": x, "y": np.ones((2, 2)), "mask": np.array([[True, False], [True, True]]), "p": dark.Parameter(np.ones(3)),
        "model": model, "optimizer": optim.SGD(model.parameters(), lr=0.1), "np": np, "dark": dark, "data": data,
        "losses": losses, "nn": nn, "optim": optim, "copy": import_module("copy"),
        "strategy": dark.distributed.Replicas(2),
    }  # fmt: skip


def test_the_tables_of_the_page_are_those_of_the_package():
    text = spellings.PAGE.read_text(encoding="utf-8")
    assert spellings.with_tables(text) == text, "run: python book/spellings.py"


@pytest.mark.parametrize("home", NAMES)
def test_a_name_of_a_table_is_not_there_and_the_error_says_what_to_write(home):
    for name, row in NAMES[home].items():
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as caught:
            getattr(owner(home), name)
        assert isinstance(caught.value, dark.errors.DarkError), name
        assert str(caught.value).endswith(f"\n  Try: {row.instead.replace('`', '')}")


def test_what_the_page_advises_to_write_works():
    assert len(CODE) > 900
    failed = {}
    for home, name, code in CODE:
        try:
            with np.errstate(all="ignore"):
                exec(code, names())
        except Exception as error:  # of any kind: the page would be wrong
            failed[home, name, code] = error
    assert failed == {}


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("home", "place"),
    [
        ("dark", "torch"), ("dark.nn", "torch.nn"), ("dark.nn.functional", "torch.nn.functional"),
        ("dark.nn.utils", "torch.nn.utils"), ("dark.nn.init", "torch.nn.init"), ("dark.optim", "torch.optim"),
        ("dark.optim.lr_scheduler", "torch.optim.lr_scheduler"), ("dark.data", "torch.utils.data"),
    ],
)  # fmt: skip
def test_a_name_of_a_table_is_one_of_pytorchs(home, place):
    pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs = import_module(place)
    assert [name for name in NAMES[home] if not hasattr(theirs, name)] == []


@pytest.mark.oracle
@pytest.mark.parametrize("place", ["nn", "optim", "optim.lr_scheduler"])
def test_each_class_of_pytorch_is_there_or_in_a_table(place):
    pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs, own = import_module(f"torch.{place}"), import_module(f"dark.{place}")
    public = getattr(theirs, "__all__", dir(theirs))
    classes = [name for name in public if name[0].isupper() and isinstance(getattr(theirs, name), type)]
    assert len(classes) > 10
    assert [name for name in classes if not hasattr(own, name) and name not in NAMES[f"dark.{place}"]] == []


@pytest.mark.oracle
@pytest.mark.parametrize(("home", "kind"), [("Node", "Tensor"), ("Module", "nn.Module")])
def test_each_method_of_pytorch_is_there_or_in_a_table(home, kind):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs = torch.Tensor if kind == "Tensor" else torch.nn.Module
    public = [name for name in dir(theirs) if not name.startswith("_")]
    assert len(public) > 50
    assert [name for name in public if not hasattr(owner(home), name) and name not in NAMES[home]] == []
    assert [name for name in NAMES[home] if not hasattr(theirs, name)] == []


@pytest.mark.oracle
def test_each_function_of_nn_functional_is_there_or_in_a_table():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs = torch.nn.functional
    rare = re.compile(r"with_indices|torch_function|^(native|scaled|grouped)_|_notes$|conv_tbc")
    public = [name for name in dir(theirs) if name[0].islower() and callable(getattr(theirs, name))]
    own = ("boolean_dispatch", "assert_int_or_pair", "torch")  # of its own implementation
    public = [name for name in public if not rare.search(name) and name not in own]
    there = NAMES["dark.nn.functional"]
    assert [name for name in public if not hasattr(nn.functional, name) and name not in there] == []


@pytest.mark.oracle
def test_each_argument_of_a_class_of_pytorch_is_there_or_has_advice():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    inspect = import_module("inspect")
    others = []
    for theirs, own in (
        (torch.nn, nn), (torch.optim, optim), (torch.optim.lr_scheduler, optim.lr_scheduler),
        (torch.utils.data, data),
    ):  # fmt: skip
        for name in own.__all__:
            a, b = getattr(theirs, name, None), getattr(own, name)
            if not (isinstance(a, type) and isinstance(b, type)):
                continue
            there = inspect.signature(b.__init__).parameters
            for argument, parameter in inspect.signature(a.__init__).parameters.items():
                is_named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
                is_known = argument in there or argument in dark.spellings.keywords.ADVICE
                if is_named and not argument.startswith("_") and not is_known:
                    others.append((name, argument))
    assert others == []
