"""The records of a step: weights, gradients, activations, and the values that a user has registered.

A record only takes copies. They are evaluated when a result is read, or several at once: between two steps of a
training, code and data are no longer in the caches of the processor, and each evaluation would take twice the time.

Reading order: `pending`, `flat_layout` (all weights in one vector), `weight_records`, `exponential_average`,
`gradient_averages` and `gradient_records`, `activation_records`, `registered`.
"""
