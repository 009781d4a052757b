"""Checkpoints: their names, retention, the order of writing and removing, and errors."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.engine import Engine, Events
from dark.errors import EngineError, UsageError, ValueTypeError
from dark.handlers import BaseSaveHandler, Checkpoint, DiskSaver, ModelCheckpoint, global_step_from_engine
from dark.handlers.checkpoints.disk_saver import write
from dark.handlers.checkpoints.retention import rank

NAN = float("nan")


class Thing:
    """An object with a state: a number."""

    def __init__(self, number=0):
        self.number = number

    def state_dict(self):
        return {"number": self.number}

    def load_state_dict(self, state):
        self.number = state["number"]


class Memory(BaseSaveHandler):
    """A save handler that records its calls and its files."""

    def __init__(self):
        self.files, self.calls = {}, []

    def __call__(self, checkpoint, filename, metadata=None):
        self.files[filename] = checkpoint
        self.calls.append(("write", filename))
        self.metadata = metadata

    def remove(self, filename):
        del self.files[filename]
        self.calls.append(("remove", filename))


def idle():
    return Engine(lambda engine, batch: None)


def saved(scores, **settings):
    """Save once for each score; return the memory and the checkpoint."""
    memory, engine, given_scores = Memory(), idle(), iter(scores)
    settings.setdefault("score_function", lambda engine: next(given_scores))
    checkpoint = Checkpoint({"thing": Thing()}, memory, **settings)
    for engine.state.iteration in range(1, len(scores) + 1):
        checkpoint(engine)
    return memory, checkpoint


scores_of_tests = st.lists(st.sampled_from([NAN, -float("inf"), -1, 0, 0.5, 2, 3.25, float("inf")]), max_size=9)


@given(scores_of_tests, st.integers(1, 4))
def test_the_best_checkpoints_are_kept_and_nan_ranks_lowest(scores, n_saved):
    memory, checkpoint = saved(
        scores, n_saved=n_saved, global_step_transform=lambda engine, event: engine.state.iteration
    )
    worths = sorted((score == score, score if score == score else 0) for score in scores)
    assert [rank(item.priority) for item in checkpoint._saved] == worths[-n_saved:]
    assert {item.filename for item in checkpoint._saved} == set(memory.files)


@pytest.mark.parametrize(("greater_or_equal", "names"), [(False, ["thing_1_5.pt"]), (True, ["thing_3_5.pt"])])
def test_an_equal_score_replaces_the_old_one_only_with_greater_or_equal(greater_or_equal, names):
    step = lambda engine, event: engine.state.iteration
    memory, _ = saved([5, 4, 5], greater_or_equal=greater_or_equal, global_step_transform=step)
    assert list(memory.files) == names


def test_without_a_score_the_last_ones_are_kept():
    memory, checkpoint = saved(range(5), score_function=None, n_saved=2)
    assert list(memory.files) == ["thing_4.pt", "thing_5.pt"] and checkpoint.last_checkpoint == "thing_5.pt"


def test_none_keeps_all():
    assert len(saved(range(5), n_saved=None)[0].files) == 5


def test_with_a_score_the_last_checkpoint_is_the_best():
    assert saved([0.5, 0.75, 0.25], n_saved=3)[1].last_checkpoint == "thing_0.7500.pt"


def test_the_new_file_is_written_before_the_old_one_is_removed():
    memory, _ = saved([1, 2, 0, 3])
    assert memory.calls == [
        ("write", "thing_1.pt"),
        ("write", "thing_2.pt"), ("remove", "thing_1.pt"),
        ("write", "thing_3.pt"), ("remove", "thing_2.pt"),
    ]  # fmt: skip


def test_a_checkpoint_of_the_same_name_is_replaced_and_never_removed():
    memory, checkpoint = saved([1, 2, 3], filename_pattern="{name}.{ext}", n_saved=2)
    assert memory.calls == [("write", "thing.pt")] * 3
    assert [tuple(item) for item in checkpoint._saved] == [(3, "thing.pt")]


def test_a_save_that_fails_changes_nothing():
    memory, checkpoint = saved([1])
    before = checkpoint.state_dict()

    def fails(*given):
        raise OSError("full")

    checkpoint.score_function, memory.__class__ = lambda engine: 9, type("Full", (Memory,), {"__call__": fails})
    with pytest.raises(OSError, match="full"):
        checkpoint(idle())
    assert checkpoint.state_dict() == before and list(memory.files) == ["thing_1.pt"]


def test_smaller_steps_are_saved_after_a_reset():
    memory, checkpoint = saved(range(5), score_function=None)
    engine = idle()
    engine.state.iteration = 2
    checkpoint(engine)
    assert list(memory.files) == ["thing_5.pt"]
    checkpoint.reset()
    checkpoint(engine)
    assert list(memory.files) == ["thing_5.pt", "thing_2.pt"] and checkpoint.last_checkpoint == "thing_2.pt"


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "thing_7.pt"),
        ({"filename_prefix": "best"}, "best_thing_7.pt"),
        ({"score_function": lambda engine: 0.98765}, "thing_0.9877.pt"),
        ({"score_function": lambda engine: 12}, "thing_12.pt"),
        ({"score_name": "accuracy"}, "thing_accuracy=0.5000.pt"),
        ({"global_step_transform": lambda engine, event: 3}, "thing_3.pt"),
        ({"global_step_transform": lambda engine, event: 0}, "thing_0.pt"),
        (
            {"filename_prefix": "best", "score_name": "accuracy", "global_step_transform": lambda engine, event: 3},
            "best_thing_3_accuracy=0.5000.pt",
        ),
        ({"filename_pattern": "{global_step:04}-{name}.{ext}"}, "0007-thing.pt"),
        ({"filename_pattern": "{filename_prefix}{score_name}{score}"}, "NoneNone"),
    ],
)
def test_the_file_name_has_the_fields_that_apply(settings, name):
    memory, engine = Memory(), idle()
    engine.state.iteration, engine.state.metrics = 7, {"accuracy": 0.5}
    Checkpoint({"thing": Thing()}, memory, **settings)(engine)
    assert list(memory.files) == [name]


def test_several_objects_are_named_checkpoint_and_the_metadata_has_the_rest():
    memory, engine = Memory(), idle()
    Checkpoint({"a": Thing(1), "b": [Thing(2), {"c": Thing(3)}]}, memory, "run", lambda e: 2.5, "loss")(engine)
    assert memory.files == {
        "run_checkpoint_loss=2.5000.pt": {"a": {"number": 1}, "b": [{"number": 2}, {"c": {"number": 3}}]}
    }
    assert memory.metadata == {"basename": "run_checkpoint", "score_name": "loss", "priority": 2.5}


def test_another_extension_can_be_chosen():
    memory = Memory()
    checkpoint = Checkpoint({"thing": Thing()}, memory)
    checkpoint.ext = "safetensors"
    checkpoint(idle())
    assert list(memory.files) == ["thing_0.safetensors"]


def test_a_function_may_save_with_the_metadata_or_without():
    seen = []
    Checkpoint({"thing": Thing()}, lambda states, filename: seen.append(filename))(idle())
    Checkpoint({"thing": Thing()}, lambda states, filename, metadata: seen.append(metadata["priority"]))(idle())
    Checkpoint({"thing": Thing()}, lambda *given: seen.append(len(given)))(idle())
    assert seen == ["thing_0.pt", 0, 3]


def test_a_type_error_inside_the_save_handler_is_raised():
    calls = []

    def handler(states, filename, metadata=None):
        calls.append(filename)
        raise TypeError("inside")

    with pytest.raises(TypeError, match="inside"):
        Checkpoint({"thing": Thing()}, handler)(idle())
    assert calls == ["thing_0.pt"]


def test_a_save_handler_without_a_signature_gets_the_metadata():
    assert write(max, [1], [2], [3]) == [3]


def test_saved_checkpoint_can_be_handled_once_the_checkpoint_is_attached():
    engine, heard = idle(), []
    engine.add_event_handler(Events.EPOCH_COMPLETED, Checkpoint({"thing": Thing()}, Memory()))
    engine.add_event_handler(Checkpoint.SAVED_CHECKPOINT, lambda engine: heard.append(engine.state.epoch))
    engine.run([0], max_epochs=3)
    assert heard == [1, 2, 3]


def test_a_second_checkpoint_at_the_same_event_sees_that_event():
    trainer, evaluator, memories = idle(), idle(), [Memory(), Memory()]
    trainer.run([0, 0], max_epochs=3)
    for memory in memories:
        checkpoint = Checkpoint({"thing": Thing()}, memory, global_step_transform=global_step_from_engine(trainer))
        evaluator.add_event_handler(Events.ITERATION_COMPLETED, checkpoint)
    evaluator.run([0])
    assert [list(memory.files) for memory in memories] == [["thing_6.pt"]] * 2


def test_a_checkpoint_can_be_attached_to_exception_raised():
    engine, memory = Engine(lambda engine, batch: 1 / batch), Memory()
    engine.add_event_handler(Events.EXCEPTION_RAISED, Checkpoint({"thing": Thing()}, memory))
    engine.run([1, 2, 0])
    assert list(memory.files) == ["thing_3.pt"]


def test_its_own_state_is_saved_with_the_new_checkpoint_and_without_the_old_one():
    memory, engine = Memory(), idle()
    things = {"a": Thing(), "b": Thing()}
    checkpoint = Checkpoint(things, memory, include_self=True)
    for engine.state.iteration in (1, 2):
        checkpoint(engine)
    assert memory.files["checkpoint_2.pt"]["checkpointer"] == {"_saved": [(2, "checkpoint_2.pt")]}
    again = Checkpoint(things, memory, include_self=True)
    Checkpoint.load_objects({**things, "checkpointer": again}, memory.files["checkpoint_2.pt"])
    engine.state.iteration = 3
    again(engine)
    assert list(memory.files) == ["checkpoint_3.pt"]


def test_the_sign_of_a_score_can_be_changed():
    engine = idle()
    engine.state.metrics["loss"] = 2.0
    assert Checkpoint.get_default_score_fn("loss")(engine) == 2.0
    assert Checkpoint.get_default_score_fn("loss", -1.0)(engine) == -2.0
    with pytest.raises(UsageError, match="score_sign should be 1 or -1. Got 2"):
        Checkpoint.get_default_score_fn("loss", 2)


@pytest.mark.parametrize(
    ("with_", "pattern"),
    [
        ((True, True, True, True), "{filename_prefix}_{name}_{global_step}_{score_name}={score}.{ext}"),
        ((False, True, False, True), "{name}_{global_step}_{score}.{ext}"),
        ((False, False, False, True), "{name}_{global_step}.{ext}"),
        ((True, True, False, False), "{filename_prefix}_{name}_{score}.{ext}"),
    ],
)
def test_patterns(with_, pattern):
    assert Checkpoint.setup_filename_pattern(*with_) == pattern


def test_invalid_patterns_are_refused():
    with pytest.raises(UsageError, match="At least one of with_score and with_global_step should be True"):
        Checkpoint.setup_filename_pattern(True, False, False, False)
    with pytest.raises(UsageError, match="If with_score_name is True, with_score should be also True"):
        Checkpoint.setup_filename_pattern(True, False, True, True)
    with pytest.raises(KeyError, match="scroe") as caught:
        Checkpoint({"thing": Thing()}, Memory(), filename_pattern="{name}_{scroe:.4}.{ext}")
    assert "score" in "".join(caught.value.__notes__)


class Frozen(Mapping):
    def __getitem__(self, key):
        return Thing()

    def __iter__(self):
        return iter(["thing"])

    def __len__(self):
        return 1


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"to_save": [Thing()]}, ValueTypeError, "`to_save` should be a dictionary, but given list"),
        ({"to_save": {"a": {"b": [12]}}}, ValueTypeError, r"should have `state_dict` method; it is at \['a'\]"),
        ({"save_handler": 12}, ValueTypeError, "`save_handler` should be a string or Path object or callable"),
        ({"global_step_transform": 12}, ValueTypeError, "global_step_transform should be a function, got int"),
        ({"n_saved": 0}, UsageError, "n_saved must be a positive integer or None, got 0"),
        ({"n_saved": 1.5}, UsageError, "n_saved must be a positive integer or None, got 1.5"),
        ({"score_function": 12}, ValueTypeError, "score_function should be a function, got int"),
        ({"include_self": True, "to_save": Frozen()}, ValueTypeError, "`to_save` must be mutable, but given Frozen"),
        ({"include_self": True, "to_save": {"checkpointer": Thing()}}, UsageError, "Cannot have key 'checkpointer'"),
    ],
)  # fmt: skip
def test_invalid_arguments_are_refused(change, error, text):
    with pytest.raises(error, match=text):
        Checkpoint(**{"to_save": {"thing": Thing()}, "save_handler": Memory(), **change})


def test_a_missing_metric_is_an_error_that_lists_the_metrics():
    engine = idle()
    engine.state.metrics["accuracy"] = 0.5
    engine.add_event_handler(Events.ITERATION_COMPLETED, Checkpoint({"a": Thing()}, Memory(), score_name="acuracy"))
    with pytest.raises(KeyError, match="acuracy") as caught:
        engine.run([0])
    assert "which has ['accuracy']" in "".join(caught.value.__notes__)


def test_a_score_must_be_a_number():
    with pytest.raises(UsageError, match="Output of score_function should be a number, but it is 'good'"):
        saved(["good"])


def test_a_model_checkpoint_gets_its_objects_with_each_call(tmp_path):
    engine, thing = idle(), Thing(3)
    handler = ModelCheckpoint(tmp_path, "run", n_saved=2)
    assert handler.last_checkpoint is None
    engine.add_event_handler(Events.EPOCH_COMPLETED, handler, {"thing": thing})
    engine.run([0, 0], max_epochs=3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run_thing_4.pt", "run_thing_6.pt"]
    assert handler.last_checkpoint == tmp_path / "run_thing_6.pt"
    handler.reload_objects({"thing": (other := Thing())}, global_step=4)
    assert other.number == 3


def test_a_model_checkpoint_needs_objects_and_a_disk(tmp_path):
    handler = ModelCheckpoint(tmp_path)
    with pytest.raises(EngineError, match="No objects to checkpoint found"):
        handler(idle(), {})
    with pytest.raises(ValueTypeError, match="should have `state_dict` method"):
        handler(idle(), {"thing": 42})
    handler.save_handler = lambda states, filename: None
    handler(idle(), {"thing": Thing()})
    with pytest.raises(EngineError, match="save_handler should be DiskSaver, but has <class 'function'>"):
        handler.last_checkpoint


def test_reloading_needs_a_disk():
    checkpoint = Checkpoint({"thing": Thing()}, Memory())
    with pytest.raises(AttributeError, match="should be of type `DiskSaver`, given"):
        checkpoint.reload_objects({"thing": Thing()})


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_is_a_disk_saver_for_that_folder(tmp_path, kind):
    checkpoint = Checkpoint({"thing": Thing(5)}, kind(tmp_path / "new" / "folder"))
    checkpoint(idle())
    assert isinstance(checkpoint.save_handler, DiskSaver)
    assert checkpoint.last_checkpoint == tmp_path / "new" / "folder" / "thing_0.pt"


def scored(scores, folder=None, **settings):
    """Save a checkpoint for each score; return the names of the files that were written."""
    engine, left, memory = idle(), iter(scores), Memory()
    checkpoint = Checkpoint({"a": Thing()}, memory, score_function=lambda engine: next(left), **settings)
    engine.add_event_handler(Events.EPOCH_COMPLETED, checkpoint)
    engine.run([0], max_epochs=len(scores))
    return [name for what, name in memory.calls if what == "write"]


def test_with_mode_min_lower_scores_are_better_and_file_names_show_them():
    assert scored([3.0, 2.0, 2.5, 1.0], mode="min") == ["a_3.0000.pt", "a_2.0000.pt", "a_1.0000.pt"]


@given(st.lists(st.floats(-10, 10), min_size=1), st.integers(1, 3))
def test_mode_min_keeps_what_mode_max_keeps_of_the_negative_scores(scores, n_saved):
    engine, kept = idle(), []
    for sign, mode in ((1, "min"), (-1, "max")):
        left = iter([sign * score for score in scores])
        checkpoint = Checkpoint(
            {"a": Thing()}, Memory(), "", lambda e, left=left: next(left), n_saved=n_saved, mode=mode
        )
        for _ in scores:
            checkpoint(engine)
        kept.append([item.priority for item in checkpoint._saved])
    assert kept[0] == kept[1]


def test_a_constant_score_is_saved_once():
    assert len(scored([0.7] * 5)) == len(scored([0.7] * 5, mode="min")) == 1


def test_a_score_has_to_be_better_by_more_than_the_tolerance():
    assert len(scored([1e-9, 5e-10], mode="min")) == 2
    assert len(scored([1e-9, 5e-10], mode="min", tolerance=1e-8)) == 1
    assert scored([1.0, 1.5, 2.0, 2.25], tolerance=0.5) == ["a_1.0000.pt", "a_2.0000.pt"]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"mode": "le"}, "invalid mode 'le'"),
        ({"tolerance": -1.0}, "tolerance must be 0 or more, got -1"),
        ({"tolerance": float("nan")}, "tolerance must be a.* number, got nan"),
    ],
)
def test_an_invalid_comparison_of_scores_is_refused(settings, text):
    with pytest.raises(UsageError, match=text):
        Checkpoint({"a": Thing()}, Memory(), score_name="loss", **settings)


def test_a_comparison_without_a_score_is_refused():
    with pytest.raises(UsageError, match="mode 'min' and tolerance 0.0 need a score to compare"):
        Checkpoint({"a": Thing()}, Memory(), mode="min")
