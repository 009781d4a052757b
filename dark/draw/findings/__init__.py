"""Searches in a graph: the differences of two graphs, and where a value, a gradient or a cost comes from.

Reading order: `facts` (a node with its value and gradient as arrays, and what was found there); `leaves`, `spellings`,
`alignment`, `differences` and `comparison` (two graphs); `ladder` (their picture). Then `anomalies` and `found_places`
(where a NaN begins, where gradients vanish); `step_costs`, `flame_graph` and `cost_report` (time and memory); `where`,
the function that asks.
"""

from dark.draw.findings.comparison import Comparison, compare
from dark.draw.findings.cost_report import CostReport
from dark.draw.findings.found_places import FoundPlaces
from dark.draw.findings.where import where
