"""The small module of `sample`, and its notebook as a student gets it."""

import copy

import pytest

from tests.course.sample import sample


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """The module, its blank notebook, and the solved one."""
    return sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture
def module(printed):
    return printed[0]


@pytest.fixture
def notebook(printed):
    return copy.deepcopy(printed[1])
