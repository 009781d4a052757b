"""Saving the position of an engine, and resuming there: state dicts of the state, the run and the data together.

*Saved* are `epoch_length`, `iteration`, `max_epochs` or `max_iters`, the attributes in `state_dict_user_keys`, and
`dataloader`, the state of the data, if it has `state_dict` and `load_state_dict` as `dark.data.DataLoader` has; inside
a pass over a sequence (a list, tuple, range or array) and at its end, `batches`: how many are consumed, and how many
there are, if that does not follow from the iteration. Where
the iteration does not determine the epoch, also `place`: the completed epochs, the completed iterations of the next one
and, if `terminate_epoch` was called in it, with which value. That is so after epochs that were cut short, in a first
epoch of unknown length, and between the last ITERATION_COMPLETED of an epoch and its EPOCH_COMPLETED.

*Resuming.* The saved epoch is entered again, with its EPOCH_STARTED, for the remaining iterations and its
EPOCH_COMPLETED; after its last iteration, for that event alone. Data with `load_state_dict` and sequences continue with
exactly the remaining batches, sequences also from states without `batches`, after as many as the iteration tells. Other
data starts from its beginning (see `DeterministicEngine`), of which a warning tells. Handlers that reset themselves at
EPOCH_STARTED see only what follows, unless their own state is loaded, too, as that of metrics can be. Of the state,
handlers see what was saved: where those of EPOCH_COMPLETED read `state.output`, or results that metrics set at each
iteration, add "output" and "metrics" to `state_dict_user_keys`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dark.engine.resume.data_position import batches_to_save
from dark.engine.resume.position import check_position, completed, is_determined, position_of, set_position
from dark.engine.resume.serializable import check_keys

if TYPE_CHECKING:
    from dark.engine.engine import Engine


def save(engine: Engine) -> OrderedDict[str, Any]:
    """Return the state dict of an engine."""
    state, loop = engine.state, engine.loop
    terminated, is_running = engine.should_terminate_single_epoch, loop.is_running
    resume_position = loop.run.position(state, terminated, is_running)
    counted = state.iteration
    if resume_position is not None and not is_determined(state, resume_position):
        counted = resume_position[1]
    data_position = loop.feed.read_position(state)
    is_over, saves_batches = loop.run.is_over(state), loop.feed.saves_batches
    batches = batches_to_save(loop.feed, state, counted, is_over) if saves_batches else None
    return position_of(state, engine.state_dict_user_keys, data_position, resume_position, batches)


def load(engine: Engine, state_dict: Mapping[str, Any]) -> None:
    """Set an engine to the position of a state dict; if that is invalid, nothing changes."""
    position, loop = completed(state_dict) if isinstance(state_dict, Mapping) else state_dict, engine.loop
    check_keys(engine, position)
    check_position(position, engine.state_dict_user_keys)
    set_position(engine.state, position, engine.state_dict_user_keys)
    loop.run.load(position.get("place"))
    loop.feed.load(position.get("dataloader"), position.get("batches"))
    if not loop.is_running:
        loop.feed.iterator = None
