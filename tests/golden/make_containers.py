#!/usr/bin/python3
"""Writes weights in every container that Vitrine opens, and files that it has to refuse; --check compares a fresh run
with the committed files.

The weights are those of the golden models in models/, and of a smaller one; each container must give the logits of its
safetensors twin. JAX's files are computed here as Flax's layers do, from their own arrays.
"""
import argparse
import collections
import io
import json
import math
import pickle
import struct
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).resolve().parent


def read(path):
    """Tensors of a safetensors file, by name."""
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + size])
    kinds = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    header.pop("__metadata__", None)

    def tensor(row):
        begin, end = row["data_offsets"]
        whole = torch.frombuffer(bytearray(raw[8 + size + begin:8 + size + end]), dtype=kinds[row["dtype"]])
        return whole.reshape(row["shape"]).clone()

    return collections.OrderedDict((name, tensor(header[name])) for name in sorted(header))


def write(path, tensors):
    header, body, at = {}, [], 0
    for name in sorted(tensors):
        part = tensors[name].detach().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [at, at + len(part)]}
        body.append(part)
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(body))


def save(path, what, legacy=False, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(what, path, _use_new_zipfile_serialization=not legacy, **options)


def small_model():
    """timm's names: one block, D = 8, four patches."""
    torch.manual_seed(30)
    d, m, p, n, classes = 8, 16, 8, 5, 3
    shapes = {"cls_token": (1, 1, d), "pos_embed": (1, n, d), "patch_embed.proj.weight": (d, 3, p, p), "patch_embed.proj.bias": (d,),
              "norm.weight": (d,), "norm.bias": (d,), "head.weight": (classes, d), "head.bias": (classes,)}
    for name, shape in {"norm1.weight": (d,), "norm1.bias": (d,), "attn.qkv.weight": (3 * d, d), "attn.qkv.bias": (3 * d,),
                        "attn.proj.weight": (d, d), "attn.proj.bias": (d,), "norm2.weight": (d,), "norm2.bias": (d,),
                        "mlp.fc1.weight": (m, d), "mlp.fc1.bias": (m,), "mlp.fc2.weight": (d, m), "mlp.fc2.bias": (d,)}.items():
        shapes["blocks.0." + name] = shape
    return collections.OrderedDict((name, torch.randn(shape)) for name, shape in shapes.items())


def prefixed(prefix, tensors):
    return collections.OrderedDict((prefix + name, t) for name, t in tensors.items())


def others(tensors):
    """Another model of the same kind."""
    return collections.OrderedDict((name, t + 1) for name, t in tensors.items())


# ---- containers ------------------------------------------------------------------------------------------------------


def hugging_face(out):
    for kind in ("", "_f16", "_bf16"):
        folder, source = out / f"hf{kind}", HERE / f"models/tiny_hf{kind}"
        save(folder / "pytorch_model.bin", read(source / "model.safetensors"))
        for name in ("config.json", "preprocessor_config.json"):
            (folder / name).write_bytes((source / name).read_bytes())
    tensors = read(HERE / "models/tiny_hf/model.safetensors")
    halves = [dict(list(tensors.items())[:9]), dict(list(tensors.items())[9:])]
    for folder, name, saver in ((out / "hf_sharded", "model-{:05}-of-00002.safetensors", write),
                                (out / "hf_sharded_bin", "pytorch_model-{:05}-of-00002.bin", save)):
        weight_map = {}
        for i, half in enumerate(halves):
            saver(folder / name.format(i + 1), half)
            weight_map.update({tensor: name.format(i + 1) for tensor in half})
        index = "model.safetensors.index.json" if saver is write else "pytorch_model.bin.index.json"
        (folder / index).write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": weight_map}, indent=1) + "\n")
        for other in ("config.json", "preprocessor_config.json"):
            (folder / other).write_bytes((HERE / "models/tiny_hf" / other).read_bytes())


def trainings(out):
    """What training scripts leave, round the small model."""
    small = small_model()
    write(out / "small/model.safetensors", small)
    (out / "small/config.json").write_text(json.dumps({"architecture": "vit", "num_classes": 3, "model_args": {"num_heads": 2}}) + "\n")
    folder = out / "small"
    save(folder / "plain.pth", small)
    save(folder / "legacy.pth", small, legacy=True)
    save(folder / "protocol4.pth", small, pickle_protocol=4)
    save(folder / "legacy_protocol4.pth", small, legacy=True, pickle_protocol=4)
    save(folder / "double.pt", {name: t.double() for name, t in small.items()})
    save(folder / "parameters.pth", collections.OrderedDict((name, torch.nn.Parameter(t)) for name, t in small.items()))

    apart = collections.OrderedDict()  # views with strides, all in one storage
    room = torch.zeros(sum(t.numel() for t in small.values()) + 8)
    at = 5
    for name, t in small.items():
        turned = t.transpose(0, -1).contiguous()
        room[at:at + t.numel()] = turned.flatten()
        apart[name] = room[at:at + t.numel()].reshape(turned.shape).transpose(0, -1)
        at += t.numel()
    save(folder / "views.pth", apart)
    save(folder / "legacy_views.pth", apart, legacy=True)

    optimizer = {"state": {0: {"step": 3, "exp_avg": torch.zeros(4), "exp_avg_sq": torch.zeros(4)}},
                 "param_groups": [{"lr": 0.1, "params": [0]}]}
    beside = {"optimizer": optimizer, "epoch": 7, "args": argparse.Namespace(lr=0.1, data="x"),
              "best": np.float64(0.5), "history": np.arange(3.0), "step": torch.tensor(4), "loss": 1 << 70,
              "seen": {1, 2}, "device": torch.device("cpu"), "dtype": torch.float32, "shape": torch.Size([1, 2])}
    save(folder / "training.tar.pth", {"model": small, **beside})
    save(folder / "legacy_training.pth", {"state_dict": prefixed("module.", small), **beside}, legacy=True)
    save(folder / "lightning.ckpt", {"epoch": 1, "pytorch-lightning_version": "1.8", "state_dict": {**prefixed("model.", small), "criterion.weight": torch.ones(3)},
                                     "optimizer_states": [optimizer], "hyper_parameters": {"lr": 0.1}})
    save(folder / "ema.pth", {"model": others(small), "model_ema": small, "optimizer": optimizer})
    save(folder / "compiled.pth", prefixed("module._orig_mod.", small))
    heads = {"head.mlp.0.weight": torch.ones(4, 4), "head.last_layer.weight_g": torch.ones(4, 1)}
    backbone = {name: t for name, t in small.items() if not name.startswith("head")}
    save(out / "dino/dino.pth", {"student": {**prefixed("module.backbone.", others(backbone)), **prefixed("module.", heads)},
                               "teacher": {**prefixed("backbone.", backbone), **heads}, "dino_loss": {"center": torch.zeros(1, 4)}})
    save(folder / "teacher_by_name.pth", {**prefixed("student.", others(small)), **prefixed("teacher.", small)})
    write(folder / "ema_by_name.safetensors", {**prefixed("model.", others(small)), **prefixed("ema_model.", small)})
    np.savez(folder / "timm.npz", **{name: t.numpy() for name, t in small.items()})
    np.savez_compressed(folder / "packed.npz", **{name: np.asfortranarray(t.numpy()) for name, t in small.items()})
    packed = io.BytesIO()
    with zipfile.ZipFile(folder / "plain.pth") as stored, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as deflated:
        for entry in stored.infolist():
            deflated.writestr(zipfile.ZipInfo(entry.filename, (1980, 1, 1, 0, 0, 0)), stored.read(entry), zipfile.ZIP_DEFLATED)
    (folder / "packed.pth").write_bytes(packed.getvalue())
    save(out / "torchvision/vit.pth", read(HERE / "models/tiny_torchvision/model.safetensors"))
    save(out / "timm/checkpoint.pth", {"model": read(HERE / "models/tiny_timm/model.safetensors"), "epoch": 2}, legacy=True)
    (out / "timm/config.json").write_bytes((HERE / "models/tiny_timm/config.json").read_bytes())


# ---- JAX -------------------------------------------------------------------------------------------------------------


def flax_arrays(heads, generation):
    """tiny_timm in Flax's names and orders of axes; `generation`: original, or big_vision's."""
    t = read(HERE / "models/tiny_timm/model.safetensors")
    d = t["norm.weight"].numel()
    attention, ln2, mlp = {"original": ("MultiHeadDotProductAttention_1", "LayerNorm_2", "MlpBlock_3"),
                           "big_vision": ("MultiHeadDotProductAttention_0", "LayerNorm_1", "MlpBlock_0")}[generation]
    a = {"embedding/kernel": t["patch_embed.proj.weight"].permute(2, 3, 1, 0), "embedding/bias": t["patch_embed.proj.bias"],
         "cls": t["cls_token"], "Transformer/encoder_norm/scale": t["norm.weight"], "Transformer/encoder_norm/bias": t["norm.bias"],
         "head/kernel": t["head.weight"].T, "head/bias": t["head.bias"]}
    if generation == "original":
        a["Transformer/posembed_input/pos_embedding"] = t["pos_embed"]
    else:
        a["cls"] = t["cls_token"] + t["pos_embed"][:, :1]
        a["pos_embedding"] = t["pos_embed"][:, 1:]
    for i in range(sum(name.endswith("norm1.weight") for name in t)):
        b, here = f"blocks.{i}.", f"Transformer/encoderblock_{i}/"
        for name, row in (("LayerNorm_0", "norm1"), (ln2, "norm2")):
            a[here + name + "/scale"], a[here + name + "/bias"] = t[b + row + ".weight"], t[b + row + ".bias"]
        for j, name in enumerate(("query", "key", "value")):
            weight, bias = t[b + "attn.qkv.weight"][j * d:(j + 1) * d], t[b + "attn.qkv.bias"][j * d:(j + 1) * d]
            a[f"{here}{attention}/{name}/kernel"] = weight.T.reshape(d, heads, d // heads)
            a[f"{here}{attention}/{name}/bias"] = bias.reshape(heads, d // heads)
        a[f"{here}{attention}/out/kernel"] = t[b + "attn.proj.weight"].T.reshape(heads, d // heads, d)
        a[f"{here}{attention}/out/bias"] = t[b + "attn.proj.bias"]
        for j in (0, 1):
            a[f"{here}{mlp}/Dense_{j}/kernel"] = t[f"{b}mlp.fc{j + 1}.weight"].T
            a[f"{here}{mlp}/Dense_{j}/bias"] = t[f"{b}mlp.fc{j + 1}.bias"]
    return {name: x.contiguous().numpy() for name, x in a.items()}


def flax_logits(a, pixels, generation):
    """The logits of a picture (height, width, channels), layer by layer as Flax computes them, in double precision."""
    attention, ln2, mlp = {"original": ("MultiHeadDotProductAttention_1", "LayerNorm_2", "MlpBlock_3"),
                           "big_vision": ("MultiHeadDotProductAttention_0", "LayerNorm_1", "MlpBlock_0")}[generation]
    a = {name: x.astype(np.float64) for name, x in a.items()}

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-6) * a[name + "/scale"] + a[name + "/bias"]

    kernel = a["embedding/kernel"]
    p = kernel.shape[0]
    rows, columns = pixels.shape[0] // p, pixels.shape[1] // p
    patches = pixels.reshape(rows, p, columns, p, 3).transpose(0, 2, 1, 3, 4).reshape(rows * columns, p, p, 3)
    x = np.einsum("nhwc,hwcd->nd", patches, kernel) + a["embedding/bias"]
    if generation == "original":
        x = np.concatenate([a["cls"][0], x]) + a["Transformer/posembed_input/pos_embedding"][0]
    else:
        x = x + a["pos_embedding"][0]
        x = np.concatenate([a["cls"][0], x]) if "cls" in a else x
    for i in range(sum("encoderblock" in name and name.endswith("LayerNorm_0/scale") for name in a)):
        here = f"Transformer/encoderblock_{i}/"
        y = norm(x, here + "LayerNorm_0")
        q, k, v = (np.einsum("nd,dhe->hne", y, a[f"{here}{attention}/{name}/kernel"]) + a[f"{here}{attention}/{name}/bias"][:, None]
                   for name in ("query", "key", "value"))
        scores = np.einsum("hne,hme->hnm", q, k) / math.sqrt(q.shape[-1])
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        out = np.einsum("hnm,hme->nhe", weights, v)
        x = x + np.einsum("nhe,hed->nd", out, a[f"{here}{attention}/out/kernel"]) + a[f"{here}{attention}/out/bias"]
        y = norm(x, here + ln2) @ a[f"{here}{mlp}/Dense_0/kernel"] + a[f"{here}{mlp}/Dense_0/bias"]
        y = 0.5 * y * (1 + np.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y ** 3)))  # jax.nn.gelu, its default
        x = x + y @ a[f"{here}{mlp}/Dense_1/kernel"] + a[f"{here}{mlp}/Dense_1/bias"]
    y = norm(x, "Transformer/encoder_norm")
    if "MAPHead_0/probe" in a:  # big_vision's pool_type "map"
        here = "MAPHead_0/MultiHeadDotProductAttention_0/"
        q, k, v = (np.einsum("nd,dhe->hne", rows, a[f"{here}{name}/kernel"]) + a[f"{here}{name}/bias"][:, None]
                   for name, rows in (("query", a["MAPHead_0/probe"][0]), ("key", y), ("value", y)))
        weights = np.exp(np.einsum("hne,hme->hnm", q, k) / math.sqrt(q.shape[-1]))
        out = np.einsum("hnm,hme->nhe", weights / weights.sum(-1, keepdims=True), v)
        out = np.einsum("nhe,hed->nd", out, a[here + "out/kernel"]) + a[here + "out/bias"]
        u = norm(out, "MAPHead_0/LayerNorm_0") @ a["MAPHead_0/MlpBlock_0/Dense_0/kernel"] + a["MAPHead_0/MlpBlock_0/Dense_0/bias"]
        u = 0.5 * u * (1 + np.tanh(math.sqrt(2 / math.pi) * (u + 0.044715 * u ** 3)))
        y = out + u @ a["MAPHead_0/MlpBlock_0/Dense_1/kernel"] + a["MAPHead_0/MlpBlock_0/Dense_1/bias"]
    read = y[0] if "cls" in a or "MAPHead_0/probe" in a else y.mean(0)  # pool_type "gap" without a class token
    return read @ a["head/kernel"] + a["head/bias"]


def without_class_token(big_vision):
    """The same model with big_vision's pool_type "gap", and with "map"."""
    mean = {name: x for name, x in big_vision.items() if name != "cls"}
    random = np.random.default_rng(7)
    pooled = dict(mean)
    for name, x in big_vision.items():
        if name.startswith("Transformer/encoderblock_0/") and "LayerNorm_1" not in name:
            pooled[name.replace("Transformer/encoderblock_0", "MAPHead_0")] = x + random.normal(0, 0.1, x.shape).astype("f4")
    pooled["MAPHead_0/probe"] = random.normal(0, 1, (1, 1, big_vision["cls"].shape[-1])).astype("f4")
    return mean, pooled


def jax(out):
    folder = out / "jax"
    folder.mkdir(parents=True, exist_ok=True)
    heads = json.loads((HERE / "models/tiny_timm/config.json").read_text())["model_args"]["num_heads"]
    original, big_vision = flax_arrays(heads, "original"), flax_arrays(heads, "big_vision")
    np.savez(folder / "original.npz", **original)
    np.savez(folder / "big_vision.npz", **{"params/" + name: x for name, x in big_vision.items()}, **{"opt/0/count": np.arange(1)})
    scanned = {name: x for name, x in big_vision.items() if "encoderblock" not in name}
    for name in big_vision:
        if "encoderblock_0" in name:
            rows = [big_vision[name.replace("block_0", f"block_{i}")] for i in range(99) if name.replace("block_0", f"block_{i}") in big_vision]
            scanned[name.replace("encoderblock_0", "encoderblock")] = np.stack(rows)
    np.savez(folder / "scanned.npz", **scanned)
    halves = {name: x.astype(np.float32).view(np.uint32) >> 16 for name, x in original.items()}  # bfloat16, cut off
    np.savez(folder / "bfloat16.npz", **{name: x.astype("<u2").view("V2") for name, x in halves.items()})
    mean, pooled = without_class_token(big_vision)
    np.savez(folder / "mean.npz", **mean)
    np.savez(folder / "pooled.npz", **{"params/" + name: x for name, x in pooled.items()})
    side = original["embedding/kernel"].shape[0] * int(math.isqrt(big_vision["pos_embedding"].shape[1]))
    pixels = np.sin(np.arange(side * side * 3) * 0.37).reshape(side, side, 3)
    cut = {name: (x.astype(np.uint32) << 16).view(np.float32) for name, x in halves.items()}
    logits = {"original.npz": flax_logits(original, pixels, "original"), "big_vision.npz": flax_logits(big_vision, pixels, "big_vision"),
              "mean.npz": flax_logits(mean, pixels, "big_vision"), "pooled.npz": flax_logits(pooled, pixels, "big_vision"),
              "scanned.npz": flax_logits(big_vision, pixels, "big_vision"), "bfloat16.npz": flax_logits(cut, pixels, "original")}
    (folder / "logits.json").write_text(json.dumps({name: [round(float(x), 7) for x in row] for name, row in logits.items()}, indent=1) + "\n")


# ---- what is refused -------------------------------------------------------------------------------------------------


def archive(path, words, storages=(), folder="archive/", **extra):
    """A ZIP as torch.save makes it, round a pickle's bytes."""
    with zipfile.ZipFile(path, "w") as z:
        def entry(name, data):
            z.writestr(zipfile.ZipInfo(folder + name, (1980, 1, 1, 0, 0, 0)), data)
        entry("data.pkl", words)
        for key, data in storages:
            entry(f"data/{key}", data)
        for name, data in extra.items():
            entry(name, data)


def text(word):
    return b"X" + struct.pack("<I", len(word)) + word.encode()


def number(n):
    return b"J" + struct.pack("<i", n)


def tensor(offset=0, shape=(2, 2), strides=(2, 1), numel=4, key="0", storage=b"ctorch\nFloatStorage\n"):
    """A pickle's bytes of one tensor."""
    def numbers(row):
        return b"(" + b"".join(row if isinstance(row, list) else [number(n) for n in row]) + b"t"
    held = b"(" + text("storage") + storage + text(key) + text("cpu") + number(numel) + b"tQ"
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + held + number(offset) + numbers(shape) + numbers(strides) + b"\x89}tR"


def two(a, b=None):
    """A pickle of a dictionary of two tensors."""
    return b"\x80\x02}(" + text("a.weight") + a + text("b.weight") + (a if b is None else b) + b"u."


def hostile(out):
    folder = out / "hostile"
    folder.mkdir(parents=True, exist_ok=True)
    good = [("0", np.ones(4, "<f4").tobytes())]
    refused = {}

    def refuse(name, why):
        refused[name] = why
        return folder / name

    class Runs:
        def __reduce__(self):
            import os
            return os.system, ("true",)

    archive(refuse("calls.pth", '"posix.system"'), pickle.dumps({"a": Runs()}, protocol=2))
    archive(refuse("eval.pth", '"builtins.eval"'), b"\x80\x02cbuiltins\neval\n(" + text("1") + b"tR.")
    archive(refuse("stack_global.pth", '"os.system"'), b"\x80\x04" + text("os") + text("system") + b"\x93.")
    archive(refuse("inst.pth", "opcode INST"), b"\x80\x02(ios\nsystem\n.")
    archive(refuse("obj.pth", "opcode OBJ"), b"\x80\x02(cargparse\nNamespace\no.")
    archive(refuse("ext.pth", "opcode EXT1"), b"\x80\x02\x82\x01.")
    archive(refuse("protocol0.pth", "opcode"), pickle.dumps({"a": 1}, protocol=0))
    archive(refuse("network.pth", "whole model"), b"\x80\x02c__main__\nViT\n)\x81.")
    archive(refuse("deep.pth", "no named tensors"), b"\x80\x02" + b"]" * 20000 + b"a" * 19999 + b".")
    archive(refuse("itself.pth", "no named tensors"), b"\x80\x02}q\x00" + text("a") + b"h\x00s.")
    archive(refuse("laughs.pth", "hold more than any model"), b"\x80\x02" + b"".join(
        b"}q" + bytes([i]) + b"(" + b"".join(text(f"{j:02}") + (b"h" + bytes([i - 1]) if i else b"N") for j in range(40)) + b"u" for i in range(6)) + b".")
    archive(refuse("recalls.pth", "never kept"), b"\x80\x02h\x05.")
    archive(refuse("underflow.pth", "a value that is not there"), b"\x80\x02R.")
    archive(refuse("cut.pth", "cut short"), b"\x80\x02}(")
    archive(refuse("long_text.pth", "longer than the file"), b"\x80\x02X\xff\xff\xff\x7fab.")
    archive(refuse("outside.pth", "outside its storage"), two(tensor(offset=1)), good)
    archive(refuse("strides.pth", "outside its storage"), two(tensor(strides=(2000000000, 1))), good)
    archive(refuse("repeats.pth", "more numbers than its storage"), two(tensor(shape=(100000, 100000), strides=(0, 0))), good)
    archive(refuse("negative.pth", "a number of elements"), two(tensor(shape=(-2, -2))), good)
    archive(refuse("negative_stride.pth", "a number of elements"), two(tensor(offset=3, strides=(-2, 1))), good)
    archive(refuse("negative_offset.pth", "a number of elements"), two(tensor(offset=-4)), good)
    archive(refuse("axes.pth", "more axes"), two(tensor(shape=(1,) * 40, strides=(1,) * 40)), good)
    archive(refuse("storage_lies.pth", "does not match its number of bytes"), two(tensor(numel=400)), good)
    archive(refuse("storage_missing.pth", "are missing"), two(tensor()), [])
    archive(refuse("storage_twice.pth", "one storage in two ways"), two(tensor(), tensor(storage=b"ctorch\nHalfStorage\n")), good)
    archive(refuse("complex.pth", '"torch.ComplexFloatStorage"'), two(tensor(storage=b"ctorch\nComplexFloatStorage\n")), good)
    archive(refuse("several.pth", "several models"), b"\x80\x02}(" + b"".join(text(n) + two(tensor())[2:-1] for n in ("generator", "critic")) + b"u.", good)
    archive(refuse("script.pth", "TorchScript"), two(tensor()), good, **{"code/__torch__.py": b"x", "constants.pkl": b"."})
    archive(refuse("big_endian.pth", "big-endian"), two(tensor()), good, byteorder=b"big")
    archive(refuse("one.pth", "no named tensors"), b"\x80\x02" + tensor() + b".", good)
    archive(refuse("nothing.zip.pth", "holds no weights"), b"\x80\x02N.", folder="nothing/x")
    refuse("pickle.pth", "not one of torch.save").write_bytes(pickle.dumps({"a": 1}, protocol=2))
    refuse("text.pth", "neither").write_bytes(b"this is text, and not weights at all")
    refuse("nan.pth", "NaN")
    nan = small_model()
    nan["head.bias"][1] = math.nan
    save(folder / "nan.pth", nan)
    refuse("ints.pth", "whole numbers, not weights")
    ints = small_model()
    ints["head.bias"] = torch.tensor([1, 2, 3])
    save(folder / "ints.pth", ints)
    stream = b"".join(pickle.dumps(x, protocol=2) for x in (0x1950a86a20f9469cfc6c, 1001, {"little_endian": True}))
    stream += two(tensor())
    keys, numbers = pickle.dumps(["0"], protocol=2), struct.pack("<q4f", 4, 1, 2, 3, 4)
    refuse("legacy_cut.pth", "cut short or damaged").write_bytes(stream + keys + numbers[:-7])
    refuse("legacy_count.pth", "cut short or damaged").write_bytes(stream + keys + struct.pack("<q4f", 1 << 60, 1, 2, 3, 4))
    refuse("legacy_none.pth", "are missing").write_bytes(stream + pickle.dumps([], protocol=2) + numbers)
    refuse("legacy_twice.pth", "storage twice").write_bytes(stream + pickle.dumps(["0", "0"], protocol=2) + numbers * 2)
    refuse("legacy_version.pth", "unknown version").write_bytes(stream.replace(pickle.dumps(1001, protocol=2), pickle.dumps(1002, protocol=2)) + keys + numbers)

    # archives
    whole = folder / "whole"
    archive(whole, two(tensor()), good)
    raw = whole.read_bytes()
    whole.unlink()
    refuse("cut.zip.pth", "no directory at its end").write_bytes(raw[:-10])
    at = raw.rindex(b"PK\x01\x02")
    refuse("bomb.pth", "another entry").write_bytes(raw[:at + 20] + struct.pack("<II", 1 << 30, 1 << 30) + raw[at + 28:])
    refuse("overlap.pth", "another entry").write_bytes(raw[:at + 42] + struct.pack("<I", 0) + raw[at + 46:])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(zipfile.ZipInfo("a/data.pkl", (1980, 1, 1, 0, 0, 0)), b"\x00" * 100000, zipfile.ZIP_DEFLATED)
    at = packed.getvalue().index(b"PK\x01\x02")
    refuse("claims.pth", "can hold").write_bytes(packed.getvalue()[:at + 24] + struct.pack("<I", 1 << 31) + packed.getvalue()[at + 28:])
    with zipfile.ZipFile(refuse("method.pth", "packed by method 12"), "w", zipfile.ZIP_BZIP2) as z:
        z.writestr(zipfile.ZipInfo("a/data.pkl", (1980, 1, 1, 0, 0, 0)), b"x" * 100, zipfile.ZIP_BZIP2)

    # NumPy
    np.savez(refuse("objects.npz", "Python objects"), a=np.array([{}, 1], dtype=object), b=np.ones(3))
    np.savez(refuse("big_endian.npz", 'type ">f4"'), a=np.ones(3, ">f4"))
    np.savez(refuse("complex.npz", 'type "<c8"'), a=np.ones(3, "<c8"))
    np.savez(refuse("records.npz", "header that is not"), a=np.ones(3, [("x", "<f4")]))

    def array(path, header, data=b""):
        words = header.encode()
        with zipfile.ZipFile(path, "w") as z:
            z.writestr(zipfile.ZipInfo("a.npy", (1980, 1, 1, 0, 0, 0)), b"\x93NUMPY\x01\x00" + struct.pack("<H", len(words)) + words + data)

    array(refuse("lies.npz", "does not match its number of bytes"), "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000)}", b"\x00" * 8)
    array(refuse("overflow.npz", "does not match its number of bytes"), "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999, 99999999999999)}")
    array(refuse("negative.npz", "header that is not"), "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}")
    array(refuse("no_shape.npz", "header that is not"), "{'descr': '<f4', 'fortran_order': False}")
    refuse("text.npz", "neither a NumPy archive").write_bytes(b"this is text, and not an archive of arrays")

    # shards
    small = small_model()
    shards = {"missing": ({"a": "gone.safetensors"}, '"gone.safetensors" is missing'),
              "escapes": ({"a": "../small/model.safetensors"}, "outside its folder"),
              "itself": ({"a": "model.safetensors.index.json"}, "outside its folder"),
              "lies": ({**{name: "one.safetensors" for name in small}, "more": "one.safetensors"}, "which does not hold it"),
              "hides": ({name: "one.safetensors" for name in list(small)[:-1]}, "does not list"),
              "repeats": ({name: "one.safetensors" for name in small} | {"other": "two.safetensors"}, 'places in "one.safetensors"')}
    for name, (weight_map, why) in shards.items():
        place = folder / f"shards_{name}"
        place.mkdir(exist_ok=True)
        (place / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}) + "\n")
        if any("one" in file for file in weight_map.values()):
            write(place / "one.safetensors", small)
        if name == "repeats":
            write(place / "two.safetensors", {"other": torch.ones(1), "norm.weight": torch.ones(8)})
        refused[place.name] = why
    (folder / "refused.json").write_text(json.dumps(refused, indent=1) + "\n")


def flat(value, name=""):
    """Tensors of what torch.load gives, by their places."""
    if isinstance(value, torch.Tensor):
        return {name: value}
    rows = value.items() if isinstance(value, dict) else []
    return {k: t for key, inner in rows for k, t in flat(inner, f"{name}/{key}").items()}


def alike(a, b):
    """The same bytes, or, of torch's stream of pickles, which names storages by their address, the same tensors."""
    if a.read_bytes() == b.read_bytes():
        return True
    if "legacy" not in a.name and a.parent.name != "timm":
        return False
    one, other = flat(torch.load(a)), flat(torch.load(b))
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)


def make(out):
    hugging_face(out)
    trainings(out)
    jax(out)
    hostile(out)


if "--check" in sys.argv:
    with tempfile.TemporaryDirectory() as scratch:
        make(Path(scratch))
        fresh = {p.relative_to(scratch) for p in Path(scratch).rglob("*") if p.is_file()}
        kept = {p.relative_to(HERE / "containers") for p in (HERE / "containers").rglob("*") if p.is_file()}
        wrong = sorted(map(str, fresh ^ kept)) + sorted(str(p) for p in fresh & kept if not alike(Path(scratch) / p, HERE / "containers" / p))
        if wrong:
            sys.exit("these differ from the committed containers: " + ", ".join(wrong))
else:
    make(HERE / "containers")
