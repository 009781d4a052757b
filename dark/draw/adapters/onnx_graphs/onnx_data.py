"""The data of an ONNX model: its file, the arrays in it, the types of its values, and the inputs that are given."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from dark.draw.labels import shape_words
from dark.errors import DrawingError, near_misses

Type = tuple[tuple[int | str, ...] | None, str]  # shape and dtype
UNKNOWN: Type = (None, "")


def load(onnx: Any, thing: Any) -> tuple[Any, str]:
    """Return a model from its file, or from a graph or a function, and the folder of its external data."""
    if not isinstance(thing, (str, os.PathLike)):
        return _model_of(onnx, thing), ""
    path = os.path.expanduser(thing)
    if not os.path.exists(path):
        raise DrawingError(f"draw: the file '{path}' does not exist.", "an ONNX file.", "check the path")
    if os.path.isdir(path) or not os.path.getsize(path):
        what = "is a folder" if os.path.isdir(path) else "is empty"
        raise DrawingError(f"draw: '{path}' {what}.", "the file of an ONNX model.", "write the model again: onnx.save")
    try:
        return onnx.load(path, load_external_data=False), os.path.dirname(path)
    except Exception as error:
        raise DrawingError(
            f"draw: '{path}' cannot be read: {type(error).__name__}.",
            "an ONNX model.",
            "onnx.checker.check_model(path)",
        ) from None


def _model_of(onnx, thing):
    if isinstance(thing, onnx.ModelProto):
        return thing
    if isinstance(thing, onnx.GraphProto):
        return onnx.helper.make_model(thing)
    if isinstance(thing, onnx.FunctionProto):
        ends = [[onnx.ValueInfoProto(name=name) for name in names] for names in (thing.input, thing.output)]
        graph = onnx.helper.make_graph(thing.node, thing.name, *ends)
        return onnx.helper.make_model(graph, opset_imports=thing.opset_import)
    raise DrawingError(
        f"draw: {type(thing).__name__} is not an ONNX model, but a part of one.",
        "a ModelProto, a GraphProto, a FunctionProto, or the path of a file.",
        "dark.draw(model), with model = onnx.load(path)",
    )


def array_in(onnx: Any, tensor: Any, folder: str) -> Any:
    """Return the array of a tensor; if its external data is missing, a string that names the file."""
    if not onnx.external_data_helper.uses_external_data(tensor):
        return onnx.numpy_helper.to_array(tensor)
    location = onnx.external_data_helper.ExternalDataInfo(tensor).location
    try:
        return onnx.numpy_helper.to_array(tensor, base_dir=folder)
    except Exception:  # of a file that is absent, too short, or outside of the folder
        return f"missing: {os.path.basename(location)}"


def dense(onnx: Any, sparse: Any, folder: str) -> Any:
    """Return the array of a sparse tensor, with its zeros."""
    values, places = (array_in(onnx, part, folder) for part in (sparse.values, sparse.indices))
    if isinstance(values, str) or isinstance(places, str):
        return values if isinstance(values, str) else places
    array = np.zeros(tuple(sparse.dims), values.dtype)
    if places.ndim == 1:
        array.reshape(-1)[places] = values
    else:
        array[tuple(places.T)] = values
    return array


def shown(value: Any) -> Any:
    """Return a value as a record holds it: an array, or a string about a sequence or another thing."""
    if isinstance(value, (list, tuple)):
        return f"sequence of {len(value)}"
    if value is None or isinstance(value, (str, dict)):
        return value if isinstance(value, str) else "empty" if value is None else f"map of {len(value)}"
    if not isinstance(value, (np.ndarray, np.generic, bool, int, float, complex)):
        return type(value).__name__
    array = np.asarray(value)
    if array.dtype.kind == "V" and array.dtype.names is None:  # a dtype that NumPy lacks, such as bfloat16
        array = array.astype(np.float32 if "float" in array.dtype.name else np.int16)
    return array


def type_of(onnx: Any, value: Any) -> Type:
    """Return shape and dtype of a declared value; lengths that vary have names, or are "?"."""
    return _type(onnx, value.type)


def _type(onnx, declared):
    kind = declared.WhichOneof("value")
    if kind in ("tensor_type", "sparse_tensor_type"):
        tensor = getattr(declared, kind)
        shape = tuple([_length(d) for d in tensor.shape.dim]) if tensor.HasField("shape") else None
        return shape, ("sparse " if kind.startswith("sparse") else "") + dtype_of(onnx, tensor.elem_type)
    if kind in ("sequence_type", "optional_type"):
        return None, f"{kind.removesuffix('_type')} of {_type(onnx, getattr(declared, kind).elem_type)[1]}".strip()
    if kind == "map_type":
        inner = declared.map_type
        return None, f"map of {dtype_of(onnx, inner.key_type)} to {_type(onnx, inner.value_type)[1]}"
    return UNKNOWN


def _length(dimension):
    name = dimension.dim_param
    if dimension.HasField("dim_value"):
        return dimension.dim_value
    return "?" if not name or name.startswith("unk__") else name  # a name that the inference of shapes invents


def dtype_of(onnx: Any, number: int) -> str:
    """Return the name of a dtype from its number in ONNX; "" if it is unknown."""
    if number == onnx.TensorProto.STRING:
        return "string"
    try:
        return np.dtype(onnx.helper.tensor_dtype_to_np_dtype(number)).name if number else ""
    except KeyError:
        return ""


def types_in(onnx: Any, graph: Any) -> dict[str, Type]:
    """Return shape and dtype of each value of a graph, by name."""
    found: dict[str, Type] = {}
    for value in (*graph.value_info, *graph.input, *graph.output):
        kind = type_of(onnx, value)
        found[value.name] = kind if kind[0] is not None else found.get(value.name, kind)
    return found


def given_inputs(onnx: Any, wanted: list[Any], inputs: Sequence[Any], named: dict[str, Any]) -> dict[str, Any]:
    """Return the arrays for the inputs of a model, by name, with the dtypes that it expects."""
    names = [value.name for value in wanted]
    if len(inputs) == 1 and isinstance(inputs[0], dict) and not named:
        named, inputs = inputs[0], []
    if len(inputs) > len(names) or (not named and len(inputs) != len(names)):
        raise DrawingError(
            f"draw: the model requires the inputs {', '.join(names)}, got {len(inputs)}.",
            f"{len(names)} array{'s' * (len(names) != 1)}, in this order.",
            f"dark.draw(model, {', '.join(names)})",
        )
    found = dict(zip(names, inputs)) | {str(name): value for name, value in named.items()}
    for name in [*found, *names]:
        if name not in names or name not in found:
            what = f"has no input '{name}'" if name not in names else f"needs the input '{name}', which is missing"
            advice = near_misses(name, names) if name not in names else f"dark.draw(model, {{'{name}': array, …}})"
            raise DrawingError(f"draw: the model {what}.", f"the inputs {', '.join(names)}.", advice)
    lengths: dict[str, int] = {}
    return {v.name: _fitted(v.name, _array(onnx, found[v.name]), type_of(onnx, v), lengths) for v in wanted}


def _array(onnx, value):
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def _fitted(name, value, kind, lengths):
    """Return an input with the dtype that the model expects, if its shape fits and no number changes its kind."""
    shape, dtype = kind
    if value is None or " of " in dtype or dtype.startswith("sparse"):
        return value
    array = np.asarray(value)
    expected = f"{dtype} {shape_words(shape)}" if shape is not None else dtype
    if shape is not None:
        known = [length if isinstance(length, int) else lengths.get(length) for length in shape]
        if len(shape) != array.ndim or any(k not in (None, n) for k, n in zip(known, array.shape)):
            named = ", ".join(f"{length} = {lengths[length]}" for length in shape if length in lengths)
            raise _misfit(name, array, f"{expected} with {named}" if named else expected)
        lengths |= {length: n for length, n in zip(shape, array.shape) if isinstance(length, str) and length != "?"}
    if not dtype or dtype == "string" or array.dtype.name == dtype:
        return array
    wanted = np.dtype(dtype)
    if array.dtype.kind == "V" or np.can_cast(array.dtype, wanted, "same_kind"):
        return array.astype(wanted)
    if array.dtype.kind in "fiub":
        with np.errstate(all="ignore"):
            cast = array.astype(wanted)
        if wanted.kind == "V" or np.array_equal(cast, array):  # 1.0 for an integer
            return cast
    raise _misfit(name, array, expected)


def _misfit(name, array, expected):
    return DrawingError(
        f"draw: the input '{name}' must be {expected}, got {array.dtype.name} {array.shape}.",
        f"{expected}, as the model declares it.",
        f"{name}.astype(…), {name}.reshape(…), or draw(model) for the graph without values",
    )
