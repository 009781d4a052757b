"""A recurrent network that predicts characters."""

import torch
from torch import nn, optim


class CharRNN(nn.Module):
    def __init__(self, characters=7, hidden_size=6, layers=2):
        super().__init__()
        self.embedding = nn.Embedding(characters, hidden_size)
        self.lstm = nn.LSTM(hidden_size, hidden_size, layers, batch_first=True)
        self.fc = nn.Linear(hidden_size, characters)

    def forward(self, x, hidden=None):
        out, hidden = self.lstm(self.embedding(x), hidden)
        out = out.reshape(-1, out.size(2))
        return self.fc(out), hidden


def make():
    return [CharRNN()]


def train(models, batches):
    (model,) = models
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    losses, hidden = [], None
    model.train()
    for x, y in batches:
        if hidden is not None:
            hidden = tuple(h.detach() for h in hidden)
        optimizer.zero_grad()
        output, hidden = model(x, hidden)
        loss = criterion(output, y.view(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
        optimizer.step()
        losses.append(loss.item())
    return losses + sample(model, batches[0][0])


def sample(model, x, length=3, temperature=0.8):
    model.eval()
    hidden, probabilities = None, []
    with torch.no_grad():
        for _ in range(length):
            output, hidden = model(x, hidden)
            p = torch.softmax(output[-1] / temperature, dim=-1)
            x = torch.multinomial(p, 1).view(1, 1).expand(x.size(0), 1)
            probabilities.append(p.max().item())
    return probabilities
