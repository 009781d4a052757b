"""The adapter of JAX: jaxprs, and functions with example arguments.

Reading order: `program` (a jaxpr as a list of steps), `functions` (which functions are JAX's, and how they are traced),
`jaxpr` (the door: nodes with values, gradients and settings).
"""
