"""The function 2x² + 5 at x = 10, forward and backward: `dark draw examples/quadratic.py:fx`."""

import dark

x = dark.Parameter(10, name="x")
fx = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
fx.name = "fx"
fx.backward()
