"""`ModelField`: a field that holds a model, and shows it as a `ModelView`."""

from typing import Any

from dark.contexts.field import Field
from dark.contexts.model_view import ModelView, as_module


class ModelField(Field[ModelView]):
    """A field for a module or another callable, which is read as a `ModelView`; None if it was not given.

    The views of a context share its cache: `Context.new_step` is a new step for all of them.
    """

    def checked(self, context: Any, value: Any) -> Any:
        """Return a view of the model; None stays None."""
        if value is None:
            return None
        return ModelView(as_module(value, type(context).__name__, self.name), context._cache)
