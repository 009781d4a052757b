"""dark with recorded losses: the first two calls of a loss are compared, the later ones replayed."""

from functools import partial

import dark
from benchmarks.rivals import dark as eager

A1, A2, A3 = (partial(make, wrap=dark.recorded) for make in (eager.A1, eager.A2, eager.A3))
A5, A6, E1 = (partial(make, wrap=dark.recorded) for make in (eager.A5, eager.A6, eager.E1))
NA = dict.fromkeys(("A4r", "A4g"), "one node") | dict.fromkeys(("S1", "S2"), "new leaves in each step")
