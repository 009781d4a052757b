"""Arguments of a network by keyword, caches, and the fields of its output."""

from dataclasses import dataclass

import pytest

import dark
from dark.draw import graph_record

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle
nn = torch.nn


def inputs(record):
    return {n.name: n.shape for n in record.nodes if n.role == "input"}


class Cache:
    """Keys of earlier steps, as generation keeps them."""

    def __init__(self):
        self.layers = [{"keys": torch.ones(1, 2, 3)}, {"keys": torch.zeros(1, 2, 3)}]
        self.seen = 2

    def update(self, k, keys):
        self.layers[k]["keys"] = torch.cat([self.layers[k]["keys"], keys], 1)
        self.seen += 1
        return self.layers[k]["keys"]


@dataclass
class Seq2SeqLMOutput:
    """An output with fields, as those of public models."""

    logits: object
    cache: object = None


class Bert(nn.Module):
    """A small encoder with the arguments of a public one."""

    def __init__(self):
        super().__init__()
        self.embed, self.norm, self.head = nn.Embedding(9, 3), nn.LayerNorm(3), nn.Linear(3, 9)
        self.register_buffer("positions", torch.arange(5), persistent=False)

    def forward(self, input_ids=None, attention_mask=None, cache=None, *, title=None):
        x = self.norm(self.embed(input_ids) + self.positions[: input_ids.shape[1], None])
        keys = x if cache is None else cache.update(0, x)
        scores = x @ keys.mT
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask[:, None] == 0, -1e9)
        logits = self.head(scores.softmax(-1) @ keys)
        return Seq2SeqLMOutput(logits if title is None else logits + title, cache)


def test_keyword_arguments_and_outputs_have_their_names():
    tokens = {"input_ids": torch.tensor([[1, 2]]), "attention_mask": torch.tensor([[1, 0]])}
    drawing = dark.draw(Bert(), **tokens)
    assert inputs(drawing.record) == {"input_ids": (1, 2), "attention_mask": (1, 2)}
    assert drawing.record.root.operation == "Seq2SeqLMOutput" and drawing.record.root.labels == ("logits",)
    assert "Seq2SeqLMOutput" in drawing.svg and "logits" in drawing.svg
    mask = next(n.id for n in drawing.record.nodes if n.name == "attention_mask")
    assert any(mask in n.inputs for n in drawing.record.nodes)


def test_an_argument_with_the_name_of_an_option_is_given_apart():
    drawing = dark.draw(Bert(), torch.tensor([[1, 2]]), title="Bert", arguments={"title": torch.ones(9)})
    assert drawing.title == "Bert" and "title" in inputs(drawing.record)
    with pytest.raises(dark.errors.DrawingError, match=r'title cannot be(.|\n)*arguments=\{"title": title\}'):
        dark.draw(Bert(), torch.tensor([[1, 2]]), title=torch.ones(9))
    with pytest.raises(dark.errors.DrawingError, match=r"cannot be called with(.|\n)*its arguments: input_ids"):
        dark.draw(Bert(), input_size=(2, 4))


def test_a_cache_is_an_input_and_stays_as_it_is():
    cache, ids = Cache(), torch.tensor([[1]])
    record = graph_record(Bert(), ids, None, cache)
    assert inputs(record) == {"input_ids": (1, 1), "cache.layers.0.keys": (1, 2, 3), "cache.layers.1.keys": (1, 2, 3)}
    assert cache.seen == 2 and torch.equal(cache.layers[0]["keys"], torch.ones(1, 2, 3))
    assert not cache.layers[0]["keys"].requires_grad
    assert record.root.labels == ("logits", "cache.layers.0.keys", "cache.layers.1.keys")
