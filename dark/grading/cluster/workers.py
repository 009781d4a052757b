"""The workers of a dask cluster, as the scheduler lists them: which may grade, and which have been lost.

A worker grades after it has said what it grades with. One whose heartbeat the scheduler has not received for
`FROZEN_SECONDS` is frozen: its submissions are given to others, and it may grade again when it is back.
"""

import time
from contextlib import suppress
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from dark.errors import CourseError
from dark.grading.cluster import remote
from dark.grading.cluster.machine import VERSION, differences, read_machine
from dark.grading.sandbox.confinement import LEVELS, Confinement
from dark.grading.sandbox.worker_process import START_SECONDS

FROZEN_SECONDS = 30
LOOK_SECONDS = 1  # between two questions to the scheduler
ANSWER_SECONDS = 10  # for a scheduler or worker that is not frozen
PRESENT = f"{remote.__name__}:__name__"  # dask ends a worker that is sent a function of a module that it lacks


@dataclass(eq=False)
class DaskWorker:
    """A worker."""

    address: str
    name: str  # what tells it from an earlier one at this address
    threads: int  # how many submissions it grades at a time
    heartbeat: float  # the time of its last heartbeat, by the clock of the scheduler
    noticed: float  # when that has last changed, by the clock of this process
    # what it says about its machine, until that is read: first whether it has our functions, then `describe_machine`
    said: Any
    is_present: bool = False  # whether it has our functions
    # how it confines students' code; None before it has said so, and if it may not grade
    confinement: Confinement | None = None
    refused: str = ""  # why it may not grade; empty if it may
    warning: str = ""  # what it warns of; empty if of nothing
    running: int = 0  # how many submissions it is grading

    @property
    def is_frozen(self):
        """Whether its heartbeat is overdue."""
        return time.monotonic() - self.noticed > FROZEN_SECONDS

    @property
    def may_grade(self):
        """Whether it is alive and has reported that it grades as this machine would."""
        return self.confinement is not None and not self.is_frozen


class Workers:
    """The workers that a scheduler knows; one that joins has at least the confinement `level` and these versions."""

    def __init__(self, client, versions):
        self._client, self._versions = client, versions
        self._known: dict[tuple[str, str], DaskWorker] = {}
        self._good_before, self._looked = [], float("-inf")
        self.level, self.tell = LEVELS[0], lambda text: None

    @property
    def all(self):
        """The workers that are there, also those that may not grade."""
        return list(self._known.values())

    @property
    def good(self):
        """The workers that may grade."""
        return [each for each in self.all if each.may_grade]

    def look(self):
        """Ask the scheduler which workers there are; at most once in `LOOK_SECONDS`."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        there, self._looked = self._listed(), now
        for key in self._known.keys() - there.keys():
            self._known.pop(key).confinement = None
        for (address, name), facts in there.items():
            each = self._known.get((address, name)) or self._join(address, name, facts["nthreads"])
            if each.heartbeat != facts["last_seen"]:
                each.heartbeat, each.noticed = facts["last_seen"], time.monotonic()
            if each.said is not None and each.said.done():
                self._read(each)
        for each in self._good_before:
            if not each.may_grade and not each.refused:
                what = "is frozen" if each.confinement else "has gone"
                self.tell(f"! worker {each.address} {what}; its submissions are graded elsewhere")
        self._good_before = self.good

    def refuse(self, worker: DaskWorker, reason: str):
        """Exclude a worker from grading, for a reason."""
        worker.confinement, worker.refused = None, reason
        self.tell(f"! worker {worker.address} may not grade: {reason}")

    def ask(self, address):
        """Ask a worker for its versions; return a future."""
        return self._submit(address, remote.describe_machine)

    def differs(self, text):
        """Return how a machine differs from this one, its confinement, and its warnings; each string may be empty."""
        there, found, warning = read_machine(text)
        reason = differences(self._versions, there)
        if not reason and not found.reaches(self.level):
            reason = f"this batch is graded with the confinement {self.level}; there: {found}"
        return reason, found, warning

    def _listed(self):
        """Return the scheduler's entry about each worker, by address and id."""
        if self._client.status != "running":
            raise lost(self._client)
        try:
            ask, seconds = self._client.scheduler.identity, FROZEN_SECONDS
            found = self._client.sync(ask, n_workers=-1, callback_timeout=seconds)["workers"]
        except (OSError, TimeoutError) as error:
            raise lost(self._client) from error
        return {(address, str(facts["id"])): facts for address, facts in found.items()}

    def _join(self, address, name, threads):
        now = time.monotonic()
        said = self._submit(address, resolve_name, PRESENT)
        each = self._known[address, name] = DaskWorker(address, name, threads, 0.0, now, said)
        return each

    def _submit(self, address, function, *arguments):
        return self._client.submit(function, *arguments, workers=[address], pure=False, priority=1)

    def _read(self, worker):
        said, worker.said = worker.said, None
        try:
            answer = said.result(timeout=ANSWER_SECONDS)
            if not worker.is_present:
                worker.is_present, worker.said = True, self.ask(worker.address)
                return
            reason, found, worker.warning = self.differs(answer)
        except Exception as error:  # of that machine: whatever it is, it does not grade
            reason, found = self._why(worker, error), None
        if reason:
            self.refuse(worker, reason)
        else:
            worker.confinement = found
            self.tell(f"worker {worker.address} has joined")
            self.warn(worker)

    def warn(self, worker):
        """Report the warnings of a worker."""
        if worker.warning:
            self.tell(f"! worker {worker.address}: {worker.warning}")

    def _why(self, worker, error):
        """Return why a worker does not report its versions: mostly an earlier version of dark, or none."""
        with suppress(Exception):
            there = self._submit(worker.address, resolve_name, VERSION).result(timeout=ANSWER_SECONDS)
            if there != self._versions["dark"]:
                return differences({"dark": self._versions["dark"]}, {"dark": there})
        return f"{type(error).__name__}: {error}"


def lost(client):
    """Return the error for a scheduler that does not answer any more."""
    address = client.scheduler.address if client.scheduler else "this address"
    what = f"The scheduler at {address} is lost."
    expected = "a scheduler that runs until the batch has ended; finished grades are saved."
    return CourseError(what, expected, "start it and its workers again, then run the same command: it grades the rest")


def no_worker(address):
    """Return the error for a scheduler without workers that may grade."""
    what = f"The scheduler at {address} has had no worker that may grade for {START_SECONDS} seconds."
    expected = "at least one worker that reports its versions within this time; finished grades are saved."
    return CourseError(what, expected, "run `dask worker` with this address on each machine, then the same command")
