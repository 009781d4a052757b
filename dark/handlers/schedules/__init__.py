"""Schedules of values in the state of an engine, which change by a rule at each event.

Reading order: `base_param_scheduler`, `milestones` and `state_schedules`. The public names are
in `dark.handlers`. The learning rate has its schedules in `dark.optim.lr_scheduler`; Ignite's forms of them are in
`dark.compat.schedules`.
"""
