#!/usr/bin/python3
"""Writes small models of the hub's families with PyTorch, in the names that hubs use, and what each computes; --check
compares a fresh run with the committed files.

Each structure is written here from its family's published description, whatever lies outside the blocks: tokens and
their positions, a norm before the blocks, what the head reads. Blocks are plain. Layout and structure are those of
huggingface/transformers (models/dinov2, dinov2_with_registers, deit, clip, siglip, ijepa, vit_mae),
huggingface/pytorch-image-models (timm/models/vision_transformer.py, deit.py, layers/attention_pool.py), facebookresearch/dinov2
(dinov2/models/vision_transformer.py) and mlfoundations/open_clip (src/open_clip/transformer.py).
"""
import json
import struct
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

FOLDER = Path(__file__).resolve().parent / "families"
TOLERANCE = 1e-5
D, M, HEADS, BLOCKS, PATCH, SIDE, CLASSES, FEATURES, POOL = 32, 48, 4, 3, 8, 4, 7, 12, 40

# class token, distillation token, registers, tokens with a position, norm before the blocks, what the head reads
PLAIN = dict(cls=True, dist=False, registers=0, placed="cls", pre_norm=False, reads="cls", head=CLASSES, patch_bias=True,
             activation="gelu", eps=1e-6, features=0, scaled=False)
STRUCTURES = {
    "dinov2": dict(head=0),
    "dinov2_head": dict(reads="cls_mean"),
    "dinov2_registers": dict(registers=4, reads="cls_mean"),
    "dinov2_registers_bare": dict(registers=4, head=0),
    "reg4_no_embed": dict(registers=4, placed="none", head=0),
    "average": dict(reads="mean"),
    "gap_reg4": dict(cls=False, registers=4, placed="none", reads="mean"),
    "gap_norm": dict(cls=False, placed="none", reads="norm_mean"),
    "distilled": dict(dist=True, placed="cls dist", reads="both"),
    "clip": dict(pre_norm=True, patch_bias=False, activation="quick_gelu", eps=1e-5, features=FEATURES, head=0),
    "open_clip": dict(pre_norm=True, patch_bias=False, eps=1e-5, features=FEATURES, head=0),
    "mae": dict(head=0),
    "dinov2_scaled": dict(registers=4, reads="cls_mean", scaled=True),
    "dinov2_bare_scaled": dict(registers=4, head=0, scaled=True),
    "reg4_scaled": dict(registers=4, placed="none", head=0, scaled=True),
    "siglip": dict(cls=False, placed="none", reads="map", head=0, activation="gelu_tanh"),
    "siglip_erf": dict(cls=False, placed="none", reads="map", head=0),
    "map_head": dict(cls=False, registers=2, placed="none", reads="map"),
    "siglip_mean": dict(cls=False, placed="none", reads="norm_mean", activation="gelu_tanh"),
    "flexivit": dict(placed="none"),
}
ACTIVATIONS = {"gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x)}


def weights(s, seed):
    """A model's parameters by names of our own, of a size that makes attention uneven; nothing keeps its default."""
    torch.manual_seed(seed)

    def vector(*shape):
        return 0.3 * torch.randn(*shape)

    def linear(out, into, scale=1.0, bias=True):
        return {"w": torch.randn(out, into) * scale / np.sqrt(into)} | ({"b": vector(out)} if bias else {})

    def norm():
        return {"w": 1 + vector(D), "b": vector(D)}

    w = {"patch": linear(D, 3 * PATCH * PATCH, bias=s["patch_bias"]), "norm": norm()}
    if s["cls"]:
        w["cls"] = {"": vector(D)}
    if s["dist"]:
        w["dist"] = {"": vector(D)}
    if s["registers"]:
        w["registers"] = {"": vector(s["registers"], D)}
    w["position"] = {"": vector(SIDE * SIDE + (0 if s["placed"] == "none" else len(s["placed"].split())), D)}
    if s["pre_norm"]:
        w["pre_norm"] = norm()
    for i in range(BLOCKS):
        w |= {f"{i}.ln1": norm(), f"{i}.q": linear(D, D, 2), f"{i}.k": linear(D, D, 2), f"{i}.v": linear(D, D),
              f"{i}.o": linear(D, D), f"{i}.ln2": norm(), f"{i}.in": linear(M, D), f"{i}.out": linear(D, M)}
        if s["scaled"]:
            w |= {f"{i}.ls1": {"": 0.5 + vector(D)}, f"{i}.ls2": {"": 0.5 + vector(D)}}
    if s["head"]:
        w["head"] = linear(CLASSES, 2 * D if s["reads"] == "cls_mean" else D)
    if s["reads"] == "both":
        w["head2"] = linear(CLASSES, D)
    if s["features"]:
        w["features"] = linear(FEATURES, D, bias=False)
    if s["reads"] == "map":
        w |= {"probe": {"": vector(1, D)}, "pool_q": linear(D, D, 2), "pool_k": linear(D, D, 2), "pool_v": linear(D, D),
              "pool_o": linear(D, D), "pool_ln": norm(), "pool_in": linear(POOL, D), "pool_out": linear(D, POOL)}
    return w


@torch.no_grad()
def run(s, w, image):
    """What the model computes, in float64."""
    w = {k: {n: t.double() for n, t in part.items()} for k, part in w.items()}
    x = image.double()

    def linear(name, a):
        return F.linear(a, w[name]["w"], w[name].get("b"))

    def norm(name, a):
        return F.layer_norm(a, (D,), w[name]["w"], w[name]["b"], s["eps"])

    patches = F.conv2d(x[None], w["patch"]["w"].view(D, 3, PATCH, PATCH), w["patch"].get("b"), stride=PATCH)
    z = patches.flatten(2).transpose(1, 2)[0]
    leading = [w[k][""].reshape(-1, D) for k in ("cls", "dist") if k in w]
    position = w["position"][""]
    if s["placed"] == "none":  # timm's no_embed_class: positions are added before the other tokens come in
        z = torch.cat(leading + ([w["registers"][""]] if s["registers"] else []) + [z + position])
    else:
        z = torch.cat(leading + [z]) + position
        if s["registers"]:  # put after the class token once positions are added
            z = torch.cat([z[:1], w["registers"][""], z[1:]])
    if s["pre_norm"]:
        z = norm("pre_norm", z)
    out = {"image": x, "z.0": z}
    for i in range(BLOCKS):
        a = norm(f"{i}.ln1", z)
        q, k, v = (linear(f"{i}.{n}", a).view(-1, HEADS, D // HEADS).transpose(0, 1) for n in "qkv")
        attention = (q @ k.transpose(1, 2) / np.sqrt(D // HEADS)).softmax(-1)
        gains = [w[f"{i}.ls{n}"][""] if s["scaled"] else 1 for n in (1, 2)]
        z = z + gains[0] * linear(f"{i}.o", (attention @ v).transpose(0, 1).reshape(-1, D))
        z = z + gains[1] * linear(f"{i}.out", ACTIVATIONS[s["activation"]](linear(f"{i}.in", norm(f"{i}.ln2", z))))
        out |= {f"block.{i + 1}.attention": attention, f"z.{i + 1}": z}
    first_patch = s["cls"] + s["dist"] + s["registers"]
    if s["reads"] == "map":  # one query; an MLP with a residual connection (SigLIP's head, timm's AttentionPoolLatent)
        tokens = norm("norm", z[first_patch:])
        q, k, v = (linear(f"pool_{n}", a).view(-1, HEADS, D // HEADS).transpose(0, 1)
                   for n, a in (("q", w["probe"][""]), ("k", tokens), ("v", tokens)))
        scores = q @ k.transpose(1, 2) / np.sqrt(D // HEADS)
        heads = scores.softmax(-1) @ v
        msa = linear("pool_o", heads.transpose(0, 1).reshape(1, D))
        normed = norm("pool_ln", msa)
        hidden = linear("pool_in", normed)
        active = ACTIVATIONS[s["activation"]](hidden)
        mlp = linear("pool_out", active)
        pool = {"q": q, "k": k, "v": v, "scores": scores, "attention": scores.softmax(-1), "heads": heads, "msa": msa,
                "ln.mean": msa.mean(-1), "ln.var": msa.var(-1, unbiased=False), "ln.out": normed,
                "mlp.hidden": hidden, "mlp.activation": active, "mlp.out": mlp}
        out |= {"head.tokens": tokens, "head.ln": (msa + mlp)[0]} | {f"head.pool.{n}": t for n, t in pool.items()}
    elif s["reads"] == "mean":
        out["head.ln"] = norm("norm", z[first_patch:].mean(0))
    else:
        normed = norm("norm", z)
        vectors = {"cls": lambda: normed[0], "norm_mean": lambda: normed[first_patch:].mean(0),
                   "cls_mean": lambda: torch.cat([normed[0], normed[first_patch:].mean(0)]),
                   "both": lambda: torch.cat([normed[0], normed[1]])}
        out["head.ln"] = vectors[s["reads"]]()
    if s["reads"] == "both":
        out["head.each"] = torch.stack([linear("head", normed[0]), linear("head2", normed[1])])
        out["head.logits"] = out["head.each"].mean(0)
    elif s["head"]:
        out["head.logits"] = linear("head", out["head.ln"])
    if s["features"]:
        out["head.features"] = linear("features", out["head.ln"])
    if s["head"]:
        out["head.probabilities"] = out["head.logits"].softmax(-1)
    return out


def named(w, table, block, fused=None):
    """The parameters by a family's names. A row is name, or (name, shape)."""
    out = {}
    for part, tensors in w.items():
        if part.split(".")[0].isdigit():
            i, kind = part.split(".")
            if fused and kind in "qkv":
                continue
            name = block.format(i) + table[kind]
            ends = {"w": ".weight", "b": ".bias", "": ""}
        else:
            name = table[part]
            ends = {"w": ".weight", "b": ".bias", "": ""}
        for n, t in tensors.items():
            if part == "patch" and n == "w":
                t = t.view(D, 3, PATCH, PATCH)
            out[name + ends[n]] = t
    if fused:
        for i in range(BLOCKS):
            for n, end in (("w", "weight"), ("b", "bias")):
                out[block.format(i) + fused + end] = torch.cat([w[f"{i}.{k}"][n] for k in "qkv"])
    return out


def batched(tensors, *names):
    """Learned tokens and positions have an axis of length 1 in front."""
    return {k: t[None] if k.split(".")[-1] in names and t.dim() == 2 else t[None, None] if k.split(".")[-1] in names else t
            for k, t in tensors.items()}


def hugging_face(prefix="", **other):
    table = {"cls": "embeddings.cls_token", "dist": "embeddings.distillation_token", "registers": "embeddings.register_tokens",
             "position": "embeddings.position_embeddings", "patch": "embeddings.patch_embeddings.projection",
             "norm": "layernorm", "ln1": "layernorm_before", "q": "attention.attention.query", "k": "attention.attention.key",
             "v": "attention.attention.value", "o": "attention.output.dense", "ln2": "layernorm_after",
             "in": "intermediate.dense", "out": "output.dense"} | other
    block = "encoder.layer.{}."
    for k in ("cls", "dist", "registers", "position", "patch", "norm"):
        table[k] = prefix + table[k]
    table |= {"head": other.get("head", "classifier"), "head2": "distillation_classifier"}
    return lambda w: batched(named(w, table, prefix + block), "cls_token", "distillation_token", "register_tokens",
                             "position_embeddings")


DINOV2 = dict(ln1="norm1", ln2="norm2", ls1="layer_scale1.lambda1", ls2="layer_scale2.lambda1") | {"in": "mlp.fc1", "out": "mlp.fc2"}
DINOV2_NEW = DINOV2 | dict(q="attention.q_proj", k="attention.k_proj", v="attention.v_proj", o="attention.o_proj")


def timm(norm="norm", registers="reg_token"):
    table = {"cls": "cls_token", "dist": "dist_token", "registers": registers, "position": "pos_embed",
             "patch": "patch_embed.proj", "pre_norm": "norm_pre", "norm": norm, "ln1": "norm1", "ln2": "norm2",
             "ls1": "ls1.gamma", "ls2": "ls2.gamma", "o": "attn.proj", "in": "mlp.fc1", "out": "mlp.fc2", "head": "head", "head2": "head_dist", "features": "head"}
    return lambda w: batched(named(w, table, "blocks.{}.", "attn.qkv."), "cls_token", "dist_token", registers, "pos_embed")


def clip(w):
    v = "vision_model."
    table = {"cls": v + "embeddings.class_embedding", "position": v + "embeddings.position_embedding.weight",
             "patch": v + "embeddings.patch_embedding", "pre_norm": v + "pre_layrnorm", "norm": v + "post_layernorm",
             "ln1": "layer_norm1", "q": "self_attn.q_proj", "k": "self_attn.k_proj", "v": "self_attn.v_proj",
             "o": "self_attn.out_proj", "ln2": "layer_norm2", "in": "mlp.fc1", "out": "mlp.fc2",
             "features": "visual_projection"}
    return named(w, table, v + "encoder.layers.{}.")


def siglip(prefix="vision_model."):
    """Hugging Face's names: the pooling's queries, keys and values are one tensor, as torch's MultiheadAttention has it."""
    def names(w):
        v, h = prefix, prefix + "head."
        table = {"position": v + "embeddings.position_embedding.weight", "patch": v + "embeddings.patch_embedding",
                 "norm": v + "post_layernorm", "ln1": "layer_norm1", "q": "self_attn.q_proj", "k": "self_attn.k_proj",
                 "v": "self_attn.v_proj", "o": "self_attn.out_proj", "ln2": "layer_norm2", "in": "mlp.fc1",
                 "out": "mlp.fc2", "head": "classifier", "probe": h + "probe", "pool_o": h + "attention.out_proj",
                 "pool_ln": h + "layernorm", "pool_in": h + "mlp.fc1", "pool_out": h + "mlp.fc2"}
        parts = {k: t for k, t in w.items() if k not in ("pool_q", "pool_k", "pool_v")}
        out = named(parts, table, v + "encoder.layers.{}.")
        if "pool_q" in w:
            out[h + "probe"] = out[h + "probe"][None]
            for n, end in (("w", "weight"), ("b", "bias")):
                out[h + "attention.in_proj_" + end] = torch.cat([w[f"pool_{k}"][n] for k in "qkv"])
        return out
    return names


def with_pooling(tensors):
    """SiglipForImageClassification keeps the tower's pooling in its file, but classifies by the mean of the patches."""
    torch.manual_seed(95)
    h = "vision_model.head."
    return tensors | {h + "probe": torch.randn(1, 1, D), h + "layernorm.weight": torch.randn(D), h + "mlp.fc1.weight": torch.randn(POOL, D),
                      h + "attention.in_proj_weight": torch.randn(3 * D, D)}


def timm_map(prefix=""):
    def names(w):
        a = "attn_pool."
        parts = {k: t for k, t in w.items() if not k.startswith("pool_") and k != "probe"}
        out = timm()(parts)
        table = {"pool_q": "q", "pool_o": "proj", "pool_ln": "norm", "pool_in": "mlp.fc1", "pool_out": "mlp.fc2"}
        for part, name in table.items():
            out |= {f"{a}{name}.weight": w[part]["w"], f"{a}{name}.bias": w[part]["b"]}
        for n, end in (("w", "weight"), ("b", "bias")):
            out[f"{a}kv.{end}"] = torch.cat([w["pool_k"][n], w["pool_v"][n]])
        out[a + "latent"] = w["probe"][""][None]
        return {prefix + k: t for k, t in out.items()}
    return names


def with_open_clip_text(tensors):
    torch.manual_seed(96)
    return tensors | {"logit_scale": torch.tensor([4.6]), "logit_bias": torch.tensor([-10.]),
                      "text.positional_embedding": torch.randn(5, D), "text.token_embedding.weight": torch.randn(5, D),
                      "text.transformer.resblocks.0.ln_1.weight": torch.randn(D)}


def with_text_tower(tensors):
    torch.manual_seed(99)
    return tensors | {"logit_scale": torch.tensor([4.6]), "text_projection.weight": torch.randn(FEATURES, D),
                      "text_model.embeddings.token_embedding.weight": torch.randn(5, D),
                      "text_model.encoder.layers.0.layer_norm1.weight": torch.randn(D),
                      "vision_model.embeddings.position_ids": torch.arange(SIDE * SIDE + 1.)[None]}


def open_clip(w):
    v = "visual."
    table = {"cls": v + "class_embedding", "position": v + "positional_embedding", "patch": v + "conv1",
             "pre_norm": v + "ln_pre", "norm": v + "ln_post", "ln1": "ln_1", "o": "attn.out_proj", "ln2": "ln_2",
             "in": "mlp.c_fc", "out": "mlp.c_proj", "features": v + "features"}
    out = named(w, table, v + "transformer.resblocks.{}.", "attn.in_proj_")
    out[v + "proj"] = out.pop(v + "features.weight").T.contiguous()
    torch.manual_seed(98)
    return out | {"positional_embedding": torch.randn(5, D), "token_embedding.weight": torch.randn(5, D),
                  "ln_final.weight": torch.randn(D), "transformer.resblocks.0.ln_1.weight": torch.randn(D)}


def with_decoder(tensors):
    torch.manual_seed(97)
    return tensors | {"decoder.mask_token": torch.randn(1, 1, D), "decoder.decoder_pos_embed": torch.randn(1, 17, D),
                      "decoder.decoder_embed.weight": torch.randn(D, D),
                      "decoder.decoder_layers.0.layernorm_before.weight": torch.randn(D)}


def with_mask(tensors, name, shape):
    return tensors | {name: torch.zeros(*shape)}


SIZES = dict(hidden_size=D, num_attention_heads=HEADS, num_hidden_layers=BLOCKS, image_size=PATCH * SIDE, patch_size=PATCH,
             num_channels=3)


def of_hugging_face(family, eps=1e-6, **other):
    return dict(model_type=family, layer_norm_eps=eps, **SIZES) | other


def of_timm(architecture, pool, classes, **other):
    size = [3, PATCH * SIDE, PATCH * SIDE]
    return dict(architecture=architecture, num_classes=classes, global_pool=pool,
                model_args=dict(num_heads=HEADS) | other, pretrained_cfg=dict(input_size=size, tag="golden"))


LABELS = {"id2label": {str(i): f"class {i}" for i in range(CLASSES)}}
# structure, names, config.json
MODELS = {
    "hf_dinov2": ("dinov2", lambda w: with_mask(hugging_face(**DINOV2)(w), "embeddings.mask_token", (1, D)),
                  of_hugging_face("dinov2", mlp_ratio=1.5, hidden_act="gelu")),
    "hf_dinov2_head": ("dinov2_head", hugging_face("dinov2.", **DINOV2), of_hugging_face("dinov2") | LABELS),
    "hf_dinov2_new": ("dinov2_head", hugging_face("dinov2.", **DINOV2_NEW), of_hugging_face("dinov2") | LABELS),
    "hf_dinov2_registers": ("dinov2_registers", hugging_face("dinov2_with_registers.", **DINOV2),
                            of_hugging_face("dinov2_with_registers", num_register_tokens=4) | LABELS),
    "dinov2_original": ("dinov2_registers_bare",
                        lambda w: with_mask(timm(registers="register_tokens")(w), "mask_token", (1, D)), None),
    "timm_dinov2_reg4": ("reg4_no_embed", timm(), of_timm("vit_small_patch14_reg4_dinov2", "token", 0)),
    "timm_average": ("average", timm(norm="fc_norm"), of_timm("vit_base_patch16_224", "avg", CLASSES)),
    "timm_gap_reg4": ("gap_reg4", timm(norm="fc_norm"), of_timm("vit_medium_patch16_reg4_gap_256", "avg", CLASSES)),
    "timm_gap_norm": ("gap_norm", timm(), of_timm("vit_huge_patch14_gap_224", "avg", CLASSES)),
    "hf_ijepa": ("gap_norm", hugging_face("ijepa."), of_hugging_face("ijepa") | LABELS),
    "hf_deit_distilled": ("distilled", hugging_face("deit.", head="cls_classifier"), of_hugging_face("deit") | LABELS),
    "timm_deit_distilled": ("distilled", timm(), of_timm("deit_tiny_distilled_patch16_224", "token", CLASSES)),
    "hf_clip": ("clip", lambda w: with_text_tower(clip(w)),
                dict(model_type="clip", projection_dim=FEATURES, text_config={"hidden_size": 64, "num_attention_heads": 8},
                     vision_config=of_hugging_face("clip_vision_model", 1e-5, hidden_act="quick_gelu"))),
    "hf_clip_vision": ("clip", clip, of_hugging_face("clip_vision_model", 1e-5)),
    "open_clip": ("open_clip", open_clip, None),
    "timm_clip": ("open_clip", timm(), of_timm("vit_base_patch32_clip_224", "token", FEATURES)),
    "timm_quick_clip": ("clip", timm(), of_timm("vit_base_patch32_clip_quickgelu_224", "token", FEATURES)),
    # As published: with layer scale.
    "hf_dinov2_scaled": ("dinov2_scaled", hugging_face("dinov2_with_registers.", **DINOV2),
                         of_hugging_face("dinov2_with_registers", num_register_tokens=4, layerscale_value=1.0) | LABELS),
    "dinov2_original_scaled": ("dinov2_bare_scaled",
                               lambda w: with_mask(timm(registers="register_tokens")(w), "mask_token", (1, D)), None),
    "timm_dinov2_reg4_scaled": ("reg4_scaled", timm(), of_timm("vit_small_patch14_reg4_dinov2", "token", 0)),
    "hf_siglip": ("siglip", lambda w: with_text_tower(siglip()(w)) | {"logit_bias": torch.tensor([-10.])},
                  dict(model_type="siglip", vision_config=dict(model_type="siglip_vision_model", num_attention_heads=HEADS))),
    "hf_siglip_bare": ("siglip", siglip(""), of_hugging_face("siglip_vision_model", hidden_act="gelu_pytorch_tanh")),
    "hf_siglip_classes": ("siglip_mean", lambda w: with_pooling(siglip()(w)),
                          dict(model_type="siglip", vision_config=of_hugging_face("siglip_vision_model")) | LABELS),
    "timm_siglip": ("siglip", timm_map(), of_timm("vit_so400m_patch14_siglip_224", "map", 0, act_layer="gelu_tanh")),
    "open_clip_siglip": ("siglip_erf", lambda w: with_open_clip_text(timm_map("visual.trunk.")(w)), None),
    "timm_map": ("map_head", timm_map(), of_timm("vit_so150m_patch16_reg4_map_256", "map", CLASSES)),
    "timm_flexivit": ("flexivit", timm(), of_timm("flexivit_small", "token", CLASSES)),
    "hf_mae": ("mae", lambda w: with_decoder(hugging_face("vit.")(w)), of_hugging_face("vit_mae", decoder_hidden_size=D)),
}


def write(path, tensors):
    header, body, at = {}, [], 0
    for name in sorted(tensors):
        part = tensors[name].detach().float().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [at, at + len(part)]}
        body.append(part)
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(body))


def read(path):
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    return {name: np.frombuffer(raw[8 + size + v["data_offsets"][0]:8 + size + v["data_offsets"][1]], "<f4").astype(np.float64)
            for name, v in json.loads(raw[8:8 + size]).items()}


def run_lines(step, structure, values, space):
    """Runs a chapter's lines of a model of this structure."""
    lines = (FOLDER.parent.parent.parent / f"assets/code_variants/{step}.{structure}.py").read_text()
    for name, value in values.items():
        lines = lines.replace("{" + name + "}", str(value))
    with torch.no_grad():
        exec(compile(lines, f"{step}.{structure}.py", "exec"), space)
    return lines


def check_lines(models):
    """The PyTorch lines that the app shows of models which differ from the paper's give what `run` gives."""
    torch.manual_seed(5)
    image = torch.randn(3, PATCH * SIDE, PATCH * SIDE)
    done = set()
    for name, structure in (("average", "mean"), ("map_head", "attention"), ("siglip", "no_head_attention"), ("gap_norm", "mean_of_normed"), ("dinov2_head", "class_and_mean"),
                            ("dinov2_registers", "class_and_mean"), ("distilled", "class_and_distillation"),
                            ("clip", "features"), ("dinov2", "no_head"), ("gap_norm", "no_head_mean")):
        s, w = PLAIN | STRUCTURES[name], {k: {n: t.double() for n, t in p.items()} for k, p in models[name].items()}
        want = run(s, models[name], image)
        leading = s["cls"] + s["dist"] + s["registers"]
        values = {"D": D, "h": HEADS, "d": D // HEADS, "classes": CLASSES, "leading": leading, "N": leading + SIDE * SIDE, "Np": SIDE * SIDE,
                  "P": PATCH, "C": 3}

        def linear(part):
            return lambda x: F.linear(x, w[part]["w"], w[part]["b"])

        def norm(part):
            return lambda x: F.layer_norm(x, (D,), w[part]["w"], w[part]["b"], s["eps"])

        space = {"torch": torch, "F": F, "z": want[f"z.{BLOCKS}"], "norm": norm("norm"), "norm_before": norm("pre_norm")}
        space |= {"head": linear("head")} if s["head"] else {}
        space |= {"head_dist": linear("head2")} if "head2" in w else {}
        space |= {"W": w["features"]["w"]} if s["features"] else {}
        if s["reads"] == "map":
            def mlp(x, activation=ACTIVATIONS[s["activation"]]):
                return linear("pool_out")(activation(linear("pool_in")(norm("pool_ln")(x))))
            space |= {"probe": w["probe"][""], "W_q": linear("pool_q"), "W_k": linear("pool_k"), "W_v": linear("pool_v"),
                      "W_o": linear("pool_o"), "mlp": mlp}
        run_lines("prediction", structure, values, space)
        done.add(f"prediction.{structure}")
        assert torch.allclose(space["y"].ravel(), want["head.ln"].ravel(), atol=1e-9), (name, structure)
        for variable, tensor in (("logits", "head.logits"), ("p", "head.probabilities"), ("f", "head.features")):
            assert variable not in space or torch.allclose(space[variable].ravel(), want[tensor], atol=1e-9), (name, variable)
    for name, steps in (("gap_norm", ["class_token.no_class"]), ("gap_reg4", ["class_token.no_class_registers", "position_embedding.unplaced"]),
                        ("dinov2_registers", ["class_token.registers", "position_embedding.registers"]),
                        ("distilled", ["class_token.distillation"]),
                        ("clip", ["patch_embedding.no_bias", "position_embedding.embedding_norm"])):
        s, w = PLAIN | STRUCTURES[name], {k: {n: t.double() for n, t in p.items()} for k, p in models[name].items()}
        want = run(s, models[name], image)
        leading = s["cls"] + s["dist"] + s["registers"]
        values = {"D": D, "leading": leading, "N": leading + SIDE * SIDE, "Np": SIDE * SIDE, "P": PATCH, "C": 3}
        x = image.double()
        patches = F.unfold(x[None], PATCH, stride=PATCH)[0].T
        space = {"torch": torch, "F": F, "x": x, "patches": patches, "E": w["patch"]["w"].view(D, -1), "b": w["patch"].get("b"),
                 "E_pos": w["position"][""], "norm_before": lambda a: F.layer_norm(a, (D,), w["pre_norm"]["w"], w["pre_norm"]["b"], s["eps"])}
        space |= {"x_class": w["cls"][""]} if s["cls"] else {}
        space |= {"x_dist": w["dist"][""]} if s["dist"] else {}
        space |= {"x_reg": w["registers"][""]} if s["registers"] else {}
        space["x_p"] = F.linear(patches, space["E"], space["b"])
        space["tokens"] = torch.cat([w[k][""].reshape(-1, D) for k in ("cls", "dist", "registers") if k in w] + [space["x_p"]])
        for step in steps:
            run_lines(*step.split("."), values, space)
            done.add(step)
        z = space["z"] if any(step.startswith("position") for step in steps) else space["tokens"] + space["E_pos"]
        assert torch.allclose(z, want["z.0"], atol=1e-9), name
    loss = {"torch": torch, "F": F}
    run_lines("loss", "no_classes", {}, loss)
    assert torch.allclose(loss["loss"], F.nll_loss(loss["p"].log(), loss["true"])) and loss["slope"].abs().sum() > 1
    done.add("loss.no_classes")
    for structure in ("rotary", "unpositioned"):
        bare = {"tokens": torch.randn(5, D)}
        run_lines("position_embedding", structure, {"N": 5, "D": D}, bare)
        assert torch.equal(bare["zs"][0], bare["tokens"])
        done.add(f"position_embedding.{structure}")
    last = {"torch": torch, "z": torch.randn(5, D), "norm": lambda a: a, "head": lambda a: a}
    run_lines("prediction", "last", {"D": D, "classes": CLASSES}, last)
    assert torch.equal(last["y"][0], last["z"][4])
    other = {"torch": torch, "F": F, "y": torch.randn(1, D), "W": torch.randn(5, D), "b": torch.randn(5)}
    run_lines("prediction", "values", {}, other)
    run_lines("prediction", "several", {}, other)
    assert torch.allclose(other["p"], 1 / (1 + torch.exp(-other["values"])))
    files = {f.stem for f in (FOLDER.parent.parent.parent / "assets/code_variants").glob("*.py")}
    assert done | {"prediction.last", "prediction.values", "prediction.several"} == files, files ^ done


def everything():
    """Every file and its tensors."""
    torch.manual_seed(5)
    image = torch.randn(3, PATCH * SIDE, PATCH * SIDE)
    models = {}
    for number, (name, changes) in enumerate(STRUCTURES.items()):
        s = PLAIN | changes
        models[name] = weights(s, 100 + number)
        yield FOLDER / f"expected/{name}.safetensors", run(s, models[name], image), None
    check_lines(models)
    for name, (structure, names, config) in MODELS.items():
        tensors = names(models[structure])
        if name in ("timm_clip", "timm_quick_clip"):
            tensors["head.bias"] = torch.zeros(FEATURES)
        yield FOLDER / f"{name}/model.safetensors", tensors, config


if __name__ == "__main__":
    torch.set_num_threads(1)
    checks, worst = "--check" in sys.argv, 0.
    for path, tensors, config in everything():
        if not checks:
            write(path, tensors)
            if config:
                (path.parent / "config.json").write_text(json.dumps(config, indent=1) + "\n")
            continue
        committed = read(path)
        assert committed.keys() == tensors.keys(), f"{path}: other tensors"
        for n, old in committed.items():
            new = tensors[n].detach().double().numpy().ravel()
            worst = max(worst, float(np.abs(new - old).max() / max(1e-6, np.abs(old).max())))
    if checks:
        print(f"make_families.py: the largest difference is {worst:.1e} of a tensor's largest magnitude")
        sys.exit(0 if worst <= TOLERANCE else 1)
    index = {name: structure for name, (structure, _, _) in MODELS.items()}
    (FOLDER / "index.json").write_text(json.dumps(index, indent=1) + "\n")
