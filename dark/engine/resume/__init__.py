"""Saving and resuming a run: its state dict, its position in the data and the random states.

Reading order: `serializable` (objects with a state dict), `position` (of a run) and `data_position`, `resuming`,
`random_states` and `seed_source`. The public names are in `dark.engine`.
"""
