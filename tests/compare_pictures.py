#!/usr/bin/python3
"""The pictures of two builds of vitrine, pixel by pixel: compare_pictures.py OLD NEW [FOLDER]

Draws every step, every chapter of texts and every instrument in every language and theme with both programs, what
takes many runs in one language and theme. What the run took, the only words
that differ from run to run, is left out of the comparison. Prints the pictures that differ, by how much at most and
within which rectangle, then a count; they stay in FOLDER. Exit status 1 where any differ. Needs python3-pil."""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image, ImageChops

WIDTH, HEIGHT = 1280, 720
TIMES = (int(0.55 * WIDTH), int(0.08 * HEIGHT), int(0.765 * WIDTH), int(0.135 * HEIGHT))  # "forward pass 0.51 ms"
INSTRUMENTS = ["heads", "compare", "statistics", "depth", "tokens", "lens", "ledger"]  # occlusion grows while it runs
TEXT_INSTRUMENTS = ["heads", "statistics", "rollout", "lens", "ledger", "occlusion"]
LONG_CAUSES = {"pruning": [], "patching": ["--beside", "dog"], "perturbation": []}  # many runs each
CLIP = Path(__file__).parent / "golden/words/clip"  # a model with a text tower


def draw(program, options, file):
    command = [program, "snapshot", *options, "--size", f"{WIDTH}x{HEIGHT}", "--out", file]
    subprocess.run(command, check=True, capture_output=True, text=True)
    with Image.open(file) as picture:
        picture = picture.convert("RGB")
    picture.paste((0, 0, 0), TIMES)
    return picture


def compare(job):
    name, options, old, new, folder = job
    files = [folder / f"{name}-{which}.png" for which in ("old", "new")]
    try:
        before, after = (draw(program, options, file) for program, file in zip((old, new), files))
    except subprocess.CalledProcessError as error:
        return f"{name}: {error.stderr.strip()}"
    difference = ImageChops.difference(before, after)
    if difference.getbbox() is None:
        for file in files:
            file.unlink()
        return None
    counts = [sum(count) for count in zip(*(band.histogram() for band in difference.split()))]
    largest = max(level for level, count in enumerate(counts) if count)
    return f"{name}: by {largest} of 255 at most, within {difference.getbbox()}"


def main():
    old, new = (str(Path(program).resolve()) for program in sys.argv[1:3])
    folder = Path(sys.argv[3]) if len(sys.argv) > 3 else Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    info = json.loads(subprocess.run([old, "info", "--json"], check=True, capture_output=True, text=True).stdout)
    views = [(step["id"], ["cat", "--step", step["id"]]) for step in info["steps"]]
    views += [(f"lab-{i}", ["cat", "--lab", i, "--set", "lab.picks=1.0+2.1"]) for i in INSTRUMENTS]
    views += [("lab-causes", ["cat", "--lab", "causes"]), ("lab-words", ["cat", "--lab", "words", "--model", CLIP])]
    texts = [chapter["id"] for chapter in info["text_chapters"]] + TEXT_INSTRUMENTS
    views += [(f"text-{name}", ["--text", name]) for name in texts]
    causes = [
        (f"lab-causes-{name}", ["cat", "--lab", "causes", "--set", f"lab.cause={name}", *options])
        for name, options in LONG_CAUSES.items()
    ]
    looks = [(theme, language) for theme in ("dark", "light") for language in ("en", "ja", "ko")]
    shown = [(view, look) for view in views for look in looks] + [(view, looks[0]) for view in causes]
    jobs = [
        (f"{name}-{theme}-{language}", [*options, "--theme", theme, "--lang", language], old, new, folder)
        for (name, options), (theme, language) in shown
    ]
    with ThreadPoolExecutor(2) as pool:
        differing = [words for words in pool.map(compare, jobs) if words]
    print(*differing, sep="\n")
    print(f"{len(jobs) - len(differing)} of {len(jobs)} pictures are the same; those that differ lie in {folder}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
