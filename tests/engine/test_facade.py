"""What `dark.engine` exports."""

import dark.engine


def test_a_star_import_brings_exactly_what_is_listed():
    names = {}
    exec("from dark.engine import *", names)
    assert set(names) - {"__builtins__"} == set(dark.engine.__all__)
