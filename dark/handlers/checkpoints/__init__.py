"""Checkpoints: saving the states of objects to files, keeping the best or the latest, and loading them again.

Reading order: `retention` (which checkpoints are kept), `naming` (file names), `disk_saver` (what writes them),
`folder` (a folder of checkpoints), `random_states`, `loading` (states back into objects), `checkpoint_checks`,
`checkpoint`, `model_checkpoint`. The public names are in `dark.handlers`.
"""
