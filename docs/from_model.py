#!/usr/bin/env python3
"""Makes anew what was made from the bundled models: figures quoted in words, evaluations, the guide's pictures.

from_model.py PROGRAM   evaluates the models that changed, writes the figures into words, draws docs/pictures; ./dev model runs it
from_model.py --check   fails where what is committed was made from other models

docs/from_model.json keeps the SHA-256 of each model's weights and of every file made. Figures stand in words between <!-- figure: NAME -->
and <!-- -->.
"""
import hashlib
import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs" / "from_model.json"
PICTURES = ROOT / "docs" / "pictures"
COUNT = 5000  # pictures of each difficulty
SHEET = (320, 180)  # of one chapter on the sheet of all

SETS = {"pictograms": "pictograms", "picturebook": "the picture book"}


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def bundled():
    """The names of the bundled models, the first of which is open where nothing else is asked for."""
    table = re.search(r"BundledModel models\[\] = \{(.*?)\};", (ROOT / "app/library/library.cpp").read_text(), re.S)
    return re.findall(r'\{"([^"]+)", "[^"]+"\}', table[1])


def bundled_texts():
    """The folders of the bundled text models, below assets."""
    table = re.search(r"BundledTextModel bundled\[\] = \{(.*?)\};", (ROOT / "app/library/text_library.cpp").read_text(), re.S)
    return [f"text_models/{name}" for name in re.findall(r'\{"([^"]+)", TextTask', table[1])]


def thousands(number):
    return f"{number:,}"


def percent(share):
    return f"{100 * share:.1f} %"


def percent_of_many(share):
    """The same, of so many that what is not all of them is not called so: 99.98 %, not 100.0 %."""
    return percent(share) if share == 1 or share < 0.9995 else f"{int(10_000 * share) / 100:.2f} %"


def size_of(weights):
    """How large a file of weights is and how many there are, as words say it."""
    header = json.loads(weights[8 : 8 + struct.unpack("<Q", weights[:8])[0]])
    parameters = 0
    for tensor, entry in header.items():
        size = 1
        for side in entry.get("shape", [0]):
            size *= side
        parameters += size if tensor != "__metadata__" else 0
    return {
        "parameters": thousands(parameters),
        "size": f"{round(len(weights) / 1024)} KiB" if len(weights) < 1 << 20 else f"{len(weights) / (1 << 20):.1f} MiB",
    }


def flat(values, before=""):
    """Every number of an evaluation by the path of its keys: shares in per cent, counts whole, weights as they are."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        elif isinstance(value, int):
            yield before + key, thousands(value)
        elif isinstance(value, float):
            yield before + key, f"{value:.2f}" if key.endswith(("mass", "perplexity")) else percent_of_many(value)


def text_figures(name):
    """What words may quote of a text model."""
    folder = ROOT / "assets" / name
    words = json.loads((folder / "vocabulary.json").read_text())
    values = size_of((folder / "model.safetensors").read_bytes())
    values |= {f"{side}_words": thousands(len(words[side])) for side in ("source", "target") if side in words}
    return values | dict(flat(json.loads((folder / "evaluation.json").read_text())))


def figures(name):
    """What words may quote of a model."""
    folder = ROOT / "assets" / name
    config = json.loads((folder / "config.json").read_text())
    evaluation = json.loads((folder / "evaluation.json").read_text())
    labels = list(config["id2label"].values())
    things = labels.index("nothing")
    side, patch = config["image_size"], config["patch_size"]
    values = {
        "scenes": SETS[config.get("vitrine_scenes", "pictograms")],
        "things": str(things),
        "classes": str(len(labels)),
        **size_of((folder / "model.safetensors").read_bytes()),
        "picture": f"{side} × {side} pixels",
        "grid": f"{side // patch} × {side // patch} patches",
        "blocks": str(config["num_hidden_layers"]),
        "heads": str(config["num_attention_heads"]),
        "width": str(config["hidden_size"]),
        "accuracy": percent(evaluation["accuracy"]),
        "count": thousands(evaluation["count"]),
        "object_mass": percent(evaluation["last_block"]["object_mass"]),
        "object_area": percent(evaluation["object_area"]),
    }
    for difficulty, said in evaluation.get("difficulty", {}).items():
        for figure, value in said.items():
            values[f"{difficulty}.{figure}"] = percent(value)
    return values


def with_figures(words, values, file):
    """The words with every figure as it is."""
    def put(mark):
        if mark[1] not in values:
            raise SystemExit(f"from_model.py: {file}: there is no figure {mark[1]}; there are {', '.join(sorted(values))}")
        return f"<!-- figure: {mark[1]} -->{values[mark[1]]}<!-- -->"

    return re.sub(r"<!-- figure: (\S+) -->.*?<!-- -->", put, words, flags=re.S)


def quoting():
    """Files with figures, and the figures they may quote: pages those of all text models, too, as text.NAME.FIGURE."""
    names, texts = bundled(), {name: text_figures(name) for name in bundled_texts()}
    said = figures(names[0])
    for name, values in texts.items():
        said |= {f"text.{Path(name).name}.{figure}": value for figure, value in values.items()}
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    own = [(name, figures(name)) for name in names] + list(texts.items())
    return [(page, said) for page in pages] + [(ROOT / "assets" / name / "README.md", values) for name, values in own]


def drawn(name):
    """The guide's pictures and how each is drawn; blocks are those of the model."""
    blocks = json.loads((ROOT / "assets" / name / "config.json").read_text())["num_hidden_layers"]
    last_but_one = max(1, blocks - 1)
    return {
        "attention.png": ["cat", "--step", "attention", "--block", max(1, blocks // 2)],
        "laboratory.png": ["cat", "--lab", "heads", "--block", last_but_one, "--head", 1,
                           "--set", f"lab.order=entropy,lab.picks=2.1+{blocks}.2"],
        "lecture.png": ["cat", "--step", "attention", "--block", last_but_one, "--lecture"],
        "learning.png": ["cat", "--learn", 60, "--run", "deep", "--run", "deep,no-norm,no-skips"],
        "text.png": ["--text", "cross_attention"],
    }


def snapshot(program, words, out):
    line = [str(w) for w in [program, "snapshot", *words, "--size", "1920x1080", "--force", "--out", out]]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)


def draw_chapters(program, chapters, languages, sheet_of):
    """Every chapter, given by the options that show it, in every language, dark and light, on one sheet."""
    from PIL import Image

    looks = [(theme, language) for theme in ("dark", "light") for language in languages]
    sheet = Image.new("RGB", (SHEET[0] * len(looks), SHEET[1] * len(chapters)))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "chapter.png"
        for row, options in enumerate(chapters):
            print(f"from_model.py: {sheet_of}, {row + 1} of {len(chapters)}", file=sys.stderr)
            for column, (theme, language) in enumerate(looks):
                snapshot(program, [*options, "--theme", theme, "--lang", language], out)
                with Image.open(out) as picture:
                    small = picture.convert("RGB").resize(SHEET, Image.Resampling.LANCZOS)
                sheet.paste(small, (SHEET[0] * column, SHEET[1] * row))
    sheet.quantize(256).save(PICTURES / sheet_of, optimize=True)


def made(names):
    files = [ROOT / "assets" / "gallery.json", ROOT / "assets" / "edges.json", *(ROOT / "assets" / name / "evaluation.json" for name in names)]
    return files + sorted(PICTURES.glob("*.png"))


def record(names):
    models = names + bundled_texts()
    return {
        "models": {name: digest(ROOT / "assets" / name / "model.safetensors") for name in models},
        "first": names[0],
        "made": {str(file.relative_to(ROOT)): digest(file) for file in made(models)},
    }


def make(program):
    names = bundled()
    before = json.loads(RECORD.read_text()) if RECORD.exists() else {"models": {}, "first": ""}
    for name in names + bundled_texts():
        file = ROOT / "assets" / name / "evaluation.json"
        if file.exists() and before["models"].get(name) == digest(file.parent / "model.safetensors"):
            continue
        print(f"from_model.py: evaluating {name}", file=sys.stderr)
        words = subprocess.run([program, "evaluate", "--model", file.parent, "--json", "--count", str(COUNT)],
                               check=True, capture_output=True, text=True).stdout
        file.write_text(words)
    for file, values in quoting():
        file.write_text(with_figures(file.read_text(), values, file))
    log = ROOT / "assets/claims/log.json"
    if json.loads(log.read_text())["model"] != digest(ROOT / "assets" / names[0] / "model.safetensors"):
        print("from_model.py: claims about the model, ten seeds", file=sys.stderr)
        subprocess.run([program, "claims", "--quick", "--full", "--log", log], check=True, stdout=subprocess.DEVNULL)
    for picture, words in drawn(names[0]).items():
        print(f"from_model.py: {picture}", file=sys.stderr)
        snapshot(program, words, PICTURES / picture)
    info = json.loads(subprocess.run([program, "info", "--json"], check=True, capture_output=True, text=True).stdout)
    languages = sorted((file.stem for file in (ROOT / "assets/text").glob("*.json")), key=lambda code: (code != "en", code))
    draw_chapters(program, [["cat", "--step", step["id"]] for step in info["steps"]], languages, "chapters.png")
    draw_chapters(program, [["--text", chapter["id"]] for chapter in info["text_chapters"]], languages, "text_chapters.png")
    RECORD.write_text(json.dumps(record(names), indent=1) + "\n")


def check():
    names, wrong = bundled(), []
    if not RECORD.exists() or json.loads(RECORD.read_text()) != record(names):
        before = json.loads(RECORD.read_text()) if RECORD.exists() else {}
        now = record(names)
        wrong += [f"{part}: {before.get(part)} became {now[part]}" for part in ("first", "models") if before.get(part) != now[part]]
        old, new = before.get("made", {}), now["made"]
        wrong += [f"{file} is not what was made" for file in sorted(old.keys() | new.keys()) if old.get(file) != new.get(file)]
    if json.loads((ROOT / "assets/claims/log.json").read_text())["model"] != digest(ROOT / "assets" / names[0] / "model.safetensors"):
        wrong.append("assets/claims/log.json is of another model")
    for file, values in quoting():
        words = file.read_text()
        if with_figures(words, values, file) != words:
            wrong.append(f"{file.relative_to(ROOT)} quotes other figures than the model has")
    if wrong:
        raise SystemExit("from_model.py: what depends on the bundled models is not of these; run ./dev model\n  " + "\n  ".join(wrong))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    check() if sys.argv[1] == "--check" else make(sys.argv[1])
