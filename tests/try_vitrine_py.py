"""try_vitrine_py.py PROGRAM SOURCE : docs/vitrine.py reads all that the program writes, and runs a model through it."""

import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("numpy is not there")
    sys.exit(77)

program, source = sys.argv[1:3]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(source, "docs"))
import vitrine  # noqa: E402

small = "pictograms-small"


def run(*words):
    subprocess.run([program, *words, "--model", small], check=True)


def same(a, b, what):
    assert a.dtype == b.dtype and a.shape == b.shape and numpy.array_equal(a, b, equal_nan=True), what


def reads_what_is_written(folder):
    names = "rollout,entropy,token_pairs,block.2.q"
    for form in ("npy", "csv", "safetensors"):
        run("export", "cat", "--what", names, "--format", form, "--out", f"{folder}/{form}")
        run("export", "cat", "mug", "--stack", "--what", names, "--format", form, "--out", f"{folder}/stack-{form}")
    run("trace", "cat", "--dump", f"{folder}/cat.safetensors")
    dump = vitrine.load(f"{folder}/cat.safetensors")
    one, stack = vitrine.load(f"{folder}/npy"), vitrine.load(f"{folder}/stack-npy")
    assert set(one.names) == set(names.split(","))
    same(one["block.2.q"], dump["block.2.q"], "a dump and an export")
    assert dump.run["model"] == one.run["model"] and dump.run["image"] == one.run["image"]
    assert [image["name"] for image in stack.images] == ["pictograms:cat", "pictograms:mug"]
    assert [row["name"] for row in vitrine.load(f"{folder}/stack-npy/images.csv")] == ["pictograms:cat", "pictograms:mug"]
    for name in names.split(","):
        same(stack[name][0], one[name], name)
        for form in ("csv", "safetensors"):
            same(vitrine.load(f"{folder}/{form}")[name], one[name], f"{name} in {form}")
            same(vitrine.load(f"{folder}/stack-{form}")[name], stack[name], f"{name} of a stack in {form}")
        same(vitrine.load(f"{folder}/csv/{name}.csv"), one[name], name)
    assert one.axes("rollout")[1][0] == "key" and one.axes("rollout")[1][1][0] == "class token"
    assert one.axes("entropy") == [("block", [1, 2, 3, 4]), ("head", [0, 1, 2, 3])]
    run("export", "cat", "mug", "--what", "entropy", "--out", f"{folder}/each")
    assert set(vitrine.load(f"{folder}/each")) == {"cat", "mug"}


def reads_numbers_over_images(folder):
    run("export", "cat", "mug", "--stack", "--what", "importance", "--out", f"{folder}/importances")
    run("export", "cat", "mug", "--over-all", "--what", "importance,pruning", "--out", f"{folder}/over")
    each, over = vitrine.load(f"{folder}/importances")["importance"], vitrine.load(f"{folder}/over")
    assert set(over.names) == {"importance_mean", "importance_sd", "pruning"} and len(over.images) == 2
    assert numpy.allclose(over["importance_mean"], each.mean(0), atol=1e-6)
    assert numpy.allclose(over["importance_sd"], each.std(0), atol=1e-6)
    assert over["pruning"].shape == (17,) and over.axes("pruning")[0][1][0] == "none"


def reads_measures_of_texts(folder):
    with open(f"{folder}/reviews.txt", "w", encoding="utf-8") as file:
        file.write("the food was good .\nthe room was not good .\n")
    command = [program, "export", f"@{folder}/reviews.txt", "--text", "sentiment", "--what", "all"]
    for form in ("npy", "csv", "safetensors"):
        subprocess.run([*command, "--format", form, "--out", f"{folder}/texts-{form}"], check=True)
    texts = vitrine.load(f"{folder}/texts-npy")
    assert set(texts) == {"1", "2"}
    one = texts["1"]
    assert one.run["text"]["words"] == ["the", "food", "was", "good", "."] and one.images == []
    words = ["[CLS]", "the", "food", "was", "good", "."]
    assert one.axes("attention.encoder")[2] == ("query", words)
    attention = one["attention.encoder"]
    assert attention.shape[2:] == (6, 6) and numpy.allclose(attention.sum(-1), 1, atol=1e-5)
    assert numpy.allclose(one["lens"].sum(-1), 1, atol=1e-5)
    for name in one.names:
        for form in ("csv", "safetensors"):
            same(vitrine.load(f"{folder}/texts-{form}")["1"][name], one[name], f"{name} of a text in {form}")


def reads_words_beside_images(folder):
    model = os.path.join(source, "tests/golden/words/clip")
    texts = ["a dog asleep", "two cats"]
    for form in ("npy", "csv", "safetensors"):
        subprocess.run([program, "export", "cat", "--model", model, "--set", "lab.texts=" + "|".join(texts), "--what",
                        "words,words_patches", "--format", form, "--out", f"{folder}/words-{form}"], check=True)
    one = vitrine.load(f"{folder}/words-npy")
    assert one.axes("words") == [("text", texts)] and one.axes("words_patches")[0] == ("text", texts)
    assert one["words"].shape == (2,) and one["words_patches"].shape == (2, 16)
    for name in one.names:
        for form in ("csv", "safetensors"):
            same(vitrine.load(f"{folder}/words-{form}")[name], one[name], f"{name} in {form}")


def runs_a_model(folder):
    one = vitrine.load(f"{folder}/npy")
    with vitrine.Model(small, program=program) as model:
        assert model.info()["model"]["num_attention_heads"] == 4
        answer = model.trace("cat", what=["rollout", "block.2.q"])
        same(answer["rollout"], one["rollout"], "the server and an export")
        same(answer["block.2.q"], one["block.2.q"], "the server and an export")
        assert answer.top[0]["label"] == "cat"
        assert model.trace("cat", what_if=["head:2.1"]).change["class"]["label"] == "cat"
        for bad in ({"image": "/no/such.png"}, {"image": "cat", "what": ["no such"]}, {"image": "cat", "what_if": ["x"]}):
            try:
                model.trace(**bad)
                raise AssertionError(f"{bad} was answered")
            except ValueError:
                pass
        white = numpy.full((64, 64, 3), 255, numpy.uint8)
        image = model.trace(white, what=["image"])["image"]
        assert image.shape == (3, 64, 64) and numpy.ptp(image) == 0, "a white array is a white image"


def sweeps_and_pairs(folder):
    run("sweep", "cat", "mug", "--over", "heads", "--out", f"{folder}/heads.npz")
    with numpy.load(f"{folder}/heads.npz", allow_pickle=False) as sweep:
        about = json.loads(sweep["about"].item())
        assert about["software"] == "Vitrine" and about["edits"]["count"] == 16
        assert list(sweep["edits"][:2]) == ["head:1.0", "head:1.1"] and sweep["margin"].shape == (16, 2)
        assert list(sweep["classes"]) == ["cat", "mug"] and sweep["first"].dtype == numpy.float32
        assert numpy.allclose(sweep["margin"].mean(1), sweep["margin_mean"], atol=1e-6)
        assert numpy.allclose(sweep["margin"].std(1), sweep["margin_deviation"], atol=1e-6)
        run("export", "cat", "--what", "importance", "--out", f"{folder}/importance")
        alone = vitrine.load(f"{folder}/importance")["importance"]
        assert numpy.allclose(alone.ravel(), -sweep["margin"][:, 0], atol=1e-4), "importance is the fall in the margin"
    run("export", "mug", "--patch-from", "cat", "--what", "patching", "--site", "head", "--out", f"{folder}/patching")
    patching = vitrine.load(f"{folder}/patching")
    assert patching["patching"].shape == (4, 4) and [axis for axis, _ in patching.axes("patching")] == ["block", "head"]
    run("export", "cat", "--against", "mug", "--what", "rollout", "--out", f"{folder}/against")
    against = vitrine.load(f"{folder}/against")
    run("export", "mug", "--what", "rollout", "--out", f"{folder}/mug")
    same(against["rollout_difference"], against["rollout"] - vitrine.load(f"{folder}/mug")["rollout"], "the difference")
    assert against["cka"].shape == (5, 5) and against["cka"].max() <= 1.0001


def documented_shapes_hold(folder):
    """Each row of docs/formats.md | `name` | (shape) | axes | is what the program writes."""
    with open(os.path.join(source, "docs/formats.md"), encoding="utf-8") as file:
        text = file.read()
    rows = re.findall(r"^\| `([a-z_.ℓ0-9]+)` \| \(([^)]*)\) \| ([^|]*) \|", text, re.M)
    run("export", "cat", "--what", "all", "--out", f"{folder}/all")
    run("trace", "cat", "--dump", f"{folder}/dump.safetensors")
    export, dump = vitrine.load(f"{folder}/all"), vitrine.load(f"{folder}/dump.safetensors")
    config = export.run["model"]
    n, d, blocks, heads = (config[key] for key in ("tokens", "hidden_size", "num_hidden_layers", "num_attention_heads"))
    height, width = config["image_size"]
    patch = config["patch_size"]
    sizes = {"N": n, "D": d, "L": blocks, "h": heads, "M": config["intermediate_size"], "C": config["num_channels"],
             "H": height, "W": width, "P": patch, "N_p": (height // patch) * (width // patch), "L + 1": blocks + 1,
             "L·h": blocks * heads, "classes": config["num_classes"], "rows": height // patch,
             "columns": width // patch, "d": d // heads, "parts": export["ledger"].shape[0]}
    sizes["h·d"] = d
    seen = set()
    for name, shape, axes in rows:
        expected = [int(word) if word.isdigit() else sizes[word] for word in re.split(r",\s*", shape) if word]
        array = dump[name.replace("ℓ", "2")] if name.replace("ℓ", "2") in dump else export[name]
        assert list(array.shape) == expected, f"{name}: {array.shape}, but docs/formats.md says ({shape})"
        assert array.dtype == numpy.float32, name
        if name in export.names:
            written = [axis for axis, _ in export.axes(name)]
            assert written == re.split(r",\s*", axes.strip()), f"{name}: {written}, but docs/formats.md says {axes}"
        seen.add(name.replace("ℓ", "2"))
    missing = set(export.names) - seen
    assert not missing, f"docs/formats.md leaves out {missing}"
    blocks_beyond = {name for name in dump if not re.match(r"(block|z)\.[0134]", name)} - seen
    assert not blocks_beyond, f"docs/formats.md leaves out {blocks_beyond}"


with tempfile.TemporaryDirectory() as own:
    reads_what_is_written(own)
    reads_numbers_over_images(own)
    reads_measures_of_texts(own)
    reads_words_beside_images(own)
    runs_a_model(own)
    sweeps_and_pairs(own)
    documented_shapes_hold(own)
print(json.dumps({"numpy": numpy.__version__, "ok": True}))
