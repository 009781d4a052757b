"""Runs for the tests of the viewer."""

import pytest

from tests.monitor.viewer.runs import write_run


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """Give a folder with the runs `first` and `second`."""
    folder = tmp_path_factory.mktemp("runs")
    write_run(folder / "first")
    write_run(folder / "second", seed=1)
    return folder
