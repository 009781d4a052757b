"""Tests of `dark.contexts`."""
