"""What is recorded in a step: weights, gradients, activations, and what a user has registered.

Reading order: `flat_layout` (all weights in one vector), `weight_records`, `gradient_records`, `activation_records`,
`registered`.
"""
