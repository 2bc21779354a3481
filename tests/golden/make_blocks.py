#!/usr/bin/python3
"""Writes small random models whose blocks have more than a plain ViT's, and all their activations, with PyTorch alone.

Each is written from the published structure of its family, in that family's names. --check compares a fresh run with
the committed files.
"""
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from make_golden import HERE, TOLERANCE, read, write

D, HEADS, BLOCKS, HIDDEN, CLASSES, PATCH, HEIGHT, WIDTH = 32, 4, 3, 40, 5, 4, 8, 12
POOL, DIM, ROWS, COLUMNS = 24, D // HEADS, HEIGHT // PATCH, WIDTH // PATCH
PATCHES = ROWS * COLUMNS


def weights(seed, parts):
    """Random parameters by Vitrine's own names of a block's parts."""
    torch.manual_seed(seed)
    w = {}

    def add(name, *shape, scale=None, mean=0.0):
        w[name] = torch.randn(*shape) * (scale or 1 / np.sqrt(shape[-1])) + mean

    def linear(name, outputs, inputs, bias=True, scale=None):
        add(name + ".weight", outputs, inputs, scale=scale)
        if bias:
            add(name + ".bias", outputs, scale=0.2)

    def norm(name, features):
        add(name + ".weight", features, scale=0.2, mean=1.0)
        add(name + ".bias", features, scale=0.2)

    add("patch.weight", D, 3, PATCH, PATCH, scale=1 / np.sqrt(3 * PATCH * PATCH))
    add("patch.bias", D, scale=0.2)
    if "no_class" not in parts:
        add("class", 1, 1, D, scale=0.5)
    if "registers" in parts:
        add("registers", 1, 2, D, scale=0.5)
    if "no_table" not in parts:
        add("position", 1, PATCHES + ("unplaced_class" not in parts), D, scale=0.3)
    for i in range(BLOCKS):
        b = f"{i}."
        norm(b + "norm1", D)
        for part in "qkv":
            biased = "no_qkv_bias" not in parts and (part != "k" or "no_key_bias" not in parts)
            linear(b + part, D, D, bias=biased, scale=0.35 if part != "v" else None)
        if "qk_norm" in parts:
            norm(b + "q_norm", DIM)
            norm(b + "k_norm", DIM)
        if "relative_bias" in parts and not ("shared_table" in parts and i > 0):
            add("table" if "shared_table" in parts else b + "table", (2 * ROWS - 1) * (2 * COLUMNS - 1) + 3, HEADS, scale=0.8)
        linear(b + "proj", D, D)
        norm(b + "norm2", D)
        linear(b + "fc1", HIDDEN, D)
        if "gate" in parts:
            linear(b + "value", HIDDEN, D)
        if "mlp_norm" in parts:
            norm(b + "mlp_norm", HIDDEN)
        linear(b + "fc2", D, HIDDEN)
        if "layer_scale" in parts:
            add(b + "gamma1", D, scale=0.5, mean=0.4)
            add(b + "gamma2", D, scale=0.5, mean=0.4)
    norm("norm", D)
    linear("head", CLASSES, D)
    if "map" in parts:
        add("probe", 1, 1, D, scale=0.5)
        for part in "qkvo":
            linear("pool_" + part, D, D, scale=0.35 if part in "qk" else None)
        norm("pool_ln", D)
        linear("pool_in", POOL, D)
        linear("pool_out", D, POOL)
    return w


def angles_centred(base):
    """DINOv3: centres of patches from -1 to 1, times 2 pi over the period; rows' angles, then columns'. (N_p, d / 2)"""
    periods = base ** (torch.arange(DIM // 4) * 4 / DIM)
    y = 2 * (torch.arange(ROWS) + 0.5) / ROWS - 1
    x = 2 * (torch.arange(COLUMNS) + 0.5) / COLUMNS - 1
    grid = torch.stack(torch.meshgrid(y, x, indexing="ij"), -1).reshape(-1, 2)
    return (2 * np.pi * grid[:, :, None] / periods).flatten(1)


def angles_counted(base, reference):
    """EVA-02: the patch's row and column, in patches of the grid it was first trained on, over the period."""
    periods = base ** (torch.arange(DIM // 4) / (DIM // 4))
    y, x = torch.arange(ROWS) / ROWS * reference, torch.arange(COLUMNS) / COLUMNS * reference
    grid = torch.stack(torch.meshgrid(y, x, indexing="ij"), -1).reshape(-1, 2)
    return (grid[:, :, None] / periods).flatten(1)


def angles_of_columns_first(base):
    """RoPE-ViT (naver-ai/rope-vit, axial): the patch's column and row as they are counted, over the period."""
    periods = base ** (torch.arange(DIM // 4) / (DIM // 4))
    y, x = torch.meshgrid(torch.arange(ROWS), torch.arange(COLUMNS), indexing="ij")
    return torch.cat([place.reshape(-1, 1) / periods for place in (x, y)], 1)


def turned(x, angles, halves, first):
    """Turns each pair of features of every patch by its angle; tokens before `first` stay. x (h, N, d)"""
    patches = x[:, first:]
    if halves:
        a, b = patches[..., :DIM // 2], patches[..., DIM // 2:]
    else:
        a, b = patches[..., 0::2], patches[..., 1::2]
    c, s = angles.cos(), angles.sin()
    a, b = a * c - b * s, a * s + b * c
    joined = torch.cat([a, b], -1) if halves else torch.stack([a, b], -1).flatten(-2)
    return torch.cat([x[:, :first], joined], 1)


def relative_bias(table):
    """BEiT: an entry for each offset between two patches, and three for the class token. (h, N, N)"""
    n = 1 + PATCHES
    out = torch.zeros(HEADS, n, n)
    last = table.shape[0]
    rows = []
    for query in range(n):
        for key in range(n):
            if query == 0 or key == 0:
                entry = last - 1 if query == key else last - 3 if query == 0 else last - 2
            else:
                dy = (query - 1) // COLUMNS - (key - 1) // COLUMNS
                dx = (query - 1) % COLUMNS - (key - 1) % COLUMNS
                entry = (dy + ROWS - 1) * (2 * COLUMNS - 1) + dx + COLUMNS - 1
            rows.append(entry)
    return table[rows].t().reshape(HEADS, n, n)


def run(w, parts, image, activation, eps, angles=None, halves=True, mean=False):
    out = {"image": image}
    x = F.conv2d(image[None], w["patch.weight"], w["patch.bias"], stride=PATCH).flatten(2).transpose(1, 2)[0]
    out["patch_embedding"] = x
    leading = [w[kind][0] for kind in ("class", "registers") if kind in w]
    first = sum(len(t) for t in leading)
    z = torch.cat(leading + [x])
    out["tokens"] = z
    if "no_table" not in parts:
        z = z + F.pad(w["position"][0], (0, 0, len(z) - w["position"].shape[1], 0))
    out["z.0"] = z
    if angles is not None:
        out["rotation"] = torch.cat([torch.zeros(first, DIM // 2), angles])

    def linear(name, a):
        return F.linear(a, w[name + ".weight"], w.get(name + ".bias"))

    def layer_norm(name, a):
        return F.layer_norm(a, a.shape[-1:], w[name + ".weight"], w[name + ".bias"], eps)

    def norm(dumped, name, a):
        out[dumped + ".mean"], out[dumped + ".var"] = a.mean(-1), a.var(-1, unbiased=False)
        out[dumped + ".out"] = layer_norm(name, a)
        return out[dumped + ".out"]

    for i in range(BLOCKS):
        b, o = f"{i}.", f"block.{i + 1}."
        a = norm(o + "ln1", b + "norm1", z)
        q, k, v = (linear(b + part, a).view(-1, HEADS, DIM).transpose(0, 1) for part in "qkv")
        out.update({o + "q": q, o + "k": k, o + "v": v})
        if "qk_norm" in parts:
            q, k = layer_norm(b + "q_norm", q), layer_norm(b + "k_norm", k)
            out.update({o + "q.normed": q, o + "k.normed": k})
        if angles is not None:
            q, k = turned(q, angles, halves, first), turned(k, angles, halves, first)
            out.update({o + "q.turned": q, o + "k.turned": k})
        scores = q @ k.transpose(1, 2) / np.sqrt(DIM)
        if "relative_bias" in parts:
            scores = scores + relative_bias(w["table" if "shared_table" in parts else b + "table"])
        attention = scores.softmax(-1)
        mixed = attention @ v
        msa = branch = linear(b + "proj", mixed.transpose(0, 1).reshape(-1, D))
        if "layer_scale" in parts:
            branch = out[o + "msa.scaled"] = w[b + "gamma1"] * msa
        residual = branch + z
        a = norm(o + "ln2", b + "norm2", residual)
        hidden = linear(b + "fc1", a)
        inside = active = activation(hidden)
        if "gate" in parts:
            value = linear(b + "value", a)
            inside = active * value
            out.update({o + "mlp.value": value, o + "mlp.gated": inside})
        if "mlp_norm" in parts:
            inside = norm(o + "mlp.norm", b + "mlp_norm", inside)
        mlp = branch = linear(b + "fc2", inside)
        if "layer_scale" in parts:
            branch = out[o + "mlp.scaled"] = w[b + "gamma2"] * mlp
        z = branch + residual
        out.update({o + "scores": scores, o + "attention": attention, o + "heads": mixed, o + "msa": msa,
                    o + "residual": residual, o + "mlp.hidden": hidden, o + "mlp.activation": active, o + "mlp.out": mlp,
                    f"z.{i + 1}": z})
    if "map" in parts:
        out["head.tokens"] = tokens = layer_norm("norm", z[first:])
        q, k, v = (linear("pool_" + part, a).view(-1, HEADS, DIM).transpose(0, 1)
                   for part, a in (("q", w["probe"][0]), ("k", tokens), ("v", tokens)))
        scores = q @ k.transpose(1, 2) / np.sqrt(DIM)
        attention = scores.softmax(-1)
        mixed = attention @ v
        o = "head.pool."
        out[o + "msa"] = msa = linear("pool_o", mixed.transpose(0, 1).reshape(1, D))
        hidden = linear("pool_in", norm(o + "ln", "pool_ln", msa))
        active = activation(hidden)
        mlp = linear("pool_out", active)
        out.update({o + "q": q, o + "k": k, o + "v": v, o + "scores": scores, o + "attention": attention,
                    o + "heads": mixed, o + "mlp.hidden": hidden, o + "mlp.activation": active, o + "mlp.out": mlp,
                    "head.ln": (msa + mlp)[0]})
    else:
        out["head.ln"] = layer_norm("norm", z[first:].mean(0) if mean else z[0])
    out["head.logits"] = linear("head", out["head.ln"])
    out["head.probabilities"] = out["head.logits"].softmax(-1)
    return out


def readout_measures(out, image_class):
    """Rollout (Abnar & Zuidema 2020) and relevance (Chefer et al. 2021) followed to what a pooling by attention reads: its
    own weights times the patches' rows of R."""
    attentions = [out[f"block.{i + 1}.attention"] for i in range(BLOCKS)]
    pool = out["head.pool.attention"]
    n, first = attentions[0].shape[1], attentions[0].shape[1] - PATCHES
    measures = {}
    for name, fused, residual, dropped in (("mean", lambda a: a.mean(0), 0.5, 0.0), ("max", lambda a: a.max(0).values, 0.3, 0.4)):
        def cleared(matrix):
            count = int(dropped * matrix.shape[1])
            rows = matrix.detach().clone()
            for row in rows:
                row[row.argsort()[:count]] = 0
            return rows / rows.sum(1, keepdim=True)
        r = torch.eye(n)
        for a in attentions:
            r = ((1 - residual) * cleared(fused(a)) + residual * torch.eye(n)) @ r
        measures["rollout." + name] = (cleared(fused(pool)) @ r[first:])[0]
    slopes = torch.autograd.grad(out["head.logits"][image_class], attentions + [pool], retain_graph=True)
    positive = [(slope * a).clamp(min=0).mean(0) for slope, a in zip(slopes, attentions + [pool])]
    r = torch.eye(n)
    for a in positive[:-1]:
        r = r + a @ r
    measures["relevance"] = (positive[-1] @ r[first:])[0]
    measures["shares"] = torch.cat([torch.zeros(first), pool.mean(0)[0]])
    measures["last"] = measures["shares"] @ attentions[-1].mean(0)
    return {name: t.detach() for name, t in measures.items()}


# The families' names of the parts.

HUGGING_FACE = {"patch": "vit.embeddings.patch_embeddings.projection", "class": "vit.embeddings.cls_token",
                "position": "vit.embeddings.position_embeddings", "norm": "vit.layernorm", "head": "classifier",
                "blocks": "vit.encoder.layer.", "norm1": "layernorm_before", "q": "attention.attention.query",
                "k": "attention.attention.key", "v": "attention.attention.value", "proj": "attention.output.dense",
                "norm2": "layernorm_after", "fc1": "intermediate.dense", "fc2": "output.dense",
                "gamma1": "layer_scale1.lambda1", "gamma2": "layer_scale2.lambda1"}
TIMM = {"patch": "patch_embed.proj", "class": "cls_token", "position": "pos_embed", "norm": "norm", "head": "head",
        "blocks": "blocks.", "norm1": "norm1", "q": "attn.q_proj", "k": "attn.k_proj", "v": "attn.v_proj",
        "q_norm": "attn.q_norm", "k_norm": "attn.k_norm", "proj": "attn.proj", "norm2": "norm2", "fc1": "mlp.fc1",
        "fc2": "mlp.fc2", "gamma1": "ls1.gamma", "gamma2": "ls2.gamma", "mlp_norm": "mlp.norm"}
DINOV3 = {"patch": "embeddings.patch_embeddings", "class": "embeddings.cls_token",
          "registers": "embeddings.register_tokens", "norm": "norm", "head": "classifier", "blocks": "layer.",
          "norm1": "norm1", "q": "attention.q_proj", "k": "attention.k_proj", "v": "attention.v_proj",
          "proj": "attention.o_proj", "norm2": "norm2", "fc1": "mlp.up_proj", "fc2": "mlp.down_proj",
          "gamma1": "layer_scale1.lambda1", "gamma2": "layer_scale2.lambda1"}
TIMM_MAP = dict(TIMM, probe="attn_pool.latent", pool_q="attn_pool.q", pool_k="attn_pool.k", pool_v="attn_pool.v",
                pool_o="attn_pool.proj", pool_ln="attn_pool.norm", pool_in="attn_pool.mlp.fc1", pool_out="attn_pool.mlp.fc2")
TIMM_EVA = dict(TIMM, registers="reg_token", gamma1="gamma_1", gamma2="gamma_2", value="mlp.value",
                table="attn.relative_position_bias_table")
BEIT = dict(HUGGING_FACE, **{"patch": "beit.embeddings.patch_embeddings.projection",
                             "class": "beit.embeddings.cls_token", "norm": "beit.pooler.layernorm",
                             "blocks": "beit.encoder.layer.", "gamma1": "lambda_1", "gamma2": "lambda_2",
                             "table": "attention.attention.relative_position_bias.relative_position_bias_table"})


def named(w, names):
    out = {}
    for own, tensor in w.items():
        pieces = own.split(".")
        block = names["blocks"] + pieces.pop(0) + "." if pieces[0].isdigit() else ""
        out[block + ".".join([names[pieces[0]]] + pieces[1:])] = tensor
    return out


def fused(tensors, parts, whole):
    """Layers of a block that the family stores as one, one below the other."""
    for name in [n for n in tensors if f".{parts[0]}." in "." + n]:
        pieces = [tensors.pop(name.replace(f"{parts[0]}.", f"{p}.")) for p in parts]
        tensors[name.replace(f"{parts[0]}.", f"{whole}.")] = torch.cat(pieces)


def hugging_face_config(**more):
    return dict({"hidden_size": D, "num_hidden_layers": BLOCKS, "num_attention_heads": HEADS, "hidden_act": "gelu",
                 "layer_norm_eps": 1e-6, "image_size": [HEIGHT, WIDTH], "patch_size": PATCH, "num_channels": 3}, **more)


def timm_config(**more):
    return {"architecture": "vit_test", "num_classes": CLASSES, "pretrained_cfg": {"input_size": [3, HEIGHT, WIDTH]},
            "model_args": dict({"num_heads": HEADS, "img_size": [HEIGHT, WIDTH], "embed_dim": D, "depth": BLOCKS,
                                "patch_size": PATCH}, **more)}


QKV = ("attn.q_proj", "attn.k_proj", "attn.v_proj")


def cases():
    """Name, seed, parts, how it runs, its names and configuration, and what makes its file of them."""
    def timm_qkv(t):
        fused(t, QKV, "attn.qkv")

    def giant(t):
        timm_qkv(t)
        fused(t, ("mlp.fc1", "mlp.value"), "mlp.w12")
        for name in [n for n in t if ".mlp.fc2." in n]:
            t[name.replace("fc2", "w3")] = t.pop(name)

    def eva(t):
        timm_qkv(t)
        for name in [n for n in t if ".mlp.fc1." in n]:
            t[name.replace("fc1", "fc1_g")] = t.pop(name)

    yield ("layer_scale", 21, {"layer_scale"}, {}, HUGGING_FACE, hugging_face_config(intermediate_size=HIDDEN), None)
    yield ("layer_scale_timm", 22, {"layer_scale"}, {}, dict(TIMM, gamma1="gamma_1", gamma2="gamma_2"), timm_config(),
           timm_qkv)
    yield ("swiglu", 23, {"gate", "layer_scale"}, {"activation": F.silu}, dict(TIMM, value="mlp.value"), timm_config(),
           giant)
    classed = [{"kind": "class"}, {"kind": "register", "count": 2, "position": False}]
    yield ("rotary", 25, {"registers", "no_table", "no_key_bias", "layer_scale"}, {"angles": angles_centred(100.0)},
           DINOV3, hugging_face_config(rope_theta=100.0, vitrine_tokens=classed, intermediate_size=HIDDEN), None)
    yield ("rotary_eva", 26, {"no_key_bias", "gate", "mlp_norm"},
           {"activation": F.silu, "angles": angles_counted(10000.0, 16), "halves": False},
           dict(TIMM, value="mlp.fc1_x", fc1="mlp.fc1_g"),
           dict(timm_config(), architecture="eva02_test_patch4"), None)
    yield ("qk_norm", 27, {"qk_norm", "layer_scale"}, {}, TIMM, timm_config(), timm_qkv)
    yield ("relative_bias", 28, {"relative_bias", "no_table", "no_key_bias", "layer_scale"}, {"mean": True}, BEIT,
           hugging_face_config(intermediate_size=HIDDEN), None)
    def biases_apart(t):  # EVA and BEiT of timm: one matrix, and biases of queries and values alone
        for name in [n for n in t if ".attn.q_proj.bias" in n]:
            t[name.replace("q_proj.bias", "q_bias")] = t.pop(name)
            t[name.replace("q_proj.bias", "v_bias")] = t.pop(name.replace("q_proj", "v_proj"))
        timm_qkv(t)

    def eva_small(t):
        biases_apart(t)
        fused(t, ("mlp.fc1", "mlp.value"), "mlp.fc1")

    def timm_named(architecture, pool):
        return dict(timm_config(), architecture=architecture, global_pool=pool)

    yield ("rotary_eva_small", 29, {"no_key_bias", "gate"},
           {"activation": F.silu, "angles": angles_counted(10000.0, 16), "halves": False, "mean": True},
           dict(TIMM_EVA, norm="fc_norm"), timm_named("eva02_tiny_patch4", "avg"), eva_small)
    yield ("rotary_timm", 30, {"registers", "no_table", "no_qkv_bias", "layer_scale"},
           {"angles": angles_centred(100.0), "eps": 1e-5}, TIMM_EVA, timm_named("vit_small_patch16_dinov3", "token"), timm_qkv)
    yield ("relative_bias_timm", 31, {"relative_bias", "no_table", "no_key_bias", "layer_scale"}, {"mean": True},
           dict(TIMM_EVA, norm="fc_norm"), timm_named("beit_base_patch16_224", "avg"), biases_apart)
    yield ("relative_bias_shared", 32, {"relative_bias", "shared_table", "no_table", "no_key_bias"}, {"mean": True},
           dict(BEIT, table="beit.encoder.relative_position_bias.relative_position_bias_table"),
           hugging_face_config(intermediate_size=HIDDEN), None)
    # timm/models/eva.py: registers and no class token, with the mean of patches; RoPE-ViT without and with a table.
    yield ("rotary_registers", 34, {"no_class", "registers", "no_table", "no_key_bias", "layer_scale"},
           {"angles": angles_counted(10000.0, 16), "halves": False, "mean": True}, dict(TIMM_EVA, norm="fc_norm"),
           timm_named("vit_base_patch16_rope_reg1_gap_256", "avg"), biases_apart)
    yield ("rope_vit", 35, {"no_table", "layer_scale"}, {"angles": angles_of_columns_first(100.0), "halves": False},
           TIMM_EVA, timm_named("vit_small_patch16_rope_224", "token"), timm_qkv)
    yield ("rope_vit_table", 36, {"unplaced_class", "layer_scale"},
           {"angles": angles_of_columns_first(100.0), "halves": False}, TIMM_EVA,
           timm_named("vit_small_patch16_rope_ape_224", "token"), timm_qkv)
    def pooled(t):
        timm_qkv(t)
        fused(t, ("attn_pool.k", "attn_pool.v"), "attn_pool.kv")

    yield ("attention_pooling", 33, {"map"}, {}, TIMM_MAP, timm_named("vit_test", "map"), pooled)
    yield ("swiglu_norm", 24, {"gate", "mlp_norm"}, {"activation": F.silu}, dict(TIMM, value="mlp.fc1_x"), timm_config(),
           eva)


def make(folder):
    for name, seed, parts, how, names, config, finish in cases():
        w = weights(seed, parts)
        for tensor in w.values():
            tensor.requires_grad_()
        torch.manual_seed(seed + 100)
        image = torch.randn(3, HEIGHT, WIDTH)
        out = run(w, parts, image, **dict({"activation": F.gelu, "eps": 1e-6}, **how))
        if "map" in parts:
            write(folder / "blocks" / (name + "_measures.safetensors"), readout_measures(out, 2))
        F.cross_entropy(out["head.logits"][None], torch.tensor([2])).backward()
        # Of the blocks the second one's gradients alone, to keep the file small; all of it lies between.
        gradients = {"gradient." + n: t.grad for n, t in w.items() if n[0] not in "02" and n != "table"}
        tensors = {n: t.detach() for n, t in named(w, names).items()}
        if finish:
            finish(tensors)
        write(folder / "blocks" / name / "model.safetensors", tensors)
        (folder / "blocks" / name / "config.json").write_text(json.dumps(config) + "\n")
        write(folder / "blocks" / (name + ".safetensors"), {**out, **gradients})


def main():
    if "--check" not in sys.argv:
        return make(HERE)
    with tempfile.TemporaryDirectory() as fresh:
        make(Path(fresh))
        for path in sorted(Path(fresh).rglob("*.safetensors")):
            committed = read(HERE / path.relative_to(fresh))
            for name, values in read(path).items():
                worst = np.abs(values - committed[name]).max() / max(1e-6, np.abs(committed[name]).max())
                assert worst <= TOLERANCE, f"{path.name}: {name} differs by {worst}"


if __name__ == "__main__":
    main()
