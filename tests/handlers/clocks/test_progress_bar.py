"""The progress bar: what it shows, when it opens and closes; in a terminal and in a notebook."""

import io
import subprocess
import sys

import numpy as np
import pytest

import dark
from dark.engine import Engine, EventEnum, Events
from dark.errors import EngineError, MissingExtraError, UsageError, ValueTypeError
from dark.handlers import ProgressBar

pytest.importorskip("tqdm")
FORMAT = "{desc}{n_fmt}/{total_fmt}{postfix}"


def lines(engine=None, persist=True, desc=None, run=None, bar_format=FORMAT, **attached):
    """Run an engine with a bar; return what the bar showed."""
    engine, file = engine or Engine(lambda engine, batch: batch), io.StringIO()
    settings = {} if desc is None else {"desc": desc}
    bar = ProgressBar(persist, bar_format, file=file, ncols=80, mininterval=0, **settings)
    bar.attach(engine, **attached)
    engine.run(**{"data": [5, 6, 7], **(run or {})})
    assert bar.pbar is None
    return [line.strip() for line in file.getvalue().replace("\n", "\r").split("\r") if line.strip()]


def test_one_epoch_is_counted_in_iterations():
    assert lines()[-1] == "Iteration: 3/3" and "Iteration: 2/3" in lines()


def test_several_epochs_have_a_bar_each():
    shown = lines(run={"max_epochs": 2})
    assert "Epoch [1/2]: 3/3" in shown and shown[-1] == "Epoch [2/2]: 3/3"


def test_one_bar_can_show_all_epochs():
    shown = lines(event_name=Events.EPOCH_COMPLETED, closing_event_name=Events.COMPLETED, run={"max_epochs": 4})
    assert shown[-1] == "Epoch: 4/4"


def test_it_is_updated_less_often_with_a_filter_and_is_full_at_the_end():
    shown = lines(event_name=Events.ITERATION_COMPLETED(every=4), run={"data": range(10)})
    assert "Iteration: 8/10" in shown and "Iteration: 9/10" not in shown and shown[-1] == "Iteration: 10/10"


def test_a_description_replaces_the_default():
    assert lines(desc="Validation")[-1] == "Validation: 3/3"


def test_the_length_of_an_iterator_is_known_from_the_second_epoch_on():
    def numbers():
        return iter([1, 2, 3])

    engine = Engine(lambda engine, batch: None)
    engine.add_event_handler(
        Events.EPOCH_COMPLETED, lambda: setattr(engine.state, "dataloader", numbers())
    )  # for the next epoch
    shown = lines(engine, run={"data": numbers(), "max_epochs": 2})
    assert "Epoch [1/2]: 3/?" in shown and shown[-1] == "Epoch [2/2]: 3/3"


def test_metrics_outputs_and_attributes_are_shown():
    engine = Engine(lambda engine, batch: (batch, "red"))
    engine.state.rate, engine.state.metrics = 0.25, {"accuracy": 0.5, "loss": 1}
    shown = lines(
        engine,
        metric_names=["accuracy"],
        output_transform=lambda output: {"color": output[1]},
        state_attributes=["rate"],
    )
    assert shown[-1] == "Iteration: 3/3, accuracy=0.5, color=red, rate=0.25"
    assert lines(engine, metric_names="all")[-1] == "Iteration: 3/3, accuracy=0.5, loss=1"
    assert lines(output_transform=lambda output: output)[-1] == "Iteration: 3/3, output=7"


def test_arrays_nodes_and_nested_values_are_flattened():
    values = {
        "zero": np.array(1.5), "one": np.array([1, 2]), "node": dark.Parameter(np.array([0.5])),
        "n": {"a": [3, {"b": 4}]},
    }  # fmt: skip
    engine = Engine(lambda engine, batch: values)
    shown = lines(engine, output_transform=lambda output: output)
    assert shown[-1] == "Iteration: 3/3, zero=1.5, one_0=1, one_1=2, node_0=0.5, n_a_0=3, n_a_1_b=4"


@pytest.mark.parametrize(("value", "what"), [(np.ones((2, 2)), "an array of 2 dimensions"), (None, "NoneType")])
def test_a_value_that_cannot_be_shown_is_omitted_with_a_warning(value, what):
    engine = Engine(lambda engine, batch: {"x": value, "y": 1})
    with pytest.warns(UserWarning, match=f"cannot show x, which is {what}"):
        assert lines(engine, output_transform=lambda output: output)[-1] == "Iteration: 3/3, y=1"


def test_a_missing_metric_is_omitted_with_a_warning():
    with pytest.warns(UserWarning, match="metric name 'accuracy' is missing in engine's state metrics"):
        assert lines(metric_names=["accuracy"])[-1] == "Iteration: 3/3"


def stops(how):
    """Make an engine that stops in the middle of its data, somehow."""

    def step(engine, batch):
        if batch == 6:
            how(engine)

    return Engine(step)


def test_a_run_that_is_terminated_closes_its_bar_where_it_is():
    assert lines(stops(lambda engine: engine.terminate()), run={"max_epochs": 2})[-1] == "Epoch [1/2]: 2/3"


def test_an_epoch_that_is_terminated_is_not_filled_up():
    shown = lines(stops(lambda engine: engine.terminate_epoch()), run={"max_epochs": 1})
    assert shown[-1] == "Iteration: 2/3"


def test_after_an_exception_the_next_run_has_a_new_bar():
    def fail_once(engine):
        if engine.state.iteration == 2:
            raise RuntimeError("once")

    engine, file = stops(fail_once), io.StringIO()
    bar = ProgressBar(True, FORMAT, file=file, mininterval=0)
    bar.attach(engine)
    with pytest.raises(RuntimeError, match="once"):
        engine.run([5, 6, 7])
    broken = bar.pbar
    engine.state.max_epochs = None
    engine.add_event_handler(Events.ITERATION_STARTED, lambda: setattr(engine.state, "batch", 5))
    engine.run([5, 5, 5, 5], epoch_length=4)
    assert broken.disable and file.getvalue().split("\r")[-1].strip() == "Iteration: 4/4"


def test_a_message_is_printed_above_the_bar():
    file = io.StringIO()
    ProgressBar(file=file).log_message("hello")
    assert file.getvalue() == "hello\n"


class Mine(EventEnum):
    COUNTED = "counted"
    UNCOUNTED = "uncounted"


def test_a_custom_event_with_a_counter_advances_it():
    engine = Engine(lambda engine, batch: engine.fire_event(Mine.COUNTED))
    engine.register_events(*Mine, event_to_attr={Mine.COUNTED: "iteration"})
    assert lines(engine, event_name=Mine.COUNTED)[-1] == "Iteration: 1/1"
    with pytest.raises(EngineError, match="Event 'UNCOUNTED' is not counted"):
        ProgressBar().attach(engine, event_name=Mine.UNCOUNTED)


@pytest.mark.parametrize(
    ("attached", "error", "text"),
    [
        ({"event_name": "abc"}, UsageError, "Logging event abc is not in allowed events"),
        ({"event_name": Events.STARTED | Events.COMPLETED}, UsageError, "is not in allowed events"),
        ({"closing_event_name": Events.COMPLETED(every=2)}, UsageError, "should not be a filtered event"),
        ({"event_name": Events.COMPLETED}, UsageError, "COMPLETED should be called before closing event"),
        ({"metric_names": "accuracy"}, ValueTypeError, "metric_names should be either a list or equal 'all'"),
        ({"output_transform": 1}, ValueTypeError, "output_transform should be a function, got 1"),
    ],
)
def test_invalid_arguments_are_refused(attached, error, text):
    with pytest.raises(error, match=text):
        ProgressBar().attach(Engine(lambda engine, batch: None), **attached)


def test_without_tqdm_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(MissingExtraError, match="tqdm is not installed"):
        ProgressBar()


def test_where_ipykernel_is_only_imported_it_is_text():
    pytest.importorskip("ipykernel")
    code = """
import ipykernel.zmqshell
from dark.engine import Engine
from dark.handlers import ProgressBar
engine = Engine(lambda engine, batch: None)
ProgressBar(persist=True).attach(engine)
engine.run(range(5))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[5/5] 100%" in done.stderr and done.stdout == ""


def test_in_a_notebook_it_is_a_widget(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipywidgets")
    code = """
    from dark.engine import Engine
    from dark.handlers import ProgressBar
    engine = Engine(lambda engine, batch: None)
    ProgressBar(persist=True).attach(engine)
    engine.run(range(5));
    """
    cell = nbformat.v4.new_code_cell("\n".join(line.strip() for line in code.splitlines()))
    notebook = nbformat.v4.new_notebook(cells=[cell])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute(cwd=str(tmp_path))
    kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
    assert "application/vnd.jupyter.widget-view+json" in kinds, cell.outputs
