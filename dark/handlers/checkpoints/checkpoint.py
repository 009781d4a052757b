"""Checkpoints: the best or the latest states of a training; each new file is written before an old one is removed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dark.checks import integer
from dark.engine import Events
from dark.engine.resume.serializable import check_keys
from dark.handlers.checkpoints import checkpoint_checks, folder, loading, naming, random_states, retention
from dark.handlers.checkpoints.disk_saver import BaseSaveHandler, CheckpointEvents, DiskSaver, write
from dark.handlers.score import checked_score
from dark.storage import load_file, save_file

if TYPE_CHECKING:
    from dark.engine import Engine


class Checkpoint:
    """A handler that saves the states of objects, and keeps the best or the latest checkpoints.

    Parameters
    ----------
    to_save : mapping of str to object
        Objects with `state_dict`, in nested mappings and lists: modules, optimizers, engines, metrics, handlers.
    save_handler : str, path, callable or BaseSaveHandler
        A folder (see `DiskSaver`), or a function of (states, filename) or (states, filename, metadata), where metadata
        has "basename", "score_name" and "priority". Only a `BaseSaveHandler` removes old checkpoints.
    score_function, score_name, mode, tolerance : optional
        A function of the engine that returns the number by which checkpoints are compared, or the name of a metric;
        with both, the name is for the file. Higher scores are better, or with mode "min" lower ones, by more than the
        tolerance. Without a score, the latest are kept.
    n_saved : int or None, default 1
        The number of checkpoints to keep; None keeps all.
    global_step_transform : callable, optional
        Of the engine and the event; returns the step. Without it and a score, the iteration.
    filename_prefix, filename_pattern : str, optional
        The pattern is one of filename_prefix, name, global_step, score_name, score and ext:
        ``best_model_12_accuracy=0.9700.pt``. All are without ``/``, ``\\`` and NUL. `ext` is "pt" as in Ignite, an
        attribute; the content is that of `dark.save`, which others recognize by "safetensors".
    include_self : bool, default False
        Also save the state of the checkpoint, as "checkpointer": a resumed training then removes old files.
    greater_or_equal : bool, default False
        Also save a checkpoint that is only as good as the worst that is kept.
    save_on_rank, save, load : optional
        See `DiskSaver`; ``save(mapping, path)`` and ``load(path)`` are another file format for a folder.

    Notes
    -----
    *Order.* The new file is written first; then the list of kept checkpoints changes, and then the old file is removed.
    A failing save changes nothing, and a crash in between leaves one file too many, never one too few. A file of the
    same name is replaced atomically. With a score, NaN ranks below every number. `SAVED_CHECKPOINT` is fired after each
    save.

    *Resuming.* The run continues right after the event at which the checkpoint was saved: attach it after the other
    handlers of that event, which are not called again. A complete run starts over: check ``trainer.state.epoch`` before
    `run`. A new training with an old checkpoint object saves nothing until it has passed the steps of the old one,
    unless `reset` is called.

    *Random generators* are kept, too, under the key "random_states": the attributes of objects and of modules in them
    that are generators of NumPy or Python, such as those of `dark.nn.Dropout`, and, if a module or an engine is among
    several objects, the global ones. `load_objects` restores them; what is drawn or seeded between it and `run` counts.
    *One object* is saved alone, without its key and the global generators; `load_objects` accepts both forms.

    Examples
    --------
    >>> import tempfile
    >>> from dark.engine import Engine
    >>> trainer, again = (Engine(lambda engine, batch: None) for _ in range(2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     checkpoint = Checkpoint({"trainer": trainer}, folder, n_saved=2)
    ...     handle = trainer.add_event_handler(Events.EPOCH_COMPLETED, checkpoint)
    ...     state = trainer.run([0, 0, 0], max_epochs=5)
    ...     Checkpoint.load_objects({"trainer": again}, checkpoint.last_checkpoint)
    >>> [filename for _, filename in checkpoint.state_dict()["_saved"]], again.state.epoch
    (['trainer_12.pt', 'trainer_15.pt'], 5)
    """

    SAVED_CHECKPOINT = CheckpointEvents.SAVED_CHECKPOINT
    fires = tuple(CheckpointEvents)  # registered when the checkpoint is attached
    Item = retention.Item
    setup_filename_pattern = staticmethod(naming.setup_filename_pattern)
    _state_dict_all_req_keys = ("_saved",)

    def __init__(
        self, to_save: Mapping[str, Any], save_handler: str | Path | Callable[..., Any] | BaseSaveHandler,
        filename_prefix: str = "", score_function: Callable[[Engine], Any] | None = None,
        score_name: str | None = None, n_saved: int | None = 1,
        global_step_transform: Callable[[Engine, Any], int] | None = None, filename_pattern: str | None = None,
        include_self: bool = False, greater_or_equal: bool = False, save_on_rank: int = 0, *,
        save: Callable[..., Any] | None = None, load: Callable[[Path], Mapping[str, Any]] | None = None,
        mode: str = "max", tolerance: float = 0,
    ) -> None:  # fmt: skip
        checkpoint_checks.check_to_save(to_save, include_self)
        checkpoint_checks.check_save_handler(save_handler, save, load)
        checkpoint_checks.check_functions(score_function, global_step_transform)
        checkpoint_checks.check_n_saved(n_saved)
        integer(save_on_rank, "Checkpoint", "save_on_rank")
        naming.check_pattern(filename_pattern)
        checkpoint_checks.check_names(to_save, filename_prefix, score_name, filename_pattern)
        if isinstance(save_handler, (str, Path)):
            files = {"save": save or save_file, "load": load or load_file}
            save_handler = DiskSaver(save_handler, save_on_rank=save_on_rank, **files)  # type: ignore[arg-type]
        if score_name is not None and score_function is None:
            score_function = self.get_default_score_fn(score_name)
        self.save_handler: Any = save_handler
        self.to_save, self.n_saved = to_save, n_saved
        self.filename_prefix, self.filename_pattern, self.ext = filename_prefix, filename_pattern, "pt"
        self.score_function, self.score_name = score_function, score_name
        self.global_step_transform = global_step_transform
        self.include_self, self.greater_or_equal = include_self, greater_or_equal
        self.mode, self.tolerance = checkpoint_checks.checked_comparison(mode, tolerance, score_function)
        self._saved: list[retention.Item] = []

    def __call__(self, engine: Engine, *event_args: Any, **event_kwargs: Any) -> None:
        """Save a checkpoint if it is to be kept; further arguments of the event are ignored."""
        if not engine.has_registered_events(self.SAVED_CHECKPOINT):
            engine.register_events(*CheckpointEvents)
        step = self.global_step_transform and self.global_step_transform(engine, engine.last_event_name)
        if self.score_function is None and step is None:
            step = engine.state.get_event_attrib_value(Events.ITERATION_COMPLETED)
        score = None if self.score_function is None else checked_score(self.score_function(engine))
        priority = step if score is None else -score if self.mode == "min" else score
        if retention.is_wanted(self._saved, priority, self.n_saved, self.greater_or_equal, self.tolerance):
            self._save(priority, step, score)
            event = engine.last_event_name
            engine.fire_event(self.SAVED_CHECKPOINT)
            engine.last_event_name = event  # which is still being fired

    def _save(self, priority, step, score):
        name, content = naming.name_and_content(self._setup_checkpoint())
        content = {**content, **random_states.kept_with(self.to_save, content)}
        filename = self._filename(name, step, None if score is None else naming.format_score(score))
        saved, dropped = retention.with_new(self._saved, retention.Item(priority, filename), self.n_saved)
        if self.include_self:
            content = {**content, loading.SELF: retention.state_of(saved)}
        prefix = f"{self.filename_prefix}_" if self.filename_prefix else ""
        metadata = {"basename": prefix + name, "score_name": self.score_name, "priority": priority}
        write(self.save_handler, content, filename, metadata)
        self._saved = saved
        if isinstance(self.save_handler, BaseSaveHandler):
            for item in dropped:
                folder.remove(self.save_handler, item.filename)

    def _setup_checkpoint(self):
        return loading.states_of(self.to_save)

    def _filename(self, name, step, score):
        pattern = self.filename_pattern or naming.setup_filename_pattern(
            with_prefix=bool(self.filename_prefix),
            with_score=self.score_function is not None,
            with_score_name=self.score_name is not None,
            with_global_step=step is not None,
        )
        values = (self.filename_prefix, name, step, self.score_name, score, self.ext)
        return pattern.format(**dict(zip(naming.FIELDS, values)))

    def reset(self) -> None:
        """Forget the kept checkpoints; their files stay."""
        self._saved = []

    @property
    def last_checkpoint(self) -> Path | str | None:
        """The best checkpoint that is kept: its path, or its name if no `DiskSaver` writes it."""
        if not self._saved:
            return None
        filename = self._saved[-1].filename
        return self.save_handler.dirname / filename if isinstance(self.save_handler, DiskSaver) else filename

    def state_dict(self) -> OrderedDict[str, Any]:
        """Return the priorities and file names of the kept checkpoints."""
        return retention.state_of(self._saved)

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load a state from `state_dict`."""
        check_keys(self, state_dict)
        saved = [retention.Item(*item) for item in state_dict["_saved"]]
        for item in saved:
            naming.check_name(item.filename, "Checkpoint", "a saved file name")
        self._saved = saved

    @staticmethod
    def load_objects(
        to_load: Mapping[str, Any], checkpoint: str | Path | Mapping[str, Any], *,
        load: Callable[[Path], Mapping[str, Any]] = load_file, **kwargs: Any,
    ) -> None:  # fmt: skip
        """Load the states of a checkpoint, a file or its content, and the random generators into objects: all, or none.

        What is missing or does not fit raises an error before anything changes. If an object refuses its state, those
        before it get their old states back.

        Parameters
        ----------
        to_load : mapping of str to object
            Objects with `load_state_dict`, nested as they were saved. Other states in the checkpoint are ignored. If
            all are modules, the global generators stay as they are, and of their own those are restored that fit.
        load : callable, default load_file
            Reads the file, if another function has written it.
        **kwargs
            Such as `strict`, for modules only.
        """
        loading.check_source(checkpoint)
        list(loading.leaves(to_load, "load_state_dict"))
        given = checkpoint if isinstance(checkpoint, Mapping) else folder.read(load, checkpoint)
        states = loading.under_keys(to_load, given)
        generators = random_states.matched(to_load, states)
        loading.load_all(loading.pairs(to_load, states) + generators, kwargs)

    def reload_objects(
        self, to_load: Mapping[str, Any], load_kwargs: Mapping[str, Any] | None = None, **filename_components: Any
    ) -> None:
        """Load a checkpoint that a `DiskSaver` wrote; the name is made of `name`, `score` and `global_step`."""
        loading.check_saver(self.save_handler, DiskSaver)
        name, _ = naming.name_and_content(self._setup_checkpoint())
        parts = {"name": name, "global_step": None, "score": None, **filename_components}
        path = self.save_handler.dirname / self._filename(parts["name"], parts["global_step"], parts["score"])
        self.load_objects(to_load, path, load=self.save_handler.load, **(load_kwargs or {}))

    @staticmethod
    def get_default_score_fn(metric_name: str, score_sign: float = 1.0) -> Callable[[Engine], float]:
        """Return a score function that reads a metric; `score_sign` is -1.0 if lower is better."""
        checkpoint_checks.check_score_sign(score_sign)
        return lambda engine: score_sign * checkpoint_checks.metric_result(engine.state.metrics, metric_name)
