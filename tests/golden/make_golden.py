#!/usr/bin/python3
"""Writes the golden models and their expected dumps with PyTorch; --check compares a fresh run with the committed files.

Each model is torchvision's own VisionTransformer with random weights that give uneven attention, saved in every naming
that Vitrine reads. The expected tensors are recomputed step by step from its modules and must give its own logits.
"""
import copy
import json
import struct
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F
from torchvision.models import VisionTransformer

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-5  # processors round differently; tests allow ten times as much


def write(path, tensors, kind="F32"):
    """A safetensors file of float32, float16 or bfloat16 tensors."""
    def data(t):
        t = t.detach().float().contiguous()
        if kind == "BF16":
            return (t.numpy().view(np.uint32) >> 16).astype("<u2").tobytes()  # the caller has rounded
        return t.numpy().astype("<f2" if kind == "F16" else "<f4").tobytes()

    header, body, at = {}, [], 0
    for name in sorted(tensors):
        part = data(tensors[name])
        header[name] = {"dtype": kind, "shape": list(tensors[name].shape), "data_offsets": [at, at + len(part)]}
        body.append(part)
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(body))


def read(path):
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + size])
    kinds = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}
    return {k: np.frombuffer(raw[8 + size + v["data_offsets"][0]:8 + size + v["data_offsets"][1]], kinds[v["dtype"]])
            .astype(np.float64) for k, v in header.items()}


def make(seed, image, patch, d, heads, blocks, mlp, classes, eps, gelu, qkv_bias=True):
    torch.manual_seed(seed)
    model = VisionTransformer(image_size=image, patch_size=patch, num_layers=blocks, num_heads=heads, hidden_dim=d,
                              mlp_dim=mlp, num_classes=max(classes, 1), norm_layer=lambda n: torch.nn.LayerNorm(n, eps=eps)).eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            # Large query and key weights make attention uneven; nothing keeps its default.
            scale = 0.35 if "in_proj_weight" in name else 1 / np.sqrt(p[0].numel()) if p.dim() > 1 and "pos" not in name and "class" not in name else 0.3
            p.copy_(torch.randn_like(p) * scale + (1.0 if ("ln" in name and name.endswith("weight")) else 0.0))
            if "in_proj_bias" in name and not qkv_bias:
                p.zero_()
        for layer in model.encoder.layers:
            layer.mlp[1] = gelu
    return model


@torch.no_grad()
def dump(model, image, classes):
    """Every tensor of docs/architecture.md, from the modules, in float32."""
    d, heads = model.hidden_dim, model.encoder.layers[0].num_heads
    out = {"image": image}
    x = model.conv_proj(image[None]).flatten(2).transpose(1, 2)[0]
    out["patch_embedding"] = x
    x = torch.cat([model.class_token[0], x])
    out["tokens"] = x
    z = x + model.encoder.pos_embedding[0]
    out["z.0"] = z

    def norm(name, module, a):
        out[name + ".mean"], out[name + ".var"] = a.mean(-1), a.var(-1, unbiased=False)
        out[name + ".out"] = module(a)
        return out[name + ".out"]

    for i, layer in enumerate(model.encoder.layers, 1):
        b = f"block.{i}."
        a = norm(b + "ln1", layer.ln_1, z)
        mha = layer.self_attention
        q, k, v = F.linear(a, mha.in_proj_weight, mha.in_proj_bias).view(-1, 3, heads, d // heads).permute(1, 2, 0, 3)
        scores = q @ k.transpose(1, 2) / np.sqrt(d // heads)
        attention = scores.softmax(-1)
        mixed = attention @ v
        msa = mha.out_proj(mixed.transpose(0, 1).reshape(-1, d))
        residual = msa + z
        c = norm(b + "ln2", layer.ln_2, residual)
        hidden = layer.mlp[0](c)
        activation = layer.mlp[1](hidden)
        mlp = layer.mlp[3](activation)
        z = mlp + residual
        out.update({b + "q": q, b + "k": k, b + "v": v, b + "scores": scores, b + "attention": attention, b + "heads": mixed,
                    b + "msa": msa, b + "residual": residual, b + "mlp.hidden": hidden, b + "mlp.activation": activation,
                    b + "mlp.out": mlp, f"z.{i}": z})
    out["head.ln"] = model.encoder.ln(z)[0]
    logits = model.heads(out["head.ln"][None])[0]
    assert torch.allclose(logits, model(image[None])[0], atol=2e-5), "the recomputed logits are not the model's own"
    if classes:
        out["head.logits"], out["head.probabilities"] = logits, logits.softmax(-1)
    return out


def gradients(model, image, classes, label):
    """Autograd's gradients of -log Q(label): of every parameter by Hugging Face's names, and of every block's attention."""
    run = dump.__wrapped__(model, image, classes)
    loss = F.cross_entropy(run["head.logits"][None], torch.tensor([label]))
    attention = {f"block.{i}.attention": run[f"block.{i}.attention"] for i in range(1, len(model.encoder.layers) + 1)}
    parameters = list(model.parameters())
    found = torch.autograd.grad(loss, parameters + list(attention.values()))
    shadow = copy.deepcopy(model)
    with torch.no_grad():
        for p, g in zip(shadow.parameters(), found):
            p.copy_(g)
    return hugging_face(shadow, classes, "vit.", "A") | dict(zip(attention, found[len(parameters):])) | {"loss": loss[None]}


def measures(model, image, classes, target, patch):
    """What the laboratory reads off a run, in float64, each as its paper has it."""
    model, image = copy.deepcopy(model).double(), image.double()
    run = dump.__wrapped__(model, image, classes)
    blocks, heads, d = len(model.encoder.layers), model.encoder.layers[0].num_heads, model.hidden_dim
    attention = [run[f"block.{i}.attention"] for i in range(1, blocks + 1)]
    n, eye = attention[0].shape[-1], torch.eye(attention[0].shape[-1], dtype=torch.float64)
    found = torch.autograd.grad(run["head.logits"][target], attention)

    with torch.no_grad():
        out = {}
        rolled, relevance, strict = eye, eye, eye
        for a, g in zip(attention, found):
            rolled = (0.5 * a.mean(0) + 0.5 * eye) @ rolled
            relevance = relevance + (a * g).clamp(min=0).mean(0) @ relevance
            largest = a.max(0).values
            dropped = torch.sort(largest, dim=-1).indices[:, : int(0.3 * n)]
            largest = largest.scatter(-1, dropped, 0.0)
            strict = (0.8 * largest / largest.sum(-1, keepdim=True) + 0.2 * eye) @ strict
        out |= {"rollout": rolled, "rollout.max.discard.0.3.residual.0.2": strict, "relevance": relevance}

        side = int((n - 1) ** 0.5)
        place = torch.stack(torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij"), -1).reshape(-1, 2).double()
        apart = torch.cdist(place, place) * patch
        every = torch.stack(attention)
        nats = torch.special.entr(every).sum(-1)
        out |= {"distance": (every[:, :, 1:, 1:] * apart).sum((-1, -2)) / (n - 1), "entropy": nats.mean(-1),
                "effective": nats.exp().mean(-1), "confidence": every.max(-1).values.mean(-1),
                "class_share": every[..., 0].mean(-1)}
        flat = every.flatten(0, 1)
        entropies = torch.special.entr(flat).sum(-1)
        middle = torch.special.entr((flat[:, None] + flat[None]) / 2).sum(-1)
        out["similarity"] = (middle - (entropies[:, None] + entropies[None]) / 2).mean(-1)

        levels = torch.stack([run[f"z.{i}"] for i in range(blocks + 1)])
        lens = model.heads(model.encoder.ln(levels))
        out |= {"lens": lens[:, 0], "lens.tokens": lens.softmax(-1)[..., target]}

        norm, last = model.encoder.ln, run[f"z.{blocks}"][0]
        sigma = (last.var(unbiased=False) + norm.eps).sqrt()
        parts = [run["z.0"][0]]
        for i, layer in enumerate(model.encoder.layers, 1):
            w = layer.self_attention.out_proj
            for h in range(heads):
                parts.append(w.weight[:, h * (d // heads):(h + 1) * (d // heads)] @ run[f"block.{i}.heads"][h, 0])
            parts += [w.bias, run[f"block.{i}.mlp.out"][0]]
        ledger = [model.heads.head.weight @ (norm.weight * (x - x.mean()) / sigma) for x in parts]
        ledger += [model.heads.head.weight @ norm.bias, model.heads.head.bias]
        out["ledger"] = torch.stack(ledger)
        assert torch.allclose(out["ledger"].sum(0), run["head.logits"]), "the ledger does not sum to the logits"
    return out


# ---- preprocessing, as the families do it ------------------------------------------------------------------------------

def normalised(picture, mean, std):
    x = np.asarray(picture, np.float32) / 255
    return torch.from_numpy(((x - np.float32(mean)) / np.float32(std)).astype(np.float32).transpose(2, 0, 1).copy())


def squash(picture, size):
    return normalised(picture.resize((size, size), Image.BILINEAR), 0.5, 0.5)


def shortest_then_crop(picture, size, edge, kind, mean, std):
    w, h = picture.size
    w, h = (edge, int(edge * h / w)) if w <= h else (int(edge * w / h), edge)
    picture = picture.resize((w, h), kind)
    left, top = round((w - size) / 2), round((h - size) / 2)
    return normalised(picture.crop((left, top, left + size, top + size)), mean, std)


# ---- namings -----------------------------------------------------------------------------------------------------------

def torchvision_names(model, classes):
    return {k: v for k, v in model.state_dict().items() if classes or not k.startswith("heads")}


def renamed(model, classes, names, block, norms, split, separate=False, bias=True):
    """The state under other names; `block(i)` is a block's prefix, `split` cuts the fused projection into three."""
    s, out = model.state_dict(), {}
    class_token, position, patch, norm, head = names
    out[class_token], out[position] = s["class_token"], s["encoder.pos_embedding"]
    for end in ("weight", "bias"):
        out[f"{patch}.{end}"] = s[f"conv_proj.{end}"]
        out[f"{norm}.{end}"] = s[f"encoder.ln.{end}"]
        if classes:
            out[f"{head}.{end}"] = s[f"heads.head.{end}"]
        for i in range(len(model.encoder.layers)):
            old, new = f"encoder.layers.encoder_layer_{i}.", block(i)
            fused = s[f"{old}self_attention.in_proj_{end}"]
            if not separate:
                out[f"{new}{split}.{end}"] = fused
            elif end == "weight" or bias:
                for name, part in zip(split, fused.chunk(3)):
                    out[f"{new}{name}.{end}"] = part
            for name, source in zip(norms, ("ln_1", "self_attention.out_proj", "ln_2", "mlp.0", "mlp.3")):
                out[f"{new}{name}.{end}"] = s[f"{old}{source}.{end}"]
    return out


def hugging_face(model, classes, prefix, generation):
    names = tuple(prefix + n for n in ("embeddings.cls_token", "embeddings.position_embeddings",
                                       "embeddings.patch_embeddings.projection", "layernorm")) + ("classifier",)
    if generation == "A":
        return renamed(model, classes, names, lambda i: f"{prefix}encoder.layer.{i}.",
                       ("layernorm_before", "attention.output.dense", "layernorm_after", "intermediate.dense", "output.dense"),
                       [f"attention.attention.{n}" for n in ("query", "key", "value")], separate=True)
    return renamed(model, classes, names, lambda i: f"{prefix}layers.{i}.",
                   ("layernorm_before", "attention.o_proj", "layernorm_after", "mlp.fc1", "mlp.fc2"),
                   [f"attention.{n}_proj" for n in "qkv"], separate=True)


def timm(model, classes):
    return renamed(model, classes, ("cls_token", "pos_embed", "patch_embed.proj", "norm", "head"), lambda i: f"blocks.{i}.",
                   ("norm1", "attn.proj", "norm2", "mlp.fc1", "mlp.fc2"), "attn.qkv")


def course_book(model, classes, prefix):
    return renamed(model, classes, (prefix + "input_layer.cls_token", prefix + "input_layer.pos_emb", prefix + "input_layer.patch_emb_layer",
                                    prefix + "mlp_head.0", prefix + "mlp_head.1"), lambda i: f"{prefix}encoder.{i}.",
                   ("ln1", "msa.w_o.0", "ln2", "mlp.0", "mlp.3"), [f"msa.w_{n}" for n in "qkv"], separate=True, bias=False)


# ---- configurations ----------------------------------------------------------------------------------------------------

def hf_config(model, classes, image, patch, mlp, eps, act):
    labels = {str(i): f"label {i}" for i in range(classes)}
    config = {"architectures": ["ViTForImageClassification"], "model_type": "vit", "hidden_size": model.hidden_dim,
              "num_hidden_layers": len(model.encoder.layers), "num_attention_heads": model.encoder.layers[0].num_heads,
              "intermediate_size": mlp, "hidden_act": act, "layer_norm_eps": eps, "image_size": image, "patch_size": patch,
              "num_channels": 3, "qkv_bias": True}
    if classes:
        config["id2label"] = labels
    return config


def hf_preprocessor(image):
    return {"do_normalize": True, "do_resize": True, "image_mean": [0.5] * 3, "image_std": [0.5] * 3, "resample": 2,
            "size": image, "feature_extractor_type": "ViTFeatureExtractor"}


def timm_config(heads, image, classes):
    return {"architecture": "vit_golden", "num_classes": classes, "global_pool": "token", "model_args": {"num_heads": heads},
            "pretrained_cfg": {"input_size": [3, image, image], "interpolation": "bicubic", "crop_pct": 0.9,
                               "crop_mode": "center", "mean": [0.5] * 3, "std": [0.5] * 3}}


# ---- everything --------------------------------------------------------------------------------------------------------

def photo():
    """A small picture with edges, gradients and noise; neither side a multiple of a patch."""
    rng = np.random.default_rng(7)
    y, x = np.mgrid[0:44, 0:60]
    base = np.stack([x * 4, y * 5, 255 - x * 2 - y * 2], -1) + rng.normal(0, 18, (44, 60, 3))
    base[(x - 20) ** 2 + (y - 24) ** 2 < 120] = (230, 60, 40)
    return Image.fromarray(np.clip(base, 0, 255).astype(np.uint8))


def build(root):
    index = []
    (root / "images").mkdir(parents=True, exist_ok=True)
    photo().save(root / "images" / "golden.png")
    picture = Image.open(root / "images" / "golden.png").convert("RGB")

    def save(name, tensors, expected, config=None, preprocessor=None, kind="F32", tolerance=1e-4, heads=None):
        folder = root / "models" / name
        write(folder / "model.safetensors", tensors, kind)
        for file, content in (("config.json", config), ("preprocessor_config.json", preprocessor)):
            if content:
                (folder / file).write_text(json.dumps(content, indent=1) + "\n")
        row = {"model": f"models/{name}", "image": "images/golden.png", "expected": f"expected/{expected}.safetensors", "tolerance": tolerance}
        if heads:
            row["heads"] = heads
        index.append(row)

    def expect(name, model, pixels, classes):
        write(root / "expected" / f"{name}.safetensors", dump(model, pixels, classes))

    # tiny: every naming
    tiny, eps = make(1, 32, 8, 32, 4, 3, 64, 10, 1e-6, torch.nn.GELU()), 1e-6
    config, pre = hf_config(tiny, 10, 32, 8, 64, eps, "gelu"), hf_preprocessor(32)
    expect("tiny_squash", tiny, squash(picture, 32), 10)
    expect("tiny_timm", tiny, shortest_then_crop(picture, 32, int(32 / 0.9), Image.BICUBIC, 0.5, 0.5), 10)
    expect("tiny_torchvision", tiny, shortest_then_crop(picture, 32, int(32 * 256 / 224), Image.BILINEAR, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)), 10)
    write(root / "values" / "gradients.safetensors", gradients(tiny, squash(picture, 32), 10, 3))
    write(root / "values" / "measures.safetensors", measures(tiny, squash(picture, 32), 10, 3, 8))
    first = hugging_face(tiny, 10, "vit.", "A")
    save("tiny_hf", first, "tiny_squash", config, pre)
    for kind, half in (("F16", torch.float16), ("BF16", torch.bfloat16)):
        short = copy.deepcopy(tiny)
        with torch.no_grad():
            for p in short.parameters():
                p.copy_(p.to(half).float())
        expect(f"tiny_{kind.lower()}", short, squash(picture, 32), 10)
        save(f"tiny_hf_{kind.lower()}", hugging_face(short, 10, "vit.", "A"), f"tiny_{kind.lower()}", config, pre, kind)
    save("tiny_hf5", hugging_face(tiny, 10, "vit.", "B"), "tiny_squash", config, pre)
    save("tiny_timm", timm(tiny, 10), "tiny_timm", timm_config(4, 32, 10))
    save("tiny_torchvision", torchvision_names(tiny, 10), "tiny_torchvision", heads=4)

    # plain: no classifier, tanh approximation, no prefix
    plain = make(2, 48, 16, 48, 3, 2, 96, 0, 1e-12, torch.nn.GELU(approximate="tanh"))
    expect("plain_squash", plain, squash(picture, 48), 0)
    save("plain_hf", hugging_face(plain, 0, "", "A"), "plain_squash", hf_config(plain, 0, 48, 16, 96, 1e-12, "gelu_new"), hf_preprocessor(48))

    # course: five tokens, no bias in W_q, W_k, W_v, ε of PyTorch's default
    course = make(3, 32, 16, 24, 3, 3, 96, 10, 1e-5, torch.nn.GELU(), qkv_bias=False)
    expect("course_squash", course, squash(picture, 32), 10)
    save("course_book", course_book(course, 10, ""), "course_squash", heads=3)
    save("course_prefixed", course_book(course, 10, "net.vit."), "course_squash", heads=3)
    (root / "index.json").write_text(json.dumps(index, indent=1) + "\n")

    for name, causal in (("causal", True), ("cross", False)):
        write(root / "values" / f"{name}_attention.safetensors", attention(causal))

    # operations
    torch.manual_seed(4)
    x = torch.linspace(-8, 8, 1001)
    a, gamma, beta = torch.randn(5, 37) * 3 + 1, torch.randn(37), torch.randn(37)
    s, w, b = torch.randn(3, 4, 19) * 6, torch.randn(11, 37), torch.randn(11)
    def slope(f):
        leaf = x.double().requires_grad_()
        return torch.autograd.grad(f(leaf).sum(), leaf)[0].float()

    activations = {"gelu": F.gelu, "gelu_tanh": lambda t: F.gelu(t, approximate="tanh"), "relu": F.relu, "elu": F.elu,
                   "quick_gelu": lambda t: t * torch.sigmoid(1.702 * t)}
    mean, unbiased = a.double().mean(-1, keepdim=True), a.double().std(-1, keepdim=True)
    more = {f"{name}_slope": slope(f) for name, f in activations.items()}
    more |= {"elu": F.elu(x.double()).float(),
             "annotated_layer_norm": (gamma * (a - mean) / (unbiased + 1e-6) + beta).float()}
    write(root / "values" / "ops.safetensors", more | {
        "x": x, "gelu": F.gelu(x.double()).float(), "gelu_tanh": F.gelu(x.double(), approximate="tanh").float(),
        "quick_gelu": (x.double() * torch.sigmoid(1.702 * x.double())).float(), "relu": F.relu(x),
        "a": a, "gamma": gamma, "beta": beta, "layer_norm": F.layer_norm(a.double(), (37,), gamma.double(), beta.double(), 1e-6).float(),
        "scores": s, "softmax": s.double().softmax(-1).float(), "w": w, "b": b, "linear": F.linear(a.double(), w.double(), b.double()).float()})


def attention(causal):
    """PyTorch's own layer, in double precision, with its gradients: self-attention under a causal mask, or cross-attention to a longer
    memory whose last tokens are padding in the second of two sequences."""
    torch.manual_seed(5)
    d, heads, n, keys = 12, 3, 5, 5 if causal else 7
    layer = torch.nn.MultiheadAttention(d, heads, batch_first=True).double()
    with torch.no_grad():
        for p in layer.parameters():
            p.normal_(0, 0.4)
    x = torch.randn(2, n, d).double().requires_grad_()
    memory = x if causal else torch.randn(2, keys, d).double().requires_grad_()
    hidden = torch.zeros(2, n, keys, dtype=torch.bool)
    if causal:
        hidden |= torch.ones(n, keys, dtype=torch.bool).triu(1)
    else:
        hidden[1, :, 4:] = True
    out, weights = layer(x, memory, memory, attn_mask=hidden.repeat_interleave(heads, 0), average_attn_weights=False)
    towards = torch.randn_like(out)
    learned = [layer.in_proj_weight, layer.in_proj_bias, layer.out_proj.weight, layer.out_proj.bias]
    inputs = learned + [x] + ([] if causal else [memory])
    gradients = torch.autograd.grad((out * towards).sum(), inputs)
    names = ["in_weight", "in_bias", "out_weight", "out_bias", "x", "memory"][:len(inputs)]
    return dict(zip(names, inputs)) | {f"d_{name}": g for name, g in zip(names, gradients)} | {
        "hidden": hidden.float(), "attention": weights.flatten(0, 1), "out": out, "d_out": towards}


def compare(fresh, committed):
    worst = 0.0
    for path in sorted(committed.rglob("*.safetensors")):
        other = fresh / path.relative_to(committed)
        if "pillow" in path.parts or path.name == "exercises.safetensors":
            continue  # other scripts write these
        got, want = read(other), read(path)
        assert got.keys() == want.keys(), f"{path}: other tensors"
        for name in want:
            if path.parent.name.endswith("bf16"):
                continue  # whole bits, not numbers
            worst = max(worst, float(np.abs(got[name] - want[name]).max() / max(1e-6, np.abs(want[name]).max())))
    return worst


if __name__ == "__main__":
    torch.set_num_threads(1)
    if "--check" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder))
            worst = compare(Path(folder), HERE)
        print(f"make_golden.py: the largest difference is {worst:.1e} of a tensor's largest magnitude")
        sys.exit(0 if worst <= TOLERANCE else 1)
    build(HERE)
