"""The names of Ignite's page on its concepts, imported as in Ignite, with `dark` in place of `ignite`."""

from importlib import import_module

import pytest

NAMES = {  # in Ignite -> in dark
    "ignite.engine.Engine": "dark.engine.Engine",
    "ignite.engine.Events": "dark.engine.Events",
    "ignite.engine.DeterministicEngine": "dark.engine.DeterministicEngine",
    "ignite.engine.engine.Engine": "dark.engine.engine.Engine",
    "ignite.engine.engine.Engine.state_dict": "dark.engine.engine.Engine.state_dict",
    "ignite.engine.deterministic.DeterministicEngine": "dark.engine.deterministic.DeterministicEngine",
    "ignite.engine.deterministic.keep_random_state": "dark.engine.deterministic.keep_random_state",
    "ignite.engine.deterministic.ReproducibleBatchSampler": "dark.engine.deterministic.ReproducibleBatchSampler",
    "ignite.engine.events.CallableEventWithFilter": "dark.engine.events.CallableEventWithFilter",
    "ignite.engine.events.Events": "dark.engine.events.Events",
    "ignite.engine.events.EventEnum": "dark.engine.events.EventEnum",
    "ignite.engine.events.EventsList": "dark.engine.events.EventsList",
    "ignite.engine.events.RemovableEventHandle": "dark.engine.events.RemovableEventHandle",
    "ignite.engine.events.State": "dark.engine.events.State",
    "ignite.engine.create_supervised_trainer": "dark.trainers.create_supervised_trainer",
    "ignite.engine.create_supervised_evaluator": "dark.trainers.create_supervised_evaluator",
    "ignite.contrib.engines.create_supervised_tbptt_trainer": "dark.trainers.create_supervised_tbptt_trainer",
    "ignite.handlers.Checkpoint": "dark.handlers.Checkpoint",
    "ignite.handlers.DiskSaver": "dark.handlers.DiskSaver",
    "ignite.metrics.Accuracy": "dark.metrics.Accuracy",
    "ignite.utils.manual_seed": "dark.engine.manual_seed",
    "torch.utils.data.DataLoader": "dark.data.DataLoader",
}


def found(path):
    """Return the object of a dotted path: the attributes of its longest part that is a module."""
    module, _, name = path.rpartition(".")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError:
        return getattr(found(module), name)


@pytest.mark.parametrize("path", NAMES.values())
def test_a_name_of_ignite_is_found_under_its_name_in_dark(path):
    assert found(path) is not None


@pytest.mark.parametrize("package", ["dark.engine.events", "dark.engine.deterministic"])
def test_both_paths_lead_to_one_object(package):
    module, engine = import_module(package), import_module("dark.engine")
    assert all(getattr(module, name) is getattr(engine, name) for name in module.__all__)
