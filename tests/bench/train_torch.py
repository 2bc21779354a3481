#!/usr/bin/env python3
"""Times PyTorch training steps of Vitrine's standard model; `vitrine bench --train` runs it and compares.

train_torch.py THREADS BATCH SECONDS prints pictures per second of forward, backward and AdamW, pictures already drawn.
"""
import sys
import time

import torch
from torch import nn
import torch.nn.functional as F

IMAGE, PATCH, D, BLOCKS, HEADS, MLP, CLASSES = 64, 8, 64, 4, 4, 128, 13
PATCHES = (IMAGE // PATCH) ** 2


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(D, eps=1e-6), nn.LayerNorm(D, eps=1e-6)
        self.qkv, self.projection = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.mlp_in, self.mlp_out = nn.Linear(D, MLP), nn.Linear(MLP, D)

    def forward(self, z):
        b, n, _ = z.shape
        q, k, v = self.qkv(self.ln1(z)).view(b, n, 3, HEADS, D // HEADS).permute(2, 0, 3, 1, 4)
        attention = (q @ k.transpose(-2, -1) * (D // HEADS) ** -0.5).softmax(-1)
        z = z + self.projection((attention @ v).transpose(1, 2).reshape(b, n, D))
        return z + self.mlp_out(F.gelu(self.mlp_in(self.ln2(z))))


class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Linear(3 * PATCH * PATCH, D)
        self.class_token = nn.Parameter(torch.zeros(1, 1, D))
        self.position = nn.Parameter(torch.randn(1, PATCHES + 1, D) * 0.02)
        self.blocks = nn.Sequential(*[Block() for _ in range(BLOCKS)])
        self.norm, self.head = nn.LayerNorm(D, eps=1e-6), nn.Linear(D, CLASSES)

    def forward(self, x):
        b, g = x.shape[0], IMAGE // PATCH
        rows = x.view(b, 3, g, PATCH, g, PATCH).permute(0, 2, 4, 1, 3, 5).reshape(b, PATCHES, -1)
        z = torch.cat([self.class_token.expand(b, -1, -1), self.patch(rows)], 1) + self.position
        return self.head(self.norm(self.blocks(z)[:, 0]))


def main():
    threads, batch, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = ViT()
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
    images, labels = torch.randn(batch, 3, IMAGE, IMAGE), torch.randint(CLASSES, (batch,))

    def step():
        optimiser.zero_grad(set_to_none=True)
        F.cross_entropy(model(images), labels).backward()
        optimiser.step()

    for _ in range(10):
        step()
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        step()
        steps += 1
    print(f"{steps * batch / (time.perf_counter() - start):.1f}")


main()
