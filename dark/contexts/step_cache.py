"""`StepCache`: within a step, equal calls of a model are computed once."""

from collections import deque

import numpy as np

from dark.contexts.arguments import NotComparable, is_equal, kept
from dark.nodes import changed_since, mode, version

MOST = 16  # results that are kept


class Call:
    """A call of a module: its arguments, the state of the module, and the result.

    `conditions` must be equal for an equal result: whether a graph is recorded, the modes of the modules, and which
    parameters require grad.
    """

    def __init__(self, module, conditions, inputs, settings):
        self.module, self.conditions = module, conditions
        self.inputs, self.settings = kept(inputs), settings and kept(settings)
        self.version = version()

    def finish(self, snapshot, result):
        """Store the result, and the buffers as the call left them."""
        self.result, self.buffers = result, snapshot.buffers()
        return self

    def answers(self, snapshot, conditions, inputs, settings):
        """Return whether a call of the same module would have the same result."""
        return (
            self.conditions == conditions
            and not changed_since(snapshot.parameters, self.version)
            and is_equal(inputs, self.inputs, self.version)
            and (not (settings or self.settings) or is_equal(settings, self.settings, self.version))
            and (not self.buffers or all(map(np.array_equal, self.buffers, snapshot.buffers())))
        )


class StepCache:
    """The results of the latest calls of models within a step.

    A call is answered from here if its arguments are equal, and neither the modes, the parameters nor, in evaluation
    mode, the buffers of the module have changed since. A call with an argument that cannot be compared is computed
    each time. In a function that is being recorded (`dark.recorded`), whose values will be others in a replay, only
    the same objects are equal.
    """

    def __init__(self):
        self._calls: deque[Call] = deque(maxlen=MOST)
        self._recorder, self._recorded = None, {}

    def clear(self):
        """Forget all results."""
        self._calls.clear()
        self._recorder, self._recorded = None, {}

    def forget(self, module):
        """Forget the results of one module."""
        self._calls = deque((call for call in self._calls if call.module is not module), maxlen=MOST)

    def call(self, snapshot, modes, inputs, settings):
        """Call a module in these modes, or return the result of an equal call; and whether it was computed now."""
        module = snapshot.modules[0]
        if mode.is_differentiating:  # inside `dark.grad`, where a result belongs to one pass alone
            return module(*inputs, **settings), True
        if mode.recorder is not None:
            return self._in_recording(module, modes, inputs, settings)
        conditions = mode.recording, modes, [p.requires_grad for p in snapshot.parameters]
        for call in self._calls:
            if call.module is module and call.answers(snapshot, conditions, inputs, settings):
                return call.result, False
        try:
            call = Call(module, conditions, inputs, settings)
        except NotComparable:
            return module(*inputs, **settings), True
        result = module(*inputs, **settings)
        self._calls.append(call.finish(snapshot, result))
        return result, True

    def _in_recording(self, module, modes, inputs, settings):
        if self._recorder is not mode.recorder:
            self._recorder, self._recorded = mode.recorder, {}
        parts = [*inputs, *settings.items()]
        given = [x for part in parts for x in (part if isinstance(part, (list, tuple)) else [part])]
        key = module, *modes, *map(id, given)
        is_new = key not in self._recorded
        if is_new:  # the objects are kept, so that their ids stay their own
            self._recorded[key] = module(*inputs, **settings), given
        return self._recorded[key][0], is_new
