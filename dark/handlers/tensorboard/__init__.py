"""Logs for TensorBoard: handlers that write values of engines, optimizers and models.

Reading order: `tensorboard_logger` (what users attach), `scalar_handlers` (with the base class of its handlers) and
`weights_handlers`. The public names are in `dark.handlers`; files are written by `dark.storage.SummaryWriter`.
"""
