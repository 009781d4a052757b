"""The meaning of the usual errors of Python and NumPy, where the answer itself gives no closer reason."""

from dark.course.judging.error_mistakes import Sign, of_class

OWN = "^[1-9]"  # the line is the student's

ATTRIBUTE_ERRORS = {
    r"^Your code defines no `(\w+)`": (
        "Your cell does not define `{found}`.",
        "Keep the line that begins with `def` or `class`, and the lines after the function, as in the exercise.",
        "^0:",
    ),
    r"'(?:function|method)' object has no attribute '(\w+)'": (
        "In {where}, a function itself is asked for `.{found}`: it is not called, or stands for another argument.",
        "A function is called by parentheses behind its name; compare the order of the arguments, too.",
    ),
    r"module '(\w+)' has no attribute": (
        "In {where}, the module `{found}` does not have what is taken from it.",
        "Look for a slip in the spelling; `dir({found})` lists what it has.",
    ),
    r"type object '(\w+)' has no attribute": (
        "In {where}, the class `{found}` itself is asked, and does not have that attribute.",
        "Is an object of the class meant? A class has its functions, an object what `__init__` sets.",
    ),
    r"'(?:int|float|bool|str|list|tuple|dict|set)' object has no attribute '(\w+)'": (
        "The test reads `.{found}` of the value that your code returns, which does not have it.",
        "Print the type of what you return: is it still the object that the exercise asks for?",
        "^0:",
    ),
    r"'[\w.]+' object has no attribute '(\w+)'": (
        "In {where}, an object has no attribute `{found}`.",
        "Is it spelled alike where it is set, and set before it is used? Print the object in a line above.",
    ),
}
TYPE_ERRORS = {
    r"unsupported operand.*'(?:function|builtin_function_or_method|method)'": (
        "In {where}, a function itself is used as a number: it is not called.",
        "Call it: its arguments go in parentheses right behind its name.",
    ),
    r"unsupported operand type\(s\) for /: 'str' and 'str'": (
        "In {where}, two strings stand on the sides of `/`; only a path can be joined so.",
        "A folder may be a string: `Path(folder) / name`.",
    ),
    r"unsupported operand.*'(list|tuple|dict|set|str)'": (
        "In {where}, a {found} is used as a number.",
        "Which of its items is meant, or should it be done for each of them?",
    ),
    r"can only concatenate (\w+)": (
        "In {where}, something that is not a {found} is added to a {found}.",
        "Print both sides of the `+` in a line above.",
    ),
    r"^'([\w.]+)' object is not callable": (
        "In {where}, something of type `{found}` is called like a function.",
        "Is an operator missing in front of a parenthesis, or has a name of a function been given to something else?",
    ),
    r"'(\w+)' object is not subscriptable": (
        "In {where}, something of type `{found}` gets square brackets, and has no items.",
        "Are parentheses meant, or one of its attributes?",
    ),
    r"'(?:function|method)' object is not (?:iterable|subscriptable)|of type '(?:method|function)'": (
        "In {where}, a function itself stands where its result is needed: it is not called.",
        "Call it: its arguments go in parentheses right behind its name.",
    ),
    r"can't multiply sequence by non-int of type '(\w+)'": (
        "In {where}, a list is multiplied; a list has no arithmetic.",
        "Multiply its items, one by one.",
    ),
    r"^'([\w.]+)' object cannot be interpreted as an integer": (
        "In {where}, something of type `{found}` is given where an integer, or a tuple of integers, is needed.",
        "Print it in a line above, and look which kinds the function takes.",
    ),
    "only integer scalar arrays": (
        "In {where}, an array is given where an integer, or a tuple of integers, is needed.",
        "Print it in a line above, and look which kinds the function takes.",
    ),
    "[Cc]annot interpret .* as a data type": (
        "In {where}, NumPy takes an argument for a dtype.",
        "Which argument comes in which position? Pass it by its name.",
    ),
    r"(?:cannot unpack non-iterable |^'(?=\w+' object is not iter)|^argument of type ')(\w+)": (
        "In {where}, something of type `{found}` is looped over or unpacked, and holds no items.",
        "Print it in a line above: where is the list?",
    ),
    r"got an unexpected keyword argument '(\w+)'": (
        "In {where}, something is called that has no argument `{found}`.",
        "Compare this call with the line that begins with `def`, for a class the `def` of its `__init__`: which names?",
        OWN,
    ),
    r"([\w<>]+)\(\) (?:takes|got|missing).*argument": (
        "In {where}, `{found}` is called with other arguments than it is defined with.",
        "Compare this call with the line that begins with `def`: how many arguments, and which names?",
        OWN,
    ),
    r"iter\(\) returned non-iterator of type '([\w.]+)'": (
        "`__iter__` returns something of type `{found}`, which is not an iterator.",
        "`yield` produces one result at a time; `iter(...)` makes an iterator from a list.",
    ),
    "only (?:length-1|size-1|0-dimensional) arrays": (
        "In {where}, an array of several numbers goes where one number is needed.",
        "NumPy has functions for arrays, also those that `math` has for numbers.",
    ),
    r"float\(\) argument must be .* not '(\w+)'": (
        "In {where}, something of type `{found}` goes where a number is needed.",
        "Print its type in a line above; a node holds its number in `.value`, and is not packed twice.",
    ),
    r"must be real number, not (\w+)": (
        "In {where}, a function of `math` gets something of type `{found}`.",
        "It takes plain numbers only: can operators do the same, or is `.value` meant?",
    ),
    r"of type (\w+) which has no callable|^operand '(?=\w+' does not support ufuncs)": (
        "In {where}, a function of NumPy gets something of type `{found}`.",
        "It takes arrays only: is there an operation of the graph that does the same, or is `.value` meant?",
    ),
    r"not supported between instances of '(\w+)'": (
        "In {where}, something of type `{found}` is compared, and has no order.",
        "Print both sides in a line above: which numbers of theirs are meant?",
    ),
    "unhashable type: '(.+)'": (
        "In {where}, a {found} is used as a key or in a set, which needs something that cannot change.",
        "Use a tuple, or the object itself.",
    ),
}
VALUE_ERRORS = {
    r"(too many|not enough) values to unpack": (
        "In {where}, there are {found} values for the names on the left.",
        "Print what is taken apart in a line above, and count.",
    ),
    "value of an array with more than one element is ambiguous": (
        "In {where}, an array of several numbers is used as True or False.",
        "Is it meant for all of them, or for any? NumPy has a function for each; or is it `is None`?",
    ),
    "math domain error|expected a (?:positive|nonnegative) input": (
        "In {where}, a function of `math` gets a number for which it is not defined.",
        "Print its argument in a line above, and treat those numbers by themselves.",
    ),
    r"(?:broadcast|mismatch|not aligned|cannot reshape|same shape|same length|dimension)": (
        "In {where}, shapes do not fit.",
        "Print the shapes in a line above, and write down which one you expect for each.",
    ),
}
OF_PYTHON = (
    *of_class("AttributeError", ATTRIBUTE_ERRORS),
    *of_class("TypeError", TYPE_ERRORS),
    *of_class("ValueError", VALUE_ERRORS),
    Sign(
        ("NameError", r"name '(\w+)' is not defined"),
        "In {where}, the name `{found}` is not defined.",
        "Is it spelled as where it is defined, and is nothing missing in front of it, as in `math.log` or `self.bias`?",
    ),
    Sign(
        ("IndexError", "must be of integer"),
        "In {where}, something that is not an integer is used as an index.",
        "Print its type in a line above: have two arguments been exchanged?",
    ),
    Sign(
        ("TypeError", r"([\w<>]+)\(\) (?:takes|got|missing).*argument"),
        "`{found}` is called with other arguments than it is defined with.",
        "If it is yours, compare its first line with the exercise: how many arguments? Else count what you pass.",
        line="^0:",
    ),
    Sign(
        ("PermissionError", "Operation not permitted|may not start"),
        "In {where}, the system is asked for something that an answer may not do, such as to start a program.",
        "Compute what is asked for here, with Python and NumPy alone.",
    ),
    Sign(
        ("ZeroDivisionError", ""),
        "In {where}, something is divided by 0.",
        "Which input makes the denominator 0? Look for a formula without that division, or treat that case by itself.",
    ),
    Sign(
        ("OverflowError", ""),
        "In {where}, a number becomes too large for a float.",
        "Look for another formula of the same number, whose steps stay small.",
    ),
    Sign(
        ("IndexError", "out of (?:range|bounds)"),
        "In {where}, an index is out of range.",
        "Print the index and the length in a line above; the first index is 0, and the last is the length minus 1.",
    ),
    Sign(
        ("KeyError", "(.*)"),
        "In {where}, the dict has no key {found}.",
        "Print its keys in a line above.",
        line=r"^(?!.*\braise\b)",
    ),
    Sign(
        ("StopIteration", ""),
        "In {where}, `next` finds nothing more.",
        "An iterator is used up by one pass; where is it made?",
        line=r"^(?!.*\braise\b)",
    ),
    Sign(
        ("AxisError", "axis (-?[0-9]+) is out of bounds"),
        "In {where}, the array has no axis {found}.",
        "Print its shape in a line above; axes are counted from 0.",
    ),
)
