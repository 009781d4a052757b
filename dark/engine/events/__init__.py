"""Events: the moments of a run, and the handlers that are called there.

Reading order: `events` and `filters` (which occurrences of an event count), `state` (the counters of a run);
`signatures` and `handler` (a function with its arguments), `registry` (the handlers of each event), `handle` (to remove
a handler) and `event_hooks` (functions around every event). The public names are in `dark.engine`.
"""
