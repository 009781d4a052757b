"""Checkpoints: the best or the last states of a training, each whole in its file, the new one before the old one goes.

Files are written by `save_file` and read by `load_file`, which are looked up here at each call: put two other
functions of (mapping, path) and (path) in their place for another format.
"""

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from dark.engine import Events, Serializable
from dark.errors import UsageError, ValueTypeError
from dark.handlers.checkpoints import checkpoint_checks, folder, loading, naming, retention
from dark.handlers.checkpoints.save_handler import BaseSaveHandler, CheckpointEvents, write
from dark.storage import load_file, save_file

RANK = 0  # of this process; there is one


class DiskSaver(BaseSaveHandler):
    """A save handler that writes files into a folder.

    Parameters
    ----------
    dirname : str or path
        The folder; ``~`` is the home.
    atomic : bool, default True
        Write into a new file, bring it to the disk, then give it its name: whatever happens meanwhile, the name stands
        for the old file or the new one. `save_file` does so by itself, too; False relies on it.
    create_dir : bool, default True
        Make the folder if it is not there.
    require_empty : bool, default True
        Refuse a folder with checkpoints in it. Give False to go on with a training.
    save_on_rank : int, default 0
        Which of several processes writes. A process by itself is 0.
    **kwargs
        Handed to `save_file`.

    Raises
    ------
    UsageError
        If the folder is not there, or not empty.

    Notes
    -----
    The files are those of `dark.save`: safetensors with a checksum over every byte; nothing in them is ever run.
    The ending ``.pt`` is a name only. All may read them, and the owner write. A process that is killed while it writes
    leaves a file whose name begins with a dot and ends in ``.part``; the next saver for the folder logs a
    warning that names it and the last good checkpoint, and leaves it to you, for another process may be writing it.

    Examples
    --------
    >>> import tempfile
    >>> saver = DiskSaver(tempfile.mkdtemp())
    >>> saver({"weight": 1.0}, "model_1.pt")
    >>> saver({"weight": 2.0}, "model_2.pt")
    >>> load_file(saver.last_good())
    {'weight': 2.0}
    """

    def __init__(self, dirname, atomic=True, create_dir=True, require_empty=True, save_on_rank=0, **kwargs):
        self.dirname, self.kwargs = folder.folder_of(dirname), kwargs
        self.save_on_rank, self._atomic = save_on_rank, atomic
        if save_on_rank != RANK:
            return
        folder.prepare(self.dirname, create_dir, require_empty)
        for part in folder.unfinished(self.dirname):
            folder.LOGGER.warning(
                "%s is half a checkpoint: a save was cut off. The last good: %s", part, self.last_good()
            )

    def __call__(self, checkpoint, filename, metadata=None):
        """Write a checkpoint."""
        if self.save_on_rank != RANK:
            return
        target = self.dirname / filename
        if self._atomic:
            folder.put(lambda path: save_file(checkpoint, path, **self.kwargs), target)
        else:
            save_file(checkpoint, target, **self.kwargs)

    def remove(self, filename):
        """Delete a checkpoint.

        Raises
        ------
        FileNotFoundError
            If it is not there.
        """
        if self.save_on_rank == RANK:
            (self.dirname / filename).unlink()

    def last_good(self, pattern="*"):
        """Return the path of the newest checkpoint that can be read to its last byte; None if there is none.

        Parameters
        ----------
        pattern : str, default "*"
            Of the names, where there are several kinds in the folder: ``"best_*"``.

        Notes
        -----
        Each one that is damaged is passed over with a logged warning. Of two written at the same moment it is the one
        with the higher number in its name.
        """
        return folder.newest(load_file, self.dirname, pattern)


class Checkpoint(Serializable):
    """A handler that saves states of objects, and keeps the best or the last ones.

    Parameters
    ----------
    to_save : mapping of str to object
        Whatever has a `state_dict`, in nested mappings and lists: modules, optimisers, engines, metrics, handlers.
    save_handler : str, path, callable or BaseSaveHandler
        A folder (see `DiskSaver`), or what is called with the states, the name, and, if its signature takes three, a
        dict "basename", "score_name", "priority". Only a `BaseSaveHandler` is told to remove old ones.
    filename_prefix : str, default ""
    score_function : callable, optional
        Of the engine; returns the number by which checkpoints are compared. The step, if not given: the last are kept.
    score_name : str, optional
        For the name. Given alone, the metric of this name is the score.
    n_saved : int or None, default 1
        How many are kept; None keeps all.
    global_step_transform : callable, optional
        Of the engine and the event; returns the step. The iteration, if not given and there is no score.
    filename_pattern : str, optional
        With the fields filename_prefix, name, global_step, score_name, score and ext. If not given, those that there
        are, joined: ``best_model_12_accuracy=0.9700.pt``.
    include_self : bool, default False
        Save the state of the checkpoint itself, too, under "checkpointer": a resumed training then removes old files.
    greater_or_equal : bool, default False
        Save also what is only as good as the worst that is kept.
    save_on_rank : int, default 0
        See `DiskSaver`.

    Attributes
    ----------
    last_checkpoint : path, str or None
        The best of those kept; without a score that is the last one.
    ext : str
        The ending, "pt", as Ignite's users expect it. The content is that of `dark.save`; "safetensors" tells
        other programs so.
    SAVED_CHECKPOINT : CheckpointEvents
        Fired after each save, on the engine that it is attached to, which knows the event from then on.

    Raises
    ------
    ValueTypeError, UsageError
        If an argument makes no sense.
    KeyError
        If the pattern has a field that is not known.

    Notes
    -----
    *Order.* The new file is written first; then the list of those kept changes, and then the old file goes. A save that
    fails changes nothing, and a crash in between leaves a file too many, never one too few. An old file that is gone
    already is told in a logged warning. A file of the same name is replaced in one step. With a score, a NaN is below
    every number: it is kept only while there is room.

    *Resuming.* The run goes on right after the event at which the checkpoint was made: attach it after the other
    handlers of that event, which are not called again. A run that was complete starts over: look at
    ``trainer.state.epoch`` before `run`. A new training with an old checkpoint object counts from 1 again and saves
    nothing until it has passed the steps of the old one, unless you call `reset`.

    *One object* is saved alone, without its key; `load_objects` takes both forms.

    Examples
    --------
    >>> import tempfile
    >>> from dark.engine import Engine
    >>> trainer = Engine(lambda engine, batch: None)
    >>> checkpoint = Checkpoint({"trainer": trainer}, tempfile.mkdtemp(), n_saved=2)
    >>> handle = trainer.add_event_handler(Events.EPOCH_COMPLETED, checkpoint)
    >>> state = trainer.run([0, 0, 0], max_epochs=5)
    >>> [item.filename for item in checkpoint._saved]
    ['trainer_12.pt', 'trainer_15.pt']
    >>> again = Engine(lambda engine, batch: None)
    >>> Checkpoint.load_objects({"trainer": again}, checkpoint.last_checkpoint)
    >>> again.state.epoch
    5
    """

    SAVED_CHECKPOINT = CheckpointEvents.SAVED_CHECKPOINT
    fires = tuple(CheckpointEvents)  # an engine knows them from the moment it is attached
    Item = retention.Item
    _state_dict_all_req_keys = ("_saved",)

    def __init__(
        self, to_save, save_handler, filename_prefix="", score_function=None, score_name=None, n_saved=1,
        global_step_transform=None, filename_pattern=None, include_self=False, greater_or_equal=False, save_on_rank=0,
    ):  # fmt: skip
        checkpoint_checks.check(to_save, save_handler, n_saved, score_function, global_step_transform, include_self)
        naming.check_pattern(filename_pattern)
        if isinstance(save_handler, (str, Path)):
            save_handler = DiskSaver(save_handler, save_on_rank=save_on_rank)
        if score_name is not None and score_function is None:
            score_function = self.get_default_score_fn(score_name)
        self.to_save, self.save_handler, self.n_saved = to_save, save_handler, n_saved
        self.filename_prefix, self.filename_pattern, self.ext = filename_prefix, filename_pattern, "pt"
        self.score_function, self.score_name = score_function, score_name
        self.global_step_transform = global_step_transform
        self.include_self, self.greater_or_equal = include_self, greater_or_equal
        self._saved = []

    def __call__(self, engine, *given, **named):
        """Save, if this is to be kept; what an event hands out besides the engine is not looked at."""
        if not engine.has_registered_events(self.SAVED_CHECKPOINT):
            engine.register_events(*CheckpointEvents)
        step = self.global_step_transform and self.global_step_transform(engine, engine.last_event_name)
        if self.score_function is None and step is None:
            step = engine.state.get_event_attrib_value(Events.ITERATION_COMPLETED)
        priority = step if self.score_function is None else checkpoint_checks.checked_score(self.score_function(engine))
        if retention.is_wanted(self._saved, priority, self.n_saved, self.greater_or_equal):
            self._save(priority, step)
            event = engine.last_event_name
            engine.fire_event(self.SAVED_CHECKPOINT)
            engine.last_event_name = event  # which is still being fired

    def _save(self, priority, step):
        name, content = naming.name_and_content(self._setup_checkpoint())
        score = None if self.score_function is None else naming.score_text(priority)
        filename = self._filename(name, step, score)
        saved, dropped = retention.with_new(self._saved, retention.Item(priority, filename), self.n_saved)
        if self.include_self:
            content = {**content, loading.SELF: self._state(saved)}
        prefix = f"{self.filename_prefix}_" if self.filename_prefix else ""
        metadata = {"basename": prefix + name, "score_name": self.score_name, "priority": priority}
        write(self.save_handler, content, filename, metadata)
        self._saved = saved
        if isinstance(self.save_handler, BaseSaveHandler):
            for item in dropped:
                self._remove(item.filename)

    def _remove(self, filename):
        try:
            self.save_handler.remove(filename)
        except FileNotFoundError:
            folder.LOGGER.warning("%s should be removed for a newer checkpoint, and was gone already.", filename)

    def _filename(self, name, step, score):
        pattern = self.filename_pattern or naming.setup_filename_pattern(
            with_prefix=bool(self.filename_prefix),
            with_score=self.score_function is not None,
            with_score_name=self.score_name is not None,
            with_global_step=step is not None,
        )
        values = (self.filename_prefix, name, step, self.score_name, score, self.ext)
        return pattern.format(**dict(zip(naming.FIELDS, values)))

    def _setup_checkpoint(self):
        return loading.states_of(self.to_save)

    def reset(self):
        """Forget which checkpoints there are; their files stay."""
        self._saved = []

    @property
    def last_checkpoint(self):
        """The best checkpoint of those kept: its path, or its name where no `DiskSaver` writes it."""
        if not self._saved:
            return None
        filename = self._saved[-1].filename
        return self.save_handler.dirname / filename if isinstance(self.save_handler, DiskSaver) else filename

    def state_dict(self):
        """Return the priorities and names of those kept."""
        return self._state(self._saved)

    @staticmethod
    def _state(saved):
        return OrderedDict(_saved=[tuple(item) for item in saved])

    def load_state_dict(self, state_dict):
        """Go on from a state that `state_dict` returned."""
        super().load_state_dict(state_dict)
        self._saved = [retention.Item(*item) for item in state_dict["_saved"]]

    @staticmethod
    def load_objects(to_load, checkpoint, **kwargs):
        """Put the states of a checkpoint into objects: all of them, or none.

        Parameters
        ----------
        to_load : mapping of str to object
            Whatever has `load_state_dict`, nested as it was saved. What is in the checkpoint besides is passed over.
        checkpoint : str, path or mapping
            A file, or what stood in it.
        **kwargs
            Such as `strict`, for modules only.

        Raises
        ------
        ValueTypeError, UsageError
            If an object cannot be loaded, or the checkpoint lacks its state; found out before anything is changed. If
            an object refuses its state, those before it get their old ones back.
        StorageError
            If the file is damaged.
        """
        if not isinstance(checkpoint, (Mapping, str, Path)):
            raise ValueTypeError(
                f"Argument checkpoint should be a string or a dictionary, but given {type(checkpoint).__name__}.",
                "the path of a file, or what stood in it.",
                "Checkpoint.load_objects(to_load, checkpoint.last_checkpoint)",
            )
        list(loading.leaves(to_load, "load_state_dict"))
        states = checkpoint if isinstance(checkpoint, Mapping) else folder.read(load_file, checkpoint)
        matched = loading.pairs(to_load, loading.under_keys(to_load, states))
        loading.load_all(matched, kwargs)

    def reload_objects(self, to_load, load_kwargs=None, **filename_components):
        """Load a checkpoint that a `DiskSaver` wrote, found by what its name is made of.

        Parameters
        ----------
        to_load : mapping of str to object
        load_kwargs : dict, optional
            For modules.
        **filename_components
            `name`, `score` and `global_step`, as they stand in the name.
        """
        if not isinstance(self.save_handler, DiskSaver):
            error = AttributeError(
                f"Checkpoint's `save_handler` should be of type `DiskSaver`, given {type(self.save_handler)}"
            )
            error.add_note("  Try: Checkpoint.load_objects(to_load, mapping)")
            raise error
        name, _ = naming.name_and_content(self._setup_checkpoint())
        given = {"name": name, "global_step": None, "score": None, **filename_components}
        filename = self._filename(given["name"], given["global_step"], given["score"])
        self.load_objects(to_load, self.save_handler.dirname / filename, **(load_kwargs or {}))

    setup_filename_pattern = staticmethod(naming.setup_filename_pattern)

    @staticmethod
    def get_default_score_fn(metric_name, score_sign=1.0):
        """Make a score function of a metric.

        Parameters
        ----------
        metric_name : str
            In ``engine.state.metrics``.
        score_sign : {1.0, -1.0}
            -1 where less is better.

        Raises
        ------
        UsageError
            If it is another.
        KeyError
            From the function, if there is no such metric.
        """
        if score_sign not in (1.0, -1.0):
            raise UsageError(
                f"Argument score_sign should be 1 or -1. Got {score_sign}.", "a sign.", "-1.0, where less is better."
            )
        return lambda engine: score_sign * checkpoint_checks.result(engine.state.metrics, metric_name)
