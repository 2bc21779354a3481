"""The models of the app as PyTorch modules, for the lines that it shows: what make_code.py and make_exercises.py share."""

import json
import math
import struct
from pathlib import Path

import numpy as np
import torch


def read(path):
    data = Path(path).read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    kinds = {"F32": np.float32, "F16": np.float16}
    return {name: torch.from_numpy(np.frombuffer(data, kinds[e["dtype"]], int(np.prod(e["shape"])), 8 + size + e["data_offsets"][0])
                                   .astype(np.float32).reshape(e["shape"]))
            for name, e in header.items() if name != "__metadata__"}


def linear(weights, name):
    layer = torch.nn.Linear(*reversed(weights[name + ".weight"].shape), bias=name + ".bias" in weights)
    layer.weight.data = weights[name + ".weight"]
    if layer.bias is not None:
        layer.bias.data = weights[name + ".bias"]
    return layer


def layer_norm(weights, name, eps):
    layer = torch.nn.LayerNorm(weights[name + ".weight"].shape[0], eps)
    layer.weight.data, layer.bias.data = weights[name + ".weight"], weights[name + ".bias"]
    return layer


class Block:
    """What the lines call `block`: its layers by their names in the app."""

    def __init__(self, weights, prefix, heads, eps, act):
        self.ln1, self.ln2 = (layer_norm(weights, prefix + n, eps) for n in ("layernorm_before", "layernorm_after"))
        self.q, self.k, self.v = (linear(weights, f"{prefix}attention.attention.{n}") for n in ("query", "key", "value"))
        self.proj, self.fc1 = linear(weights, prefix + "attention.output.dense"), linear(weights, prefix + "intermediate.dense")
        self.fc2, self.heads, self.act = linear(weights, prefix + "output.dense"), heads, act

    def __call__(self, z):
        a = self.ln1(z)
        q, k, v = (f(a).view(len(z), self.heads, -1).transpose(0, 1) for f in (self.q, self.k, self.v))
        out = (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])).softmax(-1) @ v
        z = self.proj(out.transpose(0, 1).reshape(len(z), -1)) + z
        return self.fc2(self.act(self.fc1(self.ln2(z)))) + z


def write(path, tensors):
    """A safetensors file of float32 tensors."""
    header, body, at = {}, [], 0
    for name in sorted(tensors):
        part = tensors[name].detach().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [at, at + len(part)]}
        body.append(part)
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(body))
