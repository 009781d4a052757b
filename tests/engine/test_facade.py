"""What `dark.engine` exports, and what it does not load."""

import subprocess
import sys

import dark.engine


def test_the_engine_runs_in_a_fresh_process_without_numpy_and_networks():
    code = (
        "import sys; from dark.engine import Engine, Events, record;"
        "engine = Engine(lambda engine, batch: batch);"
        "engine.add_event_handler(Events.EPOCH_COMPLETED(every=2), lambda: None); engine.run([1, 2], max_epochs=2);"
        "print([name for name in sys.modules if name.split('.')[0] in ('numpy', 'graphviz')"
        " or name.startswith('dark.') and"
        " name.split('.')[1] not in ('engine', 'errors', 'checks', 'descriptions', 'hooks')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_star_import_brings_exactly_what_is_listed():
    names = {}
    exec("from dark.engine import *", names)
    assert set(names) - {"__builtins__"} == set(dark.engine.__all__)


def test_ignites_names_for_the_inside_of_an_engine_can_be_read():
    engine = dark.engine.Engine(lambda engine, batch: None)
    engine.load_state_dict({"epoch_length": 5, "iteration": 7, "max_epochs": 3})
    engine.state.dataloader = [1]
    engine.add_event_handler("STARTED", print)
    assert [len(handlers) for handlers in engine._event_handlers.values()] == [1]
    engine._setup_engine()
    assert engine._init_iter == 2 and next(engine._dataloader_iter) == 1
    assert engine._internal_run_generator is None and not dark.engine.Engine._is_done(engine.state)
