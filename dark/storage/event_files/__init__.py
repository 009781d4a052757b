"""Event files of TensorBoard: scalars, histograms, images and texts of a run.

Reading order: `summary_writer`, `summaries` (arrays as histograms and images), `event_file` (records),
`earlier_events` (how a resumed run continues a log) and `protocol` (what is used of the package tensorboard). The
public name is in `dark.storage`.
"""
