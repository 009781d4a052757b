"""Which step it is: a function that asks another engine."""


def global_step_from_engine(engine, custom_event_name=None, fallback_attr="epoch"):
    """Make a `global_step_transform` that tells the epoch or iteration of an engine, most often the trainer.

    Parameters
    ----------
    engine : Engine
        The engine that is asked.
    custom_event_name : event, optional
        Whose number is told; that of the event that is being fired if not given.
    fallback_attr : str, default "epoch"
        The attribute of the state that is told when nothing counts the event, as TERMINATE.

    Returns
    -------
    callable
        Of another engine, which is not looked at, and an event.

    Examples
    --------
    >>> from dark.engine import Engine, Events
    >>> trainer, evaluator = Engine(lambda engine, batch: None), Engine(lambda engine, batch: None)
    >>> state = trainer.run([1, 2, 3], max_epochs=5)
    >>> step = global_step_from_engine(trainer)
    >>> step(evaluator, Events.EPOCH_COMPLETED), step(evaluator, Events.ITERATION_COMPLETED)
    (5, 15)
    """

    def global_step(_, event_name):
        event = event_name if custom_event_name is None else custom_event_name
        if event not in engine.state.event_to_attr:
            return getattr(engine.state, fallback_attr)
        return engine.state.get_event_attrib_value(event)

    return global_step
