"""Names and arguments of Ignite and AshPy for features that `dark` has elsewhere, so that their programs run unchanged.

Reading order: `arguments` (arguments without a meaning on one CPU process), `schedules` (Ignite's forms of
`dark.optim.lr_scheduler`), `callbacks` (AshPy's form of handlers).

The names are offered by `dark.handlers` and `dark.trainers`, under which users import them.
"""
