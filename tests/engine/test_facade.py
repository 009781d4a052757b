"""What `dark.engine` exports."""

import dark.engine


def test_a_star_import_brings_exactly_what_is_listed():
    names = {}
    exec("from dark.engine import *", names)
    assert set(names) - {"__builtins__"} == set(dark.engine.__all__)


def test_ignites_names_for_the_inside_of_an_engine_can_be_read():
    engine = dark.engine.Engine(lambda engine, batch: None)
    engine.load_state_dict({"epoch_length": 5, "iteration": 7, "max_epochs": 3})
    engine.state.dataloader = [1]
    engine._setup_engine()
    assert engine._init_iter == 2 and next(engine._dataloader_iter) == 1
    assert engine._internal_run_generator is None and not dark.engine.Engine._is_done(engine.state)
