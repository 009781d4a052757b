"""Networks of other frameworks, and loops that are not an engine of `dark`.

The files that import another framework are loaded only when an object of it is handed over.

Reading order: `framework` (what a monitor needs to know of a network's framework), `tensors` and `foreign_weights` (of
PyTorch and others, as arrays), `networks`, `torch_networks` with `torch_observer`; `plain_loop` (a loop without an
engine), `optimizer_steps` (one that an optimizer drives), `ignite_events` and `lightning`.
"""
