"""Tests of `dark.distributed`."""
