"""A line with the progress of a long command, and about how long it still takes."""

import sys
import time
from typing import TextIO

SECONDS_BETWEEN_LINES = 60  # in a log
SECONDS_UNTIL_A_PHRASE = 2


class ProgressLine:
    """One line that is rewritten on a terminal; in a log, a new line every minute. `done` is its participle."""

    def __init__(self, total: int, stream: TextIO | None = None, clock=time.monotonic, done: str = "graded"):
        self.total, self._word = total, done
        self._stream = stream or sys.stderr
        self._clock = clock
        self._is_terminal = self._stream.isatty() and sys.stdout.isatty()
        self._begun = self._said = clock()
        self._shown = ""

    def show(self, done: int, kept: int = 0) -> None:
        """Show how many are done, `kept` of them in no time, and the remaining time."""
        now = self._clock()
        spent = (now - self._begun) / max(1, done - kept)
        left = f", {describe_seconds(spent * (self.total - done))} left" if self.total > done > kept else ""
        line = f"{done} of {self.total} {self._word}{left}"
        if self._is_terminal:
            self._write(line)
        elif now - self._said >= SECONDS_BETWEEN_LINES:
            self._said = now
            print(line, file=self._stream, flush=True)

    def tell(self, phrase):
        """Show a phrase, on a terminal and after more than two seconds."""
        if self._is_terminal and self._clock() - self._begun > SECONDS_UNTIL_A_PHRASE:
            self._write(phrase)

    def restart(self):
        """Count the time from now on."""
        self._begun = self._said = self._clock()

    def hide(self):
        """Remove the line from the terminal."""
        if self._shown:
            print("\r" + " " * len(self._shown) + "\r", end="", file=self._stream, flush=True)
            self._shown = ""

    def _write(self, line):
        self.hide()
        self._shown = line
        print(f"\r{line}", end="", file=self._stream, flush=True)


def describe_seconds(seconds: float) -> str:
    """Describe a duration roughly.

    >>> [describe_seconds(seconds) for seconds in (0.2, 42, 200, 9000)]
    ['about 1 s', 'about 40 s', 'about 3 min', 'about 2.5 h']
    """
    if seconds < 90:
        return f"about {max(1, round(seconds) if seconds < 10 else 5 * round(seconds / 5))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
