"""Several exercises in one child: the cells that they share are executed once."""


class SharedChild:
    """An observer for one exercise after the other that keeps its child as long as the cells are the same.

    What fails here is better asked in a child of its own: an exercise before may have left something behind.

    Parameters
    ----------
    observer : WorkerObserver
        It has the child.

    Examples
    --------
    >>> from dark.grading.sandbox.worker_observer import WorkerObserver
    >>> with SharedChild(WorkerObserver(exam=None, worker=None)) as shared:
    ...     print("no child yet")
    no child yet
    """

    def __init__(self, observer):
        self._observer = observer
        self._running = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._observer.close()

    def open(self, parts):
        """Use the child that runs these parts, or a new one; the time limit of the exercise starts now."""
        self._observer.restart_clock()
        if parts == self._running:
            return None
        failure = self._observer.open(parts)
        self._running = None if failure else parts
        return failure

    def observe(self, question, inputs):
        """Run one question on one set of inputs."""
        return self._observer.observe(question, inputs)

    def observe_all(self, sheet):
        """Run all questions of a sheet, with one message, which is answered by one."""
        return self._observer.observe_together(sheet)

    def close(self):
        """Keep the child for the next exercise."""
