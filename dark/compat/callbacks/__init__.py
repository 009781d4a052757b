"""Callbacks: the seven moments of a training as events, and handlers that are given the context.

Reading order: `callback`, `counting`, `save_callback`, `log_images`. The public names are in `dark.trainers`.
"""
