"""A dask cluster as a pool of graders: `Cluster.grade_all` does on many machines the work of `batch.grade_all` on one.

This process decides which worker grades which submission, so that one which is lost costs a second attempt and
never a result: the answer that comes first counts, and no other.
"""

import time
from contextlib import AbstractContextManager
from dataclasses import replace
from pkgutil import resolve_name

from dark.errors import CourseError
from dark.grading.cluster.connection import check_address, connected
from dark.grading.cluster.dispatch import LEAVE_SECONDS, Dispatch
from dark.grading.cluster.machine import VERSION, differences, versions, weakest
from dark.grading.cluster.sent_exam import pack_exam
from dark.grading.cluster.workers import LOOK_SECONDS, Workers, no_worker
from dark.grading.grader.grade import Settings
from dark.grading.grader.messages import task
from dark.grading.sandbox.confinement import BEST
from dark.grading.sandbox.worker_process import START_SECONDS


class Cluster(AbstractContextManager):
    """The workers of a dask cluster, checked: all grade with the same versions of everything as this machine would."""

    def __init__(self, address, tell=lambda text: None):
        check_address(address)
        here = versions()
        self.address, self._client = address, connected(address)
        try:
            self._check_scheduler(here)
            self._workers = Workers(self._client, here)
            self._wait_for_workers(tell)
        except BaseException:
            self.close()
            raise

    def __exit__(self, *error):
        self.close()

    def __str__(self):
        good = self._workers.good
        threads = sum(each.threads for each in good)
        return f"Cluster: {self.address}, workers: {len(good)}, submissions in parallel: {threads}."

    def close(self):
        """Leave the cluster, which continues to run."""
        self._client.close(timeout=LEAVE_SECONDS)

    def grade_all(self, submissions, *, settings=Settings(), assign=None, started=lambda submission: None, exam=None):
        """Grade many submissions, as `batch.grade_all`; their files and the private exam are sent to the workers."""
        first = task(replace(settings, limits=replace(settings.limits, confinement=BEST)), assign)
        batch = Dispatch(self._client, self._workers, pack_exam(first, exam), submissions)
        try:
            while batch.waiting or batch.running:
                self._workers.look()
                yield from batch.give_up_lost()
                yield from batch.give(started)
                yield from batch.take()
            self._check_again(each for each in batch.used if each.may_grade)
        finally:
            batch.leave()

    def _check_scheduler(self, here):
        """Refuse a scheduler of another version: it reads the requests to workers."""
        try:
            there = self._client.run_on_scheduler(resolve_name, VERSION)
        except ImportError:
            there = "is not installed"
        if reason := differences({"dark": here["dark"]}, {"dark": there}):
            raise _mismatch([f"scheduler {self.address}: {reason}"])

    def _wait_for_workers(self, tell):
        """Wait until all present workers have reported their versions; refuse a worker with others."""
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
            raise no_worker(self.address)
        self.confinement = weakest(each.confinement for each in good)
        level = self.confinement.level
        self.weakest_worker = next(each.address for each in good if each.confinement.level == level)
        self._workers.level, self._workers.tell = level, tell
        for each in good:
            self._workers.warn(each)

    def _check_again(self, workers):
        """Refuse results if the course has changed on a machine since it joined."""
        asked = [(each, self._workers.ask(each.address)) for each in workers]
        for worker, said in asked:
            try:
                reason, _, _ = self._workers.differs(said.result(timeout=START_SECONDS))
            except Exception:  # it is lost, and its results were computed before
                continue
            if reason:
                what = f"worker {worker.address} changed while the batch was running: {reason}."
                expected = "the same questions, solutions and code for a whole batch."
                raise CourseError(
                    what, expected, "install one version everywhere, then run the same command with --fresh"
                )


def _mismatch(reasons):
    return CourseError(
        "The machines of the cluster do not grade alike:\n    " + "\n    ".join(reasons),
        "the same versions of dark, Python and NumPy, and the same course, on all of them.",
        "install the same environment everywhere, and start the scheduler and its workers in it",
    )
