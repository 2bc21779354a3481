#!/usr/bin/python3
"""Writes the golden values of text Transformers by the papers' formulas in PyTorch, in double precision, on padded and masked sentences:
every activation of one sentence and its gradient, loss and every parameter's gradient of a batch, words that greedy decoding and a beam
find; --check compares a fresh run with the committed files."""
import json
import math
import struct
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

FOLDER = Path(__file__).resolve().parent / "values"
TOLERANCE = 1e-5
D, H, M, EPSILON, LONGEST = 8, 2, 12, 1e-5, 8
BOS, EOS, SPECIAL = 1, 2, 5
SOURCE_WORDS, TARGET_WORDS, CLASSES = 11, 13, 3
SOURCES = [[6, 8, 5, 2], [9, 2], [10, 7, 7, 5, 2]]
TARGETS = [[1, 12, 7], [1, 5, 6, 11, 8], [1]]
NEXT = [[12, 7, 2], [5, 6, 11, 8, 2], [2]]
REVIEWS, LABELS = [[4, 6, 8], [4, 9, 10, 7, 5], [4]], [2, 0, 1]
IT = [(0, 2, 6), (2, 1, 10)]  # sentence, place of "it", the noun's word

CASES = {
    "text_post": dict(enc=2, dec=2, norm="after", act=F.relu, smooth=.1, it=.5, seed=803, ends=1.5),
    "text_pre": dict(enc=2, dec=2, norm="before", act=F.gelu, learned=True, seed=30),
    "text_open": dict(enc=1, dec=1, norm="none", act=F.relu, causal=False, scaled=False, positions=False),
    "text_class": dict(enc=2, dec=0, norm="before", act=F.relu),
    "text_story": dict(enc=0, dec=2, norm="before", act=F.relu),
}


def shapes(c):
    """Name and shape of every parameter, in no order that matters."""
    out = {}

    def linear(name, rows, columns):
        out[name + ".weight"], out[name + ".bias"] = (rows, columns), (rows,)

    def attention(name):
        for part in ("query", "key", "value", "projection"):
            linear(name + part, D, D)

    def norm(name):
        out[name + ".weight"] = out[name + ".bias"] = (D,)

    def mlp(name):
        linear(name + "mlp_in", M, D)
        linear(name + "mlp_out", D, M)

    for stack, blocks, side in (("encoder", c["enc"], "source"), ("decoder", c["dec"], "target")):
        if not blocks:
            continue
        out[side + "_embedding.weight"] = (SOURCE_WORDS if side == "source" else TARGET_WORDS, D)
        if c.get("learned"):
            out[side + "_position"] = (LONGEST, D)
        for i in range(1, blocks + 1):
            at = f"{stack}.{i}."
            attention(at + ("self." if stack == "decoder" else ""))
            crossing = stack == "decoder" and c["enc"]
            if crossing:
                attention(at + "cross.")
            for n in range(1, (3 if stack == "decoder" else 2) + 1):
                if n != 2 or stack == "encoder" or crossing:
                    norm(f"{at}norm{n}")
            mlp(at)
        if c["norm"] == "before":
            norm(stack + ".norm")
    linear("generator", TARGET_WORDS if c["dec"] else CLASSES, D)
    if c.get("it"):
        linear("aux", SOURCE_WORDS, D)
    return out


class Net:
    def __init__(self, c, w):
        self.c, self.w, self.kept = c, w, None

    def keep(self, name, x):
        if self.kept is not None and name:
            self.kept[name] = x
        return x

    def linear(self, name, x):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def norm(self, name, keep, x):
        mean = self.keep(keep + ".mean", x.mean(-1))
        var = self.keep(keep + ".var", x.var(-1, unbiased=False))
        y = (x - mean[..., None]) / torch.sqrt(var[..., None] + EPSILON) * self.w[name + ".weight"] + self.w[name + ".bias"]
        return self.keep(keep + ".out", y)

    def sublayer(self, at, n, x, branch):
        if self.c["norm"] == "before":
            return branch(self.norm(f"{at}norm{n}", f"{at}ln{n}", x)) + x
        if self.c["norm"] == "after":
            return self.norm(f"{at}norm{n}", f"{at}ln{n}", branch(x) + x)
        return branch(x) + x

    def attention(self, at, x, m, sees):
        """x (B, N, D), m (B, N_k, D), sees (B, 1, N or 1, N_k)"""
        def cut(t):
            return t.reshape(t.shape[0], t.shape[1], H, D // H).transpose(1, 2)
        q = self.keep(at + "q", cut(self.linear(at + "query", x)))
        k = self.keep(at + "k", cut(self.linear(at + "key", m)))
        v = self.keep(at + "v", cut(self.linear(at + "value", m)))
        scores = (q @ k.transpose(-1, -2) / math.sqrt(D // H)).masked_fill(~sees, -math.inf)
        a = self.keep(at + "attention", self.keep(at + "scores", scores).softmax(-1))
        heads = self.keep(at + "heads", a @ v)
        return self.keep(at + "msa", self.linear(at + "projection", heads.transpose(1, 2).reshape(x.shape)))

    def mlp(self, at, x):
        hidden = self.keep(at + "mlp.hidden", self.linear(at + "mlp_in", x))
        return self.keep(at + "mlp.out", self.linear(at + "mlp_out", self.keep(at + "mlp.activation", self.c["act"](hidden))))

    def embed(self, side, ids):
        n = ids.shape[1]
        e = self.keep(side + ".embedded", F.embedding(ids, self.w[side + "_embedding.weight"]))
        e = self.keep(side + ".tokens", e * (math.sqrt(D) if self.c.get("scaled", True) else 1.))
        if self.c.get("learned"):
            p = self.w[side + "_position"][:n] * 1.
        else:
            p = torch.zeros(n, D).double()
            for place in range(n if self.c.get("positions", True) else 0):
                for i in range(0, D, 2):
                    p[place, i], p[place, i + 1] = math.sin(place / 10000 ** (i / D)), math.cos(place / 10000 ** (i / D))
            p.requires_grad_()
        return self.keep(side + ".z", e + self.keep(side + ".position", p))

    def encode(self, ids):
        sees = (ids != 0)[:, None, None]
        x = self.embed("source", ids)
        for i in range(1, self.c["enc"] + 1):
            at = f"encoder.{i}."
            x = self.keep(at + "residual", self.sublayer(at, 1, x, lambda z: self.attention(at, z, z, sees)))
            x = self.keep(at + "z", self.sublayer(at, 2, x, lambda z: self.mlp(at, z)))
        return (self.norm("encoder.norm", "encoder.norm", x) if self.c["norm"] == "before" else x), sees

    def decode(self, ids, memory=None, memory_sees=None):
        n = ids.shape[1]
        sees = (ids != 0)[:, None, None].expand(-1, 1, n, -1)
        if self.c.get("causal", True):
            sees = sees & torch.ones(n, n, dtype=torch.bool).tril()
        x = self.embed("target", ids)
        for i in range(1, self.c["dec"] + 1):
            at = f"decoder.{i}."
            x = self.keep(at + "residual", self.sublayer(at, 1, x, lambda z: self.attention(at + "self.", z, z, sees)))
            if memory is not None:
                x = self.keep(at + "crossed",
                              self.sublayer(at, 2, x, lambda z: self.attention(at + "cross.", z, memory, memory_sees)))
            x = self.keep(at + "z", self.sublayer(at, 3, x, lambda z: self.mlp(at, z)))
        if self.c["norm"] == "before":
            x = self.norm("decoder.norm", "decoder.norm", x)
        return x

    def run(self, sources, targets, it=()):
        """-> logits (B, T, V) or (B, classes), and those of the nouns"""
        memory = sees = nouns = None
        if self.c["enc"]:
            memory, sees = self.encode(padded(sources))
        if self.c.get("it") and it:
            state = self.keep("it.state", torch.stack([memory[b, place] for b, place, _ in it]))
            nouns = self.keep("it.logits", self.linear("aux", state))
            self.keep("it.probabilities", nouns.softmax(-1))
        read = self.decode(padded(targets), memory, sees) if self.c["dec"] else memory[:, 0]
        logits = self.keep("generator.logits", self.linear("generator", read))
        self.keep("generator.probabilities", logits.softmax(-1))
        return logits, nouns

    def loss(self, sources, targets, gold, it):
        logits, nouns = self.run(sources, targets, it)
        if not self.c["dec"]:
            return F.cross_entropy(logits, torch.tensor(gold), reduction="sum"), logits
        smooth = self.c.get("smooth", 0.)
        loss = sum(F.cross_entropy(logits[b, :len(g)], torch.tensor(g), reduction="sum", label_smoothing=smooth) for b, g in enumerate(gold))
        if nouns is not None:
            loss = loss + self.c["it"] * F.cross_entropy(nouns, torch.tensor([noun for _, _, noun in it]), reduction="sum")
        return loss, torch.cat([logits[b, :len(g)] for b, g in enumerate(gold)])


def padded(sentences):
    n = max(map(len, sentences))
    return torch.tensor([s + [0] * (n - len(s)) for s in sentences])


def log_probabilities(net, source, words):
    with torch.no_grad():
        return net.run([source], [words])[0][0, -1].log_softmax(-1)


def allowed(logp):
    return [w for w in range(len(logp)) if w == EOS or w >= SPECIAL]


def greedy(net, source):
    words = [BOS]
    while len(words) <= LONGEST:
        logp = log_probabilities(net, source, words)
        word = max(allowed(logp), key=lambda w: float(logp[w]))
        if word == EOS:
            break
        words.append(word)
    return words[1:]


def beam(net, source, width):
    """The most probable text among those that a beam of this width meets, and its log probability."""
    alive, ended = [(0., [BOS])], []
    for _ in range(LONGEST):
        grown = []
        for score, words in alive:
            logp = log_probabilities(net, source, words)
            grown += [(score + float(logp[w]), words + [w]) for w in allowed(logp)]
        grown = sorted(grown, key=lambda g: -g[0])[:width]
        ended += [g for g in grown if g[1][-1] == EOS]
        alive = [g for g in grown if g[1][-1] != EOS]
        if not alive or (ended and max(ended)[0] >= alive[0][0]):
            break
    score, words = max(ended) if ended else alive[0]
    return score, [w for w in words[1:] if w != EOS]


def values(name, c):
    torch.manual_seed(c.get("seed", 1))
    weights = {}
    for parameter, shape in shapes(c).items():
        w = torch.randn(shape) * .5 + (1. if "norm" in parameter and parameter.endswith("weight") else 0.)
        if parameter == "generator.bias":
            w[EOS] += c.get("ends", 0.)  # so that texts end; seeds are such that a beam finds another text than greed
        weights[parameter] = w.double().requires_grad_()
    net = Net(c, weights)
    both = c["enc"] and c["dec"]
    sources, targets, gold = (SOURCES, TARGETS, NEXT) if both else (REVIEWS, [], LABELS) if c["enc"] else ([], TARGETS, NEXT)
    it = IT if c.get("it") else []
    loss, logits = net.loss(sources, targets, gold, it)
    gradients = torch.autograd.grad(loss, list(weights.values()), allow_unused=True)  # norms that are left out have none
    out = {"loss": loss.reshape(1), "logits": logits}
    for (parameter, w), g in zip(weights.items(), gradients):
        out["w." + parameter], out["d." + parameter] = w, torch.zeros_like(w) if g is None else g

    net.kept = {}
    own_it = [i for i in it if i[0] == 0]
    alone, logits_alone = net.loss(sources[:1], targets[:1], gold[:1], own_it)
    assert torch.allclose(logits_alone, logits[:len(logits_alone)], atol=1e-12), "padding changes nothing"
    kept, net.kept = net.kept, None
    gradients = torch.autograd.grad(alone, list(kept.values()), allow_unused=True)
    for (activation, t), g in zip(kept.items(), gradients):
        flat = t.detach().reshape(t.shape[1:]) if t.dim() > 1 and t.shape[0] == 1 and not activation.startswith("it.") and \
            not (not c["dec"] and activation.startswith("generator")) else t.detach()
        out["t." + activation] = torch.where(torch.isinf(flat), torch.zeros_like(flat), flat)
        if g is not None and not activation.endswith((".mean", ".var", "probabilities")):
            out["g." + activation] = g.reshape(flat.shape)
    if both and c.get("causal", True):
        score, words = beam(net, sources[0], 3)
        out["greedy"] = torch.tensor([float(w) for w in greedy(net, sources[0])])
        out["beam"], out["beam_log_probability"] = torch.tensor([float(w) for w in words]), torch.tensor([score])
    return out


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
    worst = 0.
    for case, configuration in CASES.items():
        fresh, file = values(case, configuration), FOLDER / f"{case}.safetensors"
        if "--check" not in sys.argv:
            write(file, fresh)
            continue
        committed = read(file)
        assert committed.keys() == fresh.keys(), f"{file}: other tensors"
        for n, old in committed.items():
            new = fresh[n].detach().double().numpy().ravel()
            if old.size:
                worst = max(worst, float(np.abs(new - old).max() / max(1e-6, np.abs(old).max())))
    if "--check" in sys.argv:
        print(f"make_text.py: the largest difference is {worst:.1e} of a tensor's largest magnitude")
        sys.exit(0 if worst <= TOLERANCE else 1)
