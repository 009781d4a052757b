"""Calls of the public API that take integers and numbers, for `tests/test_argument_rules.py`."""
