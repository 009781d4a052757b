"""A U-Net with a dice loss."""

import torch
from torch import nn, optim


class DoubleConv(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.double_conv = nn.Sequential(
            nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(out_channels, out_channels, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(inplace=True),
        )

    def forward(self, x):
        return self.double_conv(x)


class UNet(nn.Module):
    def __init__(self, channels=1, classes=1):
        super().__init__()
        self.inc = DoubleConv(channels, 3)
        self.down1 = nn.Sequential(nn.MaxPool2d(2), DoubleConv(3, 6))
        self.down2 = nn.Sequential(nn.MaxPool2d(2), DoubleConv(6, 8))
        self.up1 = nn.ConvTranspose2d(8, 6, kernel_size=2, stride=2)
        self.conv1 = DoubleConv(12, 6)
        self.up2 = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        self.conv2 = DoubleConv(9, 3)
        self.outc = nn.Conv2d(3, classes, kernel_size=1)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(x1)
        x3 = self.down2(x2)
        x = self.conv1(torch.cat([x2, self.up1(x3)], dim=1))
        x = self.conv2(torch.cat([x1, self.up2(x)], dim=1))
        return self.outc(x)


def dice_loss(probabilities, target, epsilon=1e-6):
    inter = 2 * (probabilities * target).sum(dim=(-1, -2))
    sets = probabilities.sum(dim=(-1, -2)) + target.sum(dim=(-1, -2))
    return 1 - ((inter + epsilon) / (sets + epsilon)).mean()


def make():
    return [UNet()]


def train(models, batches):
    (model,) = models
    optimizer = optim.RMSprop(model.parameters(), lr=1e-3, weight_decay=1e-8, momentum=0.9)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", patience=1)
    criterion = nn.BCEWithLogitsLoss()
    losses = []
    for images, masks in batches:
        model.train()
        prediction = model(images)
        loss = criterion(prediction, masks)
        loss = loss + dice_loss(torch.sigmoid(prediction), masks)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        score = evaluate(model, images, masks)
        scheduler.step(score)
        losses.append(score)
    return losses


@torch.no_grad()
def evaluate(model, images, masks):
    model.eval()
    prediction = (torch.sigmoid(model(images)) > 0.5).float()
    return (prediction == masks).float().mean().item()
