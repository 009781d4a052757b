import os, signal, sys
from dark import nn, optim, save
from dark.data import DataLoader, datasets
from dark.engine import Events
from dark.handlers import Checkpoint, DiskSaver
from dark.trainers import create_supervised_trainer

net = nn.Linear(4, 3, seed=1)
loader = DataLoader(datasets.iris(), batch_size=16, shuffle=True, seed=0)
optimizer = optim.Adam(net.parameters(), lr=0.02)
trainer = create_supervised_trainer(net, optimizer, nn.CrossEntropyLoss())
objects = {"trainer": trainer, "net": net, "optimizer": optimizer}

folder, *last = sys.argv[1:]
saver = DiskSaver(folder, require_empty=False)
often = Events.ITERATION_COMPLETED(every=7)
trainer.add_event_handler(often, Checkpoint(objects, saver, n_saved=2))
if path := saver.last_good():
    Checkpoint.load_objects(objects, path)
    print("resumes after iteration", trainer.state.iteration)
if last:
    death = Events.ITERATION_COMPLETED(once=int(last[0]))
    trainer.add_event_handler(death, os.kill, os.getpid(), signal.SIGKILL)
trainer.run(loader, max_epochs=5)
print("completed at iteration", trainer.state.iteration)
save(net.state_dict(), f"{folder}/trained.safetensors")
