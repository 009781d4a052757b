"""Schedules: values that change by a rule at each event, in the state of an engine or in an optimizer.

Reading order: `base_param_scheduler`; `milestones`, `state_param_scheduler` and `state_schedules` (values in the
state); `dummy_optimizer`, `param_scheduler`, `cyclical_schedulers`, `lr_scheduler` and `plateau_scheduler` (options of
an optimizer); `combined_scheduler`, `concat_scheduler`, `param_group_scheduler` and `warmup` (schedules made of
schedules). The public names are in `dark.handlers`.
"""
