"""Runs the PyTorch lines of the Text room, one chapter after the other, on a small Transformer with random weights.

./dev golden runs it. What the lines compute must be what PyTorch's own layers compute from the same weights, where
there is one; text_code.json keeps the lines as they were run, and a test compares them with assets/text_code. --check
(without it text_code.json is written anew)."""

import json
import re
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ORDER = ["tokens", "embedding", "encoder", "self_attention", "mask", "masked_attention", "cross_attention", "generator",
         "loss", "decoding", "cls", "gpt", "patches", "after"]
D, h, d, M, L, V = 64, 4, 16, 128, 2, 60
LONGEST = 16
PAD, BOS, EOS, UNK, CLS = range(5)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.whole = nn.MultiheadAttention(D, h, batch_first=True)

    def forward(self, x, memory, mask=None):
        return self.whole(x[None], memory[None], memory[None], attn_mask=mask)[0][0]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention, self.norm1, self.norm2 = Attention(), nn.LayerNorm(D), nn.LayerNorm(D)
        self.linear1, self.linear2 = nn.Linear(D, M), nn.Linear(M, D)

    def forward(self, z):
        z = self.norm1(z + self.attention(z, z))
        return self.norm2(z + self.linear2(F.relu(self.linear1(z))))


class Decoder(Encoder):
    def __init__(self):
        super().__init__()
        self.self_attention, self.cross, self.norm3 = Attention(), Attention(), nn.LayerNorm(D)

    def forward(self, z, memory, later):
        z = self.norm1(z + self.self_attention(z, z, mask=later))
        z = self.norm2(z + self.cross(z, memory))
        return self.norm3(z + self.linear2(F.relu(self.linear1(z))))


def space():
    torch.manual_seed(1)
    words = "the animal did not cross the street".split()
    vocabulary = {w: 5 + i for i, w in enumerate(sorted({*words, ",", "."}))}
    table = {"torch": torch, "F": F, "nn": nn, "re": re, "source": "The animal did not cross the street, zebra", "vocabulary": vocabulary,
             "PAD": PAD, "BOS": BOS, "EOS": EOS, "UNK": UNK, "CLS": CLS, "E": torch.randn(V, D) / D ** 0.5,
             "E_y": torch.randn(V, D) / D ** 0.5, "encoder": nn.ModuleList(Encoder() for _ in range(L)),
             "decoder": nn.ModuleList(Decoder() for _ in range(L)), "y": torch.tensor([BOS, 7, 9, 8, 6]),
             "P_y": torch.randn(20, D), "W_g": torch.randn(V, D), "b_g": torch.randn(V), "W_y": torch.randn(2, D),
             "b_y": torch.randn(2), "E_patch": torch.randn(192, D), "x_class": torch.randn(D), "E_pos": torch.randn(17, D)}
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        table[name] = torch.randn(D, D) / D ** 0.5
    table["decode"] = lambda y, memory: (table["E_y"][y] @ table["W_g"].T).log_softmax(-1)
    table["encode"] = lambda ids: table["E"][ids]
    table["language_model"] = lambda ids: table["E"][ids] @ table["W_g"].T
    return table


def check(step, s):
    """What holds after a chapter's lines."""
    if step == "tokens":
        assert s["words"] == "the animal did not cross the street , zebra .".split()
        assert s["ids"][-1] == EOS and UNK in s["ids"] and s["padding"].sum() == len(s["ids"]) - 3
    if step == "embedding":
        assert torch.allclose(s["P"][3, 10], torch.sin(torch.tensor(3 / 10000 ** (10 / D))), atol=1e-6)
        assert torch.allclose(s["P"][3, 11], torch.cos(torch.tensor(3 / 10000 ** (10 / D))), atol=1e-6)
    if step in ("tokens", "embedding", "encoder", "cls", "gpt"):
        # S words and [EOS]: as many rows as the comments say, S + 1
        rows = {"tokens": "ids", "embedding": "z", "encoder": "memory", "cls": "z", "gpt": "logits"}[step]
        assert len(s["ids"]) == len(s["words"]) + 1 and len(s[rows]) == len(s["words"]) + 1
    if step == "encoder":
        layer = nn.TransformerEncoderLayer(D, h, M, dropout=0, batch_first=True)
        z = s["start"]
        for block in s["encoder"]:
            layer.self_attn, layer.norm1, layer.norm2 = block.attention.whole, block.norm1, block.norm2
            layer.linear1, layer.linear2 = block.linear1, block.linear2
            layer.train()
            z = layer(z[None])[0]
        assert torch.allclose(z, s["memory"], atol=1e-5)
    if step in ("self_attention", "cross_attention"):
        q, k, v = s["q"], s["k"], s["v"]
        want = F.scaled_dot_product_attention(q[None], k[None], v[None])[0] if hasattr(F, "scaled_dot_product_attention") \
            else (q @ k.transpose(1, 2) / d ** 0.5).softmax(-1) @ v
        assert torch.allclose(s["A"] @ v, want, atol=1e-4)
    if step == "generator":
        assert abs(float(s["log_p"].exp().sum(-1).mean()) - 1) < 1e-5
    if step == "loss":
        z = D ** 0.5 * s["E_y"][s["y"]] + s["P_y"][:len(s["y"])]
        layer = nn.TransformerDecoderLayer(D, h, M, dropout=0, batch_first=True)
        later = torch.ones(len(z), len(z)).triu(1).bool()
        for block in s["decoder"]:
            layer.self_attn, layer.multihead_attn = block.self_attention.whole, block.cross.whole
            layer.norm1, layer.norm2, layer.norm3 = block.norm1, block.norm2, block.norm3
            layer.linear1, layer.linear2 = block.linear1, block.linear2
            layer.train()
            z = layer(z[None], s["memory"][None], tgt_mask=later)[0]
        assert torch.allclose(z @ s["W_g"].T + s["b_g"], s["logits"], atol=1e-3)
        epsilon, V_ = 0.1, s["logits"].shape[1]
        log_p = s["logits"].log_softmax(-1)
        own = -(1 - epsilon) * log_p[range(len(s["wanted"])), s["wanted"]] - epsilon * log_p.mean(-1)
        assert torch.allclose(own.mean(), s["loss"], atol=1e-5)
    if step == "decoding":
        assert all(int(w) not in (PAD, UNK, CLS) for w in s["y"]) and int(s["word"]) not in (PAD, BOS, UNK, CLS)
        assert len(s["y"]) <= LONGEST + 1
    if step == "after":
        for m, said, mask in ((s["z"], s["itself"], None), (s["z"], s["writes"], s["later"]), (s["memory"], s["another"], None)):
            layer = nn.MultiheadAttention(D, h, bias=False, batch_first=True)
            layer.in_proj_weight.copy_(torch.cat([s[w].T for w in ("W_Q", "W_K", "W_V")]))
            layer.out_proj.weight.copy_(s["W_O"].T)
            assert torch.allclose(said, layer(s["z"][None], m[None], m[None], attn_mask=mask)[0][0], atol=1e-4)


def main():
    s, lines = space(), {}
    values = {"D": D, "h": h, "d": d, "M": M, "L": L, "V": V, "classes": 2, "longest": LONGEST}
    with torch.no_grad():
        for step in ORDER:
            lines[step] = (ROOT / "assets" / "text_code" / f"{step}.py").read_text()
            source = lines[step]
            for name, value in values.items():
                source = source.replace("{" + name + "}", str(value))
            if step == "encoder":
                s["start"] = s["z"]
            if step == "mask":
                s["y"] = torch.tensor([BOS, 7, 9, 8, 6])
            try:
                exec(compile(source, f"assets/text_code/{step}.py", "exec"), s)
                check(step, s)
            except Exception as error:
                raise SystemExit(f"assets/text_code/{step}.py does not hold: {error!r}")
    print(f"make_text_code.py: {len(lines)} listings ran")
    file = HERE / "text_code.json"
    if "--check" in sys.argv:
        if json.loads(file.read_text()) != lines:
            raise SystemExit("make_text_code.py: assets/text_code is not what text_code.json says was run; run ./dev golden --write")
        return
    file.write_text(json.dumps(lines, indent=1, ensure_ascii=False) + "\n")


main()
