"""A program for several processes: ``mpiexec -n 2 python -m mpi4py mpi_program.py PART [ARGUMENT …]``."""

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))  # mpi4py replaces the folder of the program

import dark
from dark.distributed import MPI, Replicas
from dark.engine import Events
from tests.distributed.networks import trained
from tests.trainers.shared import MAKERS, loader, results, run


def train(strategy, path, steps, rows, *plain):
    """Train, and write the weights."""
    state, losses = trained(strategy, int(steps), rows=int(rows), plain=bool(plain))
    assert len({repr(found) for found in strategy.all_gather(losses)}) == 1
    if strategy.rank == 0:
        dark.save(state, path)


def reduce(strategy):
    """Add arrays of many lengths and dtypes, and compare with replicas in one process."""
    for length in (0, 1, 3, 1000, 300_001):
        for dtype in (np.float64, np.float32, np.int64):
            rng = np.random.default_rng(length)
            arrays = [(1e6 * rng.normal(size=length)).astype(dtype) for _ in range(strategy.shards)]
            total = strategy.reduce(arrays[strategy.own.start : strategy.own.stop])
            expected = Replicas(3, shards=strategy.shards).reduce(arrays)
            assert total.dtype == dtype and total.tobytes() == expected.tobytes()
    gathered = strategy.all_gather({"rank": strategy.rank, "data": np.arange(strategy.rank)})
    assert [len(item["data"]) for item in gathered] == [*range(strategy.size)]
    assert strategy.broadcast(f"of {strategy.rank}") == "of 0"
    assert strategy.rows(10) == slice(*[-(-10 * k // strategy.shards) for k in (strategy.own.start, strategy.own.stop)])
    if strategy.rank == 0:
        print("added", strategy)


def fault(strategy, kind):
    """Let the last process fail in the third step."""
    last = strategy.rank == strategy.size - 1
    for step in range(1000):
        if last and step == 3:
            print(f"{kind} at {time.time()}", flush=True)
            if kind == "raise":
                raise KeyError("a wrong step")
            if kind == "sleep":
                time.sleep(1000)
            os.kill(os.getpid(), {"kill": signal.SIGKILL, "freeze": signal.SIGSTOP}[kind])
        strategy.reduce([np.ones(1000)] * len(strategy.own))


def apart(strategy, kind):
    """Let the last process run apart from the others."""
    last = strategy.rank == strategy.size - 1
    ones = [np.ones(10)] * len(strategy.own)
    strategy.reduce(ones)
    if kind == "gather" and last:
        strategy.all_gather("one more")
    if kind == "barrier" and last:
        strategy.barrier()
    if kind == "broadcast" and last:
        strategy.broadcast("one more")
    if kind == "reduce" and last:
        strategy.reduce(ones)
    if kind == "length":
        strategy.reduce([np.ones(10 + last)] * len(strategy.own))
    if kind == "longer":
        strategy.reduce([np.ones(10 + 100_000 * last)] * len(strategy.own))
    if kind == "dtype":
        strategy.reduce([np.ones(10, np.float32 if last else np.float64)] * len(strategy.own))
    if kind == "end" and last:
        return
    for _ in range(3 + (kind == "loop" and last)):
        found = strategy.broadcast("a") if kind == "broadcast" else strategy.all_gather("value")
        assert "one more" not in found
    print("mixed", strategy.reduce(ones)[0] and strategy.all_gather("end"))


def training(strategy, kind, folder, fault):
    """Train, and save every third iteration; after the fifth, the last process does something of its own."""
    trainer = MAKERS[kind](True, strategy=strategy)
    trainer.save(folder, Events.ITERATION_COMPLETED(every=3))
    module = next(iter(trainer.players.values())).module

    def change(engine):
        if engine.state.iteration != 5 or strategy.rank < strategy.size - 1:
            return
        if fault == "weight":
            parameter = next(module.parameters())
            parameter.value = parameter.value + 1e-12
        if fault == "buffer":
            next(module.buffers())[...] += 1
        if fault == "terminate":
            engine.terminate()
        if fault == "evaluate":
            trainer.evaluate(loader(kind, strategy=strategy))

    trainer.engine.add_event_handler(Events.ITERATION_COMPLETED, change)
    trainer.run(loader(kind, strategy=strategy), max_epochs=5)
    print("trained", strategy.all_gather(trainer.engine.state.iteration))


def trainers(strategy, path, max_epochs, batch_size=28):
    """Train by each trainer, from its newest checkpoint; write what it ends with. In small batches, without dropout."""
    found, draws = {}, int(batch_size) == 28
    for kind in MAKERS:
        folder = Path(path).with_name(f"{Path(path).name}-{kind}")
        folder.mkdir(exist_ok=True)
        strategy.barrier()
        found[kind] = results(run(kind, strategy, int(max_epochs), draws, int(batch_size), folder))
    assert len({repr(one) for one in strategy.all_gather(found)}) == 1
    if strategy.rank == 0:
        Path(path).write_text(repr(found))


if __name__ == "__main__":
    part, *arguments = sys.argv[1:]
    settings = int(os.environ.get("DARK_SHARDS", 8)), float(os.environ.get("DARK_TIMEOUT", 8))
    parts = {"train": train, "reduce": reduce, "fault": fault, "trainers": trainers}
    parts |= {"apart": apart, "training": training}
    parts[part](MPI(settings[0], timeout=settings[1]), *arguments)
