"""A perceptron that classifies small images."""

import torch
import torch.nn.functional as F
from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(16, 12)
        self.dropout = nn.Dropout(0.0)
        self.fc2 = nn.Linear(12, 4)

    def forward(self, x):
        x = x.view(x.size(0), -1)
        x = F.relu(self.fc1(x), inplace=True)
        x = self.dropout(x)
        return F.log_softmax(self.fc2(x), dim=1)


def make():
    return [Net()]


def train(models, batches):
    (model,) = models
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.7)
    losses = []
    model.train()
    for data, target in batches:
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses + evaluate(model, batches)


def evaluate(model, batches):
    model.eval()
    test_loss, correct, total = 0.0, 0, 0
    with torch.no_grad():
        for data, target in batches:
            output = model(data)
            test_loss += F.nll_loss(output, target, reduction="sum").item()
            predicted = output.argmax(dim=1)
            correct += (predicted == target).sum().item()
            total += target.size(0)
    return [test_loss / total, correct / total]
