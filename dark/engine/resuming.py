"""Where a run is and how it goes on from there: the part of an engine that saves, loads, and finds the data's place."""

from collections.abc import Mapping

from dark.engine.loop import endless_none
from dark.engine.position import (
    check_position,
    completed,
    data_state_of,
    go_to,
    place_of,
    position_of,
    put,
    rest_of,
)
from dark.engine.serializable import check_keys
from dark.errors import EngineError


class Resumable:
    """What an engine has for going on: a state to save and to load, and the way back to its place in the data."""

    _state_dict_all_req_keys = ("epoch_length", "iteration")
    _state_dict_one_of_opt_keys = (("max_epochs", "max_iters"),)

    def __init__(self):
        super().__init__()
        self._state_dict_user_keys = []
        self._dataloader_iter = self._init_iter = self._data_state = None
        self._has_run, self._epoch_began = False, None
        self._place, self._cut = None, False  # from a state that was loaded, see `place_of`
        self._has_only_end = False  # of the epoch at hand, from such a state

    def _setup_engine(self):
        """Start the data where the state is."""
        data, self._init_iter = self.state.dataloader, self._take_place()
        if self._has_run or data is None:
            self._setup_dataloader_iter()
        else:
            if self._init_iter and self.state.epoch_length is None and not hasattr(data, "load_state_dict"):
                raise _has_unknown_length(self._init_iter)
            go_to(data, self._data_state, self.state.iteration)
            self._dataloader_iter = rest_of(data)
        self._data_state = None

    def _take_place(self):
        """Return how many iterations of the first epoch of a run are done."""
        iteration, epoch_length = self.state.iteration, self.state.epoch_length
        if self._init_iter is None:
            self._init_iter = iteration % epoch_length if epoch_length else iteration
            if self._place is not None:
                _, self._init_iter, *cut = self._place
                self._place, self._cut = None, cut[0] if cut else False
        return self._init_iter

    def _resumes_between(self):
        """Say whether a run that goes on with a new epoch knows where its data was."""
        return self._knows_data() and not self._has_run and self._dataloader_iter is None

    def _knows_data(self):
        return self._data_state is not None

    def _setup_dataloader_iter(self):
        self._dataloader_iter = endless_none() if self.state.dataloader is None else iter(self.state.dataloader)

    def _leave_data(self):
        """Let the iterator over the data go, but remember its place: others may use the data from here on."""
        if self._dataloader_iter is not None:
            self._data_state = self._data_state or data_state_of(self._dataloader_iter, self.state.dataloader)
            self._dataloader_iter = None

    @property
    def state_dict_user_keys(self):
        """The names of attributes of the state that are saved, too; a list to append to."""
        return self._state_dict_user_keys

    def state_dict(self):
        """Say where the run is, so that another engine can go on from there.

        Returns
        -------
        OrderedDict
            `epoch_length`, `iteration`, `max_epochs` or `max_iters`, the attributes of `state_dict_user_keys`, and
            `dataloader`, the state of the data, if that has `state_dict` and `load_state_dict`, as
            `dark.data.DataLoader` has. Where the iteration does not tell the epoch, also `place`: the completed
            epochs, the iterations done in the next one and, if `terminate_epoch` was called in it, with what. That
            is so after cut epochs, in a first one of unknown length, and between the last ITERATION_COMPLETED of an
            epoch and its EPOCH_COMPLETED.

        Notes
        -----
        Take it in the last handler of ITERATION_COMPLETED, EPOCH_COMPLETED or COMPLETED, or outside a run: a run that
        goes on from there does not call the handlers of that event again. Between the fetch of a batch and
        ITERATION_COMPLETED that batch counts as done.
        """
        data_state = self._data_state or data_state_of(self._dataloader_iter, self.state.dataloader)
        position = position_of(self.state, self._state_dict_user_keys, data_state)
        place = self._place
        if place is None and (self._has_run or self._internal_run_generator or self._loop.engine is not None):
            place = place_of(self.state, self._epoch_began, self._cut or self.should_terminate_single_epoch)
        return position if place is None else position | {"place": place}

    def load_state_dict(self, state_dict):
        """Go to where another engine was; the next `run` goes on from there.

        The epoch in which it was is entered again, with its EPOCH_STARTED, for the iterations that are left and its
        EPOCH_COMPLETED; after the last iteration, for that alone. Data that can go to a position of its own, as
        `dark.data.DataLoader` can, gives exactly the batches that were left; any other data begins at its start (see
        `DeterministicEngine`). Handlers that reset themselves at EPOCH_STARTED see only what comes after, unless they
        were saved and loaded, too, as metrics can be. Of the state, handlers see what was saved: where those of
        EPOCH_COMPLETED read `state.output`, or results that metrics give at each iteration, add "output" and
        "metrics" to `state_dict_user_keys`.

        Parameters
        ----------
        state_dict : mapping
            From `state_dict`, or with `epoch_length`, one of `iteration` and `epoch` (how many are completed), one
            of `max_epochs` and `max_iters`, and the keys of `state_dict_user_keys`. Other attributes of the state
            stay.

        Raises
        ------
        ValueTypeError
            If it is no mapping.
        UsageError
            If keys are missing, contradict each other or the limit is passed; nothing is changed then.
        """
        position = completed(state_dict) if isinstance(state_dict, Mapping) else state_dict
        check_keys(self, position)
        check_position(position, self._state_dict_user_keys)
        put(self.state, position, self._state_dict_user_keys)
        self._data_state, self._place = position.get("dataloader"), position.get("place")
        self._has_run, self._init_iter, self._epoch_began, self._cut = False, None, None, False
        self._internal_run_generator = self._found_length = self._found_epochs = None
        if self._loop.engine is None:
            self._dataloader_iter = None


def _has_unknown_length(done):
    return EngineError(
        f"The state is {done} iterations inside a first epoch whose length is not known, and the data has no position.",
        "data with load_state_dict, such as a DataLoader, or an epoch_length.",
        "a DeterministicEngine, which fetches and throws away what was had; or epoch_length=… in run.",
    )
