#!/usr/bin/env python3
"""A Vision Transformer of random weights in PyTorch, for ./dev bench --peers.

peer_torch.py export VARIANT FILE    writes it as ONNX
peer_torch.py serve VARIANT THREADS  says "ready", then the milliseconds of one pass for every line that it reads
"""
import sys
import time

import torch
from torch import nn
import torch.nn.functional as F

SIZES = {"vit-ti16": (192, 3), "vit-s16": (384, 6), "vit-b16": (768, 12)}  # D, heads: ViT paper, Touvron et al. 2021
IMAGE, PATCH, BLOCKS, CLASSES = 224, 16, 12, 1000


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(d, eps=1e-6), nn.LayerNorm(d, eps=1e-6)
        self.qkv, self.projection = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp_in, self.mlp_out = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, z):
        b, n, d = z.shape
        qkv = self.qkv(self.ln1(z)).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attention = (q @ k.transpose(-2, -1) * (d // self.heads) ** -0.5).softmax(-1)
        z = z + self.projection((attention @ v).transpose(1, 2).reshape(b, n, d))
        return z + self.mlp_out(F.gelu(self.mlp_in(self.ln2(z))))


class VisionTransformer(nn.Module):
    def __init__(self, variant):
        super().__init__()
        d, heads = SIZES[variant]
        self.patches = nn.Conv2d(3, d, PATCH, PATCH)
        self.class_token = nn.Parameter(torch.randn(1, 1, d) * 0.02)
        self.positions = nn.Parameter(torch.randn(1, (IMAGE // PATCH) ** 2 + 1, d) * 0.02)
        self.blocks = nn.Sequential(*(Block(d, heads) for _ in range(BLOCKS)))
        self.norm, self.classifier = nn.LayerNorm(d, eps=1e-6), nn.Linear(d, CLASSES)

    def forward(self, image):
        z = self.patches(image).flatten(2).transpose(1, 2)
        z = torch.cat([self.class_token.expand(z.shape[0], -1, -1), z], 1) + self.positions
        return self.classifier(self.norm(self.blocks(z)[:, 0]))


def serve(model, image, threads):
    torch.set_num_threads(threads)
    with torch.inference_mode():
        for _ in range(3):
            model(image)
        print("ready", flush=True)
        for _ in sys.stdin:
            start = time.perf_counter()
            model(image)
            print(1e3 * (time.perf_counter() - start), flush=True)


def main():
    what, variant, last = sys.argv[1:4]
    torch.manual_seed(1)
    model, image = VisionTransformer(variant).eval(), torch.randn(1, 3, IMAGE, IMAGE)
    if what == "export":
        torch.onnx.export(model, image, last, opset_version=17, input_names=["image"], output_names=["logits"])
    else:
        serve(model, image, int(last))


main()
