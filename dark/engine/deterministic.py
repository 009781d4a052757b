"""An engine whose random numbers are a function of one seed, also after a resume."""

import random

from dark.engine.batch_sampler import ReproducibleBatchSampler
from dark.engine.engine import Engine
from dark.engine.events import Events
from dark.engine.position import go_to, rest_of
from dark.engine.random_states import manual_seed, random_states, set_random_states
from dark.engine.run_arguments import length_of
from dark.errors import UsageError


class DeterministicEngine(Engine):
    """An engine that seeds the global generators at each start of a pass over the data, and resumes them.

    Parameters
    ----------
    process_function : callable
        As of `Engine`.

    Notes
    -----
    At STARTED, `state.seed` is drawn from Python's global generator: call `manual_seed` before `run`. Pass k over the
    data, counted from 0, begins with the seed ``state.seed + k``: at the set-up, when the data is started again, and
    after `terminate_epoch`. A pass is one iteration over the data, not an epoch.

    *Resuming.* The state has a key more, `rng_states`: the seed, the pass and where all global generators were. From
    such a state, the run goes on as if it had not stopped, in the middle of a pass as well as between two:

    - data that knows its position (`dark.data.DataLoader`) goes there. Its order and its transforms depend on the
      loader's own seed and on nothing here;
    - a loader with a `ReproducibleBatchSampler` leaves out the batches that were had without loading them;
    - of any other iterable, the pass is begun with its seed and the batches that were had are fetched and thrown
      away. That is the same data if it is a function of the seed alone; if the process function or handlers draw
      from the same global generator as the data does, it is not, and nothing can make it so.

    With ``rng_states: None`` (a position written by hand) call `manual_seed` as before the first run: the seed is drawn
    again, the pass follows from the iteration and the length of the data, and the generators stand where the pass
    begins them. A new `dark.data.DataLoader` has the same order if it was given the same `seed`, or is made after
    `manual_seed` as before.
    Handlers that draw or seed random numbers disturb the others unless `keep_random_state` wraps them.

    Examples
    --------
    >>> def draw(engine, batch):
    ...     return random.random()
    >>> def run(state=None):
    ...     numbers, engine = [], DeterministicEngine(draw)
    ...     engine.add_event_handler(Events.ITERATION_COMPLETED, lambda e: numbers.append(e.state.output))
    ...     if state is not None:
    ...         engine.load_state_dict(state)
    ...     manual_seed(7)
    ...     engine.run([0, 1, 2], max_epochs=None if state else 2)
    ...     return numbers
    >>> run()[3:] == run({"epoch": 1, "epoch_length": 3, "max_epochs": 2, "rng_states": None})
    True
    """

    def __init__(self, process_function):
        super().__init__(process_function)
        self.state_dict_user_keys.append("rng_states")
        self.state.rng_states = self._resumed = None
        self._passes = self._pass_began = 0  # over the data, and at which iteration the last one began
        self.add_event_handler(Events.STARTED, _take_seed)
        self.add_event_handler(Events.DATALOADER_STOP_ITERATION | Events.TERMINATE_SINGLE_EPOCH, _next_pass)

    def state_dict(self):
        """Say where the run and the generators are.

        Returns
        -------
        OrderedDict
            As of `Engine`, and `rng_states`.
        """
        state = super().state_dict()
        if self.state.rng_states is None:  # otherwise it was loaded, and nothing has run since
            place = {"seed": self.state.seed, "passes": self._passes, "pass_began": self._pass_began}
            state["rng_states"] = place | random_states()
        return state

    def _setup_engine(self):
        """Begin the pass that the run is in, and go to its place there."""
        data, iteration, resumed = self.state.dataloader, self.state.iteration, self._resumed
        if data is None:
            raise UsageError(
                "Deterministic engine does not support the option of data=None.",
                "data: its passes are what the seeds go by.",
                "run(range(epoch_length)), and ignore the batch.",
            )
        self._init_iter = self._take_place()
        self._passes, self._pass_began = self._pass(length_of(data))
        manual_seed(self.state.seed + self._passes)
        self._go_on_in_pass(data, iteration - self._pass_began)
        if resumed:
            set_random_states(resumed)
        self._resumed = self._data_state = None

    def _knows_data(self):
        return self._resumed is not None or super()._knows_data()

    def _pass(self, length):
        """Return how many passes are completed, and at which iteration the one at hand began."""
        iteration = self.state.iteration
        if not iteration:
            return 0, 0
        if self._has_run:  # an earlier run of this engine ended here
            return self._passes + 1, iteration
        if self._resumed is None:
            passes = iteration // length if length else 0
            return passes, passes * (length or 0)
        return self._resumed["passes"], self._resumed["pass_began"]

    def _go_on_in_pass(self, data, had):
        """Start the data where `had` batches of the pass were had."""
        knows = hasattr(data, "load_state_dict")
        sampler = None if knows else getattr(data, "batch_sampler", None)
        if not knows and had and had == length_of(data):
            self._dataloader_iter = iter(())
            return
        if knows and not self._has_run:
            go_to(data, self._data_state, self.state.iteration, (self._passes, had))
        elif isinstance(sampler, ReproducibleBatchSampler):
            sampler.start_iteration = had
        self._dataloader_iter = rest_of(data)
        if not knows and not isinstance(sampler, ReproducibleBatchSampler):
            self._throw_away(had)

    def _throw_away(self, batches):
        if batches:
            self.logger.info("Resuming: %s batches are fetched and thrown away.", batches)
        started_again = False
        while batches:
            try:
                next(self._dataloader_iter)
            except StopIteration:  # passes of unknown length
                if started_again:
                    return
                self._pass_began = self.state.iteration - batches
                self._passes += 1
                manual_seed(self.state.seed + self._passes)
                self._setup_dataloader_iter()
                started_again = True
            else:
                batches, started_again = batches - 1, False


def _take_seed(engine):
    """Take the seed of a run from the state that was loaded, else from the global generator."""
    state = engine.state
    loaded, state.rng_states = state.rng_states, None
    if loaded is not None:
        set_random_states(loaded)
    engine._resumed = loaded if state.iteration else None
    state.seed = random.randrange(10**9) if engine._resumed is None else loaded["seed"]


def _next_pass(engine):
    """Seed the next pass over the data."""
    engine._passes += 1
    engine._pass_began = engine.state.iteration
    manual_seed(engine.state.seed + engine._passes)
