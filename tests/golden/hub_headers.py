#!/usr/bin/python3
"""Writes hub_headers.json: what small models written by the libraries themselves hold (names and shapes of the tensors,
configuration), and whether Vitrine opens each or with which words it is refused.

`hub_headers.py FOLDER` reads FOLDER/NAME/{model.safetensors or a PyTorch file, config.json, preprocessor_config.json}, as
transformers 5.17, timm 1.0.29 and torchvision wrote them. What an opened model reads ("opened") is kept from the committed file:
it was taken from runs whose numbers agreed with the libraries'.
"""
import json
import re
import struct
import sys
from pathlib import Path

OUT = Path(__file__).resolve().parent / "hub_headers.json"
# The beginning of the sentence, by a piece of the model's name; the first that fits.
REFUSED = {
    "hf_clip_class": "this is CLIP with a classifier of its own",
    "ASTModel": "this is an Audio Spectrogram Transformer", "BertModel": "this is a language model",
    "GPT2": "this is a language model", "ConvNext": "this is a ConvNeXt", "convnext": "this is a ConvNeXt",
    "Hiera": "this is Hiera", "ResNet": "this is a ResNet", "Swin": "this is a Swin Transformer",
    "VideoMAE": "this is a Transformer of videos", "Vivit": "this is a Transformer of videos", "Yolos": "this is YOLOS",
    "beit3": "this is a Transformer with a norm inside its attention",
    "eva02_base_patch16_clip": "this is a Transformer with a norm inside its attention", "cait": "this is CaiT",
    "naflexvit": "this is a NaFlexViT", "siglip2_naflex": "this model takes images of any shape",
    "samvit": "this is the encoder of Segment Anything", "test_vit3": "this is a test model of timm",
    "test_vit4": "this is a Transformer with RMSNorm", "18x2": "this is a Transformer with several attentions side by side",
    "rope_mixed": "this is a RoPE-ViT whose rotary positions have learned frequencies",
    "relpos": "this is a Transformer whose relative positions come from an MLP",
    "rpn": "this is a Transformer that normalises what its branches give",
    "_xp_": "this is a Transformer whose attention and MLP work side by side",
    "_pwee_": "this is a Transformer whose attention and MLP work side by side",
    "_dlittle_": "this is a Transformer with differential attention", "_dpwee_": "this is a Transformer with differential attention",
    "_dwee_": "this is a Transformer with differential attention", "intern300m": "this is InternViT",
    "pe_core": "this is a Perception Encoder", "_r_s16_": "this is a hybrid", "xcit": "this is XCiT",
    "torchvision": "the files do not say how many heads there are",
}


def shapes_of(folder):
    if (folder / "model.safetensors").exists():
        raw = (folder / "model.safetensors").read_bytes()
        header = json.loads(raw[8:8 + struct.unpack("<Q", raw[:8])[0]])
        return {n: (t["dtype"], t["shape"]) for n, t in header.items() if n != "__metadata__"}
    import torch
    path = next(p for p in sorted(folder.iterdir()) if p.suffix in (".pth", ".bin", ".tar"))
    state = torch.load(path, map_location="cpu")
    return {n: ("F32", list(t.shape)) for n, t in state.get("state_dict", state).items()}


def folded(tensors):
    """Blocks of the same shapes once: "blocks.{2}.norm1.weight" stands for the blocks 0 and 1."""
    groups, out = {}, {}
    for name, tensor in tensors.items():
        number = re.search(r"\.(\d+)\.", name)
        key = name[:number.start()] + ".{}." + name[number.end():] if number else name
        groups.setdefault(key, []).append((int(number[1]) if number else None, name, tensor))
    for key, members in groups.items():
        members.sort(key=lambda m: m[0] or 0)
        alike = [m[0] for m in members] == list(range(len(members))) and all(m[2] == members[0][2] for m in members)
        for name, tensor in [(key.replace("{}", "{%d}" % len(members)), members[0][2])] if alike else [m[1:] for m in members]:
            out[name] = tensor[1] if tensor[0] == "F32" else [tensor[0], *tensor[1]]
    return out


def main():
    before = json.loads(OUT.read_text()) if OUT.exists() else {"models": {}}
    lists, models = [], {}
    for folder in sorted(Path(sys.argv[1]).iterdir()):
        row = {}
        for key, name in (("config", "config.json"), ("preprocessor", "preprocessor_config.json")):
            if (folder / name).exists():
                row[key] = json.loads((folder / name).read_text())
        if folder.name.startswith("timm_") and "test_" not in folder.name:
            row["heads"] = 2  # timm's architectures, made narrower
        held = folded(shapes_of(folder))
        if held not in lists:
            lists.append(held)
        row["tensors"] = lists.index(held)
        refused = next((words for piece, words in REFUSED.items() if piece in folder.name), None)
        if refused:
            row["refused"] = refused
        else:
            row["opened"] = before["models"].get(folder.name, {}).get("opened", "")
        models[folder.name] = row
    lines = ['{"lists": [', ",\n".join(json.dumps(t, separators=(",", ":")) for t in lists), '], "models": {',
             ",\n".join(f"{json.dumps(n)}: {json.dumps(r, separators=(',', ':'))}" for n, r in models.items()), "}}"]
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
