"""`StepCache`: within a step, equal calls of a model are computed once."""

from collections import deque

import numpy as np

from dark.contexts.arguments import NotComparable, is_equal, kept
from dark.nodes import changed_since, mode, version

MOST = 16  # results that are kept


class Call:
    """A call of a module: its arguments, the state of the module, and the result.

    Parameters
    ----------
    snapshot : Snapshot
        Of the module, in the modes of this call.
    arguments : tuple
        As `kept` keeps them.
    """

    def __init__(self, snapshot, arguments):
        self.module, self.arguments = snapshot.modules[0], arguments
        self.modes, self.is_recording = [m.training for m in snapshot.modules], mode.recording
        self.trainable = [p.requires_grad for p in snapshot.parameters]
        self.version = version()

    def finish(self, snapshot, result):
        """Store the result, and the buffers as the call left them."""
        self.result, self.buffers = result, snapshot.buffers()
        return self

    def answers(self, snapshot, arguments):
        """Return whether a call of the module would have the same result."""
        return (
            self.module is snapshot.modules[0]
            and self.is_recording == mode.recording
            and self.modes == [m.training for m in snapshot.modules]
            and self.trainable == [p.requires_grad for p in snapshot.parameters]
            and not changed_since(snapshot.parameters, self.version)
            and is_equal(arguments, self.arguments, self.version)
            and all(map(np.array_equal, self.buffers, snapshot.buffers()))
        )


class StepCache:
    """The results of the latest calls of models within a step.

    A call is answered from here if its arguments are equal, and neither the modes, the parameters nor, in evaluation
    mode, the buffers of the module have changed since. A call with an argument that cannot be compared is computed
    each time.
    """

    def __init__(self):
        self._calls = deque(maxlen=MOST)

    def clear(self):
        """Forget all results."""
        self._calls.clear()

    def forget(self, module):
        """Forget the results of one module."""
        self._calls = deque((call for call in self._calls if call.module is not module), maxlen=MOST)

    def call(self, snapshot, inputs, settings):
        """Call a module, or return the result of an equal call.

        Parameters
        ----------
        snapshot : Snapshot
            Of the module.
        inputs : tuple
        settings : dict

        Returns
        -------
        tuple of object and bool
            The result, and whether it was computed now.
        """
        module, arguments = snapshot.modules[0], (inputs, settings)
        if mode.is_differentiating:  # inside `dark.grad`, where a result belongs to one pass alone
            return module(*inputs, **settings), True
        for call in self._calls:
            if call.answers(snapshot, arguments):
                return call.result, False
        try:
            call = Call(snapshot, kept(arguments))
        except NotComparable:
            return module(*inputs, **settings), True
        result = module(*inputs, **settings)
        self._calls.append(call.finish(snapshot, result))
        return result, True
