"""PyTorch's and Ignite's spellings: the counterparts of names and arguments that `dark` does not have.

Reading order: `table` (the form of a row), `tensor_names`, `torch_names`, `package_names`, `ignite_names` and
`keyword_names` (the tables, from which the page of the book is written, too); `missing` (names and modules), `keywords`
(arguments), `traps` (calls that mean something else there). All this is called when a lookup or a call has failed,
never before.
"""

from dark.spellings.keywords import FIRST, LAST, Default, KeywordAdvice, axis_of, keyword_error
from dark.spellings.keywords import keywords_checked, refuse_keywords
from dark.spellings.missing import MissingField, MissingName, describe_missing, missing_error, missing_module
from dark.spellings.missing import present_names

__all__ = [
    "FIRST", "LAST", "Default", "KeywordAdvice", "MissingField", "MissingName", "axis_of", "describe_missing",
    "keyword_error", "keywords_checked", "missing_error", "missing_module", "present_names", "refuse_keywords",
]  # fmt: skip
