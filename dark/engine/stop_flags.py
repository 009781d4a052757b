"""What an engine was asked for and has not done yet: three flags, and one that says whether any of them is up."""


class Signal:
    """A flag of an engine: setting it keeps `_signalled`, which the loop looks at, up to date.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> engine = Engine(lambda engine, batch: None)
    >>> engine.terminate()
    >>> engine.should_terminate, engine.should_interrupt, engine._signalled
    (True, False, True)
    """

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, engine, owner=None):
        return self if engine is None else engine._signals[self.name]

    def __set__(self, engine, value):
        engine._signals[self.name] = value
        engine._signalled = any(engine._signals.values())
