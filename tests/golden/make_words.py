#!/usr/bin/python3
"""Writes small tokenisers and text towers of CLIP and SigLIP with PyTorch, and what each computes; --check compares a
fresh run with the committed files.

Tokens of CLIP come from a byte-pair encoder written here from Sennrich et al. 2016 and from what openai/CLIP
(clip/simple_tokenizer.py) says of words; those of SigLIP from python3-sentencepiece. Towers and nearness are written from
Radford et al. 2021 and Zhai et al. 2023; their names are huggingface/transformers' (models/clip, models/siglip). Image
towers are make_families.py's. Also writes core/words/letters.inc, the classes of letters, with Python's Unicode tables.
"""
import collections
import json
import sys
import unicodedata
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

import make_families as families

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "words"
LETTERS = HERE.parent.parent / "core/words/letters.inc"
TOLERANCE = 1e-5
D, M, HEADS, BLOCKS = 24, 40, 3, 2
CONTEXT = {"clip": 20, "siglip": 16, "siglip2": 16}
CORPUS = """a photo of a dog. a photo of a cat. two dogs on a sofa, a cat under the table. the red ball lies beside a green
tree; a bird's nest in the tallest tree. children play with a kite near the river. we're walking home in the rain, and they've
seen 3 boats. a painting of a horse and its rider. the photographer didn't see the other photographs. an apple, a banana and
twenty oranges. snow on a mountain behind the village. the bus stops here at 10 o'clock. reading a newspaper in the garden."""
TEXTS = ["a photo of a dog", "A Photo of a DOG!", "  two dogs,\ton a\nsofa ", "the bird's nest; we're, they've didn't 's", "1234 and 3½ boats",
         "", "...", "café Zoë Ångström ÉCOLE", "ПРИВЕТ мир", "写真 の 犬", "한국어 개", "🐕 dog🐈", "don't-stop__now", "ﬁne Ａpple",
         "<|endoftext|> dog", "▁dog ▁", "x" * 70, "a dog and a cat and a dog and a cat and a dog and a cat and a dog and a cat",
         "a dog ​zero", "Ⅷ ² ٣ 百"]


# ---- letters

def ranges(holds):
    found, start = [], None
    for c in range(0x110001):
        if c < 0x110000 and holds(c):
            start = c if start is None else start
        elif start is not None:
            found.append((start, c - 1))
            start = None
    return found


def capitals():
    """(first, last, step, by) of capitals with a single small letter."""
    pairs = [(c, ord(chr(c).lower())) for c in range(0x110000) if len(chr(c).lower()) == 1 and chr(c).lower() != chr(c)]
    found = []
    for c, small in pairs:
        by = small - c
        if found and found[-1][3] == by and c - found[-1][1] in ((1, 2) if found[-1][0] == found[-1][1] else (found[-1][2],)):
            first, last, step, _ = found[-1]
            found[-1] = (first, c, c - last, by)
        else:
            found.append((c, c, 1, by))
    return found


def compositions():
    """(first, mark, whole) of letters that Unicode writes as one (canonical composition)."""
    whole = {tuple(int(c, 16) for c in unicodedata.decomposition(chr(w)).split()): w for w in range(0x110000)
             if unicodedata.decomposition(chr(w)) and "<" not in unicodedata.decomposition(chr(w))}
    return sorted((*pair, w) for pair, w in whole.items()
                  if len(pair) == 2 and 0x300 <= pair[1] < 0x370 and unicodedata.normalize("NFC", chr(pair[0]) + chr(pair[1])) == chr(w))


def letters_file():
    def table(kind, name, rows, numbered=2):
        text, line = f"constexpr {kind} {name}[] = {{\n", "   "
        for row in rows:
            one = " {" + ", ".join(f"0x{n:X}" if i < numbered else str(n) for i, n in enumerate(row)) + "},"
            if len(line) + len(one) > 118:
                text, line = text + line + "\n", "   "
            line += one
        return text + line + "\n};\n"

    category = unicodedata.category
    return (f"// Unicode {unicodedata.unidata_version}; made by tests/golden/make_words.py.\n" +
            table("LetterRange", "letter_ranges", ranges(lambda c: category(chr(c))[0] == "L")) +
            table("LetterRange", "number_ranges", ranges(lambda c: category(chr(c))[0] == "N")) +
            table("CapitalRange", "capital_ranges", capitals()) +
            table("Composition", "compositions", compositions(), 3))


# ---- CLIP's tokens

def alphabet():
    printed = [b for b in range(256) if 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or 0xAE <= b <= 0xFF]
    others = [b for b in range(256) if b not in printed]
    return {b: chr(b) for b in printed} | {b: chr(256 + i) for i, b in enumerate(others)}


def words_of(text):
    """Contractions, runs of letters, single digits, runs of other signs."""
    text = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    out, i = [], 0

    def kind(c):
        return "white" if c.isspace() else unicodedata.category(c)[0] if unicodedata.category(c)[0] in "LN" else "other"

    while i < len(text):
        contraction = next((e for e in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if text.startswith(e, i)), None)
        if contraction:
            out.append(contraction)
            i += len(contraction)
            continue
        j = i + 1
        while kind(text[i]) in ("L", "other") and j < len(text) and kind(text[j]) == kind(text[i]):
            j += 1
        if kind(text[i]) != "white":
            out.append(text[i:j])
        i = j
    return out


def as_symbols(word):
    letters = [alphabet()[b] for b in word.encode()]
    return letters[:-1] + [letters[-1] + "</w>"]


def merged(symbols, pair):
    out = []
    for s in symbols:
        if out and (out[-1], s) == pair:
            out[-1] += s
        else:
            out.append(s)
    return out


def learned_merges(count):
    words = [as_symbols(w) for w in words_of(CORPUS)]
    merges = []
    for _ in range(count):
        pairs = collections.Counter(p for w in words for p in zip(w, w[1:]))
        best = min(pairs, key=lambda p: (-pairs[p], p))
        merges.append(best)
        words = [merged(w, best) for w in words]
    return merges


def clip_numbers(text, vocabulary, merges):
    """Merges in the order in which they were learned, each over the whole word."""
    numbers = []
    for word in words_of(text):
        symbols = as_symbols(word)
        for pair in merges:
            symbols = merged(symbols, pair)
        numbers += [vocabulary[s] for s in symbols]
    context = CONTEXT["clip"]
    start, end = vocabulary["<|startoftext|>"], vocabulary["<|endoftext|>"]
    return ([start] + numbers)[:context - 1] + [end]


# ---- SigLIP's tokens

def siglip_text(text):
    punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    text = "".join(c.lower() if len(c.lower()) == 1 else c for c in text).replace("▁", " ")
    return " ".join("".join(c for c in text if c not in punctuation).split())


def train_pieces(path):
    import sentencepiece
    table = FOLDER / "rules.tsv"
    rows = {"ﬁ": "fi", "Ａ": "A", "½": "1⁄2", "²": "2", "Ⅷ": "VIII", "\t": " ", "▁": " ", "　": " ", "​": " "}
    table.write_text("".join(" ".join(f"{ord(c):X}" for c in k) + "\t" + " ".join(f"{ord(c):X}" for c in v) + "\n" for k, v in rows.items()))
    lines = [siglip_text(line) for line in CORPUS.replace("\n", " ").replace(";", ".").split(".")] * 4
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_prefix=str(path.with_suffix("")), vocab_size=180, model_type="unigram",
        normalization_rule_tsv=str(table), pad_id=0, eos_id=1, unk_id=2, bos_id=-1, num_threads=1, hard_vocab_limit=False,
        minloglevel=2)
    (path.with_suffix("")).with_suffix(".model").rename(path)
    (path.with_suffix("")).with_suffix(".vocab").unlink()
    table.unlink()


def siglip_numbers(text, processor):
    context = CONTEXT["siglip"]
    numbers = processor.encode(siglip_text(text))[:context - 1]
    return numbers + [1] * (context - len(numbers))


# ---- SigLIP 2's tokens

ADDED = ["<pad>", "<eos>", "<bos>", "<unk>", "\n\n"]
MORE = ["a dog<eos>A cat", "a\n\ndog", "two  dogs \n on   a sofa", "<0x41> A"]


def whole_text(text):
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text).replace(" ", "▁")


def learned_over_words(count):
    """Merges over the whole corpus; none goes on into the next word."""
    symbols, merges = list(whole_text(" ".join(CORPUS.split()))), []
    for _ in range(count):
        pairs = collections.Counter((a, b) for a, b in zip(symbols, symbols[1:]) if "▁" not in b)
        best = min(pairs, key=lambda p: (-pairs[p], p))
        merges.append(best)
        symbols = merged(symbols, best)
    return merges


def siglip2_numbers(text, vocabulary, merges):
    """Added tokens are found first; all else is merged in the order learned, and letters without a piece are bytes."""
    numbers, at, plain = [], 0, ""

    def flush():
        symbols = list(whole_text(plain))
        symbols = [s for c in symbols for s in ([c] if c in vocabulary else [f"<0x{b:02X}>" for b in c.encode()])]
        for pair in merges:
            symbols = merged(symbols, pair)
        numbers.extend(vocabulary[s] for s in symbols)

    while at < len(text):
        token = next((t for t in ADDED if text.startswith(t, at)), None)
        if token:
            flush()
            numbers.append(vocabulary[token])
        plain = "" if token else plain + text[at]
        at += len(token) if token else 1
    flush()
    context = CONTEXT["siglip2"]
    numbers = numbers[:context - 1] + [vocabulary["<eos>"]]
    return numbers + [vocabulary["<pad>"]] * (context - len(numbers))


def siglip2_file(vocabulary, merges):
    """As google/siglip2's tokenizer.json, which is Gemma's, describes itself."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {"version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [{"id": vocabulary[t], "content": t, "special": t.startswith("<")} | flags for t in ADDED],
            "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False},
            "post_processor": {"type": "TemplateProcessing",
                               "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "<eos>", "type_id": 0}}]},
            "model": {"type": "BPE", "unk_token": "<unk>", "continuing_subword_prefix": None, "end_of_word_suffix": None,
                      "fuse_unk": True, "byte_fallback": True, "vocab": vocabulary, "merges": [f"{a} {b}" for a, b in merges]}}


# ---- towers

def tower(kind, vocabulary, features, seed):
    torch.manual_seed(seed)

    def linear(name, out, into, scale=1.0, bias=True):
        return {name + ".weight": torch.randn(out, into) * scale / np.sqrt(into)} | ({name + ".bias": 0.3 * torch.randn(out)} if bias else {})

    def norm(name):
        return {name + ".weight": 1 + 0.3 * torch.randn(D), name + ".bias": 0.3 * torch.randn(D)}

    t = "text_model."
    w = {t + "embeddings.token_embedding.weight": torch.randn(vocabulary, D),
         t + "embeddings.position_embedding.weight": 0.3 * torch.randn(CONTEXT[kind], D)}
    for i in range(BLOCKS):
        b = f"{t}encoder.layers.{i}."
        w |= norm(b + "layer_norm1") | linear(b + "self_attn.q_proj", D, D, 2) | linear(b + "self_attn.k_proj", D, D, 2)
        w |= linear(b + "self_attn.v_proj", D, D) | linear(b + "self_attn.out_proj", D, D) | norm(b + "layer_norm2")
        w |= linear(b + "mlp.fc1", M, D) | linear(b + "mlp.fc2", D, M)
    w |= norm(t + "final_layer_norm")
    if kind == "clip":
        return w | linear("text_projection", features, D, bias=False) | {"logit_scale": torch.tensor(2.3)}
    return w | linear(t + "head", features, D) | {"logit_scale": torch.tensor([1.9]), "logit_bias": torch.tensor([-1.25])}


def open_clip_names(kind, weights):
    """The same tower as mlfoundations/open_clip names it (src/open_clip/model.py, transformer.py): CLIP's beside the tower of
    images, SigLIP's below "text."; queries, keys and values are one tensor, CLIP's projection is (D, features)."""
    t, top = "text_model.", "" if kind == "clip" else "text."
    layers = {"layer_norm1": "ln_1", "self_attn.out_proj": "attn.out_proj", "layer_norm2": "ln_2", "mlp.fc1": "mlp.c_fc", "mlp.fc2": "mlp.c_proj"}
    out = {top + "token_embedding.weight": weights[t + "embeddings.token_embedding.weight"],
           top + "positional_embedding": weights[t + "embeddings.position_embedding.weight"]}
    for end in ("weight", "bias"):
        out[f"{top}ln_final.{end}"] = weights[f"{t}final_layer_norm.{end}"]
        for i in range(BLOCKS):
            b, r = f"{t}encoder.layers.{i}.", f"{top}transformer.resblocks.{i}."
            out |= {f"{r}{new}.{end}": weights[f"{b}{old}.{end}"] for old, new in layers.items()}
            out[f"{r}attn.in_proj_{end}"] = torch.cat([weights[f"{b}self_attn.{n}_proj.{end}"] for n in "qkv"])
    if kind == "clip":
        return out | {"text_projection": weights["text_projection.weight"].T.contiguous(), "logit_scale": weights["logit_scale"]}
    return out | {f"{top}text_projection.{end}": weights[f"{t}head.{end}"] for end in ("weight", "bias")} | {
        n: weights[n].reshape(()) for n in ("logit_scale", "logit_bias")}


@torch.no_grad()
def run_tower(kind, weights, numbers, activation=None):
    """What a tower computes of one text, in float64."""
    w = {k: v.double() for k, v in weights.items()}
    activation = families.ACTIVATIONS[activation or ("quick_gelu" if kind == "clip" else "gelu_tanh")]
    epsilon, t = 1e-5 if kind == "clip" else 1e-6, "text_model."
    count = len(numbers)

    def linear(name, a):
        return F.linear(a, w[name + ".weight"], w.get(name + ".bias"))

    def norm(name, a):
        return F.layer_norm(a, (D,), w[name + ".weight"], w[name + ".bias"], epsilon)

    z = w[t + "embeddings.token_embedding.weight"][numbers] + w[t + "embeddings.position_embedding.weight"][:count]
    out = {"z.0": z}
    for i in range(BLOCKS):
        b = f"{t}encoder.layers.{i}."
        a = norm(b + "layer_norm1", z)
        q, k, v = (linear(b + f"self_attn.{n}_proj", a).view(count, HEADS, D // HEADS).transpose(0, 1) for n in "qkv")
        scores = q @ k.transpose(1, 2) / np.sqrt(D // HEADS)
        if kind == "clip":
            scores = scores.masked_fill(torch.ones(count, count, dtype=torch.bool).triu(1), -np.inf)
        attention = scores.softmax(-1)
        msa = linear(b + "self_attn.out_proj", (attention @ v).transpose(0, 1).reshape(count, D))
        residual = z + msa
        hidden = linear(b + "mlp.fc1", norm(b + "layer_norm2", residual))
        mlp = linear(b + "mlp.fc2", activation(hidden))
        z = residual + mlp
        out |= {f"block.{i + 1}.{n}": x for n, x in (("q", q), ("attention", attention), ("msa", msa), ("residual", residual),
                                                     ("hidden", hidden), ("mlp", mlp), ("z", z))}
    normed = norm(t + "final_layer_norm", z)
    read = normed[-1]
    out |= {"norm": normed, "features": linear("text_projection" if kind == "clip" else t + "head", read)}
    return out


def unit(x):
    return x / x.norm(dim=-1, keepdim=True)


@torch.no_grad()
def nearness(kind, structure, image_weights, image, text_weights, features):
    """Cosines, logits and probabilities of an image and of its patches."""
    s = families.PLAIN | families.STRUCTURES[structure]
    out = families.run(s, image_weights, image)
    w = {k: {n: t.double() for n, t in p.items()} for k, p in image_weights.items()}
    d = families.D

    def linear(name, a):
        return F.linear(a, w[name]["w"], w[name].get("b"))

    z = out[f"z.{families.BLOCKS}"][1 if kind == "clip" else 0:]
    normed = F.layer_norm(z, (d,), w["norm"]["w"], w["norm"]["b"], s["eps"])
    if kind == "clip":
        whole, patches = out["head.features"], linear("features", normed)
    else:
        m = linear("pool_o", linear("pool_v", normed))
        inner = linear("pool_in", F.layer_norm(m, (d,), w["pool_ln"]["w"], w["pool_ln"]["b"], s["eps"]))
        whole, patches = out["head.ln"], m + linear("pool_out", families.ACTIVATIONS[s["activation"]](inner))
    texts = unit(features)
    cosine = texts @ unit(whole)
    logit = cosine * text_weights["logit_scale"].double().exp()
    if kind == "siglip":
        logit = logit + text_weights["logit_bias"].double()
    return {"image": image.double(), "cosine": cosine, "logit": logit,
            "probability": logit.softmax(0) if kind == "clip" else torch.sigmoid(logit), "patches": texts @ unit(patches).T}


@torch.no_grad()
def contrast(kind, text_weights):
    """Losses of made-up images and texts, by PyTorch's own functions: CLIP's pseudocode (Radford et al. 2021, Fig. 3) and
    SigLIP's (Zhai et al. 2023, Algorithm 1)."""
    torch.manual_seed(7)
    images, texts, count = torch.randn(5, 9).double(), torch.randn(5, 9).double(), 5
    logits = unit(images) @ unit(texts).T * text_weights["logit_scale"].double().exp()
    if kind == "siglip":
        logits = logits + text_weights["logit_bias"].double()
        loss = -F.logsigmoid((2 * torch.eye(count) - 1) * logits).sum() / count
    else:
        pairs = torch.arange(count)
        loss = (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2
    by_image = torch.sigmoid(logits) if kind == "siglip" else logits.softmax(1)
    return {"contrast.images": images, "contrast.texts": texts, "contrast.logits": logits, "contrast.by_image": by_image,
            "contrast.by_text": logits.softmax(0), "contrast.loss": loss.reshape(1)}


def everything(writes):
    """Every text file, then every file of tensors."""
    import sentencepiece
    letters = sorted(alphabet().values())
    merges = learned_merges(160)
    vocabulary = {p: i for i, p in enumerate(letters + [c + "</w>" for c in letters] + [a + b for a, b in merges] +
                                             ["<|startoftext|>", "<|endoftext|>"])}
    pieces = FOLDER / "siglip/spiece.model"
    if writes:
        pieces.parent.mkdir(parents=True, exist_ok=True)
        train_pieces(pieces)
    processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    tokens = {"clip": [clip_numbers(t, vocabulary, merges) for t in TEXTS],
              "siglip": [siglip_numbers(t, processor) for t in TEXTS]}
    over_words = learned_over_words(120)
    symbols = ADDED + [f"<0x{b:02X}>" for b in range(256)] + sorted(set(whole_text(" ".join(CORPUS.split()))))
    numbers2 = {p: i for i, p in enumerate(dict.fromkeys(symbols + [a + b for a, b in over_words]))}
    tokens |= {"more": MORE, "siglip2": [siglip2_numbers(t, numbers2, over_words) for t in TEXTS + MORE]}
    yield FOLDER / "siglip2/tokenizer.json", json.dumps(siglip2_file(numbers2, over_words), ensure_ascii=False) + "\n"
    head, text = "#version: 0.2\n", json.dumps(vocabulary, ensure_ascii=False) + "\n"
    yield FOLDER / "clip/vocab.json", text
    yield FOLDER / "clip/merges.txt", head + "".join(f"{a} {b}\n" for a, b in merges)
    for name, listed in (("pairs", [[a, b] for a, b in merges]), ("lines", [f"{a} {b}" for a, b in merges])):
        yield FOLDER / f"tokenizer_{name}/tokenizer.json", json.dumps(
            {"version": "1.0", "model": {"type": "BPE", "end_of_word_suffix": "</w>", "vocab": vocabulary, "merges": listed}},
            ensure_ascii=False) + "\n"
    yield FOLDER / "tokens.json", json.dumps({"texts": TEXTS, "context": CONTEXT} | tokens, indent=1, ensure_ascii=False) + "\n"
    sizes = dict(hidden_size=D, num_attention_heads=HEADS, num_hidden_layers=BLOCKS, intermediate_size=M)
    for kind in ("clip", "siglip"):
        yield FOLDER / f"{kind}/config.json", json.dumps({"model_type": kind, "text_config": sizes, "vision_config": dict(
            families.SIZES, intermediate_size=families.M, patch_size=families.PATCH)}, indent=1) + "\n"
    torch.manual_seed(5)
    image = torch.randn(3, families.PATCH * families.SIDE, families.PATCH * families.SIDE)
    for seed, (kind, names) in enumerate((("clip", families.clip), ("siglip", families.siglip()))):
        s = families.PLAIN | families.STRUCTURES[kind]
        image_weights = families.weights(s, 300 + seed)
        size = len(vocabulary) if kind == "clip" else processor.get_piece_size()
        text_weights = tower(kind, size, families.FEATURES if kind == "clip" else families.D, 310 + seed)
        yield FOLDER / f"{kind}/model.safetensors", names(image_weights) | text_weights
        runs = [run_tower(kind, text_weights, numbers) for numbers in tokens[kind]]
        out = {f"{i}.{n}": t for i in (0, 2, 5) for n, t in runs[i].items()}
        features = torch.stack([r["features"] for r in runs])
        image_names = families.open_clip if kind == "clip" else families.timm_map("visual.trunk.")
        images_alone = {n: x for n, x in image_names(image_weights).items() if n.startswith("visual.")}
        yield FOLDER / f"open_{kind}/model.safetensors", images_alone | open_clip_names(kind, text_weights)
        yield FOLDER / f"expected/open_{kind}.safetensors", {"features": torch.stack(
            [run_tower(kind, text_weights, numbers, "gelu")["features"] for numbers in tokens[kind]])}
        yield FOLDER / f"expected/{kind}.safetensors", out | {"features": features} | nearness(
            kind, kind, image_weights, image, text_weights, features) | contrast(kind, text_weights)


if __name__ == "__main__":
    torch.set_num_threads(1)
    checks, worst = "--check" in sys.argv, 0.
    if not checks:
        LETTERS.write_text(letters_file())
    elif f"Unicode {unicodedata.unidata_version};" in LETTERS.read_text():  # another Python has other tables
        assert LETTERS.read_text() == letters_file(), f"{LETTERS}: other letters"
    for path, content in everything(not checks):
        if not checks and isinstance(content, str):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        elif not checks:
            families.write(path, content)
        elif isinstance(content, str):
            assert path.read_text() == content, f"{path}: other content"
        else:
            committed = families.read(path)
            assert committed.keys() == content.keys(), f"{path}: other tensors"
            for n, old in committed.items():
                new = content[n].detach().double().numpy().ravel()
                worst = max(worst, float(np.abs(new - old).max() / max(1e-6, np.abs(old).max())))
    if checks:
        print(f"make_words.py: the largest difference is {worst:.1e} of a tensor's largest magnitude")
        sys.exit(0 if worst <= TOLERANCE else 1)
