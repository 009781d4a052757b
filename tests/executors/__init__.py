"""Tests of `dark.executors`."""
