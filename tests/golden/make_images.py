#!/usr/bin/python3
"""Writes tests/golden/pillow: small pictures and what Pillow, Hugging Face, torchvision and timm make of them.

    make_images.py            writes the folder anew
    make_images.py --check    makes it in a temporary folder and compares

Needs python3-pil only. float32 arithmetic is Python's double rounded after every operation, which is the same number.
Pictures are compared as pixels (encoders differ between versions), everything else byte for byte.
"""

import array
import filecmp
import io
import math
import struct
import sys
import tempfile
import zlib
from pathlib import Path

from PIL import Image, ImageOps

FOLDER = Path(__file__).resolve().parent / "pillow"
FILTERS = {"bilinear": Image.BILINEAR, "bicubic": Image.BICUBIC, "lanczos": Image.LANCZOS}
IMAGENET = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
INCEPTION = [0.5, 0.5, 0.5], [0.5, 0.5, 0.5]


# ---- pictures ------------------------------------------------------------------------------------------------------

def noise(count, seed):
    """Bytes of a linear congruential generator, the same everywhere."""
    state = seed
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 56


def textured(width, height, seed=1):
    """Smooth colours, hard edges (for overshoot at 0 and 255) and noise."""
    grain = iter(noise(width * height * 3, seed))
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            block = 255 * ((x // 5 + y // 3) % 2)
            for value in (255 * x // width, 255 * y // height, block):
                pixels.append(next(grain) if (x * y) % 7 == 0 else value)
    return Image.frombytes("RGB", (width, height), bytes(pixels))


def patches(width, height):
    """Four flat quadrants and a corner mark: survives JPEG and tells all eight orientations apart."""
    image = Image.new("RGB", (width, height), (200, 40, 40))
    image.paste((40, 180, 60), (width // 2, 0, width, height // 2))
    image.paste((50, 60, 200), (0, height // 2, width // 2, height))
    image.paste((230, 220, 90), (width // 2, height // 2, width, height))
    image.paste((255, 255, 255), (0, 0, 8, 8))
    return image


def png(size, bits, colour, rows, chunks=()):
    """A PNG of any bit depth; `rows` are packed already."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    header = struct.pack(">IIBBBBB", *size, bits, colour, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    extra = b"".join(chunk(name, data) for name, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def exif(orientation):
    data = Image.Exif()
    data[0x0112] = orientation
    return data.tobytes()


def write_ppm(path, image):
    image.convert("RGB").save(path, format="PPM")


# ---- decoding ------------------------------------------------------------------------------------------------------

def saved(image, **options):
    buffer = io.BytesIO()
    image.save(buffer, **options)
    return buffer.getvalue()


def decodings():
    """(file name, bytes, expected RGB, largest mean difference per channel)"""
    colour = textured(23, 17, 3)
    grey = colour.convert("L")
    alpha = Image.frombytes("L", colour.size, bytes(noise(23 * 17, 5)))
    yield "rgb.png", saved(colour, format="PNG"), colour, 0
    yield "grey.png", saved(grey, format="PNG"), grey, 0
    rgba = colour.copy()
    rgba.putalpha(alpha)
    yield "rgba.png", saved(rgba, format="PNG"), rgba, 0
    yield "grey_alpha.png", saved(Image.merge("LA", (grey, alpha)), format="PNG"), grey, 0
    indexed = colour.quantize(16)
    yield "palette.png", saved(indexed, format="PNG"), indexed, 0
    yield "palette_transparent.png", saved(indexed, format="PNG", transparency=bytes(range(0, 256, 16))), indexed, 0
    yield "one_bit.png", saved(grey.convert("1"), format="PNG"), grey.convert("1"), 0
    yield "rgb.bmp", saved(colour, format="BMP"), colour, 0
    yield "palette.bmp", saved(indexed, format="BMP"), indexed, 0
    yield "rgb.tga", saved(colour, format="TGA"), colour, 0
    yield "rle.tga", saved(patches(24, 16), format="TGA", compression="tga_rle"), patches(24, 16), 0
    yield "rgb.ppm", saved(colour, format="PPM"), colour, 0
    yield "grey.pgm", saved(grey, format="PPM"), grey, 0
    other = ImageOps.invert(colour).quantize(16)
    yield "two_frames.gif", saved(indexed, format="GIF", save_all=True, append_images=[other]), indexed, 0

    deep = [list(noise(2 * 3 * 9, 7 + y)) for y in range(5)]  # big-endian pairs; the upper byte is what remains
    upper = bytes(v for row in deep for v in row[::2])
    yield "rgb16.png", png((9, 5), 16, 2, map(bytes, deep)), Image.frombytes("RGB", (9, 5), upper), 0
    yield "grey16.png", png((27, 5), 16, 0, map(bytes, deep)), Image.frombytes("L", (27, 5), upper), 0
    yield "psd.psd", psd(colour), colour, 0
    turned = png((9, 5), 16, 2, map(bytes, deep), [(b"eXIf", exif(6)[6:])])
    yield "exif_6.png", turned, Image.frombytes("RGB", (9, 5), upper).transpose(Image.ROTATE_270), 0

    jpeg = {"format": "JPEG", "quality": 95}
    for name, picture, options in (("baseline.jpg", patches(40, 24), {}), ("progressive.jpg", patches(40, 24), {"progressive": True}),
                                   ("grey.jpg", patches(40, 24).convert("L"), {})):
        data = saved(picture, **options, **jpeg)
        yield name, data, Image.open(io.BytesIO(data)), 2  # two decoders round their transforms differently
    for orientation in range(1, 9):
        data = saved(patches(40, 24), exif=exif(orientation), subsampling=0, **jpeg)
        yield f"exif_{orientation}.jpg", data, ImageOps.exif_transpose(Image.open(io.BytesIO(data))), 2


def psd(image):
    """An uncompressed Photoshop file of one RGB layer."""
    header = b"8BPS" + struct.pack(">H6xHIIHH", 1, 3, image.height, image.width, 8, 3)
    return header + struct.pack(">IIIH", 0, 0, 0, 0) + b"".join(band.tobytes() for band in image.split())


def write_decodings(folder):
    (folder / "decode").mkdir()
    rows = []
    for name, data, expected, tolerance in decodings():
        (folder / "decode" / name).write_bytes(data)
        write_ppm(folder / "decode" / (name + ".expected"), expected)
        rows.append(f"{name} {tolerance}\n")
    (folder / "decode.txt").write_text("".join(rows))


# ---- resizing ------------------------------------------------------------------------------------------------------

def write_resizings(folder):
    (folder / "resize").mkdir()
    sources = {"landscape": textured(61, 43), "wide": textured(397, 2, 2), "tall": textured(1, 233, 4),
               "pixel": textured(1, 1, 6)}
    sizes = {"landscape": [(16, 16), (61, 20), (30, 43), (60, 42), (100, 70), (17, 90), (1, 1)],
             "wide": [(13, 7), (400, 1)], "tall": [(5, 31), (1, 240)], "pixel": [(7, 3)]}
    rows = []
    for source, image in sources.items():
        write_ppm(folder / "resize" / f"{source}.ppm", image)
        for width, height in sizes[source]:
            for name, kind in FILTERS.items():
                result = f"{source}_{width}x{height}_{name}.ppm"
                write_ppm(folder / "resize" / result, image.resize((width, height), kind))
                rows.append(f"{source}.ppm {width} {height} {name} {result}\n")
    (folder / "resize.txt").write_text("".join(rows))


# ---- preprocessing -------------------------------------------------------------------------------------------------

def shortest_edge(image, edge, kind):
    """Hugging Face's and torchvision's size: the longer edge is cut to an integer."""
    short, long = sorted(image.size)
    longer = int(edge * long / short)
    return image.resize((edge, longer) if image.width <= image.height else (longer, edge), kind)


def keep_ratio(image, height, width, longest, kind):
    """timm's ResizeKeepRatio."""
    ratios = image.height / height, image.width / width
    ratio = max(ratios) * longest + min(ratios) * (1.0 - longest)
    return image.resize((round(image.width / ratio), round(image.height / ratio)), kind)


def crop_hugging_face(image, height, width):
    """Floor division on both sides; Pillow's crop pads with black."""
    left, top = (image.width - width) // 2, (image.height - height) // 2
    return image.crop((left, top, left + width, top + height)), left, top


def crop_torchvision(image, height, width, fill=(0, 0, 0)):
    """torchvision's CenterCrop and timm's CenterCropOrPad: pads first, then crops at Python's round()."""
    pad_x, pad_y = max(0, width - image.width), max(0, height - image.height)
    fill = fill if image.mode == "RGB" else fill[0]
    padded = Image.new(image.mode, (image.width + pad_x, image.height + pad_y), fill)
    padded.paste(image, (pad_x // 2, pad_y // 2))
    left, top = round((padded.width - width) / 2.0), round((padded.height - height) / 2.0)
    return padded.crop((left, top, left + width, top + height)), left - pad_x // 2, top - pad_y // 2


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def normalised(image, mean, std):
    """(C, H, W), x · (1 / 255) in float64, then (x − mean) / std, each rounded to float32."""
    planes = array.array("f")
    for c, band in enumerate(image.split()):
        m, s = float32(mean[c]), float32(std[c])
        for x in band.getdata():
            planes.append(float32(float32(float32(x * (1 / 255)) - m) / s))
    if sys.byteorder == "big":
        planes.byteswap()
    return planes.tobytes()


def preprocessings():
    """(name, picture, the columns of preprocess.txt but the last four, resized, crop)"""
    landscape, portrait, small = textured(61, 43), textured(37, 50, 8), textured(9, 14, 9)
    bilinear, bicubic, lanczos = Image.BILINEAR, Image.BICUBIC, Image.LANCZOS

    def case(name, image, columns, size, numbers, resized, crop=crop_hugging_face):
        channels, height, width = size
        mean, std = numbers
        columns = f"{columns} {channels} {height} {width} " + " ".join(map(str, mean + std))
        seen, left, top = crop(resized, height, width)
        across, down = image.width / resized.width, image.height / resized.height
        box = left * across, top * down, (left + width) * across, (top + height) * down
        return name, image, columns + " " + " ".join(map(repr, box)), seen, normalised(seen, mean, std)

    for picture, image in ("landscape", landscape), ("portrait", portrait), ("small", small):
        yield case(f"hf_vit_{picture}", image, "squash 24 24 bilinear 0 down", (3, 24, 24), INCEPTION,
                   image.resize((24, 24), bilinear))
        yield case(f"hf_deit_{picture}", image, "squash 28 28 bicubic 1 down", (3, 23, 24), IMAGENET,
                   image.resize((28, 28), bicubic))
        yield case(f"hf_dinov2_{picture}", image, "shortest_edge 29 29 bicubic 1 down", (3, 24, 24), IMAGENET,
                   shortest_edge(image, 29, bicubic))
        yield case(f"hf_pads_{picture}", image, "shortest_edge 17 17 bilinear 1 down", (3, 24, 22), IMAGENET,
                   shortest_edge(image, 17, bilinear))
        yield case(f"torchvision_{picture}", image, "shortest_edge 27 27 bilinear 1 half_to_even", (3, 24, 24),
                   IMAGENET, shortest_edge(image, 27, bilinear), crop_torchvision)
        yield case(f"torchvision_pads_{picture}", image, "shortest_edge 17 17 bilinear 1 half_to_even", (3, 24, 22),
                   IMAGENET, shortest_edge(image, 17, bilinear), crop_torchvision)
        yield case(f"timm_center_{picture}", image, "shortest_edge 26 26 bicubic 1 half_to_even", (3, 24, 24),
                   INCEPTION, shortest_edge(image, math.floor(24 / 0.9), bicubic), crop_torchvision)
        yield case(f"timm_center_oblong_{picture}", image, "shortest_edge 26 30 bicubic 1 half_to_even", (3, 24, 27),
                   INCEPTION, keep_ratio(image, 26, 30, 0.0, bicubic), crop_torchvision)
        yield case(f"timm_squash_{picture}", image, "squash 26 26 lanczos 1 half_to_even", (3, 24, 23),
                   INCEPTION, image.resize((26, 26), lanczos), crop_torchvision)
        mean = IMAGENET[0]
        yield case(f"timm_border_{picture}", image, "longest_edge 25 25 bicubic 1 half_to_even", (3, 24, 24),
                   IMAGENET, keep_ratio(image, 25, 25, 1.0, bicubic),
                   lambda i, h, w: crop_torchvision(i, h, w, tuple(round(255 * v) for v in mean)))
        yield case(f"grey_{picture}", image, "squash 24 24 bilinear 0 down", (1, 24, 24), ([0.5], [0.25]),
                   image.convert("L").resize((24, 24), bilinear))
        yield case(f"unresized_{picture}", image, "none 0 0 bilinear 1 down", (3, 20, 20), INCEPTION, image)


def write_preprocessings(folder):
    (folder / "preprocess").mkdir()
    rows = []
    for name, image, columns, seen, numbers in preprocessings():
        picture = name.rsplit("_", 1)[1] + ".ppm"
        write_ppm(folder / "preprocess" / picture, image)
        write_ppm(folder / "preprocess" / (name + ".seen"), seen)
        (folder / "preprocess" / (name + ".f32")).write_bytes(numbers)
        rows.append(f"{name} {picture} {columns}\n")
    (folder / "preprocess.txt").write_text("".join(rows))


# ---- the folder ----------------------------------------------------------------------------------------------------

def write(folder):
    write_decodings(folder)
    write_resizings(folder)
    write_preprocessings(folder)


def same(path, other):
    """Encoded pictures as pixels, other files as bytes."""
    if not other.exists():
        return False
    if path.parent.name == "decode" and path.suffix != ".expected":
        with Image.open(path) as a, Image.open(other) as b:
            return a.mode == b.mode and a.size == b.size and a.convert("RGBA").tobytes() == b.convert("RGBA").tobytes()
    return filecmp.cmp(path, other, shallow=False)


def check():
    with tempfile.TemporaryDirectory() as name:
        remade = Path(name)
        write(remade)
        files = {p.relative_to(root) for root in (remade, FOLDER) for p in root.rglob("*") if p.is_file()}
        different = sorted(f for f in files if not (remade / f).exists() or not same(remade / f, FOLDER / f))
    for file in different:
        print(f"{FOLDER / file} differs from what make_images.py makes of it", file=sys.stderr)
    print(f"{len(files) - len(different)} of {len(files)} files agree")
    return 1 if different else 0


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    FOLDER.mkdir(exist_ok=True)
    for path in sorted(FOLDER.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    write(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
