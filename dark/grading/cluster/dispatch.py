"""Which worker of a cluster has which submission, from the first that is given to the last answer."""

import time
from collections import Counter, deque
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any
from uuid import uuid4

from dark.grading.cluster import remote
from dark.grading.cluster.workers import ANSWER_SECONDS, LOOK_SECONDS, lost, no_worker
from dark.grading.grader.grade import Graded, read_upload
from dark.grading.grader.grader_process import read_graded
from dark.grading.grader.messages import request
from dark.grading.grader.result import NOT_GRADED, Result
from dark.grading.sandbox.worker_process import START_SECONDS

MOST_LOSSES = 3  # workers that are lost while they grade a submission, which may be the reason
LEAVE_SECONDS = 5


class Dispatch:
    """The submissions of a batch: which wait; which are running, on which worker; and all workers that were used."""

    def __init__(self, client, workers, first, submissions):
        waiting = deque(submissions)
        self.waiting, self.running, self.used = waiting, {}, set()
        self._client, self._workers, self._first, self._batch = client, workers, first, uuid4().hex
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._losses: Counter[str] = Counter()
        self._alone = time.monotonic()

    def give(self, started):
        """Give waiting submissions to free workers; yield the results of unreadable ones."""
        good = self._workers.good
        self._alone = time.monotonic() if good else self._alone
        if time.monotonic() - self._alone > START_SECONDS:
            raise no_worker(self._client.scheduler.address)
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
        sent = (self._batch, self._first, request(submission), content)
        future = self._client.submit(remote.grade, *sent, workers=[worker.address], pure=False)
        self.running[future.key] = future, submission, worker
        worker.running += 1
        self.used.add(worker)
        future.add_done_callback(self._done.put)

    def take(self):
        """Wait for answers; yield the results."""
        if not self.running and not self.waiting:
            return
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
        """Take back the submissions of workers that are lost; yield the results of submissions that are given up."""
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
        """End the running gradings, and the graders of this batch."""
        for key in list(self.running):
            self._forget(key, cancelled=True)
        addresses = [each.address for each in self.used if each.may_grade]
        if self._client.status == "running" and addresses:
            run = partial(self._client.run, remote.leave, self._batch, workers=addresses, on_error="ignore")
            with suppress(OSError, TimeoutError):  # they end with their worker, or are closed by the next batch
                self._client.sync(run, callback_timeout=LEAVE_SECONDS)
