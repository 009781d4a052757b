"""The calls of functions of PyTorch while a network runs, with their inputs, results and modules, in their order.

A tensor is known by its identity: as the result of a call, or as a leaf. One that is changed in place, and those that
share the memory, are from then on the result of the call that changed it. Operations that no call explains, such as a
function with a backward pass of its own, follow from autograd's graph.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from dark.draw.adapters.call_names import OF_NUMBERS, WITH_NUMBERS, is_simple, name_of, settings_of
from dark.draw.adapters.recorded_items import Item, Known, ModuleCall
from dark.draw.adapters.shared_memory import overlapping, storage_of, version_of
from dark.draw.adapters.tensor_parts import is_tensor, named_tensors, result_fields
from dark.draw.adapters.tensors import operation_name
from dark.draw.graph.graph_record import path_of
from dark.draw.graph.quotient import all_below

COUNTER_OF_BATCHES = "num_batches_tracked"  # of normalization layers; nothing is computed from it


class Recording:
    """The calls so far; `stack` are the modules that run, innermost last, below them what calls the network."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.items: list[Item] = []
        self.stack = [ModuleCall()]
        self.failure: tuple[BaseException, int] | None = None
        self._places: dict[int, tuple[int, int]] = {}  # item and number of the result, by `id` of a tensor
        self._of_autograd: dict[Any, tuple[int, int]] = {}  # the same by operation and number of its output
        self._seen: set[Any] = set()  # operations of autograd's graph that belong to an item
        self._sharing: dict[Any, list[Any]] = {}  # tensors by their memory
        self._is_transforming = transformations()
        self._saved: dict[Any, tuple[Any, Any]] = {}

    def enter(self, path: tuple[str, ...]) -> None:
        """Note that a module begins to run."""
        around = next(call for call in reversed(self.stack) if path[: len(call.path)] == call.path)
        around.counter[path] += 1
        between = len(path) - len(around.path) - 1
        calls = around.calls + ((1,) * between + (around.counter[path],) if path else ())
        self.stack.append(ModuleCall(path, calls))

    def leave(self) -> None:
        """Note that the innermost module has run."""
        self.stack.pop()

    def call(self, function: Any, args: Any, keywords: dict[str, Any]) -> Any:
        """Call a function, and record the call if its results are tensors."""
        name, is_turned = name_of(function)
        if not name or self._is_transforming():
            return function(*args, **keywords)
        given = _turned(args) if is_turned else args
        item = Item(name, path=self._path(), inputs=self._inputs(name, given, keywords))
        tensors = [part for part in _flat((*given, *keywords.values())) if is_tensor(part)]
        versions = [version_of(tensor) for tensor in tensors]
        self._spare_parameters(name, tensors, keywords)
        start = perf_counter()
        try:
            result = function(*args, **keywords)
        except BaseException as error:
            if self.failure is None or self.failure[0] is not error:
                item.settings = settings_of(name, function, given, keywords)
                self.fail(error, item)
            raise
        item.seconds = perf_counter() - start
        results = [part for part in _flat((result,)) if is_tensor(part)]
        changed = [tensor for tensor, before in zip(tensors, versions) if version_of(tensor) != before]
        if not results and not changed or not changed and all(any(r is t for t in tensors) for r in results):
            return result
        results = results or changed
        if all(self.known.names.get(id(r), ("", ""))[1].endswith(COUNTER_OF_BATCHES) for r in results):
            return result
        item.settings = settings_of(name, function, given, keywords)
        item.names = result_fields(result)
        self._add(item, results, changed)
        return result

    def fail(self, error: BaseException, item: Item, given: Any = ()) -> None:
        """Add the call that raised an error, of a function, or of a module with the tensors that it was given."""
        item.path = self._path()
        item.inputs = item.inputs or [(*self.place_of(tensor), "") for _, tensor in named_tensors(given)]
        self.failure = error, self._add(item, [])
        item.mark, item.role = "failed", "result"

    def leaf(self, tensor: Any, role: str, name: str | None, path: tuple[str, ...] = ()) -> int:
        """Add a leaf: a tensor or a number."""
        self.items.append(Item(name=name, role=role, results=[tensor], path=path))
        place = len(self.items) - 1
        if is_tensor(tensor):
            self.items[-1].versions = [version_of(tensor)]
            self._register(tensor, (place, 0))
        return place

    def input(self, tensor: Any, name: str) -> None:
        """Add an input of the network; one that is given twice has both names."""
        if id(tensor) in self._places:
            known = self.items[self._places[id(tensor)][0]]
            known.name = f"{known.name}, {name}"
        else:
            self.leaf(tensor, "input", name)

    def place_of(self, tensor: Any) -> tuple[int, int]:
        """Return the item that a tensor comes from, and the number of the result."""
        place = self._places.get(id(tensor))
        operation = getattr(tensor, "grad_fn", None)
        if operation is None and place is not None:
            return place
        if operation is not None:
            key = (operation, tensor.output_nr)
            if place is None or self.items[place[0]].role == "detached":  # a function of the user computed it
                if key not in self._of_autograd:
                    self._follow(tensor, place)
                place = self._of_autograd[key]
                self._places[id(tensor)] = place
            self._of_autograd.setdefault(key, place)
            return place
        role, name = self.known.names.get(id(tensor), ("constant", ""))
        path = path_of(name)[:-1] if name else self._path()
        return self.leaf(tensor, role, name or None, path), 0

    def restore_parameters(self) -> None:
        """Give the parameters that the network changed in place the values that they had."""
        for parameter, before in self._saved.values():
            parameter.data.copy_(before)

    def _path(self):
        return self.stack[-1].path

    def _inputs(self, name, args, keywords) -> list[tuple[int, int, str]]:
        """Return the inputs of a call: tensors, and numbers where they are computed with."""
        found = []
        labeled = [("", part) for part in _flat(args)]
        labeled += [(key, part) for key, value in keywords.items() if key != "out" for part in _flat((value,))]
        for label, part in labeled:
            if is_tensor(part):
                place = self.place_of(part)
                found.append((*place, "" if self.items[place[0]].role == "parameter" else label))
            elif name.rstrip("_") in WITH_NUMBERS and isinstance(part, (int, float, complex)) and is_simple(part):
                if not label or label in OF_NUMBERS:
                    found.append((self.leaf(part, "constant", None, self._path()), 0, ""))
        return found

    def _add(self, item, results, changed=()):
        """Add a call with its results; return its place."""
        from torch import is_grad_enabled

        place = len(self.items)
        item.calls = self.stack[-1].calls
        self.items.append(item)
        item.results, item.versions = results, [version_of(tensor) for tensor in results]
        flows = is_grad_enabled() and any(tensor.grad_fn is not None for tensor in results)
        item.role = "result" if flows else "detached" if item.inputs or len(results) != 1 else "constant"
        if item.role == "constant":
            item.operation, item.name, item.inputs = "", item.operation, []
        item.grad_fn = next((tensor.grad_fn for tensor in results if tensor.grad_fn is not None), None)
        item.operations = self._new_operations([tensor.grad_fn for tensor in results])
        for k, tensor in enumerate(results):
            self._register(tensor, (place, k))
            for other in overlapping(tensor, self._sharing) if any(tensor is part for part in changed) else ():
                self._places[id(other)] = place, k
        for tensor in changed:
            self._places[id(tensor)] = self._places[id(tensor)] if any(tensor is r for r in results) else (place, 0)
        return place

    def _register(self, tensor, place):
        self._places[id(tensor)] = place
        self.known.originals.setdefault(id(tensor), tensor)  # which keeps it alive, so that no other gets its `id`
        if tensor.grad_fn is not None:
            self._of_autograd[tensor.grad_fn, tensor.output_nr] = place
        storage = storage_of(tensor)
        if storage is not None:
            self._sharing.setdefault(storage, []).append(tensor)

    def _new_operations(self, roots):
        """Return the operations of autograd's graph below some that belong to no call yet."""

        def below(operation):
            return [o for o, _ in operation.next_functions if o is not None and o not in self._seen]

        found = all_below([root for root in roots if root is not None and root not in self._seen], below, hash)
        self._seen.update(found)
        return [operation for operation in found if not hasattr(operation, "variable")]

    def _follow(self, tensor, computed):
        """Add the operations of autograd's graph that computed a tensor; `computed` is the item with its value."""

        def below(operation):
            return [o for o, k in operation.next_functions if o is not None and (o, k) not in self._of_autograd]

        for operation in all_below([tensor.grad_fn], below, hash):
            outputs = operation._input_metadata
            if hasattr(operation, "variable"):
                self._of_autograd[operation, 0] = self.place_of(operation.variable)
                continue
            inputs = [(*self._of_autograd[key], "") for key in operation.next_functions if key in self._of_autograd]
            inputs += [(*computed, "")] if operation is tensor.grad_fn and computed is not None else []
            item = Item(operation_name(operation), results=list(outputs), inputs=inputs, path=self._path())
            item.calls = self.stack[-1].calls
            if operation is tensor.grad_fn:
                item.results[tensor.output_nr] = tensor
            item.versions = [version_of(part) if is_tensor(part) else None for part in item.results]
            item.grad_fn, item.operations = operation, [operation]
            self._seen.add(operation)
            self.items.append(item)
            self._of_autograd.update({(operation, k): (len(self.items) - 1, k) for k in range(len(outputs))})

    def _spare_parameters(self, name, tensors, keywords):
        """Remember the values of parameters that a call is about to change in place."""
        in_place = name.endswith("_") or name.startswith("set") or "out" in keywords
        for tensor in tensors if in_place else ():
            for other in (tensor, *self._sharing.get(storage_of(tensor), ())):
                role = self.known.names.get(id(other), ("", ""))[0]
                is_known = role == "parameter" and not type(other).__name__.startswith("Uninitialized")
                if is_known and id(other) not in self._saved:
                    self._saved[id(other)] = other, other.detach().clone()


def transformations() -> Any:
    """Return the function that tells whether a transformation such as `vmap` runs, whose tensors are not the user's."""
    import torch

    return getattr(torch._C, "_are_functorch_transforms_active", lambda: False)


def _turned(args):
    return (args[1], args[0], *args[2:]) if len(args) > 1 else args


def _flat(parts: Any) -> Iterator[Any]:
    """Yield what is in nested tuples, lists and dicts."""
    for part in parts:
        if isinstance(part, (tuple, list)):
            yield from _flat(part)
        elif isinstance(part, dict):
            yield from _flat(part.values())
        else:
            yield part
