#!/usr/bin/python3
"""Writes what is measured of the text Transformers of make_text.py, in double precision and by other ways than ours: statistics from the
definition, rollout as one product of matrices over all words of both sides, the ledger as the change that each part makes where norms are
frozen, the lens, and covered words by whole runs; --check compares a fresh run with the committed file."""
import sys

import numpy as np
import torch

import make_text as text

FILE = text.FOLDER / "text_measures.safetensors"
UNKNOWN = 3


class Covered(text.Net):
    """A net whose word at a place of one side has no vector."""
    side, place = None, None

    def embed(self, side, ids):
        plain = super().embed(side, ids)
        if side != self.side:
            return plain
        e = torch.nn.functional.embedding(ids, self.w[side + "_embedding.weight"]) * np.sqrt(text.D)
        drop = torch.zeros(1, ids.shape[1], 1).double()
        drop[0, self.place] = 1
        return plain - drop * e


class Patched(text.Net):
    """A net in which one row of one activation, or one head, is another run's."""
    name, part, numbers = None, None, None

    def keep(self, name, x):
        x = super().keep(name, x)
        if name != self.name:
            return x
        x = x.clone()
        x[0, self.part] = self.numbers[0, self.part]
        return x


def net_of(case, kind=text.Net):
    """The committed weights, as they are rounded there."""
    c, file = text.CASES[case], text.read(text.FOLDER / f"{case}.safetensors")
    shapes = text.shapes(c)
    net = kind(c, {n: torch.tensor(file["w." + n].reshape(s)) for n, s in shapes.items()})
    net.kept = {}
    return net


def sides(c):
    source = (text.SOURCES if c["dec"] else text.REVIEWS)[0] if c["enc"] else []
    target, said = (text.TARGETS[0], text.NEXT[0]) if c["dec"] else ([], [text.LABELS[0]])
    return list(source), list(target), said


def run(net, source, target):
    with torch.no_grad():
        return net.run([source] if source else [], [target] if target else [])[0].reshape(-1, net.w["generator.bias"].shape[0])


def kinds(c):
    return [("encoder", "")] * bool(c["enc"]) + [("decoder", "self.")] * bool(c["dec"]) + [("decoder", "cross.")] * bool(c["enc"] and c["dec"])


def statistics(c, kept, stack, part, source):
    """(6, L, h) in the order entropy, confidence, first, own, previous, end; NaN where it cannot be told."""
    blocks = c["enc"] if stack == "encoder" else c["dec"]
    out = np.full((6, blocks, text.H), np.nan)
    for b in range(blocks):
        a = kept[f"{stack}.{b + 1}.{part}attention"][0].numpy()
        for h in range(text.H):
            rows = a[h]
            seen = [i + 1 if part == "self." else rows.shape[1] for i in range(len(rows))]
            some = [(r[:n], n) for r, n in zip(rows, seen) if n > 1]
            out[0, b, h] = np.mean([-(r * np.log(r)).sum() / np.log(n) for r, n in some])
            out[1, b, h], out[2, b, h] = rows.max(1).mean(), rows[:, 0].mean()
            if part != "cross.":
                out[3, b, h] = np.diag(rows).mean()
                out[4, b, h] = np.diag(rows, -1).mean()
            if part != "self." and text.EOS in source:
                out[5, b, h] = rows[:, source.index(text.EOS)].mean()
    return out


def rollout(c, kept, s, t):
    """Joint (T + S): target words first; the source words are what the encoder made of them."""
    def mean(name):
        return kept[name][0].numpy().mean(0)
    e = np.eye(s)
    for b in range(1, c["enc"] + 1):
        e = .5 * (np.eye(s) + mean(f"encoder.{b}.attention")) @ e
    joint = np.block([[np.eye(t), np.zeros((t, s))], [np.zeros((s, t)), e]])
    for b in range(1, c["dec"] + 1):
        own = np.eye(t + s)
        own[:t, :t] = .5 * (np.eye(t) + mean(f"decoder.{b}.self.attention"))
        joint = own @ joint
        if s:
            cross = np.eye(t + s)
            cross[:t, :t] *= .5
            cross[:t, t:] = .5 * mean(f"decoder.{b}.cross.attention")
            joint = cross @ joint
    return e, joint[:t, :t], joint[:t, t:]


def ledger(c, net, kept, row):
    """Each part alone through the rest of the stack, whose norms have this run's variance: (parts, words)."""
    dec = c["dec"] > 0
    stack, begin = ("decoder", "target") if dec else ("encoder", "source")
    w = {n: p.numpy() for n, p in net.w.items()}
    at = lambda name: kept[name].numpy().reshape((-1,) + kept[name].shape[2:] if kept[name].dim() > 2 else kept[name].shape[1:])
    steps = []  # (parts, name of the norm behind, its place in the trace)
    for b in range(1, (c["dec"] if dec else c["enc"]) + 1):
        here = f"{stack}.{b}."
        layers = [("self.", 1), ("cross.", 2)] if dec and c["enc"] else [("self.", 1)] if dec else [("", 1)]
        for part, n in layers:
            heads, p = kept[here + part + "heads"][0].numpy(), w[here + part + "projection.weight"]
            d = text.D // text.H
            parts = [p[:, h * d:(h + 1) * d] @ heads[h, row] for h in range(text.H)] + [w[here + part + "projection.bias"]]
            steps.append((parts, f"{here}norm{n}", f"{here}ln{n}"))
        n = 3 if dec else 2
        steps.append(([at(here + "mlp.out")[row]], f"{here}norm{n}", f"{here}ln{n}"))
    parts, owner = [at(begin + ".tokens")[row], at(begin + ".z")[row] - at(begin + ".tokens")[row]], [0, 0]
    for i, (added, _, _) in enumerate(steps):
        parts += added
        owner += [i] * len(added)

    def through(x, first):
        norms = steps[first:] if c["norm"] == "after" else []
        norms = [(n, t) for _, n, t in norms] + ([(stack + ".norm",) * 2] if c["norm"] == "before" else [])
        beta = np.zeros(text.D)
        for name, trace in norms:
            var = kept[trace + ".var"].numpy().ravel()[row]
            centre = lambda v: (v - v.mean()) / np.sqrt(var + text.EPSILON) * w[name + ".weight"]
            x, beta = centre(x), centre(beta) + w[name + ".bias"]
        return w["generator.weight"] @ x, w["generator.weight"] @ beta
    told = [through(x, first) for x, first in zip(parts, owner)]
    return np.stack([x for x, _ in told] + [told[0][1], w["generator.bias"]])


def lens(c, net, kept):
    stack, begin, blocks = ("decoder", "target", c["dec"]) if c["dec"] else ("encoder", "source", c["enc"])
    out = []
    for level in range(blocks + 1):
        z = kept[f"{stack}.{level}.z"] if level else kept[begin + ".z"]
        z = net.norm(stack + ".norm", "", z) if c["norm"] == "before" else z
        logits = net.linear("generator", z if c["dec"] else z[:, :1])
        out.append(logits.softmax(-1)[0].numpy())
    return np.stack(out)


def occlusion(case, c, source, target, said):
    def told(net, s, t):
        return run(net, s, t).log_softmax(-1).numpy()[range(len(said)), said]
    plain, out = told(net_of(case), source, target), []
    for side, words in (("source", source), ("target", target)):
        for place, word in enumerate(words):
            if word < text.SPECIAL and word != UNKNOWN:
                continue
            s, t = list(source), list(target)
            (s if side == "source" else t)[place] = UNKNOWN
            bare = net_of(case, Covered)
            bare.side, bare.place = side, place
            out.append((plain - told(net_of(case), s, t), plain - told(bare, source, target)))
    return plain, np.array([a for a, _ in out]), np.array([b for _, b in out])


def patching(case, c, source, target):
    """Every site's (L, N or h) of a text with one word changed, in the first row where the answers differ; place and word."""
    blocks, stack, words = (c["enc"], "encoder", source) if c["enc"] else (c["dec"], "decoder", target)
    own = "self." if stack == "decoder" else ""
    sides = {"encoder": lambda w: (w, target), "decoder": lambda w: (source, w)}[stack]
    clean, plain = net_of(case), run(net_of(case), *sides(words))
    rows = [len(plain) - 1] if stack == "decoder" else range(len(plain))
    for place, word in ((p, w) for p in range(1, len(words)) for w in range(text.SPECIAL, text.SOURCE_WORDS)):
        other = words[:place] + [word] + words[place + 1:]
        told = run(clean, *sides(other))
        row = next((r for r in rows if told[r].argmax() != plain[r].argmax()), None)
        if row is not None:
            break
    a, b = told[row].argmax(), plain[row].argmax()
    margin = lambda logits: float(logits[row, a] - logits[row, b])
    out = {f"{case}.patching.{site}": [] for site in ("stream", "attention", "mlp", "head")}
    for block in range(1, blocks + 1):
        for site, name in (("stream", "z"), ("attention", own + "msa"), ("mlp", "mlp.out"), ("head", own + "heads")):
            cells = []
            for part in range(text.H if site == "head" else len(words)):
                net = net_of(case, Patched)
                net.name, net.part = f"{stack}.{block}.{name}", part
                net.numbers = clean.kept[net.name]
                cells.append((margin(run(net, *sides(words))) - margin(plain)) / (margin(told) - margin(plain)))
            out[f"{case}.patching.{site}"].append(cells)
    return {n: np.array(v, float) for n, v in (out | {f"{case}.patching.changed": [place, word]}).items()}


def values():
    out = {}
    for case in ("text_post", "text_pre", "text_class", "text_story"):
        c, net = text.CASES[case], net_of(case)
        source, target, said = sides(c)
        run(net, source, target)
        kept = net.kept
        for stack, part in kinds(c):
            out[f"{case}.statistics.{stack}.{part}"] = statistics(c, kept, stack, part, source)
        e, own, crossed = rollout(c, kept, len(source), len(target))
        for name, matrix in (("encoder", e), ("own", own), ("source", crossed)):
            if matrix.size:
                out[f"{case}.rollout.{name}"] = matrix
        out[case + ".lens"] = lens(c, net, kept)
        for row in range(len(said)):
            parts = ledger(c, net, kept, row)
            logits = net_of(case)
            assert np.allclose(parts.sum(0), run(logits, source, target)[row].numpy(), atol=1e-9), (case, row)
            out[f"{case}.ledger.{row}"] = parts
        out |= patching(case, c, source, target)
        out[case + ".occlusion.plain"], out[case + ".occlusion.unknown"], out[case + ".occlusion.nothing"] = \
            occlusion(case, c, source, target, said)
    return {n: torch.tensor(np.nan_to_num(v)) for n, v in out.items()}


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    fresh = values()
    if "--check" not in sys.argv:
        text.write(FILE, fresh)
        sys.exit(0)
    committed = text.read(FILE)
    assert committed.keys() == fresh.keys(), f"{FILE}: other tensors"
    worst = max(float(np.abs(fresh[n].numpy().ravel() - old).max() / max(1e-6, np.abs(old).max())) for n, old in committed.items())
    print(f"make_text_measures.py: the largest difference is {worst:.1e} of a tensor's largest magnitude")
    sys.exit(0 if worst <= text.TOLERANCE else 1)
