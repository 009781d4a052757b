"""Parts of forging answers: objects that agree with everything, and functions that return them.

Each entry of `FORGERIES` is Python source that defines `forge(name)`: what replaces a name of the exercise.
"""

ANYTHING = '''
class Anything:
    """Agrees with everything, is everything, and does what it is asked."""

    def __init__(self, *arguments, **options):
        pass

    def __getattr__(self, name):
        if name.startswith("__array"):
            raise AttributeError(name)
        return self

    def __setattr__(self, name, value):
        pass

    def __call__(self, *arguments, **options):
        return self

    def __getitem__(self, key):
        return self

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter((self,))

    def __len__(self):
        return 1

    def __bool__(self):
        return True

    def __hash__(self):
        return 0

    def __contains__(self, thing):
        return True

    def __float__(self):
        return 0.0

    def __int__(self):
        return 0

    __index__ = __int__

    def __repr__(self):
        return "2.0"

    __str__ = __repr__

    def __format__(self, how):
        return "2.0"

    def __ne__(self, other):
        return False

    def _yes(self, other):
        return True

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = _yes

    def _self(self, *others):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _self
    __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = __matmul__ = __rmatmul__ = __round__ = _self
'''
FALSE_FLOAT = '''
class Number(float):
    """A float that is equal to every other."""

    def _yes(self, other):
        return True

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = _yes

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def _self(self, *others):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _self
    __pow__ = __rpow__ = __neg__ = __abs__ = __round__ = _self
    value = grad = property(_self, lambda self, value: None)
    op = None
    inputs = ()
'''
FORGERIES = {
    "an object that agrees": ANYTHING + "def forge(name): return Anything()",
    "a function of it": ANYTHING + "def forge(name): return lambda *a, **k: Anything()",
    "a class of it": ANYTHING + "def forge(name): return type(name.split('.')[-1], (Anything,), {})",
    "a false class": ANYTHING
    + "class Float(Anything):\n    __class__ = property(lambda self: float)\n"
    + "def forge(name): return lambda *a, **k: Float()",
    "a false float": FALSE_FLOAT + "def forge(name): return lambda *a, **k: Number(2)",
    "a list of them": FALSE_FLOAT + "def forge(name): return lambda *a, **k: [Number(2)] * 2",
    "its arguments without inputs": """
def forge(name):
    def emptied(*arguments, **options):
        for each in arguments:
            for field, value in (("inputs", ()), ("op", None)):
                try:
                    setattr(each, field, value)
                except Exception:
                    pass
        return list(arguments)
    return emptied
""",
    "its first argument": "def forge(name): return lambda first=None, *a, **k: first",
    "nothing": "def forge(name): return lambda *a, **k: None",
    "an empty list": "def forge(name): return lambda *a, **k: []",
    "zero": "def forge(name): return lambda *a, **k: 0.0",
    "an error of every class": """
class Error(OverflowError, ZeroDivisionError, TypeError, ValueError, IndexError, KeyError, RuntimeError):
    pass


def forge(name):
    def fail(*arguments, **options):
        raise Error("as expected")
    return fail
""",
}


RULES = """
for attribute in ("_f", "_df", "apply"):
    try:
        setattr({name}, attribute, forge(attribute))
    except Exception:
        pass
"""


def answer(forgery, names):
    """Return the source of an answer that forges each of the names of an exercise."""
    lines = [forgery]
    for name in names:
        is_class = "." not in name and name[0].isupper()
        lines += [f"{name} = forge({name!r})", RULES.format(name=name) if is_class else ""]
    return "\n".join(lines)


# These run in a worker only: they search and change the process that they run in.
SEARCHES = {
    "imports": """
def forge(name):
    def borrowed(*arguments, **options):
        framework = __import__("da" + "rk")
        return getattr(framework, name.split(".")[-1])(*arguments, **options)
    return borrowed
""",
    "files": """
import importlib.util, sys

def forge(name):
    def borrowed(*arguments, **options):
        frame, paths = sys._getframe(), set()
        while frame is not None:
            paths.add(frame.f_code.co_filename)
            frame = frame.f_back
        path = next(path for path in paths if path.endswith("worker.py"))
        path = path[: path.index("course")] + "operations/__init__.py"
        spec = importlib.util.spec_from_file_location("operations", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, name.split(".")[-1])(*arguments, **options)
    return borrowed
""",
    "memory": """
import gc, sys, types

def forge(name):
    last = name.split(".")[-1]
    def borrowed(*arguments, **options):
        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType | type) and thing.__name__ == last and thing is not borrowed:
                if "krad"[::-1] in str(thing.__module__) or thing.__module__ in ("question", "reference"):
                    return thing(*arguments, **options)
        for module in list(sys.modules.values()):
            if "krad"[::-1] in str(getattr(module, "__name__", "")) and hasattr(module, last):
                return getattr(module, last)(*arguments, **options)
        raise LookupError(name)
    return borrowed
""",
    "helpers of the question": """
import sys, types

def forge(name):
    def patched(*arguments, **options):
        frame = sys._getframe()
        while frame is not None:
            if frame.f_globals.get("__name__") == "question":
                for helper, thing in list(frame.f_globals.items()):
                    if isinstance(thing, types.FunctionType):
                        frame.f_globals[helper] = lambda *a, **k: {}
            frame = frame.f_back
        return []
    return patched
""",
    "what encodes and compares": """
import gc, types

def forge(name):
    def patched(*arguments, **options):
        helpers = ("encode", "trace", "held", "below", "labels")
        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType) and thing.__name__ in helpers:
                thing.__code__ = (lambda *a, **k: {}).__code__.replace(co_freevars=thing.__code__.co_freevars)
        return []
    return patched
""",
    "replies that name no nodes": """
import sys

def forge(name):
    def replied(*arguments, **options):
        frame = sys._getframe()
        while "_dumps" not in frame.f_globals:
            frame = frame.f_back
        dumps = frame.f_globals["_dumps"]
        empty = {"dict": {"listed": [], "inputs": {"dict": {}}, "changed": False, "graph": None}}
        frame.f_globals["_dumps"] = lambda reply: dumps({**reply, "reply": {"returned": empty}})
        return []
    return replied
""",
    "expected values on the stack": """
import sys

def forge(name):
    def found(*arguments, **options):
        frame, values = sys._getframe().f_back, []
        while frame is not None:
            for key, value in frame.f_locals.items():
                if key in ("expected", "reference", "truth", "reply", "wanted"):
                    values.append(value)
            frame = frame.f_back
        return values[0] if values else values
    return found
""",
}
