"""Read event files back with TensorBoard's own reader."""


def read(folder):
    """Return what TensorBoard's reader finds in a folder."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    limits = dict.fromkeys(("scalars", "histograms", "images", "tensors"), 0)  # no limit
    return EventAccumulator(str(folder), size_guidance=limits).Reload()


def curve(folder, tag):
    """Return the steps and the values of a curve."""
    return [(event.step, event.value) for event in read(folder).Scalars(tag)]
