"""Train the network that reads the pad of the first page, and write its weights into a script of the page.

`python book/digit_pad.py` writes `book/_static/digit_network.js`, the same bytes on each run on one machine. It is the
network of module 05, trained with `dark` on scikit-learn's digits: images of 8 × 8 pixels, each the ink, from 0 to 16,
in 4 × 4 places of a scan of 32 × 32. A fifth of them is held out. The others are turned, slanted, stretched and
thickened anew in each epoch, and fitted into the scan as `digit_pad.js` fits what a reader draws, so that drawings are
no surprise.
"""

import base64
import json
from pathlib import Path

import numpy as np

import dark
from dark import losses, nn, optim
from dark.data import datasets, split

NETWORK = Path(__file__).with_name("_static") / "digit_network.js"
SIDE, BLOCK = 32, 4  # places of a scan, and of a pixel
INK = 310  # places with ink, of 1024: the mean of scikit-learn's digits, for a 1 as for an 8
WIDEST = 28
MIDDLE = (np.indices((SIDE, SIDE)).reshape(2, -1) + 0.5) / SIDE - 0.5  # the places of a scan, seen from its middle
EPOCHS, BATCH = 150, 64


def network():
    """Return the network of module 05, untrained."""
    return nn.Sequential(nn.Linear(64, 64, seed=1), nn.ReLU(), nn.Linear(64, 10, seed=2))


def parts():
    """Return the digits to train on and those held out, each as (images, labels)."""
    train, held_out = split(datasets.digits(), (0.8, 0.2), seed=0)
    return train[:], held_out[:]


def sample(fields, matrices, centers, bends=0.0):
    """Return fields seen through affine maps, from a place of the result to one of the field, by linear interpolation.

    Fields have the shape (images, side, side), matrices (images, 2, 2), centers (images, 2), and bends, which are added
    to the places, (images, 2, places).
    """
    side = fields.shape[1]
    places = (matrices @ MIDDLE + centers[:, :, None] + bends) * side - 0.5
    padded = np.pad(fields, ((0, 0), (1, 1), (1, 1)))
    y, x = np.clip(places + 1, 0, side + 0.999).transpose(1, 0, 2)
    i, j = y.astype(int), x.astype(int)
    y, x, n = y - i, x - j, np.arange(len(fields))[:, None]
    padded = np.pad(padded, ((0, 0), (0, 1), (0, 1)))
    upper = padded[n, i, j] * (1 - x) + padded[n, i, j + 1] * x
    lower = padded[n, i + 1, j] * (1 - x) + padded[n, i + 1, j + 1] * x
    return (upper * (1 - y) + lower * y).reshape(-1, SIDE, SIDE)


def inked(fields, ink):
    """Return which places have ink if it is put where the fields are largest."""
    flat = fields.reshape(len(fields), -1)
    counts = np.broadcast_to(ink, len(flat))
    least = [np.partition(field, -count)[-count] for field, count in zip(flat, counts, strict=True)]
    return (fields > 0) & (fields >= np.array(least)[:, None, None])


def fitted(scans, ink):
    """Return scans whose ink fills the height, is not too wide, stands in the middle, and is as much as asked for."""
    rows, columns = scans.any(axis=2), scans.any(axis=1)
    low = np.stack([rows.argmax(1), columns.argmax(1)], axis=1)
    high = SIDE - np.stack([rows[:, ::-1].argmax(1), columns[:, ::-1].argmax(1)], axis=1)
    height, width = (high - low).T / SIDE
    matrices = np.zeros((len(scans), 2, 2))
    matrices[:, 0, 0], matrices[:, 1, 1] = height, np.maximum(height, width * SIDE / WIDEST)
    soft = scans.astype(float)
    soft = sum(np.roll(soft, by, axis) for by, axis in ((1, 1), (-1, 1), (1, 2), (-1, 2), (0, 0), (0, 0))) / 6  # edges
    return inked(sample(soft, matrices, (low + high) / 2 / SIDE), ink)


def pixels(scans):
    """Return scans as images of 8 × 8 pixels: the places with ink in each block."""
    return scans.reshape(-1, 8, BLOCK, 8, BLOCK).sum(axis=(2, 4)).reshape(-1, 64).astype(float)


def drawn_anew(images, labels, rng):
    """Return images as other hands would have drawn them; a third of the ones get a base, which scans rarely have."""
    count = len(images)
    turn, slant = rng.normal(0, 0.15, count), rng.normal(0, 0.22, count)
    stretch = np.exp(rng.normal(0, 0.15, (2, count)))
    matrices = np.empty((count, 2, 2))
    matrices[:, 0] = np.stack([np.cos(turn), np.sin(turn)], 1) * stretch[0][:, None]
    matrices[:, 1] = np.stack([-np.sin(turn) + slant, np.cos(turn)], 1) * stretch[1][:, None]
    ink = rng.integers(INK - 70, INK + 50, count)
    waves = rng.uniform(-1, 1, (count, 2, 2)) @ MIDDLE * 2 * np.pi + rng.uniform(0, 2 * np.pi, (count, 2, 1))
    bends = rng.normal(0, 0.04, (count, 2, 1)) * np.sin(waves)
    scans = inked(sample(images.reshape(-1, 8, 8), 1.3 * matrices, np.full((count, 2), 0.5), bends), INK // 2)
    for k in np.flatnonzero((labels == 1) & (rng.random(count) < 1 / 3)):
        bottom = np.flatnonzero(scans[k].any(axis=1)).max()
        middle = int(np.flatnonzero(scans[k][bottom]).mean())
        half, thickness = rng.integers(5, 11), rng.integers(3, 6)
        scans[k, bottom + 1 - thickness : bottom + 1, max(0, middle - half) : middle + half + 1] = True
    return pixels(fitted(scans, ink))


def train():
    """Return the network, trained on the digits that are not held out."""
    images, labels = parts()[0]
    net = network()
    optimizer, rng = optim.Adam(net.parameters(), lr=0.003), np.random.default_rng(0)
    for epoch in range(EPOCHS):
        optimizer.lr = 0.003 * (1 - epoch / EPOCHS)
        seen = np.concatenate([images, drawn_anew(images, labels, rng), drawn_anew(images, labels, rng)])
        answers = np.tile(labels, 3)
        for rows in np.array_split(rng.permutation(len(seen)), len(seen) // BATCH):
            optimizer.zero_grad()
            losses.cross_entropy(net(seen[rows] / 16), answers[rows]).backward()
            optimizer.step()
    return net


def accuracy(net, images, labels):
    """Return the share of digits that a network reads."""
    with dark.no_grad():
        return float((net(images / 16).value.argmax(axis=1) == labels).mean())


def packed(net):
    """Round each row of the weights to integers from -127 to 127 times a scale; return the data of the page."""
    layers = []
    for layer in (net[0], net[2]):
        weight = layer.weight.value
        scale = np.abs(weight).max(axis=1) / 127
        integers = np.rint(weight / scale[:, None]).astype(np.int8)
        layers.append({
            "weights": base64.b64encode(integers.tobytes()).decode(),
            "scale": [float(f"{number:.6g}") for number in scale],
            "bias": [float(f"{number:.5g}") for number in layer.bias.value],
        })  # fmt: skip
    return {"layers": layers}


def unpacked(data):
    """Return the network of `packed` data, with the rounded weights."""
    net = network()
    for layer, row in zip((net[0], net[2]), data["layers"], strict=True):
        integers = np.frombuffer(base64.b64decode(row["weights"]), np.int8).reshape(layer.weight.value.shape)
        layer.weight.value = integers * np.array(row["scale"])[:, None]
        layer.bias.value = np.array(row["bias"])
    return net


def read_script():
    """Return the data in the script of the page."""
    return json.loads(NETWORK.read_text(encoding="utf-8").partition(" = ")[2].partition(";\n")[0])


if __name__ == "__main__":
    data = packed(train())
    images, labels = parts()[1]
    data |= {"held_out": len(labels), "read": round(len(labels) * accuracy(unpacked(data), images, labels))}
    NETWORK.write_text(
        "// Written by book/digit_pad.py: the network of module 05 that reads the pad.\n"
        f"const DIGIT_NETWORK = {json.dumps(data)};\n"
        'if (typeof module !== "undefined") module.exports = { DIGIT_NETWORK };\n',
        encoding="utf-8",
    )
    print(f"{data['read']} of {data['held_out']} held-out digits are read")
