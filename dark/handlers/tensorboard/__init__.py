"""Logs for TensorBoard: handlers that write values of engines, optimizers and models.

Reading order: `tensorboard_logger` (what users attach), `log_handler` (the base class of its handlers),
`output_handler`, `optimizer_params_handler` and `weights_handlers`. The public names are in `dark.handlers`; files are
written by `dark.storage.SummaryWriter`.
"""
