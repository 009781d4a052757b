"""Runs for the tests of the viewer."""

import pytest

import dark
from tests.monitor.viewer.runs import write_run, write_sick


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """Give a folder with the runs `first` and `second`."""
    folder = tmp_path_factory.mktemp("runs")
    write_run(folder / "first")
    write_run(folder / "second", seed=1)
    return folder


@pytest.fixture(scope="session")
def sick(tmp_path_factory):
    """Write six runs, of which each begins ten steps after the last, and a page with one and a page with all."""
    folder = tmp_path_factory.mktemp("sick")
    for k in range(6):
        write_sick(folder / f"run{k}", first=10 * k, decades=6 - k / 2, seed=k)
    dark.monitor.page(folder / "run0").save(folder / "one.html")
    dark.monitor.page(*(folder / f"run{k}" for k in range(6))).save(folder / "six.html")
    return folder
