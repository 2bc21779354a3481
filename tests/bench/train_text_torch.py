#!/usr/bin/env python3
"""Times PyTorch training steps of one of Vitrine's text Transformers; `vitrine bench --train --task` runs it and compares.

train_text_torch.py THREADS BATCH SECONDS FILE prints sentences per second of forward, backward and AdamW. FILE is what the
command writes: the configuration, and batches of sentences as ids, already drawn. They are padded here, once.
"""
import json
import math
import sys
import time

import torch
from torch import nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(dim, dim) for _ in range(4))

    def forward(self, x, memory, hidden):
        def cut(t):
            return t.view(t.shape[0], t.shape[1], self.heads, -1).transpose(1, 2)

        q, k, v = cut(self.q(x)), cut(self.k(memory)), cut(self.v(memory))
        scores = (q @ k.transpose(-2, -1)) * q.shape[-1] ** -0.5
        attention = scores.masked_fill(hidden, float("-inf")).softmax(-1)
        return self.out((attention @ v).transpose(1, 2).reshape(x.shape))


class Block(nn.Module):
    def __init__(self, c, crosses):
        super().__init__()
        dim = c["embedding_dim"]
        self.after = c["norm"] == "after"
        self.self_attention = Attention(dim, c["heads"])
        self.cross = Attention(dim, c["heads"]) if crosses else None
        self.mlp = nn.Sequential(nn.Linear(dim, c["mlp_dim"]), nn.ReLU(), nn.Linear(c["mlp_dim"], dim))
        self.norms = nn.ModuleList(nn.LayerNorm(dim) for _ in range(3 if crosses else 2))

    def sublayer(self, norm, x, f):
        return norm(x + f(x)) if self.after else x + f(norm(x))

    def forward(self, x, hidden, memory=None, memory_hidden=None):
        x = self.sublayer(self.norms[0], x, lambda z: self.self_attention(z, z, hidden))
        if self.cross is not None:
            x = self.sublayer(self.norms[1], x, lambda z: self.cross(z, memory, memory_hidden))
        return self.sublayer(self.norms[-1], x, self.mlp)


class Transformer(nn.Module):
    def __init__(self, task):
        super().__init__()
        c = task["config"]
        self.dim, self.causal = c["embedding_dim"], c["causal"]
        encodes, decodes = c["blocks"] > 0, c["decoder_blocks"] > 0
        self.source = nn.Embedding(task["source_words"], self.dim) if encodes else None
        self.target = nn.Embedding(task["outputs"], self.dim) if decodes else None
        self.encoder = nn.ModuleList(Block(c, False) for _ in range(c["blocks"]))
        self.decoder = nn.ModuleList(Block(c, encodes) for _ in range(c["decoder_blocks"]))
        before = c["norm"] == "before"
        self.encoder_norm = nn.LayerNorm(self.dim) if before and encodes else nn.Identity()
        self.decoder_norm = nn.LayerNorm(self.dim) if before and decodes else nn.Identity()
        self.generator = nn.Linear(self.dim, task["outputs"])
        self.aux = nn.Linear(self.dim, task["source_words"]) if c["names_it"] else None
        place, i = torch.arange(c["longest"])[:, None], torch.arange(0, self.dim, 2)
        angle = place / 10000 ** (i / self.dim)
        self.register_buffer("position", torch.stack([angle.sin(), angle.cos()], -1).view(c["longest"], self.dim))

    def embed(self, table, ids):
        return table(ids) * math.sqrt(self.dim) + self.position[: ids.shape[1]]

    def forward(self, batch):
        memory = memory_hidden = None
        if self.source is not None:
            memory_hidden = (batch["source"] < 0)[:, None, None]
            memory = self.embed(self.source, batch["source"].clamp(min=0))
            for block in self.encoder:
                memory = block(memory, memory_hidden)
            memory = self.encoder_norm(memory)
        if self.target is None:
            return self.generator(memory[:, 0]), memory
        n = batch["target"].shape[1]
        hidden = (batch["target"] < 0)[:, None, None]
        if self.causal:
            hidden = hidden | torch.ones(n, n, dtype=torch.bool).triu(1)
        z = self.embed(self.target, batch["target"].clamp(min=0))
        for block in self.decoder:
            z = block(z, hidden, memory, memory_hidden)
        return self.generator(self.decoder_norm(z)), memory


def padded(sentences):
    """Rows of ids, −1 behind the shorter ones."""
    if not sentences:
        return None
    longest = max(map(len, sentences))
    return torch.tensor([row + [-1] * (longest - len(row)) for row in sentences])


def prepared(batch):
    """A batch as tensors; rows of "it" as (sentence, place)."""
    source, target = padded(batch["source"]), padded(batch["target"])
    gold = torch.tensor(batch["gold"])
    if target is not None:
        filled = torch.full(target.shape, -100)
        filled[target >= 0] = gold
        gold = filled
    its = []
    if source is not None:
        places = (source >= 0).nonzero()
        its = [(*places[row].tolist(), noun) for row, noun in batch["it"]]
    return {"source": source, "target": target, "gold": gold, "it": torch.tensor(its) if its else None}


def main():
    threads, size, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    with open(sys.argv[4]) as file:
        task = json.load(file)
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = Transformer(task)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    batches = [prepared(batch) for batch in task["batches"]]

    def step(batch):
        optimiser.zero_grad(set_to_none=True)
        logits, memory = model(batch)
        loss = F.cross_entropy(logits.flatten(0, -2), batch["gold"].flatten())
        if model.aux is not None and batch["it"] is not None:
            it = batch["it"]
            named = model.aux(memory[it[:, 0], it[:, 1]])
            loss = loss + F.cross_entropy(named, it[:, 2], reduction="sum") / size
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()

    for batch in batches:
        step(batch)
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        step(batches[steps % len(batches)])
        steps += 1
    print(f"{steps * size / (time.perf_counter() - start):.1f}")


main()
