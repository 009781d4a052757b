"""The profiles of hypothesis, and the number of generated examples of a test, relative to the profile.

`make test` runs the profile "quick" with a quarter of the examples, `make test-all` and a plain `pytest` run "full".
"""

from hypothesis import settings

FULL = 100  # examples per test in the profile "full", hypothesis' own default

full = settings(deadline=None, derandomize=True, database=None, max_examples=FULL)
settings.register_profile("full", full)
settings.register_profile("quick", full, max_examples=FULL // 4)
settings.load_profile("full")  # --hypothesis-profile chooses another


def examples(full):
    """Return settings with `full` examples in the profile "full", and proportionally fewer in others."""
    return settings(max_examples=max(1, full * settings().max_examples // FULL))
