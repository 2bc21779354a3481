#!/usr/bin/python3
"""Writes the golden values of causes with PyTorch: activation patching, importance, hidden keys, perturbation curves;
--check compares a fresh run with the file.

The model and image A are those of make_golden.py's `tiny_hf`; image B is A turned upside down, with other colours.
Everything is computed in float64, each part of a block in one line, so that an edit can replace it.
"""
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F

from make_golden import make, read, squash, write

HERE = Path(__file__).resolve().parent
FILE = HERE / "values" / "causes.safetensors"
PATCH = 8
STEPS = 20


def run(model, image, edit=lambda site, block, x: x, positions=None):
    """Logits of an image (C, H, W) and every tensor that is edited, as the forward pass hands it to `edit`; `positions`
    replaces the patches' rows of E_pos."""
    seen = {}

    def at(site, block, x):
        seen[site, block] = x = edit(site, block, x)
        return x

    heads, d = model.encoder.layers[0].num_heads, model.hidden_dim
    x = model.conv_proj(image[None]).flatten(2).transpose(1, 2)[0]
    x = at("patches", 0, x)
    own = model.encoder.pos_embedding[0]
    z = torch.cat([model.class_token[0], x]) + (own if positions is None else torch.cat([own[:1], positions]))
    for i, layer in enumerate(model.encoder.layers, 1):
        mha = layer.self_attention
        q, k, v = F.linear(layer.ln_1(z), mha.in_proj_weight, mha.in_proj_bias).view(-1, 3, heads, d // heads).permute(1, 2, 0, 3)
        scores = at("scores", i, q @ k.transpose(1, 2) / np.sqrt(d // heads))
        a = at("weights", i, scores.softmax(-1))
        mixed = at("head", i, a @ v)
        residual = at("attention", i, mha.out_proj(mixed.transpose(0, 1).reshape(-1, d))) + z
        z = at("stream", i, at("mlp", i, layer.mlp(layer.ln_2(residual))) + residual)
    return model.heads(model.encoder.ln(z)[0][None])[0], seen


def margin(logits, chosen):
    return logits[chosen] - torch.cat([logits[:chosen], logits[chosen + 1:]]).max()


def patching(model, a, b, site):
    (clean, from_a), (plain, from_b) = run(model, a), run(model, b)
    chosen = int(clean.argmax())
    other = int(plain.argmax())
    if other == chosen:
        other = int(plain.topk(2).indices[1])

    def m(logits):
        return logits[chosen] - logits[other]

    blocks = len(model.encoder.layers)
    parts = from_b["head" if site == "head" else "stream", 1].shape[0]
    returned = torch.zeros(blocks, parts, dtype=torch.float64)
    for block in range(1, blocks + 1):
        for part in range(parts):
            def edit(where, at, x):
                if (where, at) != (site, block):
                    return x
                x = x.clone()
                x[part] = from_a[site, block][part]
                return x
            returned[block - 1, part] = (m(run(model, b, edit)[0]) - m(plain)) / (m(clean) - m(plain))
    return returned


def importance(model, image, mean):
    whole, seen = run(model, image)
    chosen = int(whole.argmax())
    blocks, heads = len(model.encoder.layers), seen["head", 1].shape[0]

    def without(site, block, part):
        def edit(where, at, x):
            if (where, at) != (site, block):
                return x
            x = x.clone()
            x[part] = x[part].mean(0, keepdim=True) if mean else 0
            return x
        return margin(whole, chosen) - margin(run(model, image, edit)[0], chosen)

    of_heads = torch.stack([torch.stack([without("head", l, h) for h in range(heads)]) for l in range(1, blocks + 1)])
    of_mlps = torch.stack([without("mlp", l, slice(None)) for l in range(1, blocks + 1)])
    return of_heads, of_mlps


def over_set(model, images, image):
    """Margins lost in an image where each head or MLP, and each patch, has the mean of that part over all tokens of all
    images."""
    seen = [run(model, each)[1] for each in images]
    whole, own = run(model, image)
    chosen = int(whole.argmax())

    def without(site, block, part):
        mean = torch.stack([each[site, block][part] for each in seen]).mean((0, 1))

        def edit(where, at, x):
            if (where, at) != (site, block):
                return x
            x = x.clone()
            x[part] = mean
            return x
        return margin(whole, chosen) - margin(run(model, image, edit)[0], chosen)

    blocks, heads = len(model.encoder.layers), own["head", 1].shape[0]
    of_heads = torch.stack([torch.stack([without("head", l, h) for h in range(heads)]) for l in range(1, blocks + 1)])
    of_mlps = torch.stack([without("mlp", l, slice(None)) for l in range(1, blocks + 1)])
    mean_patch = torch.stack([each["patches", 0] for each in seen]).mean((0, 1))

    def without_patch(patch):
        def edit(where, at, x):
            if where != "patches":
                return x
            x = x.clone()
            x[patch] = mean_patch
            return x
        return margin(whole, chosen) - margin(run(model, image, edit)[0], chosen)
    return of_heads, of_mlps, torch.stack([without_patch(i) for i in range(len(own["patches", 0]))])


def pruning(model, images, importance):
    """Share of the images with the whole model's answer as the least important heads go, one after another."""
    heads = importance.shape[1]
    order = [(i // heads + 1, i % heads) for i in torch.sort(importance.flatten(), stable=True).indices.tolist()]

    def answers(off):
        def edit(where, at, x):
            if where != "head":
                return x
            x = x.clone()
            for block, head in off:
                if block == at:
                    x[head] = 0
            return x
        return [int(run(model, image, edit)[0].argmax()) for image in images]

    whole = answers([])
    return torch.tensor([np.mean([a == b for a, b in zip(answers(order[:n]), whole)]) for n in range(len(order) + 1)])


def interpolated(model, side):
    """The patches' rows of E_pos from a grid of that side."""
    table = model.encoder.pos_embedding[0, 1:]
    own = int(len(table) ** 0.5)
    grid = table.T.reshape(1, -1, own, own)
    for size in (side, own):
        grid = F.interpolate(grid, size=(size, size), mode="bicubic", antialias=True)
    return grid.flatten(2)[0].T


def gradient_importance(model, image):
    logits, seen = run(model, image)
    first, second = logits.topk(2).indices
    mixed = [seen["head", l] for l in range(1, len(model.encoder.layers) + 1)]
    found = torch.autograd.grad(logits[first] - logits[second], mixed)
    return torch.stack([(x * g).sum((1, 2)).abs() for x, g in zip(mixed, found)])


def hidden(model, image, hide):
    """Logits where hide(query, key) -> whether the key is hidden, in block 2, heads 1 and 2."""
    n = (image.shape[1] // PATCH) * (image.shape[2] // PATCH) + 1
    mask = torch.tensor([[hide(q, k) for k in range(n)] for q in range(n)])

    def edit(site, block, x):
        if (site, block) == ("scores", 2):
            x = x.clone()
            x[1:3] = x[1:3].masked_fill(mask, -torch.inf)
        if (site, block) == ("weights", 2):
            x = x.nan_to_num(0.0)  # a query without any key attends to nothing
        return x
    return run(model, image, edit)[0]


def local(model, image, radius):
    columns = image.shape[2] // PATCH
    n = (image.shape[1] // PATCH) * columns + 1

    def far(q, k):
        if q == 0 or k == 0:
            return False
        return max(abs((q - 1) // columns - (k - 1) // columns), abs((q - 1) % columns - (k - 1) % columns)) > radius
    mask = torch.tensor([[far(q, k) for k in range(n)] for q in range(n)])
    return run(model, image, lambda site, block, x: x.masked_fill(mask, -torch.inf) if site == "scores" else x)[0]


def blurred(image):
    """Two box filters, each the mean of the pixels within half a patch that are in the picture."""
    def lines(x, axis):
        out, count, radius = torch.empty_like(x), x.shape[axis], PATCH // 2
        for i in range(count):
            out.select(axis, i).copy_(x.narrow(axis, max(0, i - radius), min(count - 1, i + radius) - max(0, i - radius) + 1).mean(axis))
        return out
    for _ in range(2):
        image = lines(lines(image, 2), 1)
    return image


def patch_of(image, index):
    columns = image.shape[2] // PATCH
    y, x = index // columns * PATCH, index % columns * PATCH
    return (slice(None), slice(y, y + PATCH), slice(x, x + PATCH))


def rankings(model, image):
    logits, seen = run(model, image)
    chosen = int(logits.argmax())
    attention = [seen["weights", l] for l in range(1, len(model.encoder.layers) + 1)]
    found = torch.autograd.grad(logits[chosen], attention)
    rolled = relevance = eye = torch.eye(attention[0].shape[-1], dtype=torch.float64)
    for a, g in zip(attention, found):
        rolled = (0.5 * a.mean(0) + 0.5 * eye) @ rolled
        relevance = relevance + (a * g).clamp(min=0).mean(0) @ relevance
    patches = attention[0].shape[-1] - 1
    grey = image.mean((1, 2), keepdim=True).expand_as(image)
    falls = []
    for patch in range(patches):
        covered = image.clone()
        covered[patch_of(image, patch)] = grey[patch_of(image, patch)]
        falls.append(logits[chosen] - run(model, covered)[0][chosen])
    return {"attention": attention[-1].mean(0)[0, 1:], "rollout": rolled[0, 1:], "relevance": relevance[0, 1:],
            "occlusion": torch.stack(falls)}, chosen


def curve(model, begin, end, order, chosen):
    picture, there, heights = begin.clone(), 0, []
    for step in range(STEPS + 1):
        count = int(len(order) * step / STEPS + 0.5)
        for patch in order[there:count]:
            picture[patch_of(picture, int(patch))] = end[patch_of(picture, int(patch))]
        there = count
        heights.append(run(model, picture)[0].softmax(-1)[chosen])
    return torch.stack(heights)


def build():
    model = make(1, 32, 8, 32, 4, 3, 64, 10, 1e-6, torch.nn.GELU()).double()
    picture = Image.open(HERE / "images" / "golden.png").convert("RGB")
    a = squash(picture, 32).double()
    b = a.flip(1)[[2, 0, 1]] * 0.8
    out = {"image.b": b}
    for site in ("stream", "attention", "mlp", "head"):
        out[f"patching.{site}"] = patching(model, a, b, site)
    for name, mean in (("zero", False), ("mean", True)):
        out[f"importance.{name}"], out[f"importance.{name}.mlp"] = importance(model, a, mean)
    out["importance.gradient"] = gradient_importance(model, a)
    with torch.no_grad():
        both = [importance(model, image, False) for image in (a, b)]
        for name, place in (("heads", 0), ("mlps", 1)):
            of_each = torch.stack([each[place] for each in both])
            out[f"importance.over.{name}"] = of_each.mean(0)
            out[f"importance.over.{name}.deviation"] = of_each.std(0, unbiased=False)
        out["pruning"] = pruning(model, [a, b], out["importance.over.heads"])
        out["set.heads"], out["set.mlps"], out["set.patches"] = over_set(model, [a, b], a)
        for side in (1, 2):
            out[f"positions.{side}.logits"] = run(model, a, positions=interpolated(model, side))[0]
    out["edges.logits"] = hidden(model, a, lambda q, k: q in (0, 3) and k in (2, 5, 6, 7))
    out["edges.all.logits"] = hidden(model, a, lambda q, k: q == 4)
    out["window.logits"] = local(model, a, 1)
    maps, chosen = rankings(model, a)
    fillings = {"mean": a.mean((1, 2), keepdim=True).expand_as(a).clone(), "blur": blurred(a)}
    with torch.no_grad():
        for name, ranks in maps.items():
            out[f"ranking.{name}"] = ranks
            order = torch.sort(ranks, descending=True, stable=True).indices
            for filling, cover in fillings.items():
                out[f"curve.deletion.{filling}.{name}"] = curve(model, a, cover, order, chosen)
                out[f"curve.insertion.{filling}.{name}"] = curve(model, cover, a, order, chosen)
    return {name: t.detach().float() for name, t in out.items()}


def main():
    torch.set_num_threads(1)
    tensors = build()
    if "--check" in sys.argv:
        old = read(FILE)
        assert set(old) == set(tensors), "other tensors"
        worst = max(float(np.abs(old[k] - t.double().numpy().ravel()).max() / max(1e-6, np.abs(old[k]).max()))
                    for k, t in tensors.items())
        print(f"{len(tensors)} tensors, largest difference {worst:.1e}")
        sys.exit(int(worst > 1e-5))
    write(FILE, tensors)


if __name__ == "__main__":
    main()
