"""Losses as modules: each computes what its function does, with the settings of the constructor."""

import inspect

import numpy as np
import pytest

import dark
from dark import losses, nn
from dark.errors import UsageError
from dark.nn.losses import Loss
from tests.losses.random_cases import CASES, CLASS_WEIGHTS, name_of

CLASSES = {kind().function: kind for kind in Loss.__subclasses__()}
NAMES = {
    "BCELoss", "BCEWithLogitsLoss", "CosineEmbeddingLoss", "CrossEntropyLoss", "HingeEmbeddingLoss", "HingeLoss",
    "HuberLoss", "KLDivLoss", "L1Loss", "MSELoss", "MultiMarginLoss", "NLLLoss", "SmoothL1Loss", "TripletMarginLoss",
}  # fmt: skip


@pytest.mark.parametrize("case", [c for c in CASES if not c.fixed], ids=name_of)
def test_a_module_computes_what_its_function_does(case):
    kind = CLASSES[case.function]
    for settings in case.each():
        if settings.keys() <= inspect.signature(kind).parameters.keys():
            given = case.inputs()
            assert np.array_equal(
                kind(**settings)(*given).value, case.function(*given, **settings).value, equal_nan=True
            )


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_every_loss_function_is_a_module_by_loss(case):
    for settings in case.settings:
        given = case.inputs()
        mine = Loss(case.function, **settings)(*given).value
        assert np.array_equal(mine, case.function(*given, **settings).value, equal_nan=True)


def test_losses_have_classes_with_pytorchs_names():
    assert {kind.__name__ for kind in CLASSES.values()} == NAMES <= set(nn.__all__)
    assert set(CLASSES) <= {getattr(dark.losses, name) for name in dark.losses.__all__}
    assert len(CLASSES) == len(NAMES)


def test_settings_are_attributes_and_may_be_changed():
    loss = nn.MSELoss()
    loss.reduction = "none"
    assert loss(np.ones(2), np.zeros(2)).value.tolist() == [1, 1]
    loss.reduction = "nothing"
    with pytest.raises(UsageError, match="mse: invalid reduction 'nothing'"):
        loss(np.ones(2), np.zeros(2))


def test_weights_are_buffers():
    loss = nn.CrossEntropyLoss(weight=CLASS_WEIGHTS)
    assert list(loss.state_dict()) == ["weight"] and loss.float().weight.dtype == np.float32
    assert list(nn.CrossEntropyLoss().state_dict()) == [] and list(loss.parameters()) == []
    other = nn.CrossEntropyLoss(weight=np.ones(4))
    other.load_state_dict(loss.state_dict())
    assert other.weight.tolist() == CLASS_WEIGHTS.tolist()


def test_the_repr_shows_settings_that_differ_from_their_defaults():
    assert repr(nn.TripletMarginLoss()) == "TripletMarginLoss()"
    text = repr(nn.BCEWithLogitsLoss(reduction="sum", pos_weight=np.array([2.0, 1.0])))
    assert text == "BCEWithLogitsLoss(reduction='sum', pos_weight=[2.0, 1.0])"


def test_an_unknown_reduction_is_refused_when_the_module_is_built():
    assert nn.KLDivLoss(reduction="batchmean").reduction == "batchmean"
    with pytest.raises(UsageError, match="L1Loss: invalid reduction 'batchmean'"):
        nn.L1Loss(reduction="batchmean")


@pytest.mark.oracle
@pytest.mark.parametrize("name", [kind.__name__ for kind in CLASSES.values() if kind is not nn.HingeLoss])
def test_names_defaults_and_what_is_saved_are_pytorchs(name):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    right = inspect.signature(getattr(torch.nn, name)).parameters
    usual = {n: p.default for n, p in right.items() if n not in ("size_average", "reduce")}
    assert {n: p.default for n, p in inspect.signature(getattr(nn, name)).parameters.items()} == usual
    for weight in {"weight", "pos_weight"} & usual.keys():
        theirs = getattr(torch.nn, name)(**{weight: torch.ones(3)})
        assert list(getattr(nn, name)(**{weight: np.ones(3)}).state_dict()) == list(theirs.state_dict())


@pytest.mark.parametrize(
    ("kind", "function", "target"),
    [
        (nn.CrossEntropyLoss, losses.cross_entropy, np.array([0, 2])),
        (nn.NLLLoss, losses.nll, np.array([0, 2])),
        (nn.BCELoss, losses.binary_cross_entropy, np.eye(2, 3)),
        (nn.BCEWithLogitsLoss, losses.binary_cross_entropy_with_logits, np.eye(2, 3)),
    ],
)
def test_weights_may_be_the_first_argument_as_in_pytorch(kind, function, target):
    x, weight = np.linspace(0.1, 0.9, 6).reshape(2, 3), np.array([1.0, 2.0, 0.5])
    named = function(x, target, weight=weight).item()
    assert kind(weight)(x, target).item() == function(x, target, weight).item() == named
