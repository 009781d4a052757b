"""Hooks, functions that a user adds to an object to be called at certain moments, and the handles that remove them."""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Self

H = TypeVar("H")


class Handle(ABC):
    """The base class of removable handles; as a context manager, a handle removes at the exit of its block.

    It keeps what it refers to alive no longer than others do. Removing twice, or after that is gone, does nothing.
    """

    @abstractmethod
    def remove(self) -> None:
        """Undo the call that returned the handle."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


class Handles(Handle):
    """Several handles as one: what a call returns that attaches several functions."""

    def __init__(self, handles: Sequence[Handle]) -> None:
        self._handles = handles

    def remove(self) -> None:
        """Undo all that the call has attached."""
        for handle in self._handles:
            handle.remove()


class Hooks(Generic[H]):
    """Hooks in the order in which they are called.

    Attributes
    ----------
    ordered : tuple
        The hooks; a loop over it calls no function of Python, in contrast to one over the object.

    Examples
    --------
    >>> hooks = Hooks()
    >>> first, second = hooks.add("first"), hooks.add("second", prepend=True)
    >>> list(hooks)
    ['second', 'first']
    >>> second.remove()
    >>> list(hooks)
    ['first']
    """

    def __init__(self) -> None:
        self._hooks: dict[int, H] = {}
        self._added = 0
        self.ordered: tuple[H, ...] = ()

    def add(self, hook: H, prepend: bool = False) -> RemovableHandle:
        """Add a hook after all others, or before them; return the handle that removes it."""
        key = self._added
        self._added += 1
        self._hooks = {key: hook, **self._hooks} if prepend else {**self._hooks, key: hook}
        self.ordered = tuple(self._hooks.values())
        return RemovableHandle(self, key)

    def remove(self, key: int) -> None:
        """Remove a hook if it is still there; a loop over the hooks that has begun still calls it."""
        self._hooks = {other: hook for other, hook in self._hooks.items() if other != key}
        self.ordered = tuple(self._hooks.values())

    def __iter__(self) -> Iterator[H]:
        return iter(self.ordered)

    def __len__(self) -> int:
        return len(self.ordered)


class RemovableHandle(Handle):
    """A handle that removes one hook. A copy of it belongs to the copy of the hooks that is made with it."""

    def __init__(self, hooks: Hooks[Any] | None, key: int) -> None:
        self._hooks = weakref.ref(Hooks() if hooks is None else hooks)
        self._key = key

    def remove(self) -> None:
        """Remove the hook."""
        hooks = self._hooks()
        if hooks is not None:
            hooks.remove(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return RemovableHandle, (self._hooks(), self._key)
