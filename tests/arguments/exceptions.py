"""Parameters annotated as integers or numbers that the rules do not hold for, with the reason."""

PROTOCOL = "called by the class itself, with values that were checked before"
RESULT = "a result, created by the function that returns it"
DATA = "data, not a setting"
EXCEPTIONS = {
    "course.hint": "looks up an exercise first: tests/course/student/test_hints.py",
    "data.BatchSampler: sampler": DATA,
    "data.DataLoader: sampler": DATA,
    "derivatives.GradientReport": RESULT,
    "draw.Box": RESULT,
    "engine.Moment": RESULT,
    "engine.Record": RESULT,
    "engine.ReproducibleBatchSampler: batch_sampler": DATA,
    "engine.Run": RESULT,
    "handlers.CosineAnnealingScheduler.value_at": PROTOCOL,
    "handlers.CyclicalScheduler.value_at": PROTOCOL,
    "handlers.LinearCyclicalScheduler.value_at": PROTOCOL,
    "handlers.ParamScheduler.plot_values": "passes it on to `simulate_values`, and needs Matplotlib",
    "handlers.ParamScheduler": "an abstract class; its subclasses are tested",
    "handlers.ReduceLROnPlateauScheduler.simulate_values: metric_values": "measured values, which may be NaN",
    "nn.Module.register_buffer": DATA,
    "nn.Embedding.forward": DATA,
    "nn.init.empty": PROTOCOL,
    "nn.init.fans": PROTOCOL,
    "nodes.keeps_grad": PROTOCOL,
    "nodes.unbroadcast": PROTOCOL,
    "operations.full_like: fill_value": DATA,
    "operations.where": DATA,
    "optim.Adagrad.make_update": PROTOCOL,
    "optim.Adam.make_update": PROTOCOL,
    "optim.Optimizer.make_update": PROTOCOL,
    "optim.RMSprop.make_update": PROTOCOL,
    "optim.SGD.make_update": PROTOCOL,
    "optim.lr_scheduler.CyclicLR.scale_fn": PROTOCOL,
    "optim.lr_scheduler.LRScheduler.scaled": PROTOCOL,
    "optim.lr_scheduler.LRScheduler.set_rates": PROTOCOL,
    "optim.lr_scheduler.LRScheduler": "an abstract class; its subclasses are tested",
    "optim.lr_scheduler.ReduceLROnPlateau.is_better": PROTOCOL,
    "optim.lr_scheduler.ReduceLROnPlateau.reduce_rates": PROTOCOL,
}
NAN_IS_ALLOWED = {
    "operations.nan_to_num: nan": "as in NumPy",
    "operations.nan_to_num: posinf": "as in NumPy",
    "operations.nan_to_num: neginf": "as in NumPy",
    "operations.pad: constant_values": "as in NumPy, where NaN marks what is padded",
    "optim.minimize: x": "the starting point, whose NaN propagates as in any computation",
}
