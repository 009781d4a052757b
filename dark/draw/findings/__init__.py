"""What people look for in a graph: the differences of two graphs, and where a value, a gradient or a cost comes from.

Reading order: `facts` (a node with its value and gradient as arrays); `alignment`, `differences`, `comparison` (two
graphs); `theme` and `ladder` (their picture).
"""

from dark.draw.findings.comparison import Comparison, compare
