"""A dask cluster as a pool of graders: `Cluster.grade_all` is for many machines what `batch.grade_all` is for one.

This process decides which worker grades which submission, so that one which is lost costs a second attempt and
never a result: the answer that comes first counts, and no other.
"""

import logging
import re
import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pkgutil import resolve_name
from queue import Empty, SimpleQueue

from dark.course.grading.batch import read_graded
from dark.course.grading.cluster import remote
from dark.course.grading.cluster.machine import VERSION, differences, versions, weakest
from dark.course.grading.cluster.workers import ANSWER_SECONDS, LOOK_SECONDS, Workers, lost
from dark.course.grading.confinement import BEST
from dark.course.grading.grade import Settings
from dark.course.grading.graded_file import Graded, read_upload
from dark.course.grading.messages import request, task
from dark.course.grading.result import NOT_GRADED, Result
from dark.course.grading.worker_process import START_SECONDS
from dark.errors import CourseError, UsageError, missing_extra

ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?:[^\s:/\[\]@]+|\[[0-9a-fA-F:.%]+\]):(\d{1,5})")
CONNECT_SECONDS = 10
MOST_LOSSES = 3  # workers that are lost while they grade a submission, which may be the reason
LEAVE_SECONDS = 5


class Cluster:
    """The workers of a dask cluster, checked: all grade with the same versions of everything as this machine would.

    Parameters
    ----------
    address : str
        The address of the scheduler, as `dask scheduler` prints it.
    exam : path, optional
        A teacher's private folder of questions, which each machine has at the same path.
    tell : callable, optional
        Called with a sentence about a worker that is lost or may not grade.

    Attributes
    ----------
    confinement : Confinement
        The weakest of its machines; a worker that joins later has at least this level.
    weakest_worker : str
        The address of a worker with this level.

    Raises
    ------
    UsageError
        If the address is not one.
    MissingExtraError
        If dask is not installed.
    CourseError
        If there is no scheduler or no worker, or one of them has another version.
    """

    def __init__(self, address, exam=None, tell=lambda text: None):
        check_address(address)
        ours = versions(exam)
        self.address, self._client = address, _connected(address)
        try:
            self._check_scheduler(ours)
            self._workers = Workers(self._client, ours, exam)
            self._wait_for_workers(tell)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __str__(self):
        good = self._workers.good
        threads = sum(each.threads for each in good)
        return f"Cluster: {self.address}, workers: {len(good)}, submissions in parallel: {threads}."

    def close(self):
        """Leave the cluster, which goes on running."""
        self._client.close(timeout=LEAVE_SECONDS)

    def grade_all(self, submissions, *, settings=Settings(), assign=None, started=lambda submission: None):
        """Grade many submissions; yield each result as soon as it is available.

        Parameters
        ----------
        submissions : sequence of Submission
            The files, which are read here and sent to the workers.
        settings : Settings, optional
            Limits and seed. Each machine confines as well as it can.
        assign : callable, optional
            As in `dark.course.grading.batch.grade_all`; it is called on the workers.
        started : callable, optional
            Called with each submission before it is given to a worker.

        Yields
        ------
        (Submission, Graded)

        Raises
        ------
        CourseError
            If the scheduler is lost, no worker is left, or the files of the course change on one.
        """
        first = task(replace(settings, limits=replace(settings.limits, confinement=BEST)), assign)
        batch = _Batch(self._client, self._workers, first, deque(submissions))
        try:
            while batch.waiting or batch.running:
                self._workers.look()
                yield from batch.give_up_lost()
                yield from batch.give(started)
                yield from batch.take()
            self._check_again(each for each in batch.used if each.may_grade)
        finally:
            batch.leave()

    def _check_scheduler(self, ours):
        """Refuse a scheduler of another version: it reads what workers are asked."""
        try:
            there = self._client.run_on_scheduler(resolve_name, VERSION)
        except ImportError:
            there = "is not installed"
        if there != ours["dark"]:
            said = differences({"dark": ours["dark"]}, {"dark": there})
            raise _mismatch([f"scheduler {self.address}: {said}"])

    def _wait_for_workers(self, tell):
        """Wait until all workers that are there have said what they grade with; refuse one that grades otherwise."""
        end, told = time.monotonic() + START_SECONDS, False
        while time.monotonic() < end:
            self._workers.look()
            there = self._workers.all
            if there and all(each.said is None or each.is_frozen for each in there):
                break
            if not there and not told:
                tell(f"! {self.address} has no worker yet; waiting for one, at most {START_SECONDS} seconds")
                told = True
            time.sleep(LOOK_SECONDS / 10)
        refused = [f"worker {each.address}: {each.refused}" for each in self._workers.all if each.refused]
        if refused:
            raise _mismatch(refused)
        if not (good := self._workers.good):
            raise _no_worker(self.address)
        self.confinement = weakest(each.confinement for each in good)
        level = self.confinement.level
        self.weakest_worker = next(each.address for each in good if each.confinement.level == level)
        self._workers.level, self._workers.tell = level, tell

    def _check_again(self, workers):
        """Refuse results if the course has changed on a machine since it joined."""
        asked = [(each, self._workers.ask(each.address)) for each in workers]
        for worker, said in asked:
            try:
                reason, _ = self._workers.differs(said.result(timeout=START_SECONDS))
            except Exception:  # it is lost, and what it has graded was graded before
                continue
            if reason:
                raise CourseError(
                    f"worker {worker.address} changed while the batch was running: {reason}.",
                    "the same questions, solutions and code for a whole batch.",
                    "the same version everywhere, then the same command with --fresh",
                )


class _Batch:
    """The submissions of one call: which wait, and which worker has which."""

    def __init__(self, client, workers, first, waiting):
        self.waiting, self.running, self.used = waiting, {}, set()
        self._client, self._workers, self._first = client, workers, first
        self._done, self._losses, self._alone = SimpleQueue(), Counter(), time.monotonic()

    def give(self, started):
        """Give waiting submissions to free workers; yield the results of those that cannot be read."""
        good = self._workers.good
        self._alone = time.monotonic() if good else self._alone
        if time.monotonic() - self._alone > START_SECONDS:
            raise _no_worker(self._client.scheduler.address)
        free = deque(each for each in good if each.running < each.threads)
        while free and self.waiting:
            submission = self.waiting.popleft()
            started(submission)
            content = read_upload(submission)
            if isinstance(content, Graded):
                yield submission, content
                continue
            worker = free.popleft()
            self._submit(worker, submission, content)
            if worker.running < worker.threads:
                free.append(worker)

    def _submit(self, worker, submission, content):
        sent = (self._first, request(submission), content)
        future = self._client.submit(remote.grade, *sent, workers=[worker.address], pure=False)
        self.running[future.key] = future, submission, worker
        worker.running += 1
        self.used.add(worker)
        future.add_done_callback(self._done.put)

    def take(self):
        """Wait for answers; yield the results."""
        try:
            done = [self._done.get(timeout=LOOK_SECONDS)]
        except Empty:
            return
        while not self._done.empty():
            done.append(self._done.get())
        for future in done:
            if future.key in self.running:  # otherwise another worker has it, and that one's answer counts
                yield from self._taken(future)

    def _taken(self, future):
        _, submission, worker = self.running[future.key]
        try:
            message = future.result(timeout=ANSWER_SECONDS)
        except Exception as error:
            if self._client.status != "running":
                raise lost(self._client) from error
            if worker.may_grade and future.status == "error" and type(error).__name__ != "KilledWorker":
                self._workers.refuse(worker, f"{type(error).__name__}: {error}".partition("\n")[0])
            yield from self._lose(future.key)
        else:
            self._forget(future.key)
            yield submission, read_graded(message)

    def give_up_lost(self):
        """Take back the submissions of workers that are lost; yield the results of those that are given up."""
        for key, (_, _, worker) in list(self.running.items()):
            if not worker.may_grade:
                yield from self._lose(key)

    def _lose(self, key):
        submission = self._forget(key, cancelled=True)
        self._losses[submission.name] += 1
        if self._losses[submission.name] < MOST_LOSSES:
            self.waiting.append(submission)
        else:
            says = f"{MOST_LOSSES} workers were lost while they graded it; their machines may be out of memory."
            yield submission, Graded(Result(NOT_GRADED, says))

    def _forget(self, key, cancelled=False):
        future, submission, worker = self.running.pop(key)
        worker.running -= 1
        if cancelled and self._client.status == "running":
            self._client.cancel([future])
        return submission

    def leave(self):
        """End what is still running, and the graders of this batch."""
        for key in list(self.running):
            self._forget(key, cancelled=True)
        addresses = [each.address for each in self.used if each.may_grade]
        if self._client.status == "running" and addresses:
            run = partial(self._client.run, remote.leave, self._first, workers=addresses, on_error="ignore")
            with suppress(OSError, TimeoutError):  # they end with their worker, or are closed by the next batch
                self._client.sync(run, callback_timeout=LEAVE_SECONDS)


def check_address(address):
    """Refuse what is not the address of a scheduler.

    Raises
    ------
    UsageError
        If it is not one.

    Examples
    --------
    >>> check_address("tcp://10.0.0.5:8786")
    """
    found = ADDRESS.fullmatch(address)
    if not found or not 0 < int(found[1]) < 65536:
        raise UsageError(
            f"--scheduler {address}: this is not the address of a scheduler.",
            "HOST:PORT, tcp://HOST:PORT or tls://HOST:PORT.",
            "what `dask scheduler` prints after 'Scheduler at'; its port is 8786, that of its web page 8787",
        )


def _connected(address):
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise missing_extra("dask", "cluster") from None
    for name in ("distributed", "distributed.client"):  # errors are told in our words
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"})  # a submission may be large
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise CourseError(
            f"--scheduler {address}: no scheduler answers ({str(error) or type(error).__name__}).",
            "`dask scheduler` running there, reachable from this machine, of the same version of dask.",
            "`dask scheduler` on one machine, `dask worker ADDRESS` on the others, then the same command",
        ) from error


def _mismatch(reasons):
    return CourseError(
        "The machines of the cluster do not grade alike:\n    " + "\n    ".join(reasons),
        "the same versions of dark, Python and NumPy, the same course and the same folder of --exam on all of them.",
        "install the same environment everywhere, and start the scheduler and its workers in it",
    )


def _no_worker(address):
    return CourseError(
        f"The scheduler at {address} has had no worker that may grade for {START_SECONDS} seconds.",
        "at least one worker that says within this time what it grades with; what is graded is saved.",
        "`dask worker` with this address on each machine, then the same command",
    )
