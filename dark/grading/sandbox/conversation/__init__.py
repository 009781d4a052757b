"""The judge's side of the conversation with the process of an answer: requests, and replies that are not trusted."""

from dark.grading.sandbox.conversation.exchange import KNOWN, TOO_LONG, Wanted, converse
from dark.grading.sandbox.conversation.requests import asking, opening, written_inputs, written_once, written_row

__all__ = [
    "KNOWN", "TOO_LONG", "Wanted", "asking", "converse", "opening", "written_inputs", "written_once", "written_row",
]  # fmt: skip
