"""A small model of the rules of a run: what is fired at which epoch and iteration.

Data is a list, in which a resumed run continues where it was.
Requests are made at the n-th firing after the model was made: a dict from n to what is asked.
"""


class End(Exception):
    """The run ends."""


class EndOfEpoch(Exception):
    """The epoch ends."""


class Wrong(Exception):
    """What a handler raises."""


class Model:
    def __init__(self, requests):
        self.requests, self.fired, self.trace, self.batches = requests, 0, [], []
        self.epoch = self.iteration = 0
        self.length = self.max_epochs = self.max_iters = None
        self.done_in_epoch = 0  # for the first epoch after a resume
        self.resumes = False

    def fire(self, name):
        self.trace.append((name, self.epoch, self.iteration))
        asked, self.fired = self.requests.get(self.fired), self.fired + 1
        if asked == "raise":
            raise Wrong
        if asked:
            self.asked = asked

    def handle_requests(self):
        """Handle the requests since the last event."""
        asked = self.asked
        if asked in ("terminate", "terminate skipping"):
            raise End
        if asked in ("end epoch", "end epoch skipping"):
            raise EndOfEpoch

    def is_done(self):
        by_iterations = self.max_iters is not None and self.iteration >= self.max_iters
        return by_iterations or (
            self.max_epochs is not None
            and (self.epoch >= self.max_epochs or self.iteration >= self.length * self.max_epochs)
        )

    def run(self, data, length, max_epochs=None, max_iters=None):
        """Run to the end; return how it ended."""
        self.max_epochs, self.max_iters, self.length, self.asked = max_epochs, max_iters, length, None
        if self.is_done():
            self.epoch = self.iteration = self.done_in_epoch = 0
            self.resumes = False
        self.data, self.rest = data, None
        try:
            self.fire("STARTED")
            self.handle_requests()
            while not self.is_done():
                self.one_epoch()
        except EndOfEpoch:
            return "too early"
        except Wrong:
            return "wrong"
        except End:
            try:
                self.fire("TERMINATE")
            except Wrong:
                return "wrong"
        finally:
            self.done_in_epoch, self.resumes = 0, False
        if self.asked != "terminate skipping":
            try:
                self.fire("COMPLETED")
            except Wrong:
                return "wrong"
        return "ended"

    def one_epoch(self):
        self.epoch += 1
        self.fire("EPOCH_STARTED")
        self.handle_requests()
        if self.rest is None:
            self.rest = list(self.data)[self.iteration % len(self.data) if self.resumes else 0 :]
        skips = False
        try:
            self.iterations()
        except EndOfEpoch:
            self.fire("TERMINATE_SINGLE_EPOCH")
            self.rest, skips = list(self.data), self.asked == "end epoch skipping"
        if not skips:
            self.fire("EPOCH_COMPLETED")
        if self.asked in ("end epoch", "end epoch skipping"):
            self.asked = None
        self.handle_requests()

    def iterations(self):
        done, self.done_in_epoch = self.done_in_epoch, 0
        while True:
            self.fire("GET_BATCH_STARTED")
            self.handle_requests()
            if not self.rest:
                self.fire("DATALOADER_STOP_ITERATION")
                self.handle_requests()
                self.rest = list(self.data)
            batch = self.rest.pop(0)
            self.fire("GET_BATCH_COMPLETED")
            self.handle_requests()
            done, self.iteration = done + 1, self.iteration + 1
            self.fire("ITERATION_STARTED")
            self.handle_requests()
            self.batches.append(batch)
            self.fire("ITERATION_COMPLETED")
            self.handle_requests()
            if done == self.length:
                return
            if self.iteration == self.max_iters:
                raise End
