"""Errors and warnings of the handlers of a logger, which need no files."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from dark import nn
from dark.engine import Engine, Events
from dark.errors import UsageError, ValueTypeError
from dark.handlers import (
    GradsHistHandler,
    OptimizerParamsHandler,
    OutputHandler,
    WeightsHistHandler,
    WeightsScalarHandler,
)

OPTIMIZER = SimpleNamespace(param_groups=[{"lr": 0.1, "params": []}])
WRONG = {
    "Either metric_names, output_transform or state_attributes should be defined": (
        lambda: OutputHandler("tag"), UsageError,
    ),
    "metric_names should be either a list or equal 'all', got 'loss'": (
        lambda: OutputHandler("tag", metric_names="loss"), ValueTypeError,
    ),
    "output_transform should be a function, got 5": (lambda: OutputHandler("tag", output_transform=5), ValueTypeError),
    "global_step_transform should be a function, got 3": (
        lambda: OutputHandler("tag", "all", global_step_transform=3), ValueTypeError,
    ),
    "optimizer should be an Optimizer .*, but given list": (lambda: OptimizerParamsHandler([]), ValueTypeError),
    r"group 0 of the optimizer has no parameter 'momentum'(.|\n)*Expected: one of lr": (
        lambda: OptimizerParamsHandler(OPTIMIZER, "momentum"), UsageError,
    ),
    "model should be of type nn.Module, but given int": (lambda: WeightsHistHandler(3), ValueTypeError),
    "whitelist should be a list of names or a function, but given 'weight'": (
        lambda: GradsHistHandler(nn.Linear(1, 1, seed=0), whitelist="weight"), ValueTypeError,
    ),
    "reduction should be callable, but given 2": (
        lambda: WeightsScalarHandler(nn.Linear(1, 1, seed=0), 2), ValueTypeError,
    ),
    r"Output of the reduction function should be a scalar, but got array\(\[": (
        lambda: WeightsScalarHandler(nn.Linear(1, 1, seed=0), lambda x: x.sum(axis=0)), ValueTypeError,
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_an_invalid_argument_raises(message):
    call, error = WRONG[message]
    with pytest.raises(error, match=message):
        call()


def call(handler, step=1):
    """Call a handler after an iteration; return the scalars that it writes."""
    found = []
    engine, log = Engine(lambda engine, batch: None), SimpleNamespace(writer=SimpleNamespace())
    log.writer.add_scalar = lambda *scalar: found.append(scalar)
    engine.state.iteration, engine.state.output = step, {"text": "a", "big": np.ones((2, 2)), "loss": 0.5}
    handler(engine, log, Events.ITERATION_COMPLETED)
    return found


def test_values_that_are_not_numbers_give_a_warning():
    with pytest.warns(UserWarning, match=r"OutputHandler cannot show (text, which is str|big, which is an array of 2)"):
        found = call(OutputHandler("tag", output_transform=lambda output: output))
    assert found == [("tag/loss", 0.5, 1)]
    with pytest.warns(UserWarning, match="Provided metric name 'accuracy' is missing in engine's state metrics"):
        assert call(OutputHandler("tag", ["accuracy"])) == []


def test_a_step_that_is_not_an_integer_raises():
    handler = OutputHandler("tag", "all", global_step_transform=lambda engine, event: 0.5)
    with pytest.raises(ValueTypeError, match=r"global_step must be int, got 0.5. Please check the output"):
        call(handler)


@pytest.mark.parametrize("make", [lambda: OutputHandler("tag", "all"), lambda: OptimizerParamsHandler(OPTIMIZER)])
def test_a_handler_works_with_a_logger_only(make):
    with pytest.raises(ValueTypeError, match="Handler .* works only with TensorBoardLogger, got Engine"):
        make()(Engine(print), Engine(print), Events.ITERATION_COMPLETED)


def test_without_tensorboard_the_error_names_the_extra(tmp_path):
    code = (
        "import sys; sys.modules['tensorboard'] = None\nfrom dark.handlers import TensorBoardLogger\n"
        f"TensorBoardLogger({str(tmp_path / 'runs')!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "tensorboard is not installed.\n  Expected: the extra 'tensorboard'." in done.stderr
    assert 'Try: pip install "dark-course[tensorboard]"' in done.stderr
    assert not (tmp_path / "runs").exists()
