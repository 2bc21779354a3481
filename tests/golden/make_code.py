"""Runs the PyTorch lines that the app shows, one chapter after the other, against our own trace of the same run.

./dev golden runs it: every variable that is a tensor of the trace must agree with it. code.json keeps the lines as they
were run; a test compares them with assets/code. --check (without it code.json is written anew)."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F

from course_model import Block, layer_norm, linear, read

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ORDER = ["image", "patches", "patch_embedding", "class_token", "position_embedding", "layer_norm", "qkv", "scores",
         "attention_matrix", "attention", "heads", "residual", "mlp", "norm_variants", "norm_place", "activation", "dropout",
         "depth", "prediction", "loss", "learning", "explanation", "models", "two_towers"]
TOLERANCE = 1e-4


# variable of the lines -> tensor of the dump; "L" is the block whose lines run, "last" the end of the chain
TRACED = {"image": {"x": "image"}, "patch_embedding": {"x_p": "patch_embedding"}, "class_token": {"tokens": "tokens"},
          "position_embedding": {"z": "z.0"}, "layer_norm": {"a": "block.L.ln1.out"},
          "qkv": {"q": "block.L.q", "k": "block.L.k", "v": "block.L.v"}, "scores": {"S": "block.L.scores"},
          "attention_matrix": {"A": "block.L.attention"}, "attention": {"out": "block.L.heads"}, "heads": {"msa": "block.L.msa"},
          "residual": {"z_mid": "block.L.residual"}, "mlp": {"u": "block.L.mlp.hidden", "hidden": "block.L.mlp.activation", "z": "z.L"},
          "depth": {"z": "z.last"}, "prediction": {"y": "head.ln", "logits": "head.logits", "p": "head.probabilities"}}


def run(folder, image_words, trace, index):
    config = json.loads((folder / "config.json").read_text())
    pre = json.loads((folder / "preprocessor_config.json").read_text())
    weights = read(folder / "model.safetensors")
    prefix = "vit." if "vit.embeddings.cls_token" in weights else ""
    heads, eps = config["num_attention_heads"], config["layer_norm_eps"]
    act = {"gelu": F.gelu, "relu": F.relu}[config["hidden_act"]]
    count = config["num_hidden_layers"]
    blocks = [Block(weights, f"{prefix}encoder.layer.{i}.", heads, eps, act) for i in range(count)]
    D, P, C = config["hidden_size"], config["patch_size"], config["num_channels"]
    side = trace["image"].shape[1]
    Np = (side // P) ** 2
    classes = trace["head.logits"].numel()
    values = {"C": C, "H": side, "W": side, "P": P, "Np": Np, "N": Np + 1, "D": D, "h": heads, "d": D // heads,
              "M": config["intermediate_size"], "L": count, "classes": classes, "patch_dim": C * P * P, "block": index,
              "qkv_biases": 3 * int(config.get("qkv_bias", True)), "leading": 1, "positions": Np + 1}
    mean, std = torch.tensor(pre["image_mean"]), torch.tensor(pre["image_std"])
    # The resized pixels, got back from what the model sees.
    pixels = (trace["image"] * std.view(-1, 1, 1) + mean.view(-1, 1, 1)) * 255
    space = {"torch": torch, "F": F, "pixels": pixels, "mean": mean, "std": std, "eps": eps, "act": act, "blocks": blocks,
             "block": blocks[index - 1], "norm": layer_norm(weights, prefix + "layernorm", eps), "head": linear(weights, "classifier"),
             "E": weights[prefix + "embeddings.patch_embeddings.projection.weight"].reshape(D, -1),
             "b": weights[prefix + "embeddings.patch_embeddings.projection.bias"],
             "x_class": weights[prefix + "embeddings.cls_token"].reshape(-1),
             "E_pos": weights[prefix + "embeddings.position_embeddings"].reshape(-1, D)}
    torch.manual_seed(3)  # of towers that this model has not
    space |= {"images": torch.randn(6, 12), "texts": torch.randn(6, 12), "tau": 0.2, "bias": -1.0}
    space["classify"] = lambda out: space["head"](space["norm"](out[:1]))
    lines, worst = {}, 0.0
    with torch.no_grad():
        for step in ORDER:
            lines[step] = (ROOT / "assets" / "code" / f"{step}.py").read_text()
            if step == "layer_norm":  # the blocks before this one
                for layer in blocks[:index - 1]:
                    space["zs"].append(layer(space["zs"][-1]))
            if step == "depth":
                del space["zs"][1:]
            source = lines[step]
            for name, value in values.items():
                source = source.replace("{" + name + "}", str(value))
            try:
                exec(compile(source, f"assets/code/{step}.py", "exec"), space)
            except Exception as error:
                raise SystemExit(f"assets/code/{step}.py does not run ({image_words}): {error!r}")
            for variable, tensor in TRACED.get(step, {}).items():
                want = trace[tensor.replace(".L.", f".{index}.").replace("z.L", f"z.{index}").replace("last", str(count))]
                got = space[variable].reshape(want.shape)
                difference = float((got - want).abs().max() / want.abs().max())
                assert difference <= TOLERANCE, f"assets/code/{step}.py: {variable} differs from {tensor} by {difference:.1e}"
                worst = max(worst, difference)
    f, g = (x / x.norm(dim=1, keepdim=True) for x in (space["images"], space["texts"]))
    S = f @ g.T / 0.2
    clip = -(S.log_softmax(1).diag().mean() + S.log_softmax(0).diag().mean()) / 2
    assert torch.allclose(space["loss"], clip, atol=1e-6), "two_towers.py: another loss"
    total = sum(w.numel() for name, w in weights.items() if not name.startswith(prefix + "pooler"))
    assert space["count"] == total, f"assets/code/models.py counts {space['count']}, the file holds {total}"
    parts = space["parts"].sum(0) + space["block"].proj.bias
    assert torch.allclose(parts, space["msa"], atol=1e-3 * float(space["msa"].abs().max())), "heads.py: the parts do not sum to msa"
    return lines, worst


def main():
    program = ROOT / "build" / "release" / "vitrine"
    if not program.exists():
        raise SystemExit("make_code.py: build/release/vitrine is not there; run ./dev build first")
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "cat.safetensors"
        subprocess.run([program, "trace", "cat", "--model", "pictograms-small", "--dump", dump], check=True, stdout=subprocess.DEVNULL)
        for model, words, trace, index in ((ROOT / "assets" / "pictograms-small", "bundled model, cat", read(dump), 2),
                                           (ROOT / "assets" / "pictograms-small", "bundled model, cat", read(dump), 4),
                                           (HERE / "models" / "tiny_hf", "tiny_hf", read(HERE / "expected" / "tiny_squash.safetensors"), 2)):
            lines, difference = run(model, words, trace, index)
            worst = max(worst, difference)
    print(f"make_code.py: {len(lines)} listings ran; the largest difference from the trace is {worst:.1e}")
    file = HERE / "code.json"
    if "--check" in sys.argv:
        if json.loads(file.read_text()) != lines:
            raise SystemExit("make_code.py: assets/code is not what code.json says was run; run ./dev golden --write")
        return
    file.write_text(json.dumps(lines, indent=1, ensure_ascii=False) + "\n")


main()
