"""Given functions that need their notebook, written again for a package.

`launch` of a notebook writes the cells to a file for its processes; processes of a package import the package.
"""

from dark.course.export.cell_text import edited
from dark.course.lessons.code import code_of

LAUNCH = '''\
def launch(function, ranks, *args, timeout=120):
    """Run function(group, *args) in as many new processes; return a list of what they return.

    Each process imports the function by its name: define it in a file, and call `launch` below
    `if __name__ == "__main__":`. If one is lost, all are ended, and that is a LostRank; an error in
    one is a RuntimeError.
    """
    context, both = multiprocessing.get_context("spawn"), [multiprocessing.Pipe() for _ in range(1, ranks)]
    to_others = {rank: ours for rank, (ours, _) in enumerate(both, start=1)}
    processes, results = [], []
    one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "VECLIB")}
    try:
        with patch.dict(os.environ, one_thread):
            for rank in range(ranks):
                reader, writer = multiprocessing.Pipe(duplex=False)
                connections = {0: both[rank - 1][1]} if rank else to_others
                passed = (function, rank, ranks, connections, timeout, writer, args)
                process = context.Process(target=run_rank, args=passed, daemon=True)
                process.start()
                processes.append(process)
                results.append(reader)
                for each in (writer, *connections.values()):
                    each.close()  # an end that is still open somewhere never tells that a process has ended
        return wait_for(results)
    finally:
        for process in processes:
            process.kill()
            process.join()'''

RUN_RANK = '''\
def run_rank(function, rank, ranks, connections, timeout, result, args):
    """Call a function as one rank; send what it returns, or the rank that it misses, or its error."""
    try:
        result.send(("returned", function(Group(rank, ranks, connections, timeout), *args)))
    except LostRank as lost:
        result.send(("lost", lost.rank))
    except Exception as error:
        result.send(("raised", f"{type(error).__name__}: {error}"))'''

SIGN = "source_of_cells"  # a cell that defines it writes the cells of its notebook to a file
AGAIN = {"launch": LAUNCH, "run_rank": RUN_RANK}
LEFT_OUT = {SIGN, "is_kept", "BEGIN", "DEFINITIONS", "NOT_FOR_RANKS"}


def given_text(source):
    """Return the source of a given cell for a package; the same unless it needs the notebook."""
    code = code_of(source)
    if SIGN not in code.names:
        return source
    named = {id(each.statement): each.name for each in code.definitions if "." not in each.name}
    known = [(node, named[id(node)]) for node in code.tree.body if id(node) in named]
    edits = [(node, AGAIN.get(name, "")) for node, name in known if name in AGAIN or name in LEFT_OUT]
    return edited(source, edits)
