#!/usr/bin/python3
"""Writes the golden values of the convolutional net with PyTorch's own layers, in double precision: activations, logits, loss and every
gradient; --check compares a fresh run with the committed file."""
import json
import struct
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

FILE = Path(__file__).resolve().parent / "values" / "cnn.safetensors"
TOLERANCE = 1e-5
STAGES = [(3, 6, 2), (6, 8, 1), (8, 5, 2)]  # channels in, channels out, stride
SIDE, CLASSES, LABELS = 9, 4, [2, 0]


def values():
    torch.manual_seed(8)
    convolutions = [torch.nn.Conv2d(i, o, 3, stride=s, padding=1).double() for i, o, s in STAGES]
    norms = [torch.nn.LayerNorm(o, eps=1e-6).double() for _, o, _ in STAGES]
    classifier = torch.nn.Linear(STAGES[-1][1], CLASSES).double()
    learned = {}
    for i, (convolution, norm) in enumerate(zip(convolutions, norms)):
        learned |= {f"stages.{i}.convolution.weight": convolution.weight, f"stages.{i}.convolution.bias": convolution.bias,
                    f"stages.{i}.norm.weight": norm.weight, f"stages.{i}.norm.bias": norm.bias}
    learned |= {"classifier.weight": classifier.weight, "classifier.bias": classifier.bias}
    with torch.no_grad():
        for p in learned.values():
            p.normal_(0, 0.4)

    pixels = torch.randn(len(LABELS), 3, SIDE, SIDE).double()
    maps, x = {}, pixels
    for i, (convolution, norm) in enumerate(zip(convolutions, norms)):
        x = F.gelu(norm(convolution(x).permute(0, 2, 3, 1))).permute(0, 3, 1, 2)
        maps[f"out.{i}"] = x.permute(0, 2, 3, 1)
    logits = classifier(x.mean((2, 3)))
    loss = F.cross_entropy(logits, torch.tensor(LABELS), reduction="sum")
    gradients = dict(zip(learned, torch.autograd.grad(loss, list(learned.values()))))

    def ours(name, t):  # a window in the order (y, x, channel)
        return t.permute(0, 2, 3, 1).flatten(1) if name.endswith("convolution.weight") else t

    return ({name: ours(name, t) for name, t in learned.items()} | {f"d_{name}": ours(name, t) for name, t in gradients.items()} |
            maps | {"pixels": pixels, "logits": logits, "loss": loss.reshape(1)})


def write(path, tensors):
    header, body, at = {}, [], 0
    for name in sorted(tensors):
        part = tensors[name].detach().float().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [at, at + len(part)]}
        body.append(part)
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(body))


def read(path):
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    return {name: np.frombuffer(raw[8 + size + v["data_offsets"][0]:8 + size + v["data_offsets"][1]], "<f4").astype(np.float64)
            for name, v in json.loads(raw[8:8 + size]).items()}


if __name__ == "__main__":
    torch.set_num_threads(1)
    fresh = values()
    if "--check" in sys.argv:
        committed = read(FILE)
        assert committed.keys() == fresh.keys(), f"{FILE}: other tensors"
        worst = max(float(np.abs(fresh[n].detach().numpy().ravel() - committed[n]).max() / max(1e-6, np.abs(committed[n]).max()))
                    for n in committed)
        print(f"make_cnn.py: the largest difference is {worst:.1e} of a tensor's largest magnitude")
        sys.exit(0 if worst <= TOLERANCE else 1)
    write(FILE, fresh)
