"""Event files of TensorBoard: scalars, histograms, images and texts of a run.

Reading order: `summary_writer`, `summaries` (arrays as histograms and images), `event_file` (records of
the package tensorboard, and how a resumed run continues a log). The public name is in `dark.storage`.
"""
