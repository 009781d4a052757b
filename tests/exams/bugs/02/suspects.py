"""Wrong answers to the exercise suspects of module 02, each with what is wrong and what to do next."""

# %% first_place_only
# says: Not all places are tried; every wrong rule is right somewhere.
# next: Go through all places of an operation.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places[:1]:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found

# %% dldy_is_always_1
# says: Nothing comes after the operation, so dldy is 1, and a rule that forgets it looks right.
# next: Check 3 times the function.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: f(*parameters), parameters):
                found.append(name)
                break
    return found

# %% listed_again_and_again
# says: An operation is listed once for each place where it is wrong.
# next: Go on to the next operation when one is found.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
    return found

# %% right_ones_listed
# says: The operations that are right somewhere are listed.
# next: gradcheck answers a list of wrong parameters; it is empty where all is right.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if not gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found

# %% one_is_enough
# says: The search ends with the first wrong operation.
# next: Note its name, and go on with the next operation.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                return [name]
    return found

# %% last_place_decides
# says: Only the last place counts: what was found before is forgotten.
# next: An operation is wrong if it is wrong at any of its places.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        is_wrong = False
        for place in places:
            parameters = [Parameter(x) for x in place]
            is_wrong = bool(gradcheck(lambda: 3 * f(*parameters), parameters))
        if is_wrong:
            found.append(name)
    return found

# %% wrong_everywhere
# says: An operation is listed only if it is wrong at all places; one is enough.
# next: List it as soon as one place shows a mistake.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        count = 0
        for place in places:
            parameters = [Parameter(x) for x in place]
            count += len(gradcheck(lambda: 3 * f(*parameters), parameters)) > 0
        if count == len(places):
            found.append(name)
    return found

# %% first_input_only
# says: Only the first input is checked; a rule may be wrong for the second.
# next: Hand all parameters to gradcheck.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters[:1]):
                found.append(name)
                break
    return found

# %% functions_listed
# says: The functions are listed, not their names.
# next: Append the name.
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(f)
                break
    return found
