"""Runs the exercises' code as it stands, with every repair, on a golden model.

./dev golden runs it. The right repair must give what our own trace has, every other one something else or an error;
values/exercises.safetensors keeps what the mistakes give, exercises.json the lines as they were run and what Python says
where they do not run. --check compares (without it both are written anew)."""

import contextlib
import io
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

from course_model import Block, layer_norm, linear, read, write
from make_text import BOS, CASES, D, EPSILON, H, LONGEST, SOURCES, Net

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOLERANCE = 1e-4


def parse(text):
    """The lines, which of them is wrong, what may stand in its place, and which of these is right."""
    code, repairs = text.split("#?\n")
    lines = code.rstrip("\n").split("\n")
    (wrong,) = [i for i, line in enumerate(lines) if line.endswith("  #!")]
    lines[wrong] = lines[wrong][:-4]
    repairs = repairs.rstrip("\n").split("\n")
    (right,) = [i for i, line in enumerate(repairs) if line.endswith("  #=")]
    repairs[right] = repairs[right][:-4]
    return lines, wrong, repairs, right


class Course:
    """A golden model, and the layers by the names that the lines use."""

    def __init__(self, folder, trace):
        config = json.loads((folder / "config.json").read_text())
        weights = read(folder / "model.safetensors")
        prefix = "vit." if "vit.embeddings.cls_token" in weights else ""
        eps, act = config["layer_norm_eps"], torch.nn.functional.gelu
        count = config["num_hidden_layers"]
        self.blocks = [Block(weights, f"{prefix}encoder.layer.{i}.", config["num_attention_heads"], eps, act) for i in range(count)]
        self.norm, self.classifier = layer_norm(weights, prefix + "layernorm", eps), linear(weights, "classifier")
        D, P, C = config["hidden_size"], config["patch_size"], config["num_channels"]
        side = trace["image"].shape[1]
        self.trace, self.eps = trace, eps
        E = weights[prefix + "embeddings.patch_embeddings.projection.weight"].reshape(D, -1)
        self.E = nn.Linear(E.shape[1], D)
        self.E.weight.data, self.E.bias.data = E, weights[prefix + "embeddings.patch_embeddings.projection.bias"]
        self.x_class = weights[prefix + "embeddings.cls_token"].reshape(1, D)
        self.E_pos = weights[prefix + "embeddings.position_embeddings"].reshape(-1, D)
        Np = (side // P) ** 2
        x = trace["image"].unfold(1, P, P).unfold(2, P, P).permute(1, 2, 0, 3, 4)
        self.patches = x.reshape(Np, C * P * P)
        self.numbers = {"C": C, "H": side, "W": side, "P": P, "Np": Np, "N": Np + 1, "D": D, "h": config["num_attention_heads"],
                        "d": D // config["num_attention_heads"], "M": config["intermediate_size"], "L": count,
                        "classes": self.classifier.out_features, "patch_dim": C * P * P, "block": 1,
                        "qkv_biases": 3 * int(config.get("qkv_bias", True))}

    def attend(self, a, attention):
        block = self.blocks[0]
        attention.q, attention.k, attention.v, attention.proj = block.q, block.k, block.v, block.proj
        return attention(a)

    def embed(self, embedding):
        embedding.E = self.E
        embedding.x_class.data = self.x_class
        if embedding.E_pos.shape == self.E_pos.shape:  # else the lines made another number of rows
            embedding.E_pos.data = self.E_pos
        return embedding(self.patches)

    def encoder_block(self, made, block):
        def attention(a):
            n = len(a)
            q, k, v = (f(a).view(n, block.heads, -1).transpose(0, 1) for f in (block.q, block.k, block.v))
            out = (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])).softmax(-1) @ v
            return block.proj(out.transpose(0, 1).reshape(n, -1))

        made.ln1, made.ln2, made.attention = block.ln1, block.ln2, attention
        made.mlp = lambda a: block.fc2(block.act(block.fc1(a)))
        return made


class TextCourse:
    """A golden text Transformer in double precision, and its layers by the names that the lines use."""

    ROWS = 3  # of a sentence whose length is not d by accident

    def __init__(self, file):
        values = {name: tensor.double() for name, tensor in read(file).items()}
        self.w = {name[2:]: tensor for name, tensor in values.items() if name.startswith("w.")}
        self.t = {name[2:]: tensor for name, tensor in values.items() if name.startswith("t.")}
        self.greedy = [int(word) for word in values["greedy"]]
        self.net = Net(CASES["text_post"], self.w)
        self.numbers = {"D": D, "h": H, "d": D // H, "longest": LONGEST}

    def layer(self, name):
        made = nn.Linear(*reversed(self.w[name + ".weight"].shape)).double()
        made.weight.data, made.bias.data = self.w[name + ".weight"], self.w[name + ".bias"]
        return made

    def attend(self, attention, at, *inputs):
        parts = zip(("q", "k", "v", "proj"), ("query", "key", "value", "projection"))
        for name, part in parts:
            setattr(attention, name, self.layer(at + part))
        return attention(*inputs)

    def run(self, name, source):
        """What the lines give: a tensor to be compared."""
        space = {"torch": torch, "nn": nn, "math": math, "PAD": 0, "BOS": BOS, "EOS": 2, "UNK": 3, "CLS": 4,
                 "encode": lambda words: self.net.encode(torch.tensor([words])), "decode": self.decode}
        exec(compile(source, f"assets/exercises/{name}.py", "exec"), space)
        if name == "text_mask":
            return self.attend(space["MaskedAttention"](), "decoder.1.self.", self.t["target.z"])
        if name == "text_softmax_axis":
            return self.attend(space["CrossAttention"](), "decoder.1.cross.", self.t["decoder.1.residual"], self.t["encoder.2.z"])
        if name == "text_eos":
            return torch.tensor(space["translate"](SOURCES[0]), dtype=torch.double)
        if name == "text_epsilon":
            norm = space["LayerNorm"]()
            norm.eps, norm.gamma.data, norm.beta.data = EPSILON, self.w["encoder.1.norm1.weight"], self.w["encoder.1.norm1.bias"]
            return norm(self.t["source.z"] + self.t["encoder.1.msa"])
        rows = self.t["source.z"][:self.ROWS] if name == "text_values" else self.t["source.z"]
        return self.attend(space["SelfAttention"](), "encoder.1.", rows)

    def decode(self, words, memory):
        return self.net.linear("generator", self.net.decode(words[None], *memory))[0]

    def expected(self, name):
        if name == "text_eos":
            return torch.tensor(self.greedy + [2], dtype=torch.double)
        if name == "text_values":
            z = self.t["source.z"][None, :self.ROWS]
            return self.net.attention("encoder.1.", z, z, torch.ones(1, 1, 1, self.ROWS, dtype=torch.bool))[0]
        return self.t[{"text_mask": "decoder.1.self.msa", "text_softmax_axis": "decoder.1.cross.msa", "text_root": "encoder.1.msa",
                       "text_epsilon": "encoder.1.ln1.out"}[name]]


def run(course, name, lines):
    """What the lines give: a tensor to be compared."""
    source = "\n".join(lines)
    for letter, value in course.numbers.items():
        source = source.replace("{" + letter + "}", str(value))
    if name.startswith("text_"):
        return course.run(name, source)
    space = {"torch": torch, "nn": nn, "math": math}
    exec(compile(source, f"assets/exercises/{name}.py", "exec"), space)
    z = course.trace["z.0"]
    if "Embedding" in space:
        return course.embed(space["Embedding"]())
    if "LayerNorm" in space:
        norm = space["LayerNorm"]()
        norm.eps, norm.gamma.data, norm.beta.data = course.eps, course.blocks[0].ln1.weight.data, course.blocks[0].ln1.bias.data
        return norm(z)
    if "Attention" in space:
        return course.attend(course.blocks[0].ln1(z), space["Attention"]())
    if "encode" in space:
        return space["encode"]([course.encoder_block(space["EncoderBlock"](), b) for b in course.blocks], z)
    if "EncoderBlock" in space:
        return course.encoder_block(space["EncoderBlock"](), course.blocks[0])(z)
    head = space["Head"]()
    head.norm, head.classifier = course.norm, course.classifier
    words = next(line.split("returns")[1].strip() for line in source.split("\n") if "returns" in line)
    said = words.strip("()").replace("B", "1").split(",")
    logits = head(course.trace[f"z.{len(course.blocks)}"][None])
    if list(logits.shape) != [int(n) for n in said]:
        _ = logits[(slice(None),) + (0,) * (len(said) - 1)]  # whoever believes the comment
        raise AssertionError(f"the comment says {words}, it is {tuple(logits.shape)}")
    return logits


EXPECTED = {"token_count": "z.0", "positions": "z.0", "maximum_one": "block.1.ln1.out", "norm_axis": "block.1.ln1.out",
            "key_is_query": "block.1.msa", "value_is_query": "block.1.msa", "head_slices": "block.1.msa",
            "root_of_width": "block.1.msa", "softmax_axis": "block.1.msa", "normed_residual": "z.1", "bare_return": "z.last",
            "doc_comment": "head.logits"}
SAME_MISTAKE = {"head_slices": [0], "norm_axis": [0], "text_epsilon": [0], "text_eos": [1]}  # repairs that say the same in other words


def outcome(course, name, lines):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return run(course, name, lines), ""
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def differs(a, b):
    if a is None or b is None or a.shape != b.shape:
        return True
    return not float((a - b).abs().max()) <= 1e-3 * float(b.abs().max())


def main():
    pictures = Course(HERE / "models" / "tiny_hf", read(HERE / "expected" / "tiny_squash.safetensors"))
    sentences = TextCourse(HERE / "values" / "text_post.safetensors")
    values, texts = {}, {}
    with torch.no_grad():
        for path in sorted((ROOT / "assets" / "exercises").glob("*.py")):
            name, text = path.stem, path.read_text()
            lines, wrong, repairs, right = parse(text)
            course = sentences if name.startswith("text_") else pictures
            want = sentences.expected(name) if course is sentences else course.trace[EXPECTED[name].replace("last", str(len(course.blocks)))]
            broken, error = outcome(course, name, lines)
            assert differs(broken, want), f"{name}: the mistake changes nothing"
            said = []
            for i, repair in enumerate(repairs):
                got, problem = outcome(course, name, lines[:wrong] + [repair] + lines[wrong + 1:])
                said.append(problem)
                assert (name, i) != ("text_mask", 0) or got[0].isnan().all(), "its words say that the first row is nan"
                if i == right:
                    assert got is not None, f"{name}: the right repair: {problem}"
                    got = got.reshape(want.shape)
                    assert float((got - want).abs().max() / want.abs().max()) <= TOLERANCE, f"{name}: the right repair gives other numbers"
                else:
                    assert differs(got, want.reshape(got.shape) if got is not None and got.numel() == want.numel() else want), f"{name}: repair {i} is right, too"
                    assert (i in SAME_MISTAKE.get(name, [])) == (broken is not None and not differs(got, broken)), f"{name}: repair {i}"
            texts[name] = {"code": text, "error": error, "repairs": said}
            if broken is not None:
                values[name] = broken.detach().float().contiguous()
    print(f"make_exercises.py: {len(texts)} exercises ran")
    file, tensors = HERE / "exercises.json", HERE / "values" / "exercises.safetensors"
    if "--check" in sys.argv:
        if json.loads(file.read_text()) != texts:
            raise SystemExit("make_exercises.py: assets/exercises is not what exercises.json says was run; run ./dev golden --write")
        kept = read(tensors)
        for name, tensor in values.items():
            assert np.allclose(kept[name], tensor, rtol=TOLERANCE, atol=1e-6), f"{name} differs from values/exercises.safetensors"
        return
    file.write_text(json.dumps(texts, indent=1, ensure_ascii=False) + "\n")
    write(tensors, values)


if __name__ == "__main__":
    main()
