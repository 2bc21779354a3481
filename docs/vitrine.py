"""Reads what Vitrine writes, and runs a model through it. Needs numpy alone; copy this file to where you work.

    import vitrine
    rollout = vitrine.load("out/rollout.npy")             # an array; .csv needs the manifest beside it
    tensors = vitrine.load("cat.safetensors")             # {name: array}, .metadata, .run
    folder = vitrine.load("out")                          # an export: folder["rollout"], folder.axes("rollout")
    texts = folder.axes("words")[0][1]                    # what the image was compared with: folder["words"]
    with vitrine.Model() as model:                        # starts: vitrine serve --stdio
        run = model.trace("cat", what_if=["head:2.1"], what=["rollout", "block.2.attention"])
        run.top[0]["label"], run["rollout"].shape, run.change

docs/formats.md says what each array holds.
"""

import csv
import io
import json
import os
import struct
import subprocess
import tempfile

import numpy

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1",
          "BOOL": "?"}


class Tensors(dict):
    """The tensors of a safetensors file by name; `run` is what made them, where the file says it."""

    metadata = {}

    @property
    def run(self):
        return json.loads(self.metadata.get("run", "null"))


def load_safetensors(path):
    """Reads every tensor of a safetensors file; BF16 becomes float32."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    tensors = Tensors()
    tensors.metadata = header.pop("__metadata__", {})
    for name, row in header.items():
        begin, end = row["data_offsets"]
        if row["dtype"] == "BF16":
            wide = numpy.frombuffer(data[begin:end], "<u2").astype("<u4") << 16
            array = wide.view("<f4")
        else:
            array = numpy.frombuffer(data[begin:end], _TYPES[row["dtype"]])
        tensors[name] = array.reshape(row["shape"])
    return tensors


def load_csv(path, shape):
    """The numbers of a CSV file whose array has this shape, NaN where a cell is empty; the labels before them are left out."""
    leading = max(1, len(shape) - 1)
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return numpy.array([[float(cell or "nan") for cell in row[leading:]] for row in rows], "<f4").reshape(shape)


def load_table(path):
    """A CSV file as a list of rows, a dictionary each: images.csv of a stack."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Export:
    """A folder with a manifest: one image's measures, a stack of many images', or numbers over all of them."""

    def __init__(self, folder):
        self.folder = os.fspath(folder)
        with open(os.path.join(self.folder, "manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        self.run = self.manifest["run"]
        self.rows = {}
        for row in self.manifest["arrays"]:
            if "shape" in row and "coming_sha256" not in row:
                self.rows.setdefault(row["measure"], row)

    @property
    def names(self):
        return list(self.rows)

    @property
    def images(self):
        """The images of a stack in the order of its first axis, or those of a mean; of a single export, its image; of a text, none."""
        if "text" in self.run:
            return []
        if "images" in self.run:
            return [image for image in self.run["images"] if "error" not in image]
        return [self.run["image"]]

    def axes(self, name):
        """For each axis its name, and what stands along it: labels, or numbers from the first index on."""
        return [(axis["name"], axis.get("labels") or list(range(axis["first"], axis["first"] + axis["size"])))
                for axis in self.rows[name]["axes"]]

    def __getitem__(self, name):
        row = self.rows[name]
        path = os.path.join(self.folder, row["file"])
        if path.endswith(".npy"):
            array = numpy.load(path, allow_pickle=False)
        elif path.endswith(".csv"):
            array = load_csv(path, row["shape"])
        else:
            array = load_safetensors(path)[name]
        if list(array.shape) != row["shape"]:
            raise ValueError(f"{path}: has the shape {array.shape}, but the manifest says {row['shape']}")
        return array


def load(path):
    """Reads a file or a folder that Vitrine has written. A folder of folders becomes {name: Export}."""
    path = os.fspath(path)
    if os.path.isdir(path):
        if os.path.exists(os.path.join(path, "manifest.json")):
            return Export(path)
        return {name: Export(os.path.join(path, name)) for name in sorted(os.listdir(path))
                if os.path.exists(os.path.join(path, name, "manifest.json"))}
    if path.endswith(".npy"):
        return numpy.load(path, allow_pickle=False)
    if path.endswith(".safetensors"):
        return load_safetensors(path)
    if path.endswith(".jsonl"):
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    if path.endswith(".csv"):
        folder, name = os.path.split(path)
        beside = os.path.join(folder, "manifest.json")
        if os.path.exists(beside):
            with open(beside, encoding="utf-8") as file:
                for row in json.load(file)["arrays"]:
                    if row["file"] == name and "shape" in row:
                        return load_csv(path, row["shape"])
        return load_table(path)
    raise ValueError(f"{path}: is none of .npy, .safetensors, .csv, .json and .jsonl")


class Run:
    """An answer of the server: its arrays by name, and the rest of it as attributes (top, change, image …)."""

    def __init__(self, answer, arrays):
        self.answer = answer
        self.arrays = arrays

    def __getitem__(self, name):
        return self.arrays[name]

    def __getattr__(self, name):
        try:
            return self.__dict__["answer"][name]
        except KeyError:
            raise AttributeError(name) from None


class Model:
    """A model in a program of its own, loaded once; errors are ValueError."""

    def __init__(self, model=None, program="vitrine", threads=None):
        words = [os.fspath(program), "serve", "--stdio"]
        if model is not None:
            words += ["--model", os.fspath(model)]
        if threads is not None:
            words += ["--threads", str(threads)]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def ask(self, **request):
        """Sends any request; docs/formats.md lists them."""
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise ValueError("vitrine has ended; its own words are above")
        answer = json.loads(line)
        data = io.BytesIO(self._process.stdout.read(answer["bytes"]))
        if not answer["ok"]:
            raise ValueError(answer["error"])
        arrays = {row["measure"]: numpy.load(data, allow_pickle=False) for row in answer.get("arrays", [])}
        return Run(answer, arrays)

    def info(self):
        return self.ask(request="info").answer

    def trace(self, image, what_if=(), what=(), settings=(), top=5):
        """Runs an image: a file, a drawn sample's name, or a (height, width, 3) array of uint8."""
        if not isinstance(image, numpy.ndarray):
            return self._trace(os.fspath(image), what_if, what, settings, top)
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != numpy.uint8:
            raise ValueError("an image is a (height, width, 3) array of uint8")
        with tempfile.NamedTemporaryFile(suffix=".ppm") as file:
            file.write(b"P6\n%d %d\n255\n" % (image.shape[1], image.shape[0]) + image.tobytes())
            file.flush()
            return self._trace(file.name, what_if, what, settings, top)

    def _trace(self, image, what_if, what, settings, top):
        return self.ask(request="trace", image=image, what_if=list(what_if), what=list(what), set=list(settings),
                        top=top)
