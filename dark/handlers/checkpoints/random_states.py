"""The random generators of a training run, kept in its checkpoints: of the saved objects and of the process."""

from collections.abc import Mapping

from dark.engine import Engine, random_states, set_random_states
from dark.errors import UsageError, ValueTypeError
from dark.generators import RANDOM_STATES, is_module, kind_of, named_generators, set_states, source, state_of
from dark.handlers.checkpoints.loading import leaves

WHO = "load_objects"


def kept_with(objects, content):
    """Return the entry that a checkpoint gets in addition to the states of its objects, which are `content`.

    Under `RANDOM_STATES`: "generators", a list with the names and the state of each generator, and "process", the
    states of the global generators. Empty if no object is a module or an engine; if a single object is saved alone that
    is not a module with generators; and if the content has an entry of that name.
    """
    if RANDOM_STATES in content:
        return {}
    found = dict(leaves(objects, "state_dict"))
    generators = [{"names": names, "state": state_of(one)} for one, names in _by_source(found)]
    modules = [leaf for leaf in found.values() if is_module(leaf)]
    if len(found) > 1 and (modules or any(isinstance(leaf, Engine) for leaf in found.values())):
        return {RANDOM_STATES: {"generators": generators, "process": random_states()}}
    return {RANDOM_STATES: {"generators": generators}} if modules and generators else {}


def matched(to_load, states):
    """Return the generators to restore, as an object with `load_state_dict`, and their states: one pair, or no pair.

    If a training is to be resumed, that is, not only modules are loaded, the generators must have the saved names,
    share what was shared, and be of the same kinds.
    """
    saved = states.get(RANDOM_STATES)
    if not isinstance(saved, Mapping) or not isinstance(saved.get("generators"), (list, tuple)):
        return []
    found = dict(leaves(to_load, "load_state_dict"))
    entries = [({tuple(name) for name in entry["names"]}, entry["state"]) for entry in saved["generators"]]
    entries = [({name for name in names if name[:-1] in found}, state) for names, state in entries]
    here = [({tuple(name) for name in names}, one) for one, names in _by_source(found)]
    resumes = not all(is_module(leaf) for leaf in found.values())
    if resumes:
        _check_names([names for names, _ in entries if names], [names for names, _ in here])
    pairs = [(_written(names & own), one, state) for names, state in entries for own, one in here if names & own]
    if resumes:
        _check_kinds(pairs)
    fitting = [(name, one, state) for name, one, state in pairs if kind_of(one) == _kind(state)]
    return [(Restored(fitting), saved.get("process") if resumes else None)]


class Restored:
    """Generators and the states that they get, with names for errors, as an object with `load_state_dict`."""

    def __init__(self, found):
        self.found = found

    def load_state_dict(self, process):
        """Set the generators, and the process's generators to `process` unless it is None: all, or none."""
        before = random_states()
        try:
            if process is not None:
                set_random_states(process)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            set_random_states(before)
            raise ValueTypeError(
                f"{WHO}: the generators of the process: {type(error).__name__}: {error}.",
                "a state from dark.engine.random_states, in a process with the same kinds of generators.",
                "load it from an intact file; remove np.random.set_bit_generator, if it is called.",
            ) from None
        try:
            set_states(self.found, WHO)
        except ValueTypeError:
            set_random_states(before)
            raise


def _by_source(found):
    """Return each generator of the objects with its names: the path of the object, and the name in it."""
    names: dict = {}
    for path, leaf in found.items():
        for name, generator in named_generators(leaf).items():
            names.setdefault(id(source(generator)), (generator, []))[1].append([*path, name])
    return list(names.values())


def _check_names(saved, here):
    """Raise if the saved generators differ in their names, or in the names that share one, from the ones to load."""
    here_names, saved_names = set().union(*here), set().union(*saved)
    lines = [f"    missing in the checkpoint: {_written([name])}" for name in sorted(here_names - saved_names, key=str)]
    lines += [f"    missing in what to load: {_written([name])}" for name in sorted(saved_names - here_names, key=str)]
    if not lines:
        lines = [f"    shared in the checkpoint only: {_written(s)}" for s in saved if s not in here and len(s) > 1]
        lines += [f"    shared in what to load only: {_written(h)}" for h in here if h not in saved and len(h) > 1]
    if lines:
        raise UsageError(
            "\n".join([f"{WHO}: the random generators differ, so the training would not be the same.", *lines]),
            "the generators that were saved, under the same names, shared where they were shared.",
            "build the objects as they were when they were saved; or load the modules alone, which ignores the others.",
        )


def _check_kinds(pairs):
    lines = [
        f"    {name}: {_kind(state)} in the checkpoint, {kind_of(one)} in what to load"
        for name, one, state in pairs
        if kind_of(one) != _kind(state)
    ]
    if lines:
        raise UsageError(
            "\n".join([f"{WHO}: random generators are of another kind.", *lines]),
            "generators of the kinds that were saved.",
            "build them as they were, such as np.random.Generator(np.random.MT19937()); or load the modules alone.",
        )


def _kind(state):
    return state.get("bit_generator") if isinstance(state, Mapping) else None


def _written(names):
    return ", ".join("".join(f"[{key!r}]" for key in name[:-1]) + f" {name[-1]}" for name in sorted(names, key=str))
