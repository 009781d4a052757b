"""Time and progress: timers, a time limit, profilers and a progress bar.

Reading order: `timer`, `progress_bar`, `profiler`, `basic_time_profiler` and `handlers_time_profiler`. The public names
are in `dark.handlers`.
"""
